//! Archives that others may have made: bundles, and deltas between them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Read as _};
use std::path::Path;
use std::sync::LazyLock;

use offprint::base::{BundlePath, limits};
use offprint::bundle::delta::apply_delta;
use offprint::bundle::reader::{BundleReader, BundledFile};
use offprint::bundle::verify::verify_archive;
use offprint::bundle::{
    Bundle, BundleEntry, BundleFormat, BundleOptions, Ending, EntryOrigin, ManifestHeader, RECIPE_PATH,
};
use tempfile::TempDir;
use zip::CompressionMethod;

use crate::shared::zips::{self, stored};

/// A bundle: what is opened is within the bounds, has safe names, and is what an independent reader finds.
pub(super) fn zip(bytes: &[u8]) {
    static FILE: LazyLock<TempDir> = LazyLock::new(folder);
    let path = FILE.path().join("x.zip");
    fs::write(&path, bytes).expect("an archive");
    let Ok(archive) = BundleReader::open(&path) else { return };
    let total: u64 = archive.entries().iter().map(BundledFile::size).sum();
    assert!(total / limits::BUNDLE_RATIO <= bytes.len() as u64, "{total} bytes out of {}", bytes.len());
    let mut other = ::zip::ZipArchive::new(Cursor::new(bytes)).expect("an archive for others, too");
    assert_eq!(other.len(), archive.entries().len());
    for (index, entry) in archive.entries().iter().enumerate() {
        assert!(BundlePath::parse(entry.name()).is_some(), "{:?}", entry.name());
        assert_eq!(archive.position(entry.name()), Some(index));
        let content = archive.read(entry);
        let mut pieces = Vec::new();
        let result = archive.each_piece(entry, |piece| pieces.extend_from_slice(piece));
        assert_eq!(result.is_ok(), content.is_ok(), "{:?}", entry.name());
        let mut file = other.by_index(index).expect("an entry for others, too");
        assert_eq!(file.name().expect("a name"), entry.name());
        let mut found = Vec::new();
        // what follows the end of a stream is found by this reader alone
        let is_read = file.read_to_end(&mut found).is_ok();
        if let Ok(content) = content {
            assert_eq!(content.len() as u64, entry.size());
            assert!(is_read && found == content && pieces == content, "{:?} is read in two ways", entry.name());
        }
    }
    // says what is wrong, whatever it is
    let verdict = verify_archive(&archive, None);
    assert_eq!(verdict.files, archive.entries().len() as u64);
}

fn folder() -> TempDir {
    TempDir::with_prefix("offprint-fuzz-").expect("a temporary folder")
}

/// Two bundles, and the delta from the first to the second.
struct Editions {
    folder: TempDir,
    old: Vec<u8>,
    new: Vec<u8>,
    delta: Vec<u8>,
}

static EDITIONS: LazyLock<Editions> = LazyLock::new(|| {
    let folder = folder();
    let page = |text: &str| format!("<!doctype html><title>{text}</title><p>{}", text.repeat(20)).into_bytes();
    let old = [("a.html", page("A")), ("b.html", page("B")), ("c.html", page("C")), ("d.bin", vec![7; 300])];
    let new = [("a.html", page("A")), ("b.html", page("B, changed")), ("d.bin", vec![7; 300]), ("e.html", page("E"))];
    let write = |name: &str, files: &[(&str, Vec<u8>)], from: Option<&Path>| {
        let path = folder.path().join(name);
        let options =
            BundleOptions { path: path.clone(), format: BundleFormat::Zip, source: folder.path().join("source") };
        let mut bundle = Bundle::create(&options).expect("a bundle");
        let entry = |(path, bytes): &(&str, Vec<u8>)| BundleEntry {
            path: BundlePath::sanitize(path),
            bytes: bytes.clone(),
            origin: EntryOrigin::Exporter,
        };
        bundle.add(files.iter().map(entry).collect()).expect("files");
        let base = from.map(|path| BundleReader::open(path).expect("a bundle"));
        let ending = Ending { delta_from: base.as_ref(), ..Ending::default() };
        bundle.finish_with(&ManifestHeader::default(), &ending).expect("written");
        fs::read(path).expect("a bundle")
    };
    let old = write("old.zip", &old, None);
    let delta = write("delta.zip", &new, Some(&folder.path().join("old.zip")));
    let new = write("new.zip", &new, None);
    Editions { folder, old, new, delta }
});

/// A delta, or, for what does not begin as an archive does, the recipe of one with its files: it gives the bundle that it
/// was made for, or an error and nothing else.
pub(super) fn delta(bytes: &[u8]) {
    let Editions { folder, old, new, .. } = &*EDITIONS;
    let folder = folder.path();
    let (base, delta, output) = (folder.join("old.zip"), folder.join("x.zip"), folder.join("out/out.zip"));
    fs::create_dir_all(folder.join("out")).expect("a folder");
    fs::write(&delta, if bytes.starts_with(b"PK") { bytes.to_vec() } else { with_recipe(bytes) }).expect("a delta");
    // what stands in the place of the result stays where there is none
    fs::write(&output, old).expect("an older bundle");
    let applied = apply_delta(&base, &delta, output.clone(), None);
    let found = fs::read(&output).expect("a bundle");
    match applied {
        Ok(applied) => {
            assert_eq!(applied.bytes, found.len() as u64);
            // its digest was in the recipe, and no input can guess that of another one
            assert!(found == *new || found == *old, "{applied:?}");
        }
        Err(_) => assert!(found == *old, "an error, and another bundle"),
    }
    let left: Vec<_> = fs::read_dir(folder.join("out")).expect("a folder").flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// The files of the delta with another recipe.
fn with_recipe(recipe: &[u8]) -> Vec<u8> {
    let mut delta = ::zip::ZipArchive::new(Cursor::new(&EDITIONS.delta)).expect("an archive");
    let entries = delta.len();
    // as they stand there, so that the result can be the bundle
    let copied = |index| {
        let mut file = delta.by_index_raw(index).expect("an entry");
        let mut data = Vec::new();
        file.read_to_end(&mut data).expect("bytes");
        let method = if file.compression() == CompressionMethod::Stored { 0 } else { 8 };
        let (crc, size, packed) = (file.crc32(), file.size() as u32, data.len() as u32);
        zips::File { method, crc, size, packed, data, ..stored(file.name().expect("a name").as_bytes(), b"") }
    };
    let mut files: Vec<zips::File> = (0..entries).map(copied).collect();
    files.retain(|file| file.name != RECIPE_PATH.as_bytes());
    files.push(stored(RECIPE_PATH, recipe));
    zips::zip(&files)
}

fn contents(archive: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = ::zip::ZipArchive::new(Cursor::new(archive)).expect("an archive");
    let entries = archive.len();
    let read = |index| {
        let mut file = archive.by_index(index).expect("an entry");
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).expect("a content");
        (file.name().expect("a name").into_owned(), bytes)
    };
    (0..entries).map(read).collect()
}

/// Bundles, and the hostile ones that are small.
pub(super) fn archives() -> Vec<Vec<u8>> {
    let hostile = zips::all().into_iter().map(|(_, bytes, _)| bytes).filter(|bytes| bytes.len() < 4 << 10);
    let text = b"<p>content</p>".repeat(20);
    let fine = zips::bundle(zips::deflated("a.html", &text), &text);
    [fine, zips::with_end_64(zips::named("a.html"), 2, 2 * 46 + 16, 2 * 30 + 21), EDITIONS.old.clone()]
        .into_iter()
        .chain(hostile)
        .collect()
}

/// The delta and its recipe.
pub(super) fn deltas() -> Vec<Vec<u8>> {
    let recipe = contents(&EDITIONS.delta).remove(RECIPE_PATH).expect("a recipe");
    vec![EDITIONS.delta.clone(), recipe, EDITIONS.new.clone()]
}
