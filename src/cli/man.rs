//! `offprint man` and `offprint completions`: manual pages, and what shells complete, from the definitions of the
//! commands.

use std::path::{Path, PathBuf};

use clap_complete::Shell;

use super::{Exit, commands, harmless, print_answer, tell, tell_error};

pub(super) const MAN_ABOUT: &str = "\
Write manual pages.

Writes one page for the program and one for each of its commands into a folder, which is created if it does not exist. Pages \
that are there already are replaced.";

pub(super) const MAN_NOTES: &str = "\
Examples:
  offprint man ~/.local/share/man/man1  for one user
  offprint man man1 && man man1/offprint-export.1

Exit codes:
  0    the pages are written
  2    the folder cannot be written";

pub(super) const COMPLETIONS_ABOUT: &str = "\
Print what a shell needs to complete commands, flags and values.";

pub(super) const COMPLETIONS_NOTES: &str = "\
Examples:
  offprint completions bash \\
      > ~/.local/share/bash-completion/completions/offprint
  offprint completions zsh > ~/.zfunc/_offprint  where ~/.zfunc is in $fpath
  offprint completions fish > ~/.config/fish/completions/offprint.fish

Exit codes:
  0    done
  2    it cannot be printed";

/// `offprint man`.
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The folder to write into
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// `offprint completions`.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

/// Writes the manual pages.
pub(super) fn run_man(arguments: &ManArgs) -> Exit {
    let folder = &arguments.folder;
    let write = |folder: &Path| {
        std::fs::create_dir_all(folder)?;
        clap_mangen::generate_to(commands().disable_help_subcommand(true), folder)
    };
    let shown = harmless(&folder.display().to_string());
    match write(folder) {
        Ok(()) => {
            tell(format_args!("Wrote the manual pages to {shown}"));
            Exit::Done
        }
        Err(error) => {
            tell_error(format_args!("cannot write to {shown}: {error}"));
            Exit::Unusable
        }
    }
}

/// Prints the completions.
pub(super) fn run_completions(arguments: &CompletionsArgs) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut commands(), "offprint", &mut script);
    print_answer(String::from_utf8_lossy(&script).trim_end(), Exit::Done)
}
