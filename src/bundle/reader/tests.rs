use std::fs;

use proptest::prelude::*;

use super::*;
use crate::{Bundle, BundleEntry, BundleFormat, BundleOptions, EntryOrigin, ManifestHeader};

/// Files with names, sizes and types that a site has.
fn site() -> Vec<(&'static str, Vec<u8>)> {
    let noise = (0..90_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    vec![
        ("index.html", (0..4000u32).flat_map(|n| format!("<p>Page {n}</p>\n").into_bytes()).collect()),
        ("img/a.png", noise),
        ("empty.txt", Vec::new()),
        ("\u{65e5}\u{672c}/\u{fc}.html", b"<p>\xc3\xbc</p>".to_vec()),
    ]
}

fn write(folder: &Path, name: &str, format: BundleFormat, files: Vec<(&str, Vec<u8>)>) -> PathBuf {
    let path = folder.join(name);
    let mut bundle =
        Bundle::create(&BundleOptions { path: path.clone(), format, source: folder.join("source") }).unwrap();
    let entry = |(path, bytes): (&str, _)| BundleEntry {
        path: BundlePath::sanitize(path),
        bytes,
        origin: EntryOrigin::Exporter,
    };
    bundle.add(files.into_iter().map(entry).collect()).unwrap();
    bundle.finish(&ManifestHeader::default()).unwrap();
    path
}

/// All that an archive holds; the manifest apart.
fn contents(archive: &BundleReader) -> Result<Vec<(String, Vec<u8>)>, ReadError> {
    let files = archive.entries().iter().filter(|entry| entry.name() != crate::MANIFEST_PATH);
    files.map(|entry| Ok((entry.name().to_owned(), archive.read(entry)?))).collect()
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [("a.zip", BundleFormat::Zip), ("a", BundleFormat::Dir)] {
        let archive = BundleReader::open(&write(folder.path(), name, format, site())).unwrap();
        let mut expect: Vec<_> = site().into_iter().map(|(name, bytes)| (name.to_owned(), bytes)).collect();
        let mut found = contents(&archive).unwrap();
        expect.sort();
        found.sort();
        assert_eq!(found, expect);
        assert_eq!(archive.find("img/a.png").map(BundledFile::size), Some(90_000));
        assert!(archive.find("img").is_none() && archive.is_folder() == (format == BundleFormat::Dir));
        assert!(archive.sorted().map(BundledFile::name).is_sorted());
    }
}

#[test]
fn a_raw_stream_with_header_and_trailer_is_gzip() {
    let folder = tempfile::tempdir().unwrap();
    let archive = BundleReader::open(&write(folder.path(), "a.zip", BundleFormat::Zip, site())).unwrap();
    let entry = archive.find("index.html").unwrap();
    assert_eq!(entry.method(), EntryMethod::Deflated);
    let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    archive.raw(entry).unwrap().read_to_end(&mut gzip).unwrap();
    assert_eq!(gzip.len() as u64, 10 + entry.packed_size());
    gzip.extend(entry.crc32().unwrap().to_le_bytes());
    gzip.extend((entry.size() as u32).to_le_bytes());
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut text).unwrap();
    assert_eq!(text, archive.read(entry).unwrap());
}

#[test]
fn more_files_than_a_plain_archive_counts() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..66_000).map(|n| format!("{}/{n}", n / 1000)).collect();
    let path = write(
        folder.path(),
        "a.zip",
        BundleFormat::Zip,
        names.iter().map(|name| (name.as_str(), b"x".to_vec())).collect(),
    );
    let archive = BundleReader::open(&path).unwrap();
    assert_eq!(
        (archive.entries().len(), archive.read(archive.find("65/65999").unwrap()).unwrap()),
        (66_001, b"x".to_vec())
    );
}

#[test]
fn even_what_deflates_best_can_be_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(
        folder.path(),
        "a.zip",
        BundleFormat::Zip,
        vec![("blank.txt", vec![0; 5 << 20]), ("small.txt", vec![0; 60_000])],
    );
    let archive = BundleReader::open(&path).unwrap();
    assert_eq!(archive.read(archive.find("blank.txt").unwrap()).unwrap().len(), 5 << 20);
}

#[cfg(unix)]
#[test]
fn a_folder_with_links_or_pipes_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "a", BundleFormat::Dir, site());
    std::os::unix::fs::symlink("/etc/passwd", path.join("img/link")).unwrap();
    assert_eq!(BundleReader::open(&path).unwrap_err().refusal(), Some(&EntryRefusal::SymbolicLink));
    fs::remove_file(path.join("img/link")).unwrap();
    // swapped after it was listed
    let archive = BundleReader::open(&path).unwrap();
    fs::rename(path.join("img"), folder.path().join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("elsewhere"), path.join("img")).unwrap();
    let entry = archive.find("img/a.png").unwrap();
    assert_eq!(archive.read(entry).unwrap_err().refusal(), Some(&EntryRefusal::SymbolicLink));
    fs::write(path.join("index.html"), "longer or shorter").unwrap();
    assert_eq!(archive.read(archive.find("index.html").unwrap()).unwrap_err().refusal(), Some(&EntryRefusal::Length));
}

#[test]
fn what_is_not_there_is_no_refusal() {
    assert!(matches!(BundleReader::open(Path::new("/no/such/file")), Err(ReadError::Io { .. })));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    /// Whatever bits are turned over: an archive is refused, or every content that it gives is one that was put in.
    #[test]
    fn damaged_archives_never_give_wrong_bytes(flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..4), from_end in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let files = vec![("index.html", b"<p>Page</p>\n".repeat(40)), ("img/a.png", vec![7, 1, 9]), ("empty.txt", Vec::new())];
        let path = write(folder.path(), "a.zip", BundleFormat::Zip, files.clone());
        let mut bytes = fs::read(&path).unwrap();
        let directory = bytes.len() - 330;
        for (index, bit) in flips {
            let at = if from_end { directory + index.index(330) } else { index.index(bytes.len()) };
            bytes[at] ^= 1 << bit;
        }
        fs::write(&path, &bytes).unwrap();
        if let Ok(archive) = BundleReader::open(&path) {
            for entry in archive.entries() {
                if let Ok(content) = archive.read(entry) {
                    let was = files.iter().find(|(name, _)| *name == entry.name());
                    let is_own = entry.name() == crate::MANIFEST_PATH || was.is_none_or(|(_, bytes)| *bytes == content);
                    prop_assert!(is_own, "{}", entry.name());
                }
            }
        }
    }

    /// Bytes without sense are refused and never end the program.
    #[test]
    fn noise_is_refused(noise in prop::collection::vec(any::<u8>(), 0..400), end in any::<bool>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let end: &[u8] = if end { b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x2e\0\0\0\0\0\0\0\0\0" } else { b"" };
        fs::write(&path, [&noise, end].concat()).unwrap();
        prop_assert!(BundleReader::open(&path).is_err());
    }

    /// Cut anywhere, an archive is refused.
    #[test]
    fn cut_archives_are_refused(cut in any::<prop::sample::Index>()) {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), "a.zip", BundleFormat::Zip, site());
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..cut.index(bytes.len())]).unwrap();
        prop_assert!(BundleReader::open(&path).is_err());
    }
}
