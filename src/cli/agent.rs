//! `offprint agent`: one run of the operator's agent for the service, which starts this. Not for people.

use std::ffi::OsString;
use std::process::ExitCode;

use service::job::keeper;

use super::tell_error;

/// `offprint agent`.
#[derive(Debug, clap::Args)]
pub(super) struct AgentArgs {
    /// The program and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    pub(super) command: Vec<OsString>,
}

/// What shells say of a command that is not there, and of one that a signal ended.
const NOT_FOUND: u8 = 127;
const SIGNAL: u8 = 128;

/// Runs the command, and ends as it ends.
pub(super) fn run_agent(arguments: &AgentArgs) -> ExitCode {
    match keeper::run_supervised_command(&arguments.command, std::io::stdin()) {
        Ok(status) => ExitCode::from(status.code().map_or(SIGNAL, |code| u8::try_from(code).unwrap_or(1))),
        Err(error) => {
            tell_error(format_args!("the agent cannot be started: {error}"));
            ExitCode::from(NOT_FOUND)
        }
    }
}
