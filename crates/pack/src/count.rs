/// For each bit of the rows, how many rows have it: `counts[64 * word + bit]`.
///
/// Sixteen rows at a time are added bit-sliced (Harley and Seal), so that a row costs a handful
/// of operations on each word.
pub(crate) fn count_columns<const W: usize>(rows: &[[u64; W]], counts: &mut [u32]) {
    counts.fill(0);
    // The sums of a block fit 16 planes.
    for block in rows.chunks(1 << 15) {
        let mut planes = [[0u64; W]; 16];
        let mut groups = block.chunks_exact(16);
        for group in &mut groups {
            add_sixteen(group, &mut planes);
        }
        for row in groups.remainder() {
            ripple(&mut planes, 0, *row);
        }
        for (p, plane) in planes.iter().enumerate() {
            for (w, word) in plane.iter().enumerate() {
                let mut rest = *word;
                while rest != 0 {
                    counts[64 * w + rest.trailing_zeros() as usize] += 1 << p;
                    rest &= rest - 1;
                }
            }
        }
    }
}

/// Leaves the sum in `a` and returns the carry.
#[inline(always)]
fn full_add<const W: usize>(a: &mut [u64; W], b: &[u64; W], c: &[u64; W]) -> [u64; W] {
    let mut carry = [0; W];
    for i in 0..W {
        let half = a[i] ^ b[i];
        carry[i] = a[i] & b[i] | half & c[i];
        a[i] = half ^ c[i];
    }
    carry
}

#[inline(always)]
fn add_sixteen<const W: usize>(rows: &[[u64; W]], planes: &mut [[u64; W]; 16]) {
    let [ones, twos, fours, eights, ..] = planes;
    let mut carries8 = [[0; W]; 2];
    for (half, carry8) in rows.chunks_exact(8).zip(&mut carries8) {
        let mut carries4 = [[0; W]; 2];
        for (quarter, carry4) in half.chunks_exact(4).zip(&mut carries4) {
            let a = full_add(ones, &quarter[0], &quarter[1]);
            let b = full_add(ones, &quarter[2], &quarter[3]);
            *carry4 = full_add(twos, &a, &b);
        }
        *carry8 = full_add(fours, &carries4[0], &carries4[1]);
    }
    let carry = full_add(eights, &carries8[0], &carries8[1]);
    ripple(planes, 4, carry);
}

#[inline(always)]
fn ripple<const W: usize>(planes: &mut [[u64; W]; 16], from: usize, mut carry: [u64; W]) {
    for plane in &mut planes[from..] {
        for i in 0..W {
            (plane[i], carry[i]) = (plane[i] ^ carry[i], plane[i] & carry[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_of_looking_at_each_bit() {
        let mut state = 1u64;
        let rows: Vec<[u64; 3]> = (0..70_001)
            .map(|_| {
                [(); 3].map(|()| {
                    state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    state ^ (state >> 29)
                })
            })
            .collect();
        for len in [0, 1, 15, 16, 17, 100, 70_001] {
            let rows = &rows[..len];
            let mut counts = vec![7; 192];
            count_columns(rows, &mut counts);
            for (i, count) in counts.iter().enumerate() {
                let right = rows.iter().filter(|row| row[i / 64] >> (i % 64) & 1 == 1).count();
                assert_eq!(*count as usize, right, "bit {i} of {len} rows");
            }
        }
    }
}
