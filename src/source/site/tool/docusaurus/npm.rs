//! Commands of npm as other package managers know them.

/// The package managers, npm first.
pub(super) const MANAGERS: [&str; 4] = ["npm", "Yarn", "pnpm", "Bun"];

/// A text of commands for a package manager.
pub(super) fn commands(text: &str, manager: &str) -> String {
    let lines = text.lines().map(|line| command(line, manager));
    lines.collect::<Vec<_>>().join("\n")
}

fn command(line: &str, manager: &str) -> String {
    let indent = &line[..line.len() - line.trim_start().len()];
    // commands that are joined
    if let Some((first, second)) = line.split_once(" && ") {
        return format!("{} && {}", command(first, manager), command(second, manager));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let rest = |from: usize| words.get(from..).unwrap_or_default();
    let made = match (manager, words.first().copied()) {
        ("npm", _) => None,
        (_, Some("npx")) => Some(joined(
            match manager {
                "Yarn" => "yarn dlx",
                "pnpm" => "pnpm dlx",
                _ => "bunx",
            },
            rest(1),
        )),
        (_, Some("npm")) => Some(of_npm(words.get(1).copied().unwrap_or_default(), rest(2), manager)),
        _ => None,
    };
    made.map_or_else(|| line.to_owned(), |made| format!("{indent}{made}"))
}

fn joined(start: &str, rest: &[&str]) -> String {
    std::iter::once(start).chain(rest.iter().copied()).collect::<Vec<_>>().join(" ")
}

/// The words behind `npm verb`.
fn of_npm(verb: &str, rest: &[&str], manager: &str) -> String {
    let name = match manager {
        "Yarn" => "yarn",
        "pnpm" => "pnpm",
        _ => "bun",
    };
    let is_global = rest.iter().any(|word| matches!(*word, "-g" | "--global"));
    let has_packages = rest.iter().any(|word| !word.starts_with('-'));
    let options = |dev: &'static str, exact: &'static str| -> Vec<&str> {
        let all = rest.iter().filter(|word| !matches!(**word, "-g" | "--global" | "--save" | "-S"));
        all.map(|word| match *word {
            "--save-dev" | "-D" => dev,
            "--save-exact" | "-E" => exact,
            "--no-package-lock" if manager == "Yarn" => "--no-lockfile",
            word => word,
        })
        .collect()
    };
    match verb {
        "install" | "i" | "add" if !has_packages => {
            let start = if name == "yarn" && rest.is_empty() { "yarn".to_owned() } else { format!("{name} install") };
            joined(&start, &options("--dev", "--exact"))
        }
        "install" | "i" | "add" => {
            let start = match (name, is_global) {
                ("yarn", true) => "yarn global add",
                ("yarn", false) => "yarn add",
                ("pnpm", true) => "pnpm add --global",
                ("pnpm", false) => "pnpm add",
                (_, true) => "bun add --global",
                (_, false) => "bun add",
            };
            match name {
                "pnpm" => joined(start, &options("--save-dev", "--save-exact")),
                _ => joined(start, &options("--dev", "--exact")),
            }
        }
        "uninstall" | "remove" | "rm" | "un" | "r" => {
            let start =
                if name == "yarn" && is_global { "yarn global remove".to_owned() } else { format!("{name} remove") };
            joined(&start, &options("--dev", "--exact"))
        }
        "run" | "run-script" => {
            let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "--").collect();
            let start = if name == "yarn" { "yarn" } else { &format!("{name} run") };
            joined(start, &rest)
        }
        "ci" => {
            if name == "yarn" {
                "yarn install --frozen-lockfile".to_owned()
            } else {
                format!("{name} install --frozen-lockfile")
            }
        }
        "init" | "create" => {
            let rest: Vec<&str> = rest.iter().copied().filter(|word| *word != "--").collect();
            let named = rest.first().is_some_and(|word| !word.starts_with('-'));
            let start = if named { format!("{name} create") } else { format!("{name} init") };
            let rest: Vec<&str> = rest.iter().map(|word| word.trim_end_matches("@latest")).collect();
            joined(&start, &rest)
        }
        "exec" => joined(&if name == "bun" { "bunx".to_owned() } else { format!("{name} exec") }, rest),
        "test" | "t" | "start" | "stop" => joined(&format!("{name} {}", if verb == "t" { "test" } else { verb }), rest),
        _ => joined(&format!("{name} {verb}"), rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_other_package_managers() {
        for (npm, yarn, pnpm, bun) in [
            ("npm install --save-dev jest", "yarn add --dev jest", "pnpm add --save-dev jest", "bun add --dev jest"),
            ("npm install", "yarn", "pnpm install", "bun install"),
            ("npm run build -- --x", "yarn build --x", "pnpm run build --x", "bun run build --x"),
            ("npx jest", "yarn dlx jest", "pnpm dlx jest", "bunx jest"),
            ("# a comment", "# a comment", "# a comment", "# a comment"),
        ] {
            assert_eq!([commands(npm, "Yarn"), commands(npm, "pnpm"), commands(npm, "Bun")], [yarn, pnpm, bun]);
        }
    }
}
