//! `offprint bench`.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::ValueEnum;
use serde::Serialize;

use crate::config;

use export::bench::layout::BenchLayout;
use export::bench::site::BenchPlan;
use export::bench::{self, BenchSettings, Figures, StageFigures};

use super::scratch::Scratch;
use super::{
    Exit, answer_json, bytes, cancel_on_signal, export as export_command, grouped, harmless, plural, print,
    print_answer, tell, tell_error,
};

pub(super) const ABOUT: &str = "\
Measure the speed of exports on generated documentation.

Generates a site of N pages (6.5 kB of MDX each: three code blocks, a table, lists, a picture and links; 20 pages in a \
section, 10 sections in a group), with a home page and one page for each group, exports it to a zip archive and prints time and memory. The same seed gives the same \
site. With several sizes, each runs in a separate process, and the growth from the first to the last is printed.";

pub(super) const NOTES: &str = "\
Examples:
  offprint bench --pages 1000
  offprint bench --pages 1000,10000 --json
  offprint bench --pages 500 --keep site  keeps site/source and site/bundle.zip
  offprint bench --source-for zola --keep site
      the same pages in the format of another program";

/// `offprint bench`.
#[derive(Debug, clap::Args)]
pub(super) struct BenchArgs {
    /// Number of pages, without the home page and one page for each group of 200; several sizes are compared
    #[arg(short, long, value_name = "N,…", value_delimiter = ',', default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) pages: Vec<u32>,
    /// Keep the generated site and the bundle in this folder, which must not exist or be empty
    #[arg(short, long, value_name = "DIR")]
    pub(super) keep: Option<PathBuf>,
    /// Seed of the generated text
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) seed: u64,
    /// Number of threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    /// Do not highlight code
    #[arg(long)]
    pub(super) no_highlight: bool,
    /// Leave the search index out
    #[arg(long)]
    pub(super) no_search: bool,
    /// Print the figures as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Do not export: only write the site to the folder of `--keep`, in the format of this program
    #[arg(long, value_name = "PROGRAM", requires = "keep", conflicts_with_all = ["jobs", "no_highlight", "no_search", "json"])]
    pub(super) source_for: Option<SourceFor>,
}

/// `--source-for`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SourceFor {
    /// docs.json and MDX
    Offprint,
    /// `content` with `_index.md` files
    Hugo,
    /// The same with `@/` links
    Zola,
    /// `src` with a SUMMARY.md
    #[value(name = "mdbook")]
    MdBook,
    /// `docs`
    #[value(name = "vitepress")]
    VitePress,
}

/// What a run of `--json` prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BenchOutput<'a> {
    offprint: &'static str,
    highlight: bool,
    jobs: Option<usize>,
    seed: u64,
    runs: &'a [Figures],
    #[serde(skip_serializing_if = "Option::is_none")]
    growth: Option<Growth>,
}

/// How the last run compares with the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Growth {
    /// Times as many pages.
    pages: f64,
    /// Times as long: processor time, or elapsed time where that is unknown.
    time: f64,
    /// 1 means that time grows as pages do.
    exponent: f64,
    /// HTML bytes per page: 1 means that a page does not grow with its site.
    bytes_per_page: f64,
}

/// Generates, exports, prints.
pub(super) fn run_bench(arguments: BenchArgs) -> Exit {
    let cancel = cancel_on_signal();
    let folder = match BenchFolder::create(arguments.keep.as_deref()) {
        Ok(folder) => folder,
        Err(error) => return bench_failure(format_args!("cannot use the folder for the site: {error}")),
    };
    if let Some(program) = arguments.source_for {
        return write_bench_source(&arguments, program, folder.path(), &cancel);
    }
    let mut runs = Vec::new();
    for pages in &arguments.pages {
        let measured = if let [pages] = arguments.pages[..] {
            here(&arguments, pages, &folder, &cancel)
        } else {
            measure_apart(&arguments, *pages, &folder, &cancel)
        };
        match measured {
            Ok(figures) => {
                if !arguments.json && !print(describe_figures(&figures)) {
                    return Exit::Unusable;
                }
                runs.push(figures);
            }
            Err(exit) => return exit,
        }
    }
    let growth = growth(&runs);
    if arguments.json {
        let (offprint, highlight) = (env!("CARGO_PKG_VERSION"), !arguments.no_highlight);
        return answer_json(
            &BenchOutput { offprint, highlight, jobs: arguments.jobs, seed: arguments.seed, runs: &runs, growth },
            Exit::Done,
        );
    }
    let Some(growth) = growth else { return Exit::Done };
    let line = format_args!(
        "From the first to the last: {:.1} times the pages in {:.2} times the time (exponent {:.3}), {:.3} times the HTML per page",
        growth.pages, growth.time, growth.exponent, growth.bytes_per_page
    );
    print_answer(line, Exit::Done)
}

/// Only writes the site, for a program.
fn write_bench_source(arguments: &BenchArgs, program: SourceFor, folder: &Path, cancel: &AtomicBool) -> Exit {
    let [pages] = arguments.pages[..] else {
        return bench_failure("one folder holds one site: give one size to `--pages`");
    };
    let layout = match program {
        SourceFor::Offprint => BenchLayout::Offprint,
        SourceFor::Hugo => BenchLayout::Hugo,
        SourceFor::Zola => BenchLayout::Zola,
        SourceFor::MdBook => BenchLayout::MdBook,
        SourceFor::VitePress => BenchLayout::VitePress,
    };
    let plan = BenchPlan { layout, ..BenchPlan::new(pages, arguments.seed) };
    match bench::site::generate_site(folder, plan, cancel) {
        Ok(written) => {
            tell(format_args!("{}, {} in `{}`", plural(plan.files(), "page"), bytes(written), folder.display()));
            Exit::Done
        }
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {
            tell_error("canceled");
            Exit::Canceled
        }
        Err(error) => bench_failure(format_args!("cannot generate a site in `{}`: {error}", folder.display())),
    }
}

/// Measures in this process.
fn here(arguments: &BenchArgs, pages: u32, folder: &BenchFolder, cancel: &AtomicBool) -> Result<Figures, Exit> {
    let settings = BenchSettings {
        pages,
        seed: arguments.seed,
        jobs: arguments.jobs,
        highlight: !arguments.no_highlight,
        search: !arguments.no_search,
        folder: folder.path().to_owned(),
    };
    bench::run_bench(&settings, cancel).map_err(|error| match &error {
        bench::BenchError::Export(export::ExportError::Canceled) => {
            tell_error("canceled");
            Exit::Canceled
        }
        bench::BenchError::Export(error) => bench_failure(harmless(&export_command::error_message(error))),
        bench::BenchError::Generate { source, .. } => bench_failure(format_args!("{error}: {source}")),
    })
}

/// Measures in a process of its own, so that the peak of one size is not that of another.
fn measure_apart(
    arguments: &BenchArgs,
    pages: u32,
    folder: &BenchFolder,
    cancel: &AtomicBool,
) -> Result<Figures, Exit> {
    let program =
        std::env::current_exe().map_err(|error| bench_failure(format_args!("cannot find the program: {error}")))?;
    let mut command = std::process::Command::new(program);
    command.args(["bench", "--json", "--pages", &pages.to_string(), "--seed", &arguments.seed.to_string(), "--keep"]);
    command.arg(folder.path().join(format!("{pages}-pages")));
    if let Some(jobs) = arguments.jobs {
        command.args(["--jobs", &jobs.to_string()]);
    }
    if arguments.no_highlight {
        command.arg("--no-highlight");
    }
    if arguments.no_search {
        command.arg("--no-search");
    }
    let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| bench_failure(format_args!("cannot run this program again: {error}")))?;
    if cancel.load(Ordering::Relaxed) {
        return Err(Exit::Canceled);
    }
    let figures = serde_json::from_slice::<serde_json::Value>(&output.stdout)
        .ok()
        .and_then(|printed| serde_json::from_value::<Figures>(printed.get("runs")?.get(0)?.clone()).ok());
    // the other process has reported why there are none
    figures.ok_or(Exit::Unusable)
}

fn bench_failure(message: impl std::fmt::Display) -> Exit {
    tell_error(message);
    Exit::Unusable
}

/// Where sites and bundles go: kept if the folder was named, else removed at the end.
enum BenchFolder {
    Named(PathBuf),
    Scratch(Scratch),
}

impl BenchFolder {
    fn create(keep: Option<&Path>) -> io::Result<Self> {
        let Some(path) = keep else { return Scratch::create("bench").map(Self::Scratch) };
        std::fs::create_dir_all(path)?;
        if std::fs::read_dir(path)?.next().is_some() {
            return Err(io::Error::new(io::ErrorKind::DirectoryNotEmpty, format!("`{}` is not empty", path.display())));
        }
        Ok(Self::Named(path.to_owned()))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Named(path) => path,
            Self::Scratch(scratch) => &scratch.0,
        }
    }
}

/// The figures of a run, for people.
fn describe_figures(figures: &Figures) -> String {
    let rate = |bytes: u64| bytes as f64 / 1e6 / figures.seconds;
    let unknown = || "unknown".to_owned();
    let mut out = format!(
        "{} in {:.2} s: {} a second, {:.1} MB of MDX and {:.1} MB of HTML a second\n",
        plural(figures.pages, "page"),
        figures.seconds,
        plural(figures.pages_per_second() as u64, "page"),
        rate(figures.source_bytes),
        rate(figures.html_bytes),
    );
    let _ = writeln!(
        out,
        "  processor time {}, peak memory {}",
        figures.cpu_seconds.map_or_else(unknown, |seconds| format!("{seconds:.2} s")),
        figures.peak_bytes.map_or_else(unknown, |peak| format!("{:.0} MiB", peak as f64 / f64::from(1 << 20))),
    );
    let _ = writeln!(
        out,
        "  per page: {} of MDX, {} of HTML, {} of {} in the archive",
        bytes(figures.per_page(figures.source_bytes) as u64),
        bytes(figures.per_page(figures.html_bytes) as u64),
        bytes(figures.per_page(figures.bundle_bytes) as u64),
        bytes(figures.bundle_bytes),
    );
    let _ = write!(out, "  {}", plural(figures.files, "file"));
    if figures.problems > 0 {
        let _ = write!(out, "; {} in the generated content", plural(figures.problems, "problem"));
    }
    let busy = figures.stages.iter().filter_map(|stage| stage.busy_us).sum::<u64>().max(1);
    for StageFigures { name, wall_ms, busy_us } in &figures.stages {
        // a part of the stage before it has no elapsed time of its own
        match busy_us {
            Some(us) => {
                let (share, per_page) = (*us as f64 * 100.0 / busy as f64, *us as f64 / figures.pages.max(1) as f64);
                let _ = write!(
                    out,
                    "\n    {name:<10}{:>10} ms {share:>5.1} % of all threads, {per_page:.0} µs a page",
                    grouped(us / 1000)
                );
            }
            None => {
                let share = wall_ms / (figures.seconds * 10.0);
                let _ = write!(out, "\n  {name:<12}{:>10} ms {share:>5.1} %", grouped(wall_ms.round() as u64));
            }
        }
    }
    out
}

/// Compares the last run with the first, if there are two.
fn growth(runs: &[Figures]) -> Option<Growth> {
    let [first, .., last] = runs else { return None };
    let time = |figures: &Figures| figures.cpu_seconds.unwrap_or(figures.seconds);
    let (pages, time) = (last.pages as f64 / first.pages as f64, time(last) / time(first));
    let bytes_per_page = last.per_page(last.html_bytes) / first.per_page(first.html_bytes);
    Some(Growth { pages, time, exponent: time.ln() / pages.ln(), bytes_per_page })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(pages: u64, seconds: f64) -> Figures {
        Figures {
            pages,
            files: pages + 10,
            source_bytes: pages * 6_500,
            html_bytes: pages * 25_000,
            bundle_bytes: pages * 4_000,
            seconds,
            cpu_seconds: Some(seconds * 2.0),
            peak_bytes: None,
            stages: vec![
                StageFigures { name: "scan".into(), wall_ms: 50.0, busy_us: None },
                StageFigures { name: "pages".into(), wall_ms: 900.0, busy_us: None },
                StageFigures { name: "render".into(), wall_ms: 0.0, busy_us: Some(1_350_000) },
                StageFigures { name: "compress".into(), wall_ms: 0.0, busy_us: Some(450_000) },
            ],
            problems: 0,
        }
    }

    #[test]
    fn figures_are_described() {
        assert_eq!(
            describe_figures(&figures(1000, 1.0)),
            "1,000 pages in 1.00 s: 1,000 pages a second, 6.5 MB of MDX and 25.0 MB of HTML a second\n  \
             processor time 2.00 s, peak memory unknown\n  \
             per page: 6.5 kB of MDX, 25.0 kB of HTML, 4.0 kB of 4.0 MB in the archive\n  \
             1,010 files\n  \
             scan                50 ms   5.0 %\n  \
             pages              900 ms  90.0 %\n    \
             render         1,350 ms  75.0 % of all threads, 1350 µs a page\n    \
             compress         450 ms  25.0 % of all threads, 450 µs a page"
        );
    }

    #[test]
    fn growth_is_that_of_time_and_pages() {
        assert_eq!(growth(&[figures(10, 1.0)]), None);
        let growth = growth(&[figures(10, 1.0), figures(50, 2.0), figures(100, 10.0)]).unwrap();
        assert_eq!(growth, Growth { pages: 10.0, time: 10.0, exponent: 1.0, bytes_per_page: 1.0 });
    }

    #[test]
    fn temporary_folders_go_and_kept_ones_stay() {
        let outer = tempfile::tempdir().unwrap();
        let named = outer.path().join("a/b");
        drop(BenchFolder::create(Some(&named)).unwrap());
        std::fs::write(named.join("x"), "x").unwrap();
        assert!(BenchFolder::create(Some(&named)).is_err_and(|error| error.kind() == io::ErrorKind::DirectoryNotEmpty));
        let (one, other) = (BenchFolder::create(None).unwrap(), BenchFolder::create(None).unwrap());
        let path = one.path().to_owned();
        assert!(path != other.path() && path.is_dir());
        drop(one);
        assert!(!path.exists() && other.path().is_dir());
    }
}
