use std::fs;
use std::io::{Cursor, Read, Write as _};
use std::path::Path;

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn entry(path: &str, bytes: impl Into<Vec<u8>>) -> BundleEntry {
    BundleEntry { path: BundlePath::sanitize(path), bytes: bytes.into(), origin: EntryOrigin::Exporter }
}

fn options(folder: &Path, name: &str, format: BundleFormat) -> BundleOptions {
    BundleOptions { path: folder.join(name), format, source: folder.join("source") }
}

fn about() -> ManifestHeader {
    ManifestHeader { domain: Some("docs.example.com".into()), page_count: 2, ..ManifestHeader::default() }
}

/// Pages that compress well, pages that do not, an empty file, a stored type and a name that needs UTF-8.
fn site(pages: usize) -> Vec<BundleEntry> {
    let mut entries: Vec<_> = (0..pages)
        .map(|page| {
            entry(
                &format!("group-{}/page-{page}.html", page / 7),
                format!("<p>Page {page}</p>\n").repeat(page % 97 + 1),
            )
        })
        .collect();
    let noise: Vec<u8> = (0..40_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    entries.push(entry("img/a.png", noise.clone()));
    entries.push(entry("data.bin", noise));
    entries.push(entry("empty.txt", ""));
    entries.push(entry("日本語/ü.html", "<p>ü</p>"));
    entries
}

fn write(options: &BundleOptions, entries: Vec<BundleEntry>, batch: usize) -> BundleSummary {
    let mut bundle = Bundle::create(options).unwrap();
    for batch in entries.chunks(batch) {
        bundle.add(batch.to_vec()).unwrap();
    }
    bundle.finish(&about()).unwrap()
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// All files of a folder as (path, bytes), sorted.
fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap)
        .filter(|file| file.file_type().is_file());
    let path =
        |file: &walkdir::DirEntry| file.path().strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
    let mut files: Vec<_> = files.map(|file| (path(&file), fs::read(file.path()).unwrap())).collect();
    files.sort();
    files
}

/// All files of an archive as (path, bytes), sorted.
fn files_in(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = ::zip::ZipArchive::new(Cursor::new(fs::read(archive).unwrap())).unwrap();
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let mut file = archive.by_index(index).unwrap();
        let name = file.name().unwrap().into_owned();
        assert!(file.is_file() && file.enclosed_name().is_some(), "{name}");
        assert_eq!(
            (file.unix_mode().map(|mode| mode & 0o777), file.last_modified()),
            (Some(0o644), Some(::zip::DateTime::DEFAULT))
        );
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        files.push((name, bytes));
    }
    files.sort();
    files
}

#[test]
fn an_archive_holds_what_was_added_and_lists_it() {
    let folder = tempfile::tempdir().unwrap();
    let summary = write(&options(folder.path(), "site.zip", BundleFormat::Zip), site(50), 8);
    let files = files_in(&folder.path().join("site.zip"));
    let manifest = files.iter().find(|(path, _)| path == MANIFEST_PATH).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest.1).unwrap();
    let listed = manifest["files"].as_object().unwrap();
    assert_eq!((files.len(), listed.len(), summary.files), (55, 54, 55));
    assert!(listed.keys().is_sorted());
    for (path, bytes) in files.iter().filter(|(path, _)| path != MANIFEST_PATH) {
        let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(
            (listed[path]["size"].as_u64(), listed[path]["sha256"].as_str()),
            (Some(bytes.len() as u64), Some(digest.as_str()))
        );
    }
    assert_eq!(summary.bytes, files.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>());
    assert_eq!(
        summary.html_bytes,
        files.iter().filter(|(path, _)| path.ends_with(".html")).map(|(_, bytes)| bytes.len() as u64).sum::<u64>()
    );
    assert_eq!(summary.bundle_bytes, fs::metadata(folder.path().join("site.zip")).unwrap().len());
    assert_eq!(names_in(folder.path()), ["site.zip"]);
}

#[test]
fn a_folder_holds_the_same_files_as_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    let archive = write(&options(folder.path(), "site.zip", BundleFormat::Zip), site(50), 8);
    let plain = write(&options(folder.path(), "site", BundleFormat::Dir), site(50), 11);
    assert_eq!(files_of(&folder.path().join("site")), files_in(&folder.path().join("site.zip")));
    assert_eq!(BundleSummary { bundle_bytes: plain.bundle_bytes, ..archive }, plain);
    assert_eq!(names_in(folder.path()), ["site", "site.zip"]);
}

#[test]
fn bytes_depend_on_neither_threads_nor_batches() {
    let folder = tempfile::tempdir().unwrap();
    let export = |threads, batch, name: &str| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| write(&options(folder.path(), name, BundleFormat::Zip), site(300), batch));
        fs::read(folder.path().join(name)).unwrap()
    };
    let one = export(1, 64, "1.zip");
    assert!(one == export(2, 64, "2.zip") && one == export(8, 64, "8.zip") && one == export(8, 3, "3.zip"));
}

#[test]
fn nothing_is_left_of_a_bundle_that_is_dropped() {
    for format in [BundleFormat::Zip, BundleFormat::Dir] {
        let folder = tempfile::tempdir().unwrap();
        let mut bundle = Bundle::create(&options(folder.path(), "out/deep/site", format)).unwrap();
        bundle.add(site(30)).unwrap();
        assert_eq!(names_in(&folder.path().join("out/deep")).len(), 1);
        drop(bundle);
        assert_eq!(names_in(folder.path()), [""; 0], "{format:?}");
    }
}

#[test]
fn a_panic_leaves_nothing_and_the_old_bundle_in_place() {
    for format in [BundleFormat::Zip, BundleFormat::Dir] {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path(), "site", format);
        write(&options, site(3), 10);
        let old = names_in(folder.path());
        let outcome = std::panic::catch_unwind(|| {
            let mut bundle = Bundle::create(&options).unwrap();
            bundle.add(site(30)).unwrap();
            panic!("in the middle of an export");
        });
        assert!(outcome.is_err());
        assert_eq!(names_in(folder.path()), old);
        let files = if format == BundleFormat::Zip { files_in(&options.path) } else { files_of(&options.path) };
        assert_eq!(files.len(), 8);
    }
}

#[test]
fn an_older_bundle_is_replaced_as_a_whole() {
    for format in [BundleFormat::Zip, BundleFormat::Dir] {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path(), "site", format);
        write(&options, vec![entry("old.html", "old")], 1);
        write(&options, vec![entry("new.html", "new")], 1);
        let files = if format == BundleFormat::Zip { files_in(&options.path) } else { files_of(&options.path) };
        assert_eq!(files.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), [MANIFEST_PATH, "new.html"]);
        assert_eq!(names_in(folder.path()), ["site"]);
    }
}

#[track_caller]
fn refuses(options: &BundleOptions, expect: &str) {
    match Bundle::create(options) {
        Err(BundleError::Refused(message)) => assert!(message.contains(expect), "{message}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn nothing_but_bundles_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("source/docs")).unwrap();
    fs::write(root.join("source/index.mdx"), "# Home").unwrap();
    refuses(&options(root, "source", BundleFormat::Zip), "would replace the source");
    refuses(&options(root, "source", BundleFormat::Dir), "would replace the source");
    refuses(&options(root, ".", BundleFormat::Dir), "would replace the source");
    refuses(&options(root, "source/docs/../..", BundleFormat::Dir), "would replace the source");
    refuses(&options(root, "source/docs", BundleFormat::Zip), "is a folder");
    refuses(&options(root, "source/index.mdx", BundleFormat::Zip), "not a bundle");
    refuses(&options(root, "source/index.mdx", BundleFormat::Dir), "is not a folder");
    fs::write(root.join("source/docs/a.mdx"), "a").unwrap();
    refuses(&options(root, "source/docs", BundleFormat::Dir), "other files in it (`a.mdx`)");
    assert_eq!(files_of(root).len(), 2);
}

#[test]
fn what_others_put_beside_an_older_bundle_stays() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let place = options(root, "site", BundleFormat::Dir);
    write(&place, site(3), 10);
    fs::create_dir(root.join("site/.git")).unwrap();
    // empty folders may be replaced
    write(&place, site(3), 10);
    fs::create_dir(root.join("site/.git")).unwrap();
    fs::write(root.join("site/.git/HEAD"), "ref").unwrap();
    refuses(&place, "(`.git/HEAD`)");
    assert!(root.join("site/.git/HEAD").is_file());
    // a manifest that says nothing makes no export of a folder
    fs::create_dir_all(root.join("mine/_offprint")).unwrap();
    fs::write(root.join("mine").join(MANIFEST_PATH), "{}").unwrap();
    fs::write(root.join("mine/thesis.txt"), "x").unwrap();
    refuses(&options(root, "mine", BundleFormat::Dir), "other files in it");
    // nor is an archive one because it is an archive
    let mut archive = ::zip::ZipWriter::new(fs::File::create(root.join("mine.zip")).unwrap());
    archive.start_file("thesis.txt", ::zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(b"x").unwrap();
    archive.finish().unwrap();
    refuses(&options(root, "mine.zip", BundleFormat::Zip), "is a file, but not a bundle");
}

#[test]
fn a_bundle_may_lie_in_the_source_and_take_an_empty_place() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("source/dist")).unwrap();
    fs::write(root.join("empty.zip"), "").unwrap();
    write(&options(root, "source/dist", BundleFormat::Dir), site(2), 10);
    write(&options(root, "source/site.zip", BundleFormat::Zip), site(2), 10);
    write(&options(root, "empty.zip", BundleFormat::Zip), site(2), 10);
    assert_eq!(files_in(&root.join("empty.zip")), files_of(&root.join("source/dist")));
    assert_eq!(names_in(&root.join("source")), ["dist", "site.zip"]);
}

#[test]
fn a_place_that_was_taken_meanwhile_is_left_alone() {
    for format in [BundleFormat::Zip, BundleFormat::Dir] {
        let folder = tempfile::tempdir().unwrap();
        let options = options(folder.path(), "site", format);
        let bundle = Bundle::create(&options).unwrap();
        fs::create_dir(&options.path).unwrap();
        fs::write(options.path.join("precious"), "x").unwrap();
        assert!(matches!(bundle.finish(&about()), Err(BundleError::Refused(_))));
        assert_eq!(files_of(folder.path()), [("site/precious".to_owned(), b"x".to_vec())]);
    }
}

#[cfg(unix)]
#[test]
fn leftovers_of_killed_processes_go_and_live_ones_stay() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(".site.partial-1-0"), "x").unwrap();
    fs::create_dir_all(folder.path().join(".site.partial-1-1/deep")).unwrap();
    let options = options(folder.path(), "site", BundleFormat::Zip);
    let one = Bundle::create(&options).unwrap();
    let other = Bundle::create(&options).unwrap();
    let me = std::process::id();
    assert_eq!(names_in(folder.path()), [format!(".site.partial-{me}-0"), format!(".site.partial-{me}-1")]);
    one.finish(&about()).unwrap();
    other.finish(&about()).unwrap();
    assert_eq!(names_in(folder.path()), ["site"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_folder_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("real")).unwrap();
    std::os::unix::fs::symlink("real", folder.path().join("site")).unwrap();
    write(&options(folder.path(), "site", BundleFormat::Dir), site(1), 10);
    assert!(fs::symlink_metadata(folder.path().join("site")).unwrap().is_symlink());
    assert_eq!(files_of(&folder.path().join("real")).len(), 6);
}

#[test]
fn clashing_and_reserved_names_are_left_out_and_told() {
    for format in [BundleFormat::Zip, BundleFormat::Dir] {
        let folder = tempfile::tempdir().unwrap();
        let mut bundle = Bundle::create(&options(folder.path(), "site", format)).unwrap();
        let from_source = BundleEntry { origin: EntryOrigin::Source, ..entry("_offprint/evil.js", "x") };
        bundle
            .add(vec![entry("a.html", "first"), entry("A.html", "second"), entry("a.html/b", "third"), from_source])
            .unwrap();
        bundle
            .add(vec![entry("_offprint/style.css", "own"), entry(MANIFEST_PATH, "fake"), entry("../a.HTML", "fourth")])
            .unwrap();
        let summary = bundle.finish(&about()).unwrap();
        let codes: Vec<_> = summary.diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
        assert_eq!(codes, ["path-collision", "path-collision", "reserved-path", "path-collision", "path-collision"]);
        assert_eq!(summary.diagnostics[0].message, "`A.html` was left out: on some systems it collides with `a.html`");
        let path = folder.path().join("site");
        let files = if format == BundleFormat::Zip { files_in(&path) } else { files_of(&path) };
        assert_eq!(
            files.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
            [MANIFEST_PATH, "_offprint/style.css", "a.html"]
        );
        assert_eq!((files[2].1.as_slice(), summary.files), (b"first".as_slice(), 3));
    }
}

#[test]
fn more_entries_than_a_plain_archive_can_count() {
    let folder = tempfile::tempdir().unwrap();
    let options = options(folder.path(), "site.zip", BundleFormat::Zip);
    let entries = (0..66_000).map(|n| entry(&format!("{}/{n}", n / 1000), "x")).collect();
    assert_eq!(write(&options, entries, 5_000).files, 66_001);
    let archive = ::zip::ZipArchive::new(fs::File::open(&options.path).unwrap()).unwrap();
    assert_eq!(archive.len(), 66_001);
}

#[cfg(unix)]
#[test]
fn failures_name_the_bundle() {
    let error = Bundle::create(&options(Path::new("/dev/null"), "a/site.zip", BundleFormat::Zip)).unwrap_err();
    assert!(
        matches!(&error, BundleError::Io { .. } | BundleError::Refused(_)) && error.to_string().contains("/dev/null"),
        "{error:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the names are: nothing leaves the root, no two files meet, both formats agree.
    #[test]
    fn hostile_names_stay_inside(paths in prop::collection::vec("(\\.\\./|/|[A-Ca-c]|é|e\u{301}|[.:\\\\ ]|con|\\PC|\u{0}){0,12}", 1..20)) {
        let folder = tempfile::tempdir().unwrap();
        let entries = |origin| paths.iter().map(move |path| BundleEntry { origin, ..entry(path, path.as_bytes()) }).collect::<Vec<_>>();
        let archive = write(&options(folder.path(), "site.zip", BundleFormat::Zip), entries(EntryOrigin::Source), 5);
        write(&options(folder.path(), "site", BundleFormat::Dir), entries(EntryOrigin::Source), 5);
        let files = files_in(&folder.path().join("site.zip"));
        prop_assert_eq!(&files, &files_of(&folder.path().join("site")));
        prop_assert_eq!(files.len() as u64, archive.files);
        let mut keys: Vec<_> = files.iter().map(|(path, _)| BundlePath::sanitize(path).collision_key()).collect();
        keys.sort();
        keys.dedup();
        prop_assert_eq!(keys.len(), files.len());
        prop_assert_eq!(names_in(folder.path()), ["site", "site.zip"]);
    }
}

/// Texts that compress well, texts that do not, empty ones.
fn texts() -> Vec<String> {
    let noise = |seed: u32, length: u32| {
        (0..length).map(|n| char::from(((n ^ seed).wrapping_mul(2_654_435_761) >> 13) as u8)).collect::<String>()
    };
    vec!["words and words again ".repeat(9_000), noise(7, 300_000), String::new(), "x".to_owned(), noise(9, 65_536)]
}

#[test]
fn files_are_what_their_pieces_are() {
    let folder = tempfile::tempdir().unwrap();
    for (name, format) in [("long.zip", BundleFormat::Zip), ("long", BundleFormat::Dir)] {
        for texts in [texts(), Vec::new()] {
            let options = options(folder.path(), name, format);
            let mut bundle = Bundle::create(&options).unwrap();
            let mut long = bundle.start_long(BundlePath::sanitize("long.txt")).unwrap();
            let packer = bundle.packer();
            let shared: Vec<PieceText> = texts.iter().map(|text| packer.share(text.clone())).collect();
            let pieces: Vec<TextPiece<'_>> = texts
                .iter()
                .zip(&shared)
                .flat_map(|(text, shared)| [TextPiece::Own(text), TextPiece::Shared(shared)])
                .collect();
            pieces.iter().for_each(|piece| long.push(*piece).unwrap());
            bundle.append(vec![packer.prepare_pieces(BundlePath::sanitize("short.md"), &pieces)]).unwrap();
            bundle.add_long(long).unwrap();
            bundle.add(vec![entry("after.txt", "after")]).unwrap();
            assert_eq!(names_in(folder.path()).iter().filter(|name| name.contains("scratch")).count(), 0);
            bundle.finish(&about()).unwrap();
            let files = if format == BundleFormat::Zip { files_in(&options.path) } else { files_of(&options.path) };
            let bytes =
                |name: &str| files.iter().find(|(path, _)| path == name).map(|(_, bytes)| bytes.clone()).unwrap();
            let text: String = texts.iter().map(|text| text.repeat(2)).collect();
            assert!(
                bytes("long.txt") == text.as_bytes()
                    && bytes("short.md") == text.as_bytes()
                    && bytes("after.txt") == b"after"
            );
            let manifest: Value = serde_json::from_slice(&bytes(MANIFEST_PATH)).unwrap();
            let sha = to_hex(&Sha256::digest(text));
            assert_eq!(
                (&manifest["files"]["long.txt"]["sha256"], &manifest["files"]["short.md"]["sha256"]),
                (&Value::from(sha.as_str()), &Value::from(sha.as_str()))
            );
        }
    }
}
