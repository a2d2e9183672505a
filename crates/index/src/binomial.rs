/// Binomial coefficients by how many are chosen, then from how many: 1.7 KB of constants.
///
/// Twelve of 32 squares is the largest, 225,792,840: all fit 32 bits.
const TABLE: [[u32; 33]; 13] = {
    let mut table = [[0; 33]; 13];
    let mut n = 0;
    while n <= 32 {
        table[0][n] = 1;
        let mut k = 1;
        while k <= 12 && n > 0 {
            table[k][n] = table[k - 1][n - 1] + table[k][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

static STORED: [[u32; 33]; 13] = TABLE;

/// In how many ways `k` of `n` can be chosen; 0 when `k` exceeds `n`.
///
/// # Panics
///
/// When `n` exceeds 32 squares or `k` exceeds the 12 pieces of a side.
///
/// ```
/// assert_eq!(crownhead_index::choose(32, 2), 496);
/// ```
#[inline]
pub fn choose(n: u32, k: u32) -> u32 {
    STORED[k as usize][n as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_product_formula() {
        for n in 0..=32u32 {
            for k in 0..=12u32 {
                let product =
                    (0..k).fold(1u64, |c, i| c * u64::from(n.saturating_sub(i)) / u64::from(i + 1));
                assert_eq!(u64::from(choose(n, k)), product, "{k} of {n}");
            }
        }
    }
}
