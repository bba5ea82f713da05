//! A whole export of a generated site: `cargo bench --profile quick --bench site`. For large sites there is `offprint
//! bench`.

use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use divan::Bencher;
use divan::counter::ItemsCount;

use offprint::export::bench::site::{self, BenchPlan};
use offprint::export::{self, BundleFormat, BundleOutput, ExportOptions};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const PAGES: u32 = 400;

fn main() {
    divan::main();
}

static SOURCE: LazyLock<tempfile::TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a temporary folder");
    site::generate_site(folder.path(), BenchPlan::new(PAGES, 1), &AtomicBool::new(false)).expect("a generated site");
    folder
});

fn measure(bencher: Bencher<'_, '_>, format: BundleFormat, jobs: usize, highlight: bool) {
    let source = SOURCE.path().to_owned();
    bencher
        .counter(ItemsCount::new(PAGES))
        .with_inputs(|| tempfile::tempdir().expect("a temporary folder"))
        .bench_local_values(|folder| {
            let output = BundleOutput { path: folder.path().join("bundle"), format };
            let options = ExportOptions { jobs: Some(jobs), highlight, ..ExportOptions::new(source.clone(), output) };
            export::export_site(&options, &|_| {}, &AtomicBool::new(false)).expect("an export");
            folder
        });
}

/// Everything on, by number of threads.
#[divan::bench(args = [1, 2, 4], sample_count = 10)]
fn zip(bencher: Bencher<'_, '_>, jobs: usize) {
    measure(bencher, BundleFormat::Zip, jobs, true);
}

/// Plain code blocks.
#[divan::bench(sample_count = 10)]
fn zip_without_highlighting(bencher: Bencher<'_, '_>) {
    measure(bencher, BundleFormat::Zip, 2, false);
}

/// A folder instead of an archive.
#[divan::bench(sample_count = 10)]
fn folder(bencher: Bencher<'_, '_>) {
    measure(bencher, BundleFormat::Dir, 2, true);
}
