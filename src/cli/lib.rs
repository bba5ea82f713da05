//! The command line: arguments to options, a call, what people and programs see, an exit code. The only place that
//! prints.
//!
//! People read standard error; standard output carries nothing but JSON that was requested and the answers of commands
//! that only answer (`verify`, `diff`).

#![cfg_attr(test, allow(clippy::print_stdout, reason = "tests may print"))]
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod agent;
mod apply;
mod args;
mod bench;
mod browser;
mod check;
pub mod config;
mod confined;
mod cpu_limit;
mod dev;
mod diagnostics;
mod diff;
mod export;
mod host;
mod init;
mod job;
mod json_schema;
mod key;
mod licenses;
mod man;
mod migrate;
mod nearby;
mod progress;
mod report_file;
mod schema;
mod scratch;
mod serve;
mod summary;
mod trust;
mod verify;
mod wrong_command;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use args::{Arguments, Command};

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Exit {
    /// Done.
    Done = 0,
    /// Done, but the content has errors (of an export only with `--strict`), or the answer is no.
    Errors = 1,
    /// Nothing was done: wrong arguments, no usable source, no way to write the output.
    Unusable = 2,
    /// Stopped by a signal: 128 + SIGINT, as shells count.
    Canceled = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// The definitions of all commands and their flags.
pub fn commands() -> clap::Command {
    Arguments::command()
}

/// Runs the program with its arguments, the first of them its name.
pub fn run_program(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let arguments = match Arguments::try_parse_from(&arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            if matches!(error.kind(), ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument)
                && let Some(advice) = wrong_command::advice(&arguments)
            {
                tell_error(advice);
                return Exit::Unusable.into();
            }
            // help and version are errors too, to standard output and with code 0; a closed pipe is no failure
            let is_lost = error.print().is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe);
            return ExitCode::from(
                u8::try_from(error.exit_code()).ok().filter(|_| !is_lost).unwrap_or(Exit::Unusable as u8),
            );
        }
    };
    if arguments.licenses {
        return licenses::print_licenses().into();
    }
    let Some(command) = arguments.command else { return Exit::Unusable.into() };
    match command {
        Command::Init(arguments) => init::run_init(&arguments).into(),
        Command::Export(arguments) => export::run_export(*arguments).into(),
        Command::Migrate(arguments) => migrate::run_migrate(&arguments).into(),
        Command::Dev(arguments) => dev::run_dev(arguments).into(),
        Command::Check(arguments) => check::run_check(arguments).into(),
        Command::Verify(arguments) => verify::run_verify(&arguments).into(),
        Command::Diff(arguments) => diff::run_diff(&arguments).into(),
        Command::Apply(arguments) => apply::run_apply(arguments).into(),
        Command::Host(arguments) => host::run_host(*arguments).into(),
        Command::Bench(arguments) => bench::run_bench(arguments).into(),
        Command::Serve(arguments) => serve::run_serve(arguments).into(),
        Command::Key(arguments) => key::run_key(&arguments).into(),
        Command::Man(arguments) => man::run_man(&arguments).into(),
        Command::Completions(arguments) => man::run_completions(&arguments).into(),
        Command::Schema(arguments) => schema::run_schema(&arguments).into(),
        Command::Job(arguments) => job::run_job(&arguments).into(),
        Command::Agent(arguments) => agent::run_agent(&arguments),
    }
}

/// A flag that Ctrl-C (and SIGTERM, SIGHUP) sets. The second time the program ends at once, without leaving anything
/// half-written.
fn cancel_on_signal() -> Arc<AtomicBool> {
    let cancel = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancel);
    let handler = move || {
        if flag.swap(true, Ordering::Relaxed) {
            bundle::discard_unfinished();
            std::process::exit(i32::from(Exit::Canceled as u8));
        }
    };
    // without a handler a signal ends the program the system's way; the next export clears what that leaves
    let _ = ctrlc::set_handler(handler);
    cancel
}

/// Does something at Ctrl-C (and SIGTERM, SIGHUP). The second time the program ends at once.
fn on_signal(first: impl Fn() + Send + 'static) {
    let is_signaled = AtomicBool::new(false);
    let handler = move || {
        if is_signaled.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Canceled as u8));
        }
        first();
    };
    // without a handler a signal ends the program the system's way
    let _ = ctrlc::set_handler(handler);
}

/// Prints a line for people. A closed standard error is no reason to fail.
fn tell(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Prints a line that programs or people wait for; whether that worked. A closed pipe is no error, every other failure
/// is reported.
fn print(line: impl std::fmt::Display) -> bool {
    let mut out = anstream::stdout().lock();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell_error(format_args!("cannot write to standard output: {error}"));
            false
        }
        _ => true,
    }
}

/// Prints the answer of a command. It is all that there is of its work, so one that cannot be written is a failure.
fn print_answer(text: impl std::fmt::Display, exit: Exit) -> Exit {
    if print(text) { exit } else { Exit::Unusable }
}

/// Prints an answer as one JSON object.
fn answer_json(value: &impl serde::Serialize, exit: Exit) -> Exit {
    match serde_json::to_string(value) {
        Ok(text) => print_answer(text, exit),
        Err(error) => {
            tell_error(error);
            Exit::Unusable
        }
    }
}

/// Why there is no answer, for programs that wait for one.
#[derive(serde::Serialize)]
#[serde(rename_all = "camelCase")]
struct FailedCommand<'a> {
    message: &'a str,
    exit_code: u8,
}

/// Reports why a command has no answer, to programs too.
fn no_answer(is_json: bool, message: &str, exit: Exit) -> Exit {
    tell_error(harmless(message));
    answer_failure(is_json, message, exit)
}

/// The same for programs alone: standard error has the message already.
fn answer_failure(is_json: bool, message: &str, exit: Exit) -> Exit {
    if is_json { answer_json(&FailedCommand { message, exit_code: exit as u8 }, exit) } else { exit }
}

/// An error and what it came from, in one sentence.
fn message_of(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        message.push_str(": ");
        message.push_str(&error.to_string());
        cause = error.source();
    }
    message
}

/// Prints why nothing was done.
fn tell_error(message: impl std::fmt::Display) {
    let style = error_style();
    tell(format_args!("{style}error{style:#}: {message}"));
}

fn error_style() -> clap::builder::styling::Style {
    clap::builder::styling::AnsiColor::BrightRed.on_default().bold()
}

/// Text without control characters for a terminal and without changes of the reading direction: each becomes one
/// `\u{fffd}`, line ends a space.
fn harmless(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
    };
    let shown = |c| match c {
        '\n' | '\r' | '\t' => ' ',
        c if hidden(c) => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// `1234567` as `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes in the largest decimal unit that leaves at least one before the point.
fn bytes(count: u64) -> String {
    let (unit, size) = match count {
        0..1_000 => return format!("{count} B"),
        1_000..1_000_000 => ("kB", 1e3),
        1_000_000..1_000_000_000 => ("MB", 1e6),
        _ => ("GB", 1e9),
    };
    format!("{:.1} {unit}", count as f64 / size)
}

/// `1 page`, `2 pages`.
fn plural(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(count), if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 999, 1500, 25_000_000, 3_000_000_000].map(bytes),
            ["0 B", "999 B", "1.5 kB", "25.0 MB", "3.0 GB"]
        );
        assert_eq!([0, 1, 2000].map(|count| plural(count, "page")), ["0 pages", "1 page", "2,000 pages"]);
    }

    #[test]
    fn hostile_text_is_tamed() {
        assert_eq!(harmless("a\u{1b}[31mb\nc\u{202e}d\u{9b}é\t"), "a\u{fffd}[31mb c\u{fffd}d\u{fffd}é ");
    }

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
