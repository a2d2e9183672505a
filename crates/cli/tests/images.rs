//! The commands pack and unpack, and images in place of tables.

#[allow(dead_code, reason = "each file of tests uses a part")]
mod common;

use std::fs;
use std::path::Path;

use self::common::run;

/// Three pieces: packed, unpacked, and the tables of both directories compared.
#[test]
fn unpacking_gives_the_packed_tables_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let (image, tables, back) = (path("3.img"), path("tables"), path("back"));
    for metric in ["wld", "dtw"] {
        let packed = run(&[
            "pack", "--json", "--pieces", "3", "--metric", metric, "--tables", &tables, &image,
        ]);
        assert_eq!(packed.status, 0, "{}", packed.err);
        let bytes = fs::metadata(&image).unwrap().len();
        assert_eq!(packed.out, format!("{{\"bytes\":{bytes},\"positions\":199520}}\n"));
        let unpacked = run(&["unpack", &image, "--tables", &back]);
        assert_eq!(unpacked.status, 0, "{}", unpacked.err);
        let mut compared = 0;
        for file in fs::read_dir(&back).unwrap().flatten() {
            let name = file.file_name();
            if Path::new(&name).extension().is_some_and(|extension| extension == metric) {
                assert!(
                    fs::read(file.path()).unwrap()
                        == fs::read(Path::new(&tables).join(name)).unwrap()
                );
                compared += 1;
            }
        }
        assert_eq!(compared, 9, "{metric}");
    }
}

fn embedded(pieces: u32) -> String {
    format!("{}/../table/images/{pieces}.img", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn an_image_answers_instead_of_tables() {
    let four = embedded(4);
    let probed = run(&["probe", "--json", "--image", &four, "W:W11,6:B3,K25"]);
    assert_eq!(probed.status, 0, "{}", probed.err);
    assert!(probed.out.contains("\"value\":\"win\"") && probed.out.contains("\"plies\":null"));
    let three = embedded(3);
    let probed = run(&["probe", "--json", "--image", &three, "B:WK9:BK20,K32"]);
    assert!(probed.out.contains("\"metric\":\"dtw\"") && probed.out.contains("\"best\":"));
    let stats = run(&["stats", "--json", "--image", &three, "--material", "KKvK"]);
    assert_eq!(stats.status, 0, "{}", stats.err);
    assert!(stats.out.contains("\"material\":\"KKvK\"") && stats.out.contains("\"lookups_mean\":"));
    let verified = run(&["verify", "--json", "--image", &three]);
    assert_eq!((verified.status, verified.out.lines().count()), (0, 9), "{}", verified.err);
}

#[test]
fn what_is_wrong_with_an_image_decides_the_status() {
    let directory = tempfile::tempdir().unwrap();
    let bad = directory.path().join("bad.img");
    let mut bytes = fs::read(embedded(3)).unwrap();
    bytes[5000] ^= 4;
    fs::write(&bad, bytes).unwrap();
    let bad = bad.to_string_lossy();
    let fen = "W:WK1:BK32";
    let damaged = run(&["probe", "--image", &bad, fen]);
    assert_eq!(damaged.status, 2);
    assert!(damaged.err.contains("checksum"), "{}", damaged.err);
    assert_eq!(run(&["verify", "--image", &bad]).status, 1);
    assert_eq!(run(&["unpack", &bad]).status, 2);
    assert_eq!(run(&["probe", "--image", "/no/such/file", fen]).status, 3);
    let more = run(&["probe", "--image", &embedded(3), "W:WK1,K2,K3:BK32,K31"]);
    assert_eq!(more.status, 2);
    assert!(more.err.contains("5 pieces"), "{}", more.err);
    assert_eq!(run(&["pack", "--metric", "dtc", &bad]).status, 2);
    assert_eq!(run(&["pack", "--pieces", "9", &bad]).status, 2);
}

/// Puts right checksums over whatever an image's bytes are.
fn seal(image: &mut [u8]) {
    for at in (48..112).step_by(16) {
        let word = |at: usize| u32::from_le_bytes(image[at..at + 4].try_into().unwrap()) as usize;
        let (start, bytes) = (word(at), word(at + 4));
        let crc = crc32fast::hash(&image[start..start + bytes]);
        image[at + 8..at + 12].copy_from_slice(&crc.to_le_bytes());
    }
    let crc = crc32fast::hash(&image[..124]);
    image[124..128].copy_from_slice(&crc.to_le_bytes());
}

/// Faults under right checksums: wrong counts, and flipped bits of the trees and of the functions
/// that state the trees' exceptions. What passes must hold the right values all the same.
#[test]
fn verifying_finds_faults_planted_in_an_image() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let right = fs::read(embedded(3)).unwrap();
    let (planted, tables) = (path("planted.img"), path("tables"));
    assert_eq!(run(&["unpack", &embedded(3), "--tables", &tables]).status, 0);
    let verify = |change: &dyn Fn(&mut [u8])| {
        let mut bytes = right.clone();
        change(&mut bytes);
        seal(&mut bytes);
        fs::write(&planted, bytes).unwrap();
        run(&["verify", "--image", &planted])
    };
    assert_eq!(verify(&|_| {}).status, 0);
    // One win more and one draw less.
    let counts = verify(&|bytes| {
        bytes[24] += 1;
        bytes[32] -= 1;
    });
    assert_eq!(counts.status, 1, "{counts:?}");
    assert!(counts.err.contains("counts"), "{counts:?}");
    let (mut contradictions, mut harmless) = (0, 0);
    for n in 0..12 {
        let verified = verify(&|bytes| bytes[128 + n * 298 / 12] ^= 1 << (n % 8));
        contradictions += usize::from(verified.out.contains("contradicts those"));
        if verified.status == 0 {
            harmless += 1;
            let back = path(&format!("back {n}"));
            assert_eq!(run(&["unpack", &planted, "--tables", &back]).status, 0);
            for file in fs::read_dir(&tables).unwrap().flatten() {
                let same = fs::read(Path::new(&back).join(file.file_name())).unwrap();
                assert!(fs::read(file.path()).unwrap() == same, "bit {n}");
            }
        } else {
            assert_eq!(verified.status, 1, "bit {n}: {verified:?}");
        }
    }
    assert!(contradictions >= 4 && harmless <= 3, "{contradictions} and {harmless}");
}

/// A header can say anything with the right checksum: what would not fit into memory is refused at
/// once.
#[test]
fn a_small_image_of_many_pieces_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    let (image, tables) = (path("8.img"), path("tables"));
    let trees = vec![0; 4 * 600 + 4];
    let ribbons = vec![0; 4 * 15];
    let mut bytes = [&b"CROWNIMG"[..], &[1, 0, 0, 8]].concat();
    bytes.resize(128, 0);
    for (section, content) in [trees, ribbons].iter().enumerate() {
        let (offset, len) = (bytes.len() as u32, content.len() as u32);
        let words = [offset, len, crc32fast::hash(content)].map(u32::to_le_bytes).concat();
        bytes[48 + 16 * section..][..12].copy_from_slice(&words);
        bytes.extend(content);
    }
    let len = bytes.len() as u32;
    bytes[20..24].copy_from_slice(&len.to_le_bytes());
    let crc = crc32fast::hash(&bytes[..124]);
    bytes[124..128].copy_from_slice(&crc.to_le_bytes());
    fs::write(&image, &bytes).unwrap();
    for command in [&["unpack", &image, "--tables", &tables][..], &["verify", "--image", &image]] {
        let ran = run(command);
        assert_eq!(ran.status, 3, "{command:?}: {ran:?}");
        assert!(ran.err.contains("8 pieces take") && ran.err.contains("8.img"), "{ran:?}");
    }
}
