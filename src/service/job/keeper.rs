//! What stands between the service and the operator's agent: a process of our own, in the agent's process group, that
//! ends the group when its input ends. So the agent ends with the service, whatever the service ends by; a command that
//! is not ours would not know.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Command, ExitStatus, Stdio};

use super::child::end_with;

/// Longest request, bytes: all prompts of a job, each character of them escaped.
const REQUEST_BYTES: u64 = 64 << 20;

/// Runs a command, which is given the first line of `input`, to its end. When `input` ends before, everything ends.
///
/// # Errors
/// The command cannot be started.
pub fn run_supervised_command(command: &[OsString], input: impl Read + Send + 'static) -> io::Result<ExitStatus> {
    let mut input = BufReader::new(input);
    let mut request = Vec::new();
    input.by_ref().take(REQUEST_BYTES).read_until(b'\n', &mut request)?;
    request.pop_if(|last| *last == b'\n');
    end_with(input);
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut child = Command::new(program).args(arguments).stdin(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // one that does not listen may still answer
        let _ = stdin.write_all(&request);
    }
    child.wait()
}
