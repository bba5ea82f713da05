//! Archives as hosts of repositories make them, and as an attacker does.

use std::io::{Cursor, Seek as _, Write as _};
use std::time::Instant;

use ::zip::write::SimpleFileOptions;
use ::zip::{CompressionMethod, ZipWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tempfile::TempDir;

use super::*;

const MB: u64 = 1 << 20;

type Opened = Result<StoredFiles, ArchiveError>;

fn read(files: &StoredFiles, path: &str) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    files.contents.read_into(path, MB, &mut bytes).map(|()| bytes)
}

fn open_bytes(bytes: &[u8], subdir: &str) -> (TempDir, Opened) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("source");
    std::fs::write(&path, bytes).unwrap();
    let opened = open_archive(
        &path,
        folder.path(),
        subdir,
        ArchiveBounds { seconds: 10, bytes: 64 * MB },
        &AtomicBool::new(false),
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "a file was left beside the archive");
    (folder, opened)
}

/// The files and their bytes, then `code file` of each problem.
fn contents(bytes: &[u8], subdir: &str) -> (Vec<(String, String)>, Vec<String>) {
    let (_folder, opened) = open_bytes(bytes, subdir);
    let opened = opened.unwrap();
    let text = |path: &String| String::from_utf8(read(&opened, path).unwrap()).unwrap();
    let files = opened.list.iter().map(|(path, _)| (path.clone(), text(path))).collect();
    (files, opened.problems.iter().map(|problem| format!("{} {}", problem.code, problem.file)).collect())
}

fn names(bytes: &[u8], subdir: &str) -> Vec<String> {
    contents(bytes, subdir).0.into_iter().map(|(path, _)| path).collect()
}

#[track_caller]
fn check_refused(bytes: &[u8], expect: &str) {
    let start = Instant::now();
    let (_folder, opened) = open_bytes(bytes, "");
    let error = opened.map(|files| files.list.len()).unwrap_err().to_string();
    assert!(error.contains(expect), "{error}");
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

fn zip_of(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        let method = if text.len() % 2 == 0 { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        zip.start_file(*path, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A tar with entries of any name and type.
fn tar_of(entries: &[(&str, ::tar::EntryType, &str)]) -> Vec<u8> {
    let mut tar = ::tar::Builder::new(Vec::new());
    for (name, kind, text) in entries {
        let mut header = ::tar::Header::new_gnu();
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        let is_file = matches!(kind, ::tar::EntryType::Regular | ::tar::EntryType::XGlobalHeader);
        header.set_size(if is_file { text.len() as u64 } else { 0 });
        if !is_file && !text.is_empty() {
            header.set_link_name_literal(text).unwrap();
        }
        header.set_cksum();
        tar.append(&header, if is_file { text.as_bytes() } else { &[] }).unwrap();
    }
    tar.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn a_folder_around_everything_is_no_part_of_the_paths() {
    use ::tar::EntryType::{Directory, Regular, XGlobalHeader};

    let zip = zip_of(&[
        ("site-3f2a/docs.json", "{}"),
        ("site-3f2a/guides/a.mdx", "text"),
        ("__MACOSX/site-3f2a/x", "y"),
        ("site-3f2a/.DS_Store", "z"),
    ]);
    let expect = [("docs.json".to_owned(), "{}".to_owned()), ("guides/a.mdx".to_owned(), "text".to_owned())];
    assert_eq!(contents(&zip, ""), (expect.to_vec(), vec![]));
    let tar = tar_of(&[
        ("pax_global_header", XGlobalHeader, "22 comment=0123456789\n"),
        ("site-3f2a/", Directory, ""),
        ("site-3f2a/docs.json", Regular, "{}"),
        ("./site-3f2a/guides/a.mdx", Regular, "text"),
    ]);
    assert_eq!(contents(&gzip(&tar), ""), (expect.to_vec(), vec![]));
    assert_eq!(contents(&tar, ""), (expect.to_vec(), vec![]));
    assert_eq!(names(&zip, "guides"), ["a.mdx"]);
    assert_eq!(names(&zip, "./guides/"), ["a.mdx"]);
    assert!(matches!(open_bytes(&zip, "guide").1, Err(ArchiveError::NoFolder(_))));
    assert!(matches!(open_bytes(&zip, "../guides").1, Err(ArchiveError::NoFolder(_))));
    assert_eq!(names(&zip_of(&[("docs.json", "{}"), ("a/x.md", "")]), ""), ["a/x.md", "docs.json"]);
    assert_eq!(names(&zip_of(&[]), ""), [""; 0]);
}

#[test]
fn names_lead_nowhere_else() {
    use ::tar::EntryType::{Block, Fifo, Link, Regular, Symlink};

    let entries = [
        ("good.md", Regular, "a"),
        ("../up.md", Regular, "b"),
        ("/etc/passwd", Regular, "c"),
        ("a/../../b.md", Regular, "d"),
        ("a\\b.md", Regular, "e"),
        ("a//b.md", Regular, "f"),
        ("link.md", Symlink, "/etc/passwd"),
        ("linked.md", Symlink, "./good.md"),
        ("hard.md", Link, "good.md"),
        ("pipe", Fifo, ""),
        ("disk", Block, ""),
        ("\u{e9}.md", Regular, "g"),
        ("good.md", Regular, "second"),
    ];
    let (files, problems) = contents(&tar_of(&entries), "");
    let expect = [("good.md", "second"), ("linked.md", "second"), ("\u{e9}.md", "g")];
    assert_eq!(files, expect.map(|(path, text)| (path.to_owned(), text.to_owned())));
    let expect = [
        "file-name ../up.md",
        "file-name /etc/passwd",
        "file-name a/../../b.md",
        "file-name a\\b.md",
        "file-name a//b.md",
        "not-a-file hard.md",
        "not-a-file pipe",
        "not-a-file disk",
        "not-a-file link.md",
    ];
    assert_eq!(problems, expect);

    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("docs/link.md", "/etc/passwd", SimpleFileOptions::default()).unwrap();
    zip.start_file("docs/a.md", SimpleFileOptions::default()).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    assert_eq!(contents(&zip, ""), (vec![("a.md".to_owned(), String::new())], vec!["not-a-file link.md".to_owned()]));
    for hostile in ["../x.md", "/x.md", "a/../../x", "C:\\x"] {
        // written as bytes of the same length, so that no writer tidies it up
        let plain = "p".repeat(hostile.len());
        let bytes = zip_of(&[(plain.as_str(), "x"), ("ok.md", "y")]);
        let at = |from: usize| from + memchr::memmem::find(&bytes[from..], plain.as_bytes()).unwrap();
        let (local, mut patched) = (at(0), bytes.clone());
        for place in [local, at(local + 1)] {
            patched[place..place + hostile.len()].copy_from_slice(hostile.as_bytes());
        }
        assert_eq!(names(&patched, ""), ["ok.md"], "{hostile}");
    }
}

#[test]
fn bombs_are_refused_before_they_go_off() {
    let zeros = "\0".repeat(80 << 20);
    check_refused(&zip_of(&[("a.md", &zeros)]), "compressed more than any file is");
    check_refused(&gzip(&tar_of(&[("a.md", ::tar::EntryType::Regular, &zeros)])), "holds more than");
    // many files that each are compressed well enough
    let text = "\0".repeat(15 << 20);
    let named: Vec<String> = (0..4).map(|number| format!("{number}.md")).collect();
    let files: Vec<(&str, &str)> = named.iter().map(|name| (name.as_str(), text.as_str())).collect();
    check_refused(&zip_of(&files), "compressed more than any archive is");
    check_refused(&zip_of(&[("a.md", &noise(33 << 20)), ("b.md", &noise(33 << 20))]), "holds more than 64 MB");
    // two entries of the directory, one place
    let twice = zip_of(&[("a.md", "aaaa"), ("b.md", "bbbb")]);
    let directory = memchr::memmem::find(&twice, b"PK\x01\x02").unwrap();
    let second = directory + 4 + memchr::memmem::find(&twice[directory + 4..], b"PK\x01\x02").unwrap();
    let mut overlapping = twice.clone();
    overlapping[second + 42..second + 46].copy_from_slice(&[0; 4]);
    check_refused(&overlapping, "overlap");
    let many: Vec<(String, ::tar::EntryType)> =
        (0..=MAX_ARCHIVE_FILES).map(|number| (number.to_string(), ::tar::EntryType::Regular)).collect();
    let many: Vec<(&str, ::tar::EntryType, &str)> =
        many.iter().map(|(name, kind)| (name.as_str(), *kind, "")).collect();
    check_refused(&tar_of(&many), "more than 50000 files");
}

/// Text that does not compress.
fn noise(bytes: usize) -> String {
    let mut state = 0x9e37_79b9_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        char::from(b'!' + (state % 90) as u8)
    };
    (0..bytes).map(|_| next()).collect()
}

#[test]
fn sizes_that_lie_are_found_out() {
    let honest = zip_of(&[("a.md", &"text".repeat(100)), ("b.md", "stored!")]);
    let directory = memchr::memmem::find(&honest, b"PK\x01\x02").unwrap();
    // size of the first file in the directory: 400
    for size in [0_u32, 1, 399, 401, 4000] {
        let mut lying = honest.clone();
        lying[directory + 24..directory + 28].copy_from_slice(&size.to_le_bytes());
        let (_folder, opened) = open_bytes(&lying, "");
        // found out when it is listed or when it is read
        let Ok(files) = opened else { continue };
        assert!(read(&files, "a.md").is_err(), "{size}");
        assert_eq!(read(&files, "b.md").unwrap(), b"stored!");
    }
    let mut damaged = honest.clone();
    let data = memchr::memmem::find(&honest, b"stored!").unwrap();
    damaged[data] ^= 1;
    let (_folder, opened) = open_bytes(&damaged, "");
    assert_eq!(read(&opened.unwrap(), "b.md").unwrap_err().kind(), io::ErrorKind::InvalidData);
}

#[test]
fn what_is_no_archive_is_refused() {
    check_refused(b"", "neither a zip nor a tar.gz");
    check_refused(b"<!doctype html><title>Sign in</title>", "neither a zip nor a tar.gz");
    check_refused(b"PK\x03\x04 and nothing else", "damaged");
    check_refused(&gzip(b"plain text"), "damaged");
    check_refused(&[0x1f, 0x8b, 8, 0, 0, 0], "damaged");
}

#[test]
fn canceling_ends_the_decoding() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("source");
    std::fs::write(&path, gzip(&tar_of(&[("a.md", ::tar::EntryType::Regular, "x")]))).unwrap();
    let opened =
        open_archive(&path, folder.path(), "", ArchiveBounds { seconds: 1, bytes: MB }, &AtomicBool::new(true));
    assert!(matches!(opened, Err(ArchiveError::Canceled)));
}

#[test]
fn addresses_are_guarded() {
    let folder = tempfile::tempdir().unwrap();
    let bounds = ArchiveBounds { seconds: 5, bytes: MB };
    for address in [
        "http://127.0.0.1/a.zip",
        "http://169.254.169.254/latest",
        "file:///etc/passwd",
        "https://user:key@example.org/a.zip",
        "http://[::1]/a.zip",
        "http://localhost:22/a.zip",
        "nothing",
    ] {
        let target = folder.path().join("a.zip");
        let refused = fetch(address, &target, bounds, FetchPolicy::default()).unwrap_err();
        assert!(matches!(refused, ArchiveError::Refused(_) | ArchiveError::Address), "{address}: {refused}");
        assert!(!refused.to_string().contains("key"), "{refused}");
        let _ = std::fs::remove_file(&target);
    }
}

fn harmless(bytes: &[u8]) {
    if let (_folder, Ok(files)) = open_bytes(bytes, "") {
        for (path, size) in &files.list {
            let read = read(&files, path);
            assert!(read.is_err() || read.is_ok_and(|bytes| bytes.len() as u64 == *size));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_archives_never_panic(kind in 0..3, cut in any::<prop::sample::Index>(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6)) {
        use ::tar::EntryType::{Regular, Symlink};

        let mut bytes = match kind {
            0 => zip_of(&[("a/docs.json", "{\"name\": \"x\"}"), ("a/b.md", "text!"), ("a/c.md", &"more ".repeat(50))]),
            1 => tar_of(&[("a/docs.json", Regular, "{}"), ("a/b.md", Regular, "text"), ("a/l", Symlink, "b.md")]),
            _ => gzip(&tar_of(&[("a/docs.json", Regular, "{}"), ("a/b.md", Regular, "text")])),
        };
        for (place, byte) in changes {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        if cut.index(3) == 0 {
            bytes.truncate(cut.index(bytes.len()));
        }
        harmless(&bytes);
    }
}

#[test]
fn reading_starts_at_the_start() {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&gzip(b"abc")).unwrap();
    file.rewind().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut plain =
        decode_gzip(&file, &folder.path().join("x"), ArchiveBounds { seconds: 1, bytes: MB }, &AtomicBool::new(false))
            .unwrap();
    let mut text = String::new();
    plain.read_to_string(&mut text).unwrap();
    assert_eq!(text, "abc");
}
