//! Commands that other programs of this field have, and arguments that this one takes as flags: what was meant.

use std::ffi::OsString;
use std::path::Path;

use super::harmless;

/// What people type, and the command that does it.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("broken-links", "check"),
    ("build", "export"),
    ("bundle", "export"),
    ("compare", "diff"),
    ("convert", "migrate"),
    ("create", "init"),
    ("generate", "export"),
    ("import", "migrate"),
    ("keygen", "key"),
    ("lint", "check"),
    ("new", "init"),
    ("patch", "apply"),
    ("preview", "dev"),
    ("render", "export"),
    ("start", "dev"),
    ("validate", "check"),
    ("watch", "dev"),
];

/// What to type instead of arguments that the program does not understand, the name of the program first; none if that
/// is not known.
pub(super) fn advice(arguments: &[OsString]) -> Option<String> {
    let mut words = arguments.iter().skip(1).filter_map(|argument| argument.to_str());
    let typed = words.next()?;
    let first = words.find(|word| !word.starts_with('-'));
    if let Some((_, meant)) = OTHER_NAMES.iter().find(|(name, _)| *name == typed) {
        let rest: Vec<String> = arguments.iter().skip(2).map(|word| harmless(&word.to_string_lossy())).collect();
        let rest = if rest.is_empty() { String::new() } else { format!(" {}", rest.join(" ")) };
        return Some(format!("there is no command `{typed}`; what does that is `offprint {meant}{rest}`"));
    }
    let target = first?;
    let is_archive = Path::new(target).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
    let shown = harmless(target);
    match (typed, is_archive) {
        ("host" | "serve", true) => Some(format!(
            "`offprint {typed}` takes no bundle as an argument: `offprint host --bundle {shown}` serves it"
        )),
        ("serve", false) => Some(format!(
            "`offprint serve` runs the HTTP service and takes no folder: `offprint dev {shown}` shows a site while it is written"
        )),
        ("host", false) => Some(format!(
            "`offprint host` serves an archive: `offprint export {shown} -o site.zip` makes one, `offprint host --bundle \
             site.zip` serves it, and `offprint dev {shown}` shows a site while it is written"
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &str) {
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let found = advice(&arguments).unwrap_or_default();
        assert!(found.contains(expect) && found.is_empty() == expect.is_empty(), "{line}: {found}");
    }

    #[test]
    fn the_right_command_is_named() {
        check("offprint build docs -o site/", "`offprint export docs -o site/`");
        check("offprint preview", "`offprint dev`");
        check("offprint serve docs", "`offprint dev docs`");
        check("offprint serve site.zip", "`offprint host --bundle site.zip`");
        check("offprint host site.ZIP", "`offprint host --bundle site.ZIP`");
        check("offprint host docs", "`offprint export docs -o site.zip`");
        check("offprint frobnicate", "");
        check("offprint", "");
    }

    #[test]
    fn other_names_are_no_commands_and_lead_to_some() {
        let commands = crate::commands();
        let has = |name: &str| commands.get_subcommands().any(|command| command.get_name() == name);
        for (other, meant) in OTHER_NAMES {
            assert!(!has(other) && has(meant), "{other} {meant}");
        }
        assert!(OTHER_NAMES.is_sorted());
    }
}
