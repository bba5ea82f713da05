//! `offprint schema`: the JSON schemas of files that people write and of the report that programs read, from the
//! definitions by which they are read and written.

use clap::ValueEnum;
use serde_json::Value;

use nav::docs_schema::docs_json_schema;

use super::{Exit, commands, config, print_answer, summary};

pub(super) const ABOUT: &str = "\
Print the JSON schema of a file.

Editors check a file by its schema while it is written, and complete its keys. The schemas are made of the definitions that \
the program itself reads and writes the files by.";

pub(super) const NOTES: &str = "\
Examples:
  offprint schema docs.json > .offprint/docs.schema.json
      and \"$schema\": \"./.offprint/docs.schema.json\" in docs.json
  offprint schema host.toml > host.schema.json
      and #:schema ./host.schema.json in the first line of host.toml

Exit codes:
  0    done
  2    it cannot be printed";

/// `offprint schema`.
#[derive(Debug, clap::Args)]
pub(super) struct SchemaArgs {
    /// The file
    #[arg(value_name = "NAME", value_enum)]
    name: SchemaName,
}

/// A file with a schema.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum SchemaName {
    /// The configuration of a site
    #[value(name = "docs.json")]
    DocsJson,
    /// The configuration of `offprint host`
    #[value(name = "host.toml")]
    HostToml,
    /// The configuration of `offprint serve`
    #[value(name = "offprint.toml")]
    OffprintToml,
    /// The file of `--report`
    #[value(name = "report")]
    Report,
}

impl SchemaName {
    /// The schema.
    pub(super) fn schema(self) -> Value {
        match self {
            Self::DocsJson => docs_json_schema(),
            Self::HostToml => with_help_of("host", config::host_schema()),
            Self::OffprintToml => config::service::file_schema(),
            Self::Report => summary::report_schema(),
        }
    }
}

/// Prints the schema.
pub(super) fn run_schema(arguments: &SchemaArgs) -> Exit {
    print_answer(format_args!("{:#}", arguments.name.schema()), Exit::Done)
}

/// Puts the help of a flag in the place of its name: keys of a configuration mean what the flags of the command mean.
fn with_help_of(command: &str, mut schema: Value) -> Value {
    let root = commands();
    if let Some(command) = root.find_subcommand(command) {
        describe_flags(command, &mut schema);
    }
    schema
}

fn describe_flags(command: &clap::Command, value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description") {
                let flag = text.strip_prefix("`--").and_then(|rest| rest.split_once('`'));
                let help = flag.and_then(|(name, rest)| {
                    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(name))?;
                    let help = arg.get_long_help().or_else(|| arg.get_help())?.to_string();
                    Some(format!("`--{name}`{rest} {help}"))
                });
                if let Some(help) = help {
                    *text = help;
                }
            }
            members.values_mut().for_each(|value| describe_flags(command, value));
        }
        Value::Array(items) => items.iter_mut().for_each(|value| describe_flags(command, value)),
        _ => {}
    }
}
