//! Numbers as people read and write them.

use std::fmt;
use std::time::Duration;

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: impl fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes with a unit: `870 bytes`, `6.1 MiB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let mut size = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    if unit == "bytes" { format!("{bytes} bytes") } else { format!("{size:.1} {unit}") }
}

/// A time: `0.03 s`, `14.2 s`, `3 min 20 s`, `2 h 5 min`.
pub(crate) fn seconds(time: Duration) -> String {
    let whole = time.as_secs();
    match whole {
        0..10 => format!("{:.2} s", time.as_secs_f64()),
        10..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A share of a whole in percent: `62.1%`.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1}%", part as f64 * 100.0 / whole as f64)
}

/// Reads a number of bytes: `4000000`, `512M`, `3GiB` (units are powers of 1024).
pub(crate) fn parse_bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is no number of bytes; write 4000000000, 512M or 3GiB");
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << (10 * power)).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_from_the_right() {
        let cases = [(0, "0"), (999, "999"), (1000, "1,000"), (6_408_836, "6,408,836")];
        for (number, text) in cases {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn bytes_are_read_with_and_without_units() {
        let cases = [("0", 0), ("17", 17), ("2k", 2048), ("3GiB", 3 << 30), ("5 MB", 5 << 20)];
        for (text, number) in cases {
            assert_eq!(parse_bytes(text), Ok(number), "{text}");
        }
        for text in ["", "G", "-1", "1.5G", "3X", "99999999999999T"] {
            assert!(parse_bytes(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_and_times_have_the_unit_that_fits() {
        assert_eq!(bytes(870), "870 bytes");
        assert_eq!(bytes(6_500_000), "6.2 MiB");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
        assert_eq!(seconds(Duration::from_millis(30)), "0.03 s");
        assert_eq!(seconds(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(seconds(Duration::from_secs(7500)), "2 h 5 min");
        assert_eq!(share(1, 3), "33.3%");
    }
}
