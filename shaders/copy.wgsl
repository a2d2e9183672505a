// Copies a buffer, to measure the memory bandwidth that other kernels are held against.
@group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> destination: array<vec4<u32>>;

@compute @workgroup_size(256)
fn copy(
  @builtin(workgroup_id) group: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (group.y * groups.x + group.x) * 256u + lane;
  if (i < arrayLength(&source)) { destination[i] = source[i]; }
}
