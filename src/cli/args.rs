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
#[command(after_help = "Run `offprint COMMAND --help` for examples, exit codes and JSON formats.")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a small documentation site to begin with
    #[command(long_about = init::ABOUT, after_long_help = init::NOTES)]
    Init(init::Args),
    /// Export a site as a static bundle
    #[command(long_about = EXPORT_ABOUT, after_long_help = EXPORT_NOTES)]
    Export(Box<ExportArgs>),
    /// Serve a site on this machine and update the browser when files change
    #[command(long_about = DEV_ABOUT, after_long_help = DEV_NOTES)]
    Dev(DevArgs),
    /// Find broken links, missing pictures, mistakes in pages and loads from other hosts
    #[command(long_about = CHECK_ABOUT, after_long_help = CHECK_NOTES)]
    Check(CheckArgs),
    /// Verify a bundle by its manifest and signature
    #[command(long_about = verify::ABOUT, after_long_help = verify::NOTES)]
    Verify(verify::Args),
    /// List the pages that differ between two bundles
    #[command(long_about = diff::ABOUT, after_long_help = diff::NOTES)]
    Diff(diff::Args),
    /// Apply a delta to an earlier bundle
    #[command(long_about = apply::ABOUT, after_long_help = apply::NOTES)]
    Apply(apply::Args),
    /// Serve a bundle over HTTP
    #[command(long_about = host::ABOUT, after_long_help = host::NOTES)]
    Host(Box<host::Args>),
    /// Measure the speed of exports on generated documentation
    #[command(long_about = BENCH_ABOUT, after_long_help = BENCH_NOTES)]
    Bench(BenchArgs),
    /// Run the HTTP service
    #[command(long_about = serve::ABOUT, after_long_help = serve::NOTES)]
    Serve(ServeArgs),
    /// Generate a key for the HTTP service
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
Export a site as a static bundle.

The source is a documentation folder: one with a docs.json (or mint.json) and MDX pages, or any folder of Markdown. \
The bundle is self-contained HTML, CSS and JavaScript: it works from a disk, below any path of any host, and \
without a network. The same source and options give the same bytes.";

const EXPORT_NOTES: &str = "\
Examples:
  offprint export docs                           docs.zip in the working directory
  offprint export docs -o public/                a folder instead of an archive
  offprint export docs --domain docs.example.com --version v2.1
  offprint export docs --paths 'guides/**' index --strict
  offprint export docs --group staff             with pages and API operations for `groups: [staff]`
  offprint export docs --domain docs.example.com --deployment client-hosted --feature analytics=on
  offprint export docs --domain docs.example.com --social-images
  offprint export docs --locked --offline        remote assets from the cache only, as locked
  offprint export docs --version v2 --sign minisign.key
  offprint export docs --version v2 --delta-from v1.zip -o v2.delta.zip
  offprint export docs --progress json | jq -c 'select(.event == \"diagnostic\")'

Exit codes:
  0    done (the content may have warnings, or errors without --strict)
  1    done, but the content has errors and --strict was given
  2    nothing was written: invalid arguments, unusable source or output; or the bundle is
       complete, but the report or the events could not be written
  130  canceled; nothing was written

Events of --progress json, one object on each line of standard output:
  {\"event\":\"stage\",\"name\":\"pages\",\"total\":1200}        total: steps, or null
  {\"event\":\"progress\",\"done\":40,\"total\":1200}          pages, at most ten a second
  {\"event\":\"diagnostic\",\"code\":\"broken-link\",\"severity\":\"warning\",\"message\":…,\"file\":…,
   \"line\":3,\"column\":9,\"hint\":…}                   file \"\", line 0, column 0: unknown; hint may be absent
  {\"event\":\"done\",\"output\":…,\"pages\":…,\"files\":…,\"bytesOut\":…,\"bundleBytes\":…,
   \"seconds\":…,\"pagesPerSecond\":…,\"warnings\":{\"broken-link\":2},\"errors\":{},\"leftOutJs\":[],
   \"selfContained\":true,\"outsideLoads\":0,\"blockedRequests\":0,\"outsideLinks\":312,\"placeholders\":4,
    \"remote\":{\"addresses\":…,\"vendored\":…,\"fetched\":…,\"bytes\":…,\"missing\":…},\"exitCode\":0}
  {\"event\":\"failed\",\"message\":…,\"exitCode\":2}         instead of done; exitCode 130: canceled";

/// `offprint export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Folder of the documentation, or its docs.json
    #[arg(default_value = ".")]
    pub(super) source: PathBuf,
    /// The bundle to write; by default `<name of the source folder>.zip` here
    ///
    /// An earlier bundle of that name is replaced in one step when the new one is complete. Other files are never replaced.
    #[arg(short, long, value_name = "PATH")]
    pub(super) output: Option<PathBuf>,
    /// Shape of the bundle; by default a folder if PATH is one or ends in a slash, else a zip archive
    #[arg(short, long, value_name = "FORMAT")]
    pub(super) format: Option<FormatArg>,
    /// Host name of the site, for canonical addresses and the site map; never contacted
    #[arg(short, long, value_name = "HOST", value_parser = config::domain)]
    pub(super) domain: Option<String>,
    /// Version label for the manifest: letters, digits, `.`, `_`, `-`
    #[arg(long, value_name = "LABEL", value_parser = config::version)]
    pub(super) version: Option<String>,
    /// Export only pages whose path matches: `guides/**`, `api/*`, `index`
    ///
    /// Paths are relative to the source and have no extension. `*` matches within a folder, `**` across folders. Repeatable.
    #[arg(short, long, value_name = "GLOB", num_args = 1.., value_parser = config::glob)]
    pub(super) paths: Vec<String>,
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    /// Number of threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    /// End with code 1 if the content has errors; broken links are warnings (see `check`)
    #[arg(long)]
    pub(super) strict: bool,
    /// How to show progress
    #[arg(long, value_name = "HOW", default_value = "auto", hide_default_value = false)]
    pub(super) progress: ProgressArg,
    /// Write a report with all diagnostics to a JSON file
    #[arg(long, value_name = "FILE")]
    pub(super) report: Option<PathBuf>,
    /// Add the JavaScript files of the source to the bundle
    ///
    /// They run in the browsers of readers: use it only for sources that you trust.
    #[arg(long)]
    pub(super) include_js: bool,
    /// Do not highlight code
    #[arg(long)]
    pub(super) no_highlight: bool,
    /// Generate a picture of every page for social networks; needs `--domain`
    ///
    /// 1200 by 630 pixels with the logo, the title and the description; about 15 kB and 45 ms of one core for each page. Pages with their own
    /// `og:image` keep it.
    #[arg(long)]
    pub(super) social_images: bool,
    /// Copy large PNG files unchanged
    ///
    /// By default, PNG files of more than 200 kB are re-encoded losslessly if that saves a third.
    #[arg(long)]
    pub(super) no_optimize_png: bool,
    /// Where the bundle will be served, which decides the available features
    #[arg(long, value_name = "TYPE", default_value = "air-gapped")]
    pub(super) deployment: DeploymentArg,
    /// Turn a feature on or off: `search`, `assistant`, `analytics`, `playground`, `offline-search`; repeatable
    ///
    /// By default a bundle makes no requests to other hosts. `search` and `assistant` need an endpoint and `--deployment cloud` or `client-hosted`;
    /// `analytics` adds the scripts of the services in `integrations` of docs.json. `offline-search` is the index in the bundle, on by default.
    #[arg(long = "feature", value_name = "NAME=on|off", value_parser = config::feature)]
    pub(super) features: Vec<(Feature, bool)>,
    /// Address of a search service, which gets the query as `q`
    #[arg(long, value_name = "URL", value_parser = config::endpoint)]
    pub(super) search_endpoint: Option<String>,
    /// Address of an assistant, for a link in the top bar
    #[arg(long, value_name = "URL", value_parser = config::endpoint)]
    pub(super) assistant_endpoint: Option<String>,
    /// How to treat remote assets: pictures, fonts, style sheets, video and audio of other servers
    #[arg(long, value_name = "MODE", default_value = "on", hide_default_value = false, help_heading = REMOTE)]
    pub(super) vendor: VendorArg,
    /// Accept only assets of the lock file, byte for byte; the same as `--vendor locked`
    #[arg(long, conflicts_with = "vendor", help_heading = REMOTE)]
    pub(super) locked: bool,
    /// The service for fonts that docs.json names without a file; by default Google Fonts
    ///
    /// The request is `URL?family=Lato:400,500,600,700,400i&display=swap`, the response a style sheet, as from https://fonts.bunny.net/css or a mirror in your own network.
    #[arg(long, value_name = "URL", value_parser = config::endpoint, help_heading = REMOTE)]
    pub(super) fonts_from: Option<String>,
    #[command(flatten)]
    pub(super) remote: RemoteArgs,
    #[command(flatten)]
    pub(super) trust: TrustArgs,
}

/// Whose restricted pages are shown.
#[derive(Clone, Debug, Args)]
pub(super) struct GroupArgs {
    /// Include what only readers of a user group may see; repeatable, or separated by commas
    ///
    /// Pages with `groups` in their front matter, and parts of API descriptions with `x-mint.groups`, are left out unless one of their groups is given.
    #[arg(short, long = "group", visible_alias = "groups", value_name = "NAME", value_delimiter = ',', value_parser = config::group)]
    pub(super) groups: Vec<String>,
}

/// How files are fetched from other servers.
#[derive(Clone, Debug, Args)]
pub(super) struct RemoteArgs {
    /// Make no requests: assets that are not in the cache are replaced by placeholders
    #[arg(long, help_heading = REMOTE)]
    pub(super) offline: bool,
    /// Allow remote assets from servers with private addresses: `HOST` or `HOST:PORT`, or all without a value
    ///
    /// The authors of the documentation then decide which addresses of your network are requested, and the answers become part of the bundle. Name
    /// the servers (repeatable), and use it only for sources that you trust. Addresses of cloud metadata services are always refused.
    #[arg(long, value_name = "HOST", num_args = 0..=1, require_equals = true, default_missing_value = config::ANY_PRIVATE, value_parser = config::private_server, help_heading = REMOTE)]
    pub(super) allow_private: Vec<config::PrivateServer>,
    /// The lock file; by default `offprint.lock` beside the configuration
    #[arg(long, value_name = "FILE", help_heading = REMOTE)]
    pub(super) lock: Option<PathBuf>,
    /// The cache of remote assets; by default `offprint` in the user's cache folder
    #[arg(long, value_name = "DIR", help_heading = REMOTE)]
    pub(super) cache_dir: Option<PathBuf>,
}

impl RemoteArgs {
    /// The same for `config`.
    pub(super) fn flags(self) -> config::RemoteFlags {
        config::RemoteFlags { offline: self.offline, allow_private: self.allow_private, lock: self.lock, cache_dir: self.cache_dir }
    }
}

/// `--deployment`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum DeploymentArg {
    /// Hosted by a service: search, assistant and analytics are available
    Cloud,
    /// Hosted by the organization itself: the same features, each can be turned off
    ClientHosted,
    /// Without access to other networks
    AirGapped,
}

const REMOTE: &str = "Remote assets";

/// `--vendor`.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum VendorArg {
    /// They are not vendored: the bundle needs a network
    Off,
    /// They are fetched once, added to the bundle and recorded in offprint.lock
    On,
    /// Only assets of offprint.lock, byte for byte
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
    /// A line every two seconds
    Plain,
    /// Events for programs, on standard output
    Json,
    /// Diagnostics only
    None,
}

const DEV_ABOUT: &str = "\
Serve a site on this machine and update the browser when files change.

The browser shows the new page and keeps the scroll position. Diagnostics are shown in the page and in the terminal. Pages are \
rendered on request, with the stages of an export; nothing is written to the disk.";

const DEV_NOTES: &str = "\
Examples:
  offprint dev docs                              http://127.0.0.1:3000/
  offprint dev docs --open                       also opens the browser
  offprint dev --port 8080                       this folder, on port 8080 or the next free one
  offprint dev docs --host 0.0.0.0               for other devices of a trusted network

Exit codes:
  0    stopped by Ctrl-C
  2    the source does not exist, or the address cannot be used

Addresses: /guides/start and /guides/start.html are the same page; redirects of docs.json are followed. If the configuration
cannot be read, the last valid one stays in use.";

/// `offprint dev`.
#[derive(Debug, Args)]
pub(super) struct DevArgs {
    /// Folder of the documentation, or its docs.json
    #[arg(default_value = ".")]
    pub(super) source: PathBuf,
    /// Port to listen on, or the next free one; 0 for any free port
    #[arg(short, long, value_name = "PORT", default_value_t = 3000)]
    pub(super) port: u16,
    /// Address or name of this machine to listen on
    ///
    /// By default only programs on this machine can reach the server. Requests for a host name other than this one, localhost or an IP
    /// address are refused.
    #[arg(long, value_name = "HOST", default_value = "127.0.0.1")]
    pub(super) host: String,
    /// Open the site in the browser
    #[arg(short, long)]
    pub(super) open: bool,
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    /// Add the JavaScript files of the source, as `export --include-js` does
    #[arg(long)]
    pub(super) include_js: bool,
    /// Do not highlight code
    #[arg(long)]
    pub(super) no_highlight: bool,
    #[command(flatten)]
    pub(super) remote: RemoteArgs,
}

const CHECK_ABOUT: &str = "\
Find broken links, missing pictures, mistakes in pages and loads from other hosts.

Reads a bundle (an archive or a folder), or exports a source to a temporary archive and reads that; findings about a source \
have the file and line of the source. Reported are broken links and anchors, redirects to missing pages and cycles, missing \
pictures, names that differ by case alone, pages without links to them, loads from other hosts, pictures without alternative \
text, pages of an air-gapped bundle without their content security policy, and every error of an export, such as an unclosed tag or a navigation entry without a file.";

const CHECK_NOTES: &str = "\
Examples:
  offprint check docs                            a source: findings name MDX files and lines
  offprint check site.zip                        a bundle
  offprint check docs --external                 also requests links to other hosts
  offprint check docs --format github            annotations on a pull request
  offprint check docs --format json | jq '.findings[] | select(.severity == \"error\")'

Exit codes:
  0    no errors (with --strict: no warnings either)
  1    errors, or with --strict warnings
  2    nothing was checked: invalid arguments, or neither a bundle nor a source
  130  canceled

Shape of --format json, one object on standard output:
  {\"offprint\":…,\"target\":…,\"kind\":\"source\" or \"bundle\",\"pages\":…,\"files\":…,\"references\":…,\"outsideLinks\":…,
   \"placeholders\":…,\"outsideLoads\":…,\"errors\":…,\"warnings\":…,\"external\":{\"asked\":…,\"alive\":…,\"dead\":…,
   \"unclear\":…,\"refused\":…} or null,\"findings\":[{\"code\":…,\"severity\":…,\"message\":…,\"file\":…,\"line\":…,\"column\":…,
   \"hint\":…}],\"exitCode\":…}
  {\"message\":…,\"exitCode\":2}                     instead, if nothing could be checked";

/// `offprint check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// A folder of documentation, or a bundle (a zip archive or a folder)
    #[arg(default_value = ".")]
    pub(super) target: PathBuf,
    /// Request links to other hosts
    ///
    /// Without the body first, with two requests at a time for each host. A missing page is an error; a refusal or a timeout is a warning.
    #[arg(long)]
    pub(super) external: bool,
    /// Output format
    #[arg(short, long, value_name = "FORMAT", default_value = "text", hide_default_value = false)]
    pub(super) format: CheckFormat,
    /// End with code 1 if there are warnings
    #[arg(long)]
    pub(super) strict: bool,
    #[command(flatten)]
    pub(super) groups: GroupArgs,
    /// Number of threads; by default one for each core
    #[arg(short, long, value_name = "N", value_parser = config::jobs)]
    pub(super) jobs: Option<usize>,
    #[command(flatten)]
    pub(super) remote: RemoteArgs,
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
Measure the speed of exports on generated documentation.

Generates a site of N pages (6.5 kB of MDX each: three code blocks, a table, lists, a picture and links; 20 pages in a \
section, 10 sections in a group), with a home page and one page for each group, exports it to a zip archive and prints time and memory. The same seed gives the same \
site. With several sizes, each runs in a separate process, and the growth from the first to the last is printed.";

const BENCH_NOTES: &str = "\
Examples:
  offprint bench --pages 1000
  offprint bench --pages 1000,10000 --json
  offprint bench --pages 500 --keep site         keeps site/source and site/bundle.zip
  offprint bench --source-for zola --keep site   the same pages in the format of another program";

/// `offprint bench`.
#[derive(Debug, Args)]
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

/// `offprint serve`.
#[derive(Debug, Args)]
pub(super) struct ServeArgs {
    /// The configuration; by default the file of `OFFPRINT_CONFIG`
    #[arg(short, long, value_name = "FILE", conflicts_with = "demo")]
    pub(super) config: Option<PathBuf>,
    /// Check the configuration, and exit
    #[arg(long)]
    pub(super) check: bool,
    /// Start a temporary service with one organization and a documentation folder (by default that of a checkout of offprint)
    #[arg(long, value_name = "DIR", num_args = 0..=1, conflicts_with = "check")]
    pub(super) demo: Option<Option<PathBuf>>,
    /// Format of the log
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
    /// Id of the key for logs: letters, digits, `_`, `-`
    #[arg(long, value_name = "ID", default_value = "ci", value_parser = config::id)]
    pub(super) id: String,
    /// Print key and hash as JSON
    #[arg(long)]
    pub(super) json: bool,
}
