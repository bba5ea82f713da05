//! The commands of the program. Each has its arguments and its help in its own file.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, Subcommand};

use super::{agent, apply, bench, check, dev, diff, export, host, init, job, key, man, migrate, schema, serve, verify};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Turns a documentation repository into one self-contained static bundle.
#[derive(Debug, Parser)]
#[command(name = "offprint", version, styles = STYLES, max_term_width = 110, propagate_version = false)]
#[command(subcommand_negates_reqs = true, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(after_help = "Run `offprint help COMMAND` for examples, exit codes and JSON formats.")]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// Print the licenses of what the program holds of others
    #[arg(long, required = true)]
    pub(super) licenses: bool,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Write a small documentation site to begin with
    #[command(long_about = init::ABOUT, after_long_help = init::NOTES)]
    Init(init::InitArgs),
    /// Export a site as a static bundle
    #[command(long_about = export::about(), after_long_help = export::NOTES)]
    Export(Box<export::ExportArgs>),
    /// Write the repository of another documentation tool as docs.json and MDX files
    #[command(long_about = migrate::about(), after_long_help = migrate::NOTES)]
    Migrate(migrate::MigrateArgs),
    /// Serve a site on this machine and update the browser when files change
    #[command(long_about = dev::ABOUT, after_long_help = dev::NOTES)]
    Dev(dev::DevArgs),
    /// Find broken links, missing pictures, mistakes in pages and loads from other hosts
    #[command(long_about = check::ABOUT, after_long_help = check::NOTES)]
    Check(check::CheckArgs),
    /// Verify a bundle by its manifest and signature
    #[command(long_about = verify::ABOUT, after_long_help = verify::NOTES)]
    Verify(verify::VerifyArgs),
    /// List the pages that differ between two bundles
    #[command(long_about = diff::ABOUT, after_long_help = diff::NOTES)]
    Diff(diff::DiffArgs),
    /// Apply a delta to an earlier bundle
    #[command(long_about = apply::ABOUT, after_long_help = apply::NOTES)]
    Apply(apply::ApplyArgs),
    /// Serve a bundle over HTTP
    #[command(long_about = host::ABOUT, after_long_help = host::NOTES)]
    Host(Box<host::HostArgs>),
    /// Measure the speed of exports on generated documentation
    #[command(long_about = bench::ABOUT, after_long_help = bench::NOTES)]
    Bench(bench::BenchArgs),
    /// Run the HTTP service
    #[command(long_about = serve::ABOUT, after_long_help = serve::NOTES)]
    Serve(serve::ServeArgs),
    /// Generate a key for the HTTP service
    #[command(long_about = key::ABOUT, after_long_help = key::NOTES)]
    Key(key::KeyArgs),
    /// Write manual pages
    #[command(long_about = man::MAN_ABOUT, after_long_help = man::MAN_NOTES)]
    Man(man::ManArgs),
    /// Print the completions of a shell
    #[command(long_about = man::COMPLETIONS_ABOUT, after_long_help = man::COMPLETIONS_NOTES)]
    Completions(man::CompletionsArgs),
    /// Print the JSON schema of a file
    #[command(long_about = schema::ABOUT, after_long_help = schema::NOTES)]
    Schema(schema::SchemaArgs),
    /// One export for the service
    #[command(hide = true)]
    Job(job::JobArgs),
    /// One run of the agent for the service
    #[command(hide = true)]
    Agent(agent::AgentArgs),
}
