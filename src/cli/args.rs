//! The arguments of the program, with their help.

use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::config;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Turns a documentation repository into one self-contained static bundle.
#[derive(Debug, Parser)]
#[command(name = "offprint", version, styles = STYLES, max_term_width = 110, propagate_version = false, disable_help_subcommand = true)]
#[command(after_help = "`offprint export --help` has examples, exit codes and the shapes of JSON events.")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a site as a static bundle
    #[command(long_about = EXPORT_ABOUT, after_long_help = EXPORT_NOTES)]
    Export(ExportArgs),
    /// Measure the exporter on generated documentation
    #[command(long_about = BENCH_ABOUT, after_long_help = BENCH_NOTES)]
    Bench(BenchArgs),
}

const EXPORT_ABOUT: &str = "\
Write a site as a static bundle.

The source is a folder of documentation: one with a docs.json (or mint.json) and MDX pages, or any folder of Markdown. \
The bundle is HTML, CSS and JavaScript that needs nothing else: it works from a disk, under any path of any server, and \
without a network. The same source and options give the same bytes.";

const EXPORT_NOTES: &str = "\
Examples:
  offprint export docs                           docs.zip in the working directory
  offprint export docs -o public/                a folder instead of an archive
  offprint export docs --domain docs.example.com --version v2.1
  offprint export docs --paths 'guides/**' index --strict
  offprint export docs --progress json | jq -c 'select(.event == \"diagnostic\")'

Exit codes:
  0    done (the content may have warnings, or errors without --strict)
  1    done, but the content has errors and --strict was given
  2    nothing was written: wrong arguments, unusable source or output
  130  cancelled; nothing was written

Events of --progress json, one object a line on standard output:
  {\"event\":\"stage\",\"name\":\"render\",\"total\":1200}       total: steps, or null
  {\"event\":\"progress\",\"done\":40,\"total\":1200}          pages, at most ten a second
  {\"event\":\"diagnostic\",\"code\":\"broken-link\",\"severity\":\"warning\",\"message\":…,\"file\":…,
   \"line\":3,\"column\":9,\"hint\":…}                   file \"\", line 0, column 0: unknown; hint may be absent
  {\"event\":\"done\",\"output\":…,\"pages\":…,\"files\":…,\"bytesOut\":…,\"bundleBytes\":…,
   \"seconds\":…,\"pagesPerSecond\":…,\"warnings\":{\"broken-link\":2},\"errors\":{},\"leftOutJs\":[],\"exitCode\":0}
  {\"event\":\"failed\",\"message\":…,\"exitCode\":2}         instead of done; exitCode 130: cancelled";

/// `offprint export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Folder of the documentation, or its docs.json
    pub(super) source: PathBuf,
    /// The bundle to write; by default `<name of the source folder>.zip` here
    ///
    /// An earlier bundle of that name is replaced in one step when the new one is complete. Nothing else is ever replaced.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    /// Shape of the bundle; by default a folder if PATH is one or ends in a slash, else a zip archive
    #[arg(short, long, value_name = "FORMAT")]
    pub(super) format: Option<FormatArg>,
    /// Host name that will serve the site, for canonical addresses and the site map
    #[arg(short, long, value_name = "HOST", value_parser = config::domain)]
    pub(super) domain: Option<String>,
    /// Label of this edition in the manifest: letters, digits, `.`, `_`, `-`
    #[arg(long, value_name = "LABEL", value_parser = config::version)]
    pub(super) version: Option<String>,
    /// Export only pages whose path matches: `guides/**`, `api/*`, `index`
    ///
    /// Paths are relative to the source and have no extension. `*` stays within a folder, `**` does not. May be given more than once.
    #[arg(short, long, value_name = "GLOB", num_args = 1.., value_parser = config::glob)]
    pub(super) paths: Vec<String>,
    /// Threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    /// End with code 1 if the content has errors
    #[arg(long)]
    pub(super) strict: bool,
    /// How to tell what is going on
    #[arg(long, value_name = "HOW", default_value = "auto", hide_default_value = false)]
    pub(super) progress: ProgressArg,
    /// Write everything about the export to a JSON file
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Put the JavaScript files of the source into the bundle
    ///
    /// They run in the readers' browsers: do this for sources that you trust.
    #[arg(long)]
    pub(super) include_js: bool,
    /// Leave code blocks plain
    #[arg(long)]
    pub(super) no_highlight: bool,
}

/// `--format`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum FormatArg {
    /// One archive
    Zip,
    /// A folder
    Dir,
}

/// `--progress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ProgressArg {
    /// A bar on a terminal, lines elsewhere
    Auto,
    /// A line now and then
    Plain,
    /// Events for programs, on standard output
    Json,
    /// Problems only
    None,
}

const BENCH_ABOUT: &str = "\
Measure the exporter on generated documentation.

Generates a site of N pages (6.5 kB of MDX each: three code blocks, a table, lists, a picture and links, 20 pages to a \
section, 10 sections to a group), exports it to a zip archive and prints what that took. The same seed gives the same \
site. With several sizes each one gets a process of its own, and growth from the first to the last is printed.";

const BENCH_NOTES: &str = "\
Examples:
  offprint bench --pages 1000
  offprint bench --pages 1000,10000 --json
  offprint bench --pages 500 --keep site         site/source and site/bundle.zip stay";

/// `offprint bench`.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// How many pages; several sizes are compared
    #[arg(short, long, value_name = "N,…", value_delimiter = ',', default_value = "1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(super) pages: Vec<u32>,
    /// Keep the generated site and the bundle in this folder, which must not exist or be empty
    #[arg(short, long, value_name = "DIR")]
    pub(super) keep: Option<PathBuf>,
    /// Seed of the generated words
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    pub(super) seed: u64,
    /// Threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    /// Leave code blocks plain
    #[arg(long)]
    pub(super) no_highlight: bool,
    /// Print the figures as JSON
    #[arg(long)]
    pub(super) json: bool,
}
