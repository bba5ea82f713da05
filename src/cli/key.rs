//! `offprint key`.

use serde::Serialize;

use crate::config;
use base::hex::to_hex;
use service::tenant;

use super::{Exit, answer_json, print_answer, tell, tell_error};

pub(super) const ABOUT: &str = "\
Generate a key for the HTTP service.

The key is printed once and is not stored. Add its hash to the configuration of the service, which stores only hashes.";

pub(super) const NOTES: &str = "\
Examples:
  offprint key  a key, and what to write into offprint.toml
  offprint key --json | jq -r .hash

Exit codes:
  0    done
  2    the system has no random numbers, or the key cannot be printed";

/// `offprint key`.
#[derive(Debug, clap::Args)]
pub(super) struct KeyArgs {
    /// Id of the key for logs: letters, digits, `_`, `-`
    #[arg(long, value_name = "ID", default_value = "ci", value_parser = config::id)]
    pub(super) id: String,
    /// Print key and hash as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Serialize)]
struct GeneratedKey {
    key: String,
    hash: String,
}

/// Prints a new key, and its hash.
pub(super) fn run_key(arguments: &KeyArgs) -> Exit {
    let Ok((key, hash)) = tenant::generate() else {
        tell_error("the system has no random numbers");
        return Exit::Unusable;
    };
    let generated = GeneratedKey { key, hash: to_hex(&hash) };
    if arguments.json {
        return answer_json(&generated, Exit::Done);
    }
    let exit = print_answer(format_args!("key   {}\nhash  {}", generated.key, generated.hash), Exit::Done);
    if exit != Exit::Done {
        // without the key its hash is of no use
        return exit;
    }
    tell(format_args!(
        "\nThe key is not shown again. In offprint.toml, below its organization:\n\n[[organizations.keys]]\nid = \"{}\"\nhash = \"{}\"",
        arguments.id, generated.hash
    ));
    Exit::Done
}
