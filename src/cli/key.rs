//! `offprint key`.

use serde::Serialize;

use crate::base::hex::hex;
use crate::tenant;

use super::args::KeyArgs;
use super::{Exit, answer, answer_json, tell, tell_error};

pub(super) const ABOUT: &str = "\
Make a key for the HTTP service.

The key is printed once and is nowhere else: give it to whoever is to use it. Its hash goes into the configuration of the service, \
which knows keys by nothing else.";

pub(super) const NOTES: &str = "\
Examples:
  offprint key                                   a key, and what to write into offprint.toml
  offprint key --json | jq -r .hash

Exit codes:
  0    done
  2    the system has no randomness to give, or the key cannot be written";

#[derive(Serialize)]
struct Made {
    key: String,
    hash: String,
}

/// Prints a new key, and its hash.
pub(super) fn run(arguments: &KeyArgs) -> Exit {
    let Ok((key, hash)) = tenant::generate() else {
        tell_error("the system has no randomness to give");
        return Exit::Unusable;
    };
    let made = Made { key, hash: hex(&hash) };
    if arguments.json {
        return answer_json(&made, Exit::Done);
    }
    let exit = answer(format_args!("key   {}\nhash  {}", made.key, made.hash), Exit::Done);
    if exit != Exit::Done {
        // the hash of a key that nobody has is of no use
        return exit;
    }
    tell(format_args!("\nThe key is not shown again. In offprint.toml, below its organization:\n\n[[organizations.keys]]\nid = \"{}\"\nhash = \"{}\"", arguments.id, made.hash));
    Exit::Done
}
