#![no_main]

libfuzzer_sys::fuzz_target!(init: crownhead_fuzz::prepare(), |bytes: &[u8]| {
    crownhead_fuzz::probe(bytes);
});
