//! Names of branches (contract E-PRV-3): what `git check-ref-format --branch` accepts, without the names that mean
//! something else somewhere.

/// Longest name, bytes.
pub const BRANCH_BYTES: usize = 255;

/// Checks the name of a branch. A name that passes is put behind `refs/heads/` and means nothing else to anybody.
///
/// # Errors
/// What is wrong with it.
pub fn branch(name: &str) -> Result<(), &'static str> {
    if name.is_empty() {
        return Err("is empty");
    }
    if name.len() > BRANCH_BYTES {
        return Err("is longer than 255 bytes");
    }
    if name == "HEAD" || name == "@" {
        return Err("means whatever is checked out");
    }
    if name.starts_with("refs/") {
        return Err("is a whole reference; write the branch alone");
    }
    if name.starts_with('-') {
        return Err("starts with `-`");
    }
    if name.contains("@{") {
        return Err("is an expression");
    }
    if let Some(character) =
        name.chars().find(|c| c.is_ascii_control() || matches!(c, ' ' | '~' | '^' | ':' | '?' | '*' | '[' | '\\'))
    {
        return Err(if character == ' ' { "has a space" } else { "has a character that no reference may have" });
    }
    if name.contains("..") || name.ends_with('.') {
        return Err("has two dots in a row or one at its end");
    }
    let is_good = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    if name.split('/').all(is_good) {
        Ok(())
    } else {
        Err("has a part that is empty, starts with a dot or ends with `.lock`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::{Command, Stdio};

    /// What the program says of a name.
    fn git_accepts(name: &str) -> bool {
        let mut git = Command::new("git");
        git.args(["check-ref-format", "--branch", name])
            .current_dir("/")
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default());
        git.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    }

    const GOOD: [&str; 14] = [
        "main",
        "feature/new-nav",
        "a.b",
        "v1.0",
        "日本語",
        "ünï/cödé",
        "a@b",
        "@a",
        "x#1",
        "a,b;c",
        "$(touch)",
        "`id`",
        "a|b&c",
        "HEAD/x",
    ];
    const BAD: [&str; 44] = [
        "",
        "HEAD",
        "@",
        "-x",
        "--upload-pack=touch",
        "refs/heads/x",
        "refs/x",
        "@{-1}",
        "@{u}",
        "a@{1}",
        "a..b",
        "..",
        "../x",
        "a/../b",
        ".a",
        "a/.b",
        "a/",
        "/a",
        "a//b",
        "a.lock",
        "a.lock/b",
        "a.",
        "a b",
        " a",
        "a ",
        "a~1",
        "a^",
        "a:b",
        "+a:b",
        "a?",
        "a*",
        "a[b",
        "a\\b",
        "a\0b",
        "a\nb",
        "a\tb",
        "a\x7fb",
        "refs/heads/x:../../y",
        "+refs/*:refs/*",
        "HEAD~1",
        ":/x",
        "main^{tree}",
        "a\r",
        "refs/",
    ];

    #[test]
    fn names_of_branches() {
        for name in GOOD {
            assert_eq!(branch(name), Ok(()), "{name}");
            assert!(git_accepts(name), "{name}");
        }
        for name in BAD {
            assert!(branch(name).is_err(), "{name:?}");
        }
        assert_eq!((branch(&"a".repeat(255)), branch(&"a".repeat(256))), (Ok(()), Err("is longer than 255 bytes")));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

        /// S25: what git refuses is never accepted; and we refuse nothing that git accepts but the names that mean
        /// something else.
        #[test]
        fn nothing_is_accepted_that_git_refuses(name in "[-a-c./@{}~^:?*\\[\\\\ é\u{1}\u{7f}]{1,8}|([-@.]{0,2}[a-z]{1,3}(\\.lock|/|\\.|@\\{)?){1,4}|(HEAD|refs|heads|@|-|\\.|/|lock){1,4}") {
            let accepted = branch(&name).is_ok();
            let git = git_accepts(&name);
            prop_assert!(git || !accepted, "{:?} is accepted, and git refuses it", name);
            let means_else = name == "HEAD" || name == "@" || name.starts_with("refs/") || name.contains("@{");
            prop_assert!(accepted || !git || means_else, "{:?} is refused, and git accepts it", name);
        }
    }
}
