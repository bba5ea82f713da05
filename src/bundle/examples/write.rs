//! Writes an archive of two files, twice, and checks it: `cargo run -p offprint-bundle --example write`.

use std::error::Error;
use std::fs;
use std::io::{Write as _, stdout};
use std::path::Path;

use base::BundlePath;
use offprint_bundle::manifest::ManifestHeader;
use offprint_bundle::reader::BundleReader;
use offprint_bundle::verify::verify_archive;
use offprint_bundle::{Bundle, BundleEntry, BundleFormat, BundleOptions, EntryOrigin};

fn write_bundle(path: &Path, source: &Path) -> Result<(), Box<dyn Error>> {
    let options = BundleOptions { path: path.to_owned(), format: BundleFormat::Zip, source: source.to_owned() };
    let mut bundle = Bundle::create(&options)?;
    let entry = |path: &str, text: &str| BundleEntry {
        path: BundlePath::sanitize(path),
        bytes: text.as_bytes().to_vec(),
        origin: EntryOrigin::Source,
    };
    bundle.add(vec![entry("index.html", "<h1>Hello</h1>"), entry("guides/start.html", "<h1>Start</h1>")])?;
    bundle.finish(&ManifestHeader { page_count: 2, ..ManifestHeader::default() })?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let source = folder.path().join("source");
    fs::create_dir(&source)?;
    let [first, second] = ["first.zip", "second.zip"].map(|name| folder.path().join(name));
    write_bundle(&first, &source)?;
    write_bundle(&second, &source)?;
    assert_eq!(fs::read(&first)?, fs::read(&second)?, "equal entries give equal bytes");

    let archive = BundleReader::open(&first)?;
    let verdict = verify_archive(&archive, None);
    for entry in archive.entries() {
        writeln!(stdout(), "{} {} bytes", entry.name(), entry.size())?;
    }
    assert!(verdict.is_intact());
    Ok(())
}
