//! Stages of an export, each alone and on one thread: `cargo bench --profile quick --bench stages`.

use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use divan::counter::{BytesCount, ItemsCount};
use divan::{Bencher, black_box};

use offprint::base::{BundlePath, FileId};
use offprint::bundle::{Bundle, BundleEntry, BundleFormat, BundleOptions, EntryOrigin, ManifestHeader, Packer};
use offprint::export;
use offprint::export::bench::site::{self, BenchPlan};
use offprint::markup;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PAGES: u32 = 64;

fn main() {
    divan::main();
}

/// MDX of the generated site, without front matter.
static SOURCES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let body = |text: String| text.splitn(3, "---\n").nth(2).unwrap_or_default().to_owned();
    (0..PAGES).map(|number| body(site::bench_page(number, BenchPlan::new(PAGES, 1)))).collect()
});

/// The same pages as an export writes them.
static PAGES_OUT: LazyLock<Vec<(BundlePath, Vec<u8>)>> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("source");
    site::generate_site(&source, BenchPlan::new(PAGES, 1), &AtomicBool::new(false)).expect("a generated site");
    let output = export::BundleOutput { path: folder.path().join("site"), format: BundleFormat::Dir };
    let options = export::ExportOptions::new(source, output);
    export::export_site(&options, &|_| {}, &AtomicBool::new(false)).expect("an export");
    let root = folder.path().join("site");
    let files = walkdir::WalkDir::new(&root).sort_by_file_name().into_iter().filter_map(Result::ok);
    let pages = files.filter(|file| file.path().extension().is_some_and(|extension| extension == "html"));
    let path = |file: &walkdir::DirEntry| {
        BundlePath::sanitize(&file.path().strip_prefix(&root).unwrap_or(file.path()).to_string_lossy())
    };
    pages.map(|file| (path(&file), fs::read(file.path()).expect("a page"))).collect()
});

fn entries() -> Vec<BundleEntry> {
    PAGES_OUT
        .iter()
        .map(|(path, bytes)| BundleEntry { path: path.clone(), bytes: bytes.clone(), origin: EntryOrigin::Exporter })
        .collect()
}

fn total(texts: impl Iterator<Item = usize>) -> BytesCount {
    BytesCount::new(texts.sum::<usize>())
}

fn target(folder: &tempfile::TempDir, format: BundleFormat) -> BundleOptions {
    BundleOptions { path: folder.path().join("bundle"), format, source: PathBuf::from("source") }
}

/// A packer of a bundle that is thrown away.
fn packer(format: BundleFormat) -> Packer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    Bundle::create(&target(&folder, format)).expect("a bundle").packer()
}

/// MDX to documents.
#[divan::bench]
fn parse(bencher: Bencher<'_, '_>) {
    let bytes = total(SOURCES.iter().map(String::len));
    bencher.counter(bytes).counter(ItemsCount::new(SOURCES.len())).bench(|| {
        for source in &*SOURCES {
            black_box(markup::parse_mdx(source, FileId(0), 1));
        }
    });
}

/// Hash and deflate.
#[divan::bench]
fn pack(bencher: Bencher<'_, '_>) {
    let packer = packer(BundleFormat::Zip);
    let bytes = total(PAGES_OUT.iter().map(|(_, bytes)| bytes.len()));
    bencher
        .counter(bytes)
        .counter(ItemsCount::new(PAGES_OUT.len()))
        .with_inputs(entries)
        .bench_values(|entries| entries.into_iter().map(|entry| packer.prepare(entry)).collect::<Vec<_>>());
}

/// Prepared pages to a bundle on disk, synced and named.
#[divan::bench(args = ["zip", "dir"])]
fn write(bencher: Bencher<'_, '_>, format: &str) {
    let format = if format == "zip" { BundleFormat::Zip } else { BundleFormat::Dir };
    let packer = packer(format);
    let bytes = total(PAGES_OUT.iter().map(|(_, bytes)| bytes.len()));
    let prepared = || {
        (
            tempfile::tempdir().expect("a temporary folder"),
            entries().into_iter().map(|entry| packer.prepare(entry)).collect::<Vec<_>>(),
        )
    };
    bencher.counter(bytes).counter(ItemsCount::new(PAGES_OUT.len())).with_inputs(prepared).bench_local_values(
        |(folder, prepared)| {
            let mut bundle = Bundle::create(&target(&folder, format)).expect("a bundle");
            bundle.append(prepared).expect("room on the disk");
            bundle.finish(&ManifestHeader::default()).expect("room on the disk");
            folder
        },
    );
}

/// Pages of the generated site, so that its cost is known when a whole export is measured.
#[divan::bench]
fn generate(bencher: Bencher<'_, '_>) {
    bencher.counter(ItemsCount::new(PAGES)).bench(|| {
        (0..PAGES).map(|number| site::bench_page(number, BenchPlan::new(PAGES, black_box(1))).len()).sum::<usize>()
    });
}
