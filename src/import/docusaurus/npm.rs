//! Commands of npm as other package managers know them.

use base::cut::SliceText as _;

/// The package managers, npm first.
pub(crate) const MANAGERS: [&str; 4] = ["npm", "Yarn", "pnpm", "Bun"];

/// A text of commands for a package manager.
pub(crate) fn commands(text: &str, manager: &str) -> String {
    let lines = text.lines().map(|line| command(line, manager));
    lines.collect::<Vec<_>>().join("\n")
}

fn command(line: &str, manager: &str) -> String {
    let indent = line.slice(..line.len() - line.trim_start().len());
    // commands that are joined
    if let Some((first, second)) = line.split_once(" && ") {
        return format!("{} && {}", command(first, manager), command(second, manager));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let rest = |from: usize| words.get(from..).unwrap_or_default();
    let translated = match (manager, words.first().copied()) {
        ("npm", _) => None,
        (_, Some("npx")) => Some(join_command(
            match manager {
                "Yarn" => "yarn dlx",
                "pnpm" => "pnpm dlx",
                _ => "bun x",
            },
            rest(1),
        )),
        (_, Some("npm")) => Some(of_npm(words.get(1).copied().unwrap_or_default(), rest(2), manager)),
        _ => None,
    };
    translated.map_or_else(|| line.to_owned(), |translated| format!("{indent}{translated}"))
}

fn join_command(start: &str, rest: &[&str]) -> String {
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
    let bare = || rest.iter().copied().filter(|word| *word != "--").collect::<Vec<&str>>();
    match verb {
        "install" | "i" | "add" if !has_packages => {
            join_command(&format!("{name} install"), &options("--dev", "--exact"))
        }
        "install" | "i" | "add" => {
            let start = match (name, is_global) {
                ("yarn", true) => "yarn global add",
                ("pnpm", true) => "pnpm add -g",
                ("bun", true) => "bun add --global",
                _ => return join_command(&format!("{name} add"), &added(name, &options)),
            };
            join_command(start, &added(name, &options))
        }
        "uninstall" | "remove" | "rm" | "un" | "r" => {
            let start =
                if name == "yarn" && is_global { "yarn global remove".to_owned() } else { format!("{name} remove") };
            join_command(&start, &options("--dev", "--exact"))
        }
        "run" | "run-script" => {
            // names that are commands of yarn too
            let is_own =
                rest.first().is_some_and(|word| matches!(*word, "test" | "start" | "stop" | "install" | "add"));
            let start = if name == "yarn" && !is_own { "yarn".to_owned() } else { format!("{name} run") };
            join_command(&start, &bare())
        }
        "ci" => format!("{name} install --frozen-lockfile"),
        "init" | "create" => create_command(name, &bare()),
        "exec" => join_command(&exec(name), &bare()),
        // Bun wants the values of options apart
        "test" | "t" | "tst" if name == "bun" => {
            let apart = |word: &str| if word.starts_with('-') { word.replacen('=', " ", 1) } else { word.to_owned() };
            let words: Vec<String> = bare().into_iter().map(apart).collect();
            join_command("bun run test", &words.iter().map(String::as_str).collect::<Vec<_>>())
        }
        "test" | "t" | "tst" => join_command(&format!("{name} test"), &bare()),
        "start" | "stop" => join_command(&format!("{name} {verb}"), &bare()),
        _ => join_command(&format!("{name} {verb}"), rest),
    }
}

/// The options of a command that adds packages; pnpm has npm's.
fn added<'w>(name: &str, options: &dyn Fn(&'static str, &'static str) -> Vec<&'w str>) -> Vec<&'w str> {
    if name == "pnpm" { options("--save-dev", "--save-exact") } else { options("--dev", "--exact") }
}

/// `npm init x@latest` runs `create-x`.
fn create_command(name: &str, rest: &[&str]) -> String {
    let Some((first, others)) = rest.split_first().filter(|(first, _)| !first.starts_with('-')) else {
        return join_command(&format!("{name} init"), rest);
    };
    let first = first.trim_end_matches("@latest");
    let start = if name == "bun" { format!("bunx create-{first}") } else { format!("{name} create {first}") };
    join_command(&start, others)
}

fn exec(name: &str) -> String {
    match name {
        "bun" => "bunx".to_owned(),
        "pnpm" => "pnpm exec".to_owned(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_other_package_managers() {
        for (npm, yarn, pnpm, bun) in [
            ("npm install --save-dev jest", "yarn add --dev jest", "pnpm add --save-dev jest", "bun add --dev jest"),
            ("npm install", "yarn install", "pnpm install", "bun install"),
            ("npm run build -- --x", "yarn build --x", "pnpm run build --x", "bun run build --x"),
            ("npx jest", "yarn dlx jest", "pnpm dlx jest", "bun x jest"),
            ("npm test -- -t=x", "yarn test -t=x", "pnpm test -t=x", "bun run test -t x"),
            ("npm init jest@latest", "yarn create jest", "pnpm create jest", "bunx create-jest"),
            ("# a comment", "# a comment", "# a comment", "# a comment"),
        ] {
            assert_eq!([commands(npm, "Yarn"), commands(npm, "pnpm"), commands(npm, "Bun")], [yarn, pnpm, bun]);
        }
    }
}
