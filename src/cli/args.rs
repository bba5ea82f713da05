//! The arguments of the program, with their help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::bundle::Feature;
use crate::config;

use super::trust::TrustArgs;
use super::{apply, diff, host, init, key, serve, verify};

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
    /// Write a small documentation site to begin with
    #[command(long_about = init::ABOUT, after_long_help = init::NOTES)]
    Init(init::Args),
    /// Write a site as a static bundle
    #[command(long_about = EXPORT_ABOUT, after_long_help = EXPORT_NOTES)]
    Export(Box<ExportArgs>),
    /// Show a site while it is written
    #[command(long_about = DEV_ABOUT, after_long_help = DEV_NOTES)]
    Dev(DevArgs),
    /// Look for broken links, missing pictures and loads from elsewhere
    #[command(long_about = CHECK_ABOUT, after_long_help = CHECK_NOTES)]
    Check(CheckArgs),
    /// Check a bundle against its manifest and signature
    #[command(long_about = verify::ABOUT, after_long_help = verify::NOTES)]
    Verify(verify::Args),
    /// Name the pages that differ between two bundles
    #[command(long_about = diff::ABOUT, after_long_help = diff::NOTES)]
    Diff(diff::Args),
    /// Make a bundle out of an earlier one and a delta
    #[command(long_about = apply::ABOUT, after_long_help = apply::NOTES)]
    Apply(apply::Args),
    /// Serve a bundle over HTTP
    #[command(long_about = host::ABOUT, after_long_help = host::NOTES)]
    Host(Box<host::Args>),
    /// Measure the exporter on generated documentation
    #[command(long_about = BENCH_ABOUT, after_long_help = BENCH_NOTES)]
    Bench(BenchArgs),
    /// Run the HTTP service
    #[command(long_about = serve::ABOUT, after_long_help = serve::NOTES)]
    Serve(ServeArgs),
    /// Make a key for the HTTP service
    #[command(long_about = key::ABOUT, after_long_help = key::NOTES)]
    Key(KeyArgs),
    /// One export for the service
    #[command(hide = true)]
    Job,
    /// One run of the agent for the service
    #[command(hide = true)]
    Agent(AgentArgs),
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
  offprint export docs --domain docs.example.com --deployment client-hosted --feature analytics=on
  offprint export docs --domain docs.example.com --social-images
  offprint export docs --locked --offline        what pages load from elsewhere: from the cache, as locked
  offprint export docs --version v2 --sign minisign.key
  offprint export docs --version v2 --delta-from v1.zip -o v2.delta.zip
  offprint export docs --progress json | jq -c 'select(.event == \"diagnostic\")'

Exit codes:
  0    done (the content may have warnings, or errors without --strict)
  1    done, but the content has errors and --strict was given
  2    nothing was written: wrong arguments, unusable source or output; or the bundle is
       complete, but its report or its events could not be written
  130  cancelled; nothing was written

Events of --progress json, one object a line on standard output:
  {\"event\":\"stage\",\"name\":\"pages\",\"total\":1200}        total: steps, or null
  {\"event\":\"progress\",\"done\":40,\"total\":1200}          pages, at most ten a second
  {\"event\":\"diagnostic\",\"code\":\"broken-link\",\"severity\":\"warning\",\"message\":…,\"file\":…,
   \"line\":3,\"column\":9,\"hint\":…}                   file \"\", line 0, column 0: unknown; hint may be absent
  {\"event\":\"done\",\"output\":…,\"pages\":…,\"files\":…,\"bytesOut\":…,\"bundleBytes\":…,
   \"seconds\":…,\"pagesPerSecond\":…,\"warnings\":{\"broken-link\":2},\"errors\":{},\"leftOutJs\":[],
   \"selfContained\":true,\"outsideLoads\":0,\"outsideLinks\":312,\"placeholders\":4,
    \"remote\":{\"addresses\":…,\"vendored\":…,\"fetched\":…,\"bytes\":…,\"missing\":…},\"exitCode\":0}
  {\"event\":\"failed\",\"message\":…,\"exitCode\":2}         instead of done; exitCode 130: cancelled";

/// `offprint export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Folder of the documentation, or its docs.json
    #[arg(default_value = ".")]
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
    /// Draw a picture of every page for social networks; needs `--domain`
    ///
    /// 1200 by 630 pixels with the logo, the title and the description, about 15 kB and 45 ms of one core for each page: therefore off by default. Pages
    /// whose `og:image` the author chose keep it.
    #[arg(long)]
    pub(super) social_images: bool,
    /// Copy large PNG files as they are
    ///
    /// Those of more than 200 kB are written again where the same pixels take a third less.
    #[arg(long)]
    pub(super) no_optimize_png: bool,
    /// Where the bundle will be served; decides which features it may have
    #[arg(long, value_name = "TYPE", default_value = "air-gapped")]
    pub(super) deployment: DeploymentArg,
    /// Switch a feature: `search`, `assistant`, `analytics`, `playground`, `offline-search`; may be given more than once
    ///
    /// A bundle asks other hosts for nothing unless it is told to: search and assistant need an endpoint and `--deployment cloud` or `client-hosted`;
    /// analytics writes the scripts of the services that `integrations` in docs.json names. offline-search is the index inside the bundle, on by default.
    #[arg(long = "feature", value_name = "NAME=on|off", value_parser = config::feature)]
    pub(super) features: Vec<(Feature, bool)>,
    /// Address of a search service; it gets the query as `q`
    #[arg(long, value_name = "URL", value_parser = config::endpoint)]
    pub(super) search_endpoint: Option<String>,
    /// Address of an assistant, linked from the top bar
    #[arg(long, value_name = "URL", value_parser = config::endpoint)]
    pub(super) assistant_endpoint: Option<String>,
    /// What becomes of pictures, fonts, style sheets, films and sounds that pages load from elsewhere
    #[arg(long, value_name = "MODE", default_value = "on", hide_default_value = false, help_heading = REMOTE)]
    pub(super) vendor: VendorArg,
    /// Accept only what the lock file names, byte for byte; the same as `--vendor locked`
    #[arg(long, conflicts_with = "vendor", help_heading = REMOTE)]
    pub(super) locked: bool,
    /// Ask no server: what the cache does not have gets a placeholder
    #[arg(long, help_heading = REMOTE)]
    pub(super) offline: bool,
    /// Let pages load from servers of your own network: `HOST` or `HOST:PORT`, or any without a value
    ///
    /// Whoever writes the documentation then decides what this machine asks in your network, and the answers become part of the bundle. Name
    /// the servers (it may be given more than once), and use it for sources that you trust. Addresses of cloud metadata services stay refused.
    #[arg(long, value_name = "HOST", num_args = 0..=1, require_equals = true, default_missing_value = config::ANY_PRIVATE, value_parser = config::private_server, help_heading = REMOTE)]
    pub(super) allow_private: Vec<config::PrivateServer>,
    /// The lock file; by default `offprint.lock` beside the configuration
    #[arg(long, value_name = "FILE", help_heading = REMOTE)]
    pub(super) lock: Option<PathBuf>,
    /// The folder that keeps what was fetched; by default `offprint` in the user's cache folder
    #[arg(long, value_name = "DIR", help_heading = REMOTE)]
    pub(super) cache_dir: Option<PathBuf>,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// `--deployment`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DeploymentArg {
    /// By a service: search, assistant and analytics if they have an endpoint
    Cloud,
    /// By the organisation itself: the same, each may be switched off
    ClientHosted,
    /// Without a way to any other network
    AirGapped,
}

const REMOTE: &str = "Remote assets";

/// `--vendor`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum VendorArg {
    /// They stay where they are: the bundle needs a network
    Off,
    /// They are fetched once and become part of the bundle; offprint.lock says which bytes
    On,
    /// Only what offprint.lock names, byte for byte
    Locked,
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

const DEV_ABOUT: &str = "\
Show a site while it is written.

Serves the site on this machine, and every change of its files a moment later: the browser shows the new page by itself and \
keeps its place. What is wrong with a page is told in the page and here. Pages are rendered when they are asked for, by the \
stages of an export; nothing is written to the disk.";

const DEV_NOTES: &str = "\
Examples:
  offprint dev docs                              http://127.0.0.1:3000/
  offprint dev docs --open                       opens the browser too
  offprint dev . --port 8080                     or the next free port
  offprint dev docs --host 0.0.0.0               for other devices of a trusted network

Exit codes:
  0    ended by Ctrl-C
  2    no such source, or nothing to listen on

Addresses: /guides/start and /guides/start.html are the same page; redirects of docs.json are followed. A configuration that
cannot be read leaves the last good site standing until it is corrected.";

/// `offprint dev`.
#[derive(Debug, Args)]
pub(super) struct DevArgs {
    /// Folder of the documentation, or its docs.json
    #[arg(default_value = ".")]
    pub(super) source: PathBuf,
    /// Port to listen on, or the next free one; 0 for any
    #[arg(short, long, value_name = "PORT", default_value_t = 3000)]
    pub(super) port: u16,
    /// Address or name of this machine to listen on
    ///
    /// By default only programs on this machine reach the server. Requests that name any other host than this one, localhost or
    /// an address are turned away.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(super) host: String,
    /// Open the site in the browser
    #[arg(short, long)]
    pub(super) open: bool,
    /// Show the JavaScript files of the source too, as `export --include-js` does
    #[arg(long)]
    pub(super) include_js: bool,
    /// Leave code blocks plain
    #[arg(long)]
    pub(super) no_highlight: bool,
}

const CHECK_ABOUT: &str = "\
Look for broken links, missing pictures and loads from elsewhere.

Reads a bundle (an archive or a folder), or exports a source to a temporary archive and reads that; findings about a source \
name the file and line that were written. Reported are links and anchors that lead nowhere, redirects that run in circles or \
end nowhere, missing pictures, names that differ by case alone, pages that no link leads to, loads from other hosts, and \
pictures without alternative text.";

const CHECK_NOTES: &str = "\
Examples:
  offprint check docs                            a source: findings name MDX files and lines
  offprint check site.zip                        a bundle
  offprint check docs --external                 asks other hosts too
  offprint check docs --format github            annotations on a pull request
  offprint check docs --format json | jq '.findings[] | select(.severity == \"error\")'

Exit codes:
  0    no errors (with --strict: no warnings either)
  1    errors, or with --strict warnings
  2    there is nothing to check: wrong arguments, no bundle and no source
  130  cancelled

Shape of --format json, one object on standard output:
  {\"offprint\":…,\"target\":…,\"kind\":\"source\" or \"bundle\",\"pages\":…,\"files\":…,\"references\":…,\"outsideLinks\":…,
   \"placeholders\":…,\"outsideLoads\":…,\"errors\":…,\"warnings\":…,\"external\":{\"asked\":…,\"alive\":…,\"dead\":…,
   \"unclear\":…,\"refused\":…} or null,\"findings\":[{\"code\":…,\"severity\":…,\"message\":…,\"file\":…,\"line\":…,\"column\":…,
   \"hint\":…}],\"exitCode\":…}
  {\"message\":…,\"exitCode\":2}                     instead of it, if nothing could be checked";

/// `offprint check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// A folder of documentation, or a bundle (a zip archive or a folder)
    #[arg(default_value = ".")]
    pub(super) target: PathBuf,
    /// Ask other hosts whether the pages that links lead to are there
    ///
    /// First without the body, two requests at a time for a host. What is gone is an error; what a host will not say is a warning.
    #[arg(long)]
    pub(super) external: bool,
    /// Ask addresses of this machine and of private networks too
    #[arg(long, requires = "external")]
    pub(super) allow_private: bool,
    /// How to tell what is wrong
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_default_value = false)]
    pub(super) format: CheckFormat,
    /// End with code 1 if there are warnings
    #[arg(long)]
    pub(super) strict: bool,
    /// Threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
}

/// `--format` of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CheckFormat {
    /// For people, on standard error
    Text,
    /// For programs, on standard output
    Json,
    /// Annotations for GitHub Actions, on standard output
    Github,
}

const BENCH_ABOUT: &str = "\
Measure the exporter on generated documentation.

Generates a site of N pages (6.5 kB of MDX each: three code blocks, a table, lists, a picture and links, 20 pages to a \
section, 10 sections to a group), with a home page and one page for each group beside them, exports it to a zip archive and prints what that took. The same seed gives the same \
site. With several sizes each one gets a process of its own, and growth from the first to the last is printed.";

const BENCH_NOTES: &str = "\
Examples:
  offprint bench --pages 1000
  offprint bench --pages 1000,10000 --json
  offprint bench --pages 500 --keep site         site/source and site/bundle.zip stay
  offprint bench --source-for zola --keep site   the same pages for another program, to compare the two";

/// `offprint bench`.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// How many pages beside the home page and one page for each group of 200; several sizes are compared
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
    /// Leave the search index out
    #[arg(long)]
    pub(super) no_search: bool,
    /// Print the figures as JSON
    #[arg(long)]
    pub(super) json: bool,
    /// Export nothing: only write the site into the folder of `--keep`, in the files that this program reads
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

/// `offprint serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// The configuration; by default the file that `OFFPRINT_CONFIG` names
    #[arg(short, long, value_name = "FILE", conflicts_with = "demo")]
    pub(super) config: Option<PathBuf>,
    /// Say what is wrong with the configuration, and end
    #[arg(long)]
    pub(super) check: bool,
    /// Serve a docs folder (by default the one of a checkout of offprint) as the site of one organization, from a temporary folder
    #[arg(long, value_name = "DIR", num_args = 0..=1, conflicts_with = "check")]
    pub(super) demo: Option<Option<PathBuf>>,
    /// How the log is written; by default text for people, JSON for everything else
    #[arg(long, value_name = "FORMAT", default_value = "auto", hide_default_value = false)]
    pub(super) log: LogFormat,
}

/// `--log` of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LogFormat {
    /// Text on a terminal, JSON elsewhere
    Auto,
    /// Lines for people
    Text,
    /// One object a line
    Json,
}

/// `offprint agent`.
#[derive(Debug, Args)]
pub(super) struct AgentArgs {
    /// The program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub(super) command: Vec<OsString>,
}

/// `offprint key`.
#[derive(Debug, Args)]
pub(super) struct KeyArgs {
    /// What stands in logs instead of the key: letters, digits, `_`, `-`
    #[arg(long, value_name = "ID", default_value = "ci", value_parser = config::id)]
    pub(super) id: String,
    /// Print key and hash as JSON
    #[arg(long)]
    pub(super) json: bool,
}
