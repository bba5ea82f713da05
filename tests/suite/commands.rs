//! What is generated from the definitions of the commands: the reference page, manual pages and completions.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use clap::{Arg, Command};

use crate::suite::site::offprint;

const PAGE: &str = "fixtures/docs/export/commands.mdx";
/// What stands above it on the page is written by hand.
const MARK: &str =
    "{/* The rest of this page is generated from src/cli: UPDATE_DOCS=1 cargo test --test all suite::commands */}\n";

/// The commands that people see.
fn shown_commands(root: &Command) -> impl Iterator<Item = &Command> {
    root.get_subcommands().filter(|command| !command.is_hide_set())
}

/// Columns of the narrowest terminal for which lines are written.
const TERMINAL_COLUMNS: usize = 79;

#[test]
fn examples_of_helps_fit_a_terminal() {
    let root = offprint::cli::commands();
    let mut wrong = Vec::new();
    for command in shown_commands(&root) {
        let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        let is_wrapped = |line: &&str| line.starts_with("  ") && line.chars().count() > TERMINAL_COLUMNS;
        wrong.extend(text.lines().filter(is_wrapped).map(|line| format!("{}: {line}", command.get_name())));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn commands_of_other_programs_lead_to_ours() {
    let stderr = |args: &[&str]| {
        let output = offprint().args(args).output().expect("the program starts");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(stderr(&["build", "docs"]).contains("`offprint export docs`"));
    assert!(stderr(&["preview"]).contains("`offprint dev`"));
    assert!(stderr(&["serve", "docs"]).contains("`offprint dev docs`"));
    assert!(stderr(&["host", "site.zip"]).contains("`offprint host --bundle site.zip`"));
    let missing = stderr(&["host", "--bundle", "nosuch.zip"]);
    assert!(missing.contains("there is no file `nosuch.zip`") && !missing.contains("Listening"), "{missing}");
    let help = offprint().args(["help", "export"]).output().expect("the program starts");
    let long = offprint().args(["export", "--help"]).output().expect("the program starts");
    assert!(help.status.success() && help.stdout == long.stdout, "{}", String::from_utf8_lossy(&help.stderr));
}

/// Text of a help as MDX, in one line.
fn cell(text: &str) -> String {
    let mut out = String::new();
    for (number, part) in text.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        let part = part.replace('|', "\\|");
        out += &if number % 2 == 0 { part.replace('<', "\\<").replace('{', "\\{") } else { part };
    }
    out.trim().replace('\n', " ")
}

/// Paragraphs of a help, each a sentence at least.
fn paragraphs(text: &str) -> Vec<String> {
    let ended = |text: &str| {
        let end = if text.ends_with(['.', ':']) { "" } else { "." };
        format!("{}{end}", cell(text))
    };
    text.trim().split("\n\n").filter(|text| !text.is_empty()).map(ended).collect()
}

/// How an argument is written: all of its names, and its value.
fn spelling(arg: &Arg) -> String {
    let value = arg.get_value_names().unwrap_or_default().join(" ").replace('|', "\\|");
    let is_many = arg.get_num_args().is_some_and(|count| count.max_values() > 1);
    let value = if is_many { format!("{value}…") } else { value };
    if arg.is_positional() {
        return if arg.is_required_set() { format!("`{value}`") } else { format!("`[{value}]`") };
    }
    let takes_value = arg.get_num_args().is_some_and(|count| count.takes_values());
    let is_optional = arg.get_num_args().is_some_and(|count| count.min_values() == 0);
    let mut names: Vec<String> = arg.get_short().map(|short| format!("-{short}")).into_iter().collect();
    names.extend(arg.get_long().map(|long| format!("--{long}")));
    names.extend(arg.get_visible_aliases().unwrap_or_default().iter().map(|alias| format!("--{alias}")));
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match (takes_value, is_optional) {
        (false, _) => names.join(", "),
        (true, true) => format!("{} `[={value}]`", names.join(", ")),
        (true, false) => format!("{} `{value}`", names.join(", ")),
    }
}

/// What stands of an argument behind its name.
fn meaning(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut out = paragraphs(&help).join("<br /><br />");
    let values = arg.get_possible_values();
    let values: Vec<String> =
        values.iter().filter(|value| !value.is_hide_set()).map(|value| format!("`{}`", value.get_name())).collect();
    if arg.get_num_args().is_some_and(|count| count.takes_values()) && !values.is_empty() {
        let _ = write!(out, " One of {}.", values.join(", "));
    }
    let defaults: Vec<String> =
        arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if arg.get_num_args().is_some_and(|count| count.takes_values()) && !defaults.is_empty() {
        let _ = write!(out, " By default {}.", defaults.join(", "));
    }
    out
}

fn reference(root: &Command) -> String {
    let mut out = String::new();
    for command in shown_commands(root) {
        let name = command.get_name();
        let about = command.get_long_about().or_else(|| command.get_about()).map(ToString::to_string);
        let usage = command.clone().bin_name(format!("offprint {name}")).render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim();
        let about = about.unwrap_or_default();
        let about = paragraphs(&about).join("\n\n");
        let _ = write!(out, "\n## offprint {name}\n\n{about}\n\n```sh\n{usage}\n```\n");
        // every command has `--help`
        let is_shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help";
        let args: Vec<&Arg> = command.get_arguments().filter(is_shown).collect();
        if !args.is_empty() {
            out += "\n| Argument or flag | Meaning |\n|---|---|\n";
        }
        for arg in args {
            let _ = writeln!(out, "| {} | {} |", spelling(arg), meaning(arg));
        }
    }
    out
}

#[test]
fn the_reference_page_lists_all_flags() {
    let mut root = offprint::cli::commands();
    root.build();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let written = std::fs::read_to_string(&path).unwrap();
    let (head, found) = written.split_once(MARK).expect("the page has the mark");
    let expected = reference(&root);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{head}{MARK}{expected}")).unwrap();
        return;
    }
    assert!(
        found == expected,
        "{PAGE} is not what src/cli says: run `UPDATE_DOCS=1 cargo test --test all suite::commands`"
    );
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let man = folder.path().join("share/man1");
    let output = offprint().arg("man").arg(&man).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let pages: BTreeSet<String> = std::fs::read_dir(&man)
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    let root = offprint::cli::commands();
    let expected = shown_commands(&root).map(|command| format!("offprint-{}.1", command.get_name()));
    assert_eq!(pages, expected.chain(["offprint.1".to_owned()]).collect());
    let page = std::fs::read_to_string(man.join("offprint-export.1")).expect("a page");
    for said in [r"\-\-cpu\-limit", "air\\-gapped", "Exit codes"] {
        assert!(page.contains(said), "{said}");
    }
    // a file is no folder
    let output = offprint().arg("man").arg(man.join("offprint.1")).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to"));
}

#[test]
fn shells_complete_commands_and_flags() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = offprint().args(["completions", shell]).output().expect("the program starts");
        let script = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && script.contains("cpu-limit") && script.contains("verify"), "{shell}");
    }
    // what bash makes of it
    #[cfg(unix)]
    if let Ok(output) = std::process::Command::new("bash")
        .args(["-c", "eval \"$(\"$1\" completions bash)\"; COMP_WORDS=(offprint export --cpu); COMP_CWORD=2; _offprint offprint --cpu export; echo \"${COMPREPLY[*]}\"", "bash"])
        .arg(offprint().get_program())
        .output()
    {
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "--cpu-limit", "{}", String::from_utf8_lossy(&output.stderr));
    }
}
