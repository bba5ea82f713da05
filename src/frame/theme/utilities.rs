//! The style sheet of the utility classes that authors write, by Tailwind's own core: once for a site, only what is
//! used. Pages get their part of it (`subset`).

use std::collections::BTreeSet;
use std::io;
use std::sync::mpsc;
use std::thread::JoinHandle;

use sha2::{Digest, Sha256};

use super::minify::minify_css;
use base::hex::to_hex;
use markup::js::tool::{LoadedScript, ScriptFailure, VendoredScript};

const SCRIPT: VendoredScript = VendoredScript {
    name: "tailwind",
    source: const { templates::text("vendor/tailwind.js") },
    function: "tailwind",
    memory: 256 << 20,
    rounds: 20_000,
};

/// Most classes of a site that are looked at, in the order of their names.
const MAX_SITE_CLASSES: usize = 20_000;

/// What the names of the style sheets begin with in a bundle.
pub const UTILITIES: &str = "_offprint/utilities-";

/// Where the style sheet of a page's classes lies in a bundle. Pages link it before it is made, so its name is a digest
/// of the classes and not of the content.
pub fn utilities_path(classes: &[String]) -> String {
    format!("{UTILITIES}{}.css", to_hex(&Sha256::digest(classes.join("\n"))[..8]))
}

/// Tailwind's core, made ready by a thread of its own while pages are rendered.
#[derive(Debug)]
pub struct Utilities {
    classes: mpsc::Sender<String>,
    sheet: JoinHandle<Result<String, ScriptFailure>>,
}

impl Utilities {
    /// Makes it ready.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn start() -> io::Result<Self> {
        let (classes, requests) = mpsc::channel::<String>();
        let sheet = std::thread::Builder::new().name("utilities".to_owned()).spawn(move || {
            let tool = LoadedScript::start(SCRIPT)?;
            tool.call(&[""])?;
            // the receiver is gone if the export was canceled
            requests.recv().map_or_else(|_| Ok(String::new()), |classes| tool.call(&[&classes]))
        })?;
        Ok(Self { classes, sheet })
    }

    /// The style sheet of a site's classes. What is no utility is left out. Addresses in it are as their authors wrote
    /// them.
    ///
    /// # Errors
    /// The bounds of the engine are reached, or it does not start.
    pub fn finish(self, classes: &BTreeSet<String>) -> Result<String, ScriptFailure> {
        let sheet = self.generate(classes)?;
        // the license's notice stays
        let (notice, rules) =
            sheet.split_once('\n').filter(|(first, _)| first.starts_with("/*!")).unwrap_or(("", &sheet));
        Ok(format!("{notice}\n{}", minify_css(&own_layers(rules))))
    }

    fn generate(self, classes: &BTreeSet<String>) -> Result<String, ScriptFailure> {
        let classes: Vec<&str> = classes.iter().take(MAX_SITE_CLASSES).map(String::as_str).collect();
        // a thread that ended says why below
        let _ = self.classes.send(classes.join("\n"));
        self.sheet.join().unwrap_or(Err(ScriptFailure::Exhausted))
    }
}

/// The sheet with the program's names of its layers: those of Tailwind are for authors who build sheets with it.
fn own_layers(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len() + 64);
    for line in sheet.split_inclusive('\n') {
        match line.strip_prefix("@layer ") {
            Some(names) => out.extend(["@layer op.", names]),
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(classes: &str) -> String {
        Utilities::start().unwrap().finish(&classes.split(' ').map(str::to_owned).collect()).unwrap()
    }

    #[track_caller]
    fn check(classes: &str, expect: &str) {
        let sheet = sheet(classes);
        assert!(sheet.contains(expect), "{classes}: {sheet}");
    }

    /// The same as Tailwind's own command gives; `templates/vendor/rebuild.mjs` makes the expectation.
    #[test]
    fn the_sheet_is_tailwinds() {
        let classes = include_str!("../../../fixtures/utilities/classes.txt").lines().map(str::to_owned).collect();
        let expect = include_str!("../../../fixtures/utilities/expected.css");
        let css = Utilities::start().unwrap().generate(&classes).unwrap();
        for (number, (ours, theirs)) in css.lines().zip(expect.lines()).enumerate() {
            assert_eq!(ours, theirs, "line {}", number + 1);
        }
        assert_eq!(css.trim_end(), expect.trim_end());
    }

    #[test]
    fn only_what_is_used_is_there() {
        check("flex no-such-class", "@layer op.utilities{.flex{display:flex}}");
        let sheet = sheet("flex");
        assert!(sheet.starts_with("/*! tailwindcss v4"), "{sheet}");
        assert!(!sheet.contains("grid") && !sheet.contains("no-such"), "{sheet}");
    }

    #[test]
    fn variants_and_values_of_ones_own() {
        check("dark:hidden", ".dark\\:hidden:where(.dark,.dark *){display:none}");
        check("md:mt-4", "@media (width>= 48rem){.md\\:mt-4{margin-top:calc(var(--spacing) * 4)}}");
        check("hover:underline", "@media (hover:hover){.hover\\:underline:hover{text-decoration-line:underline}}");
        check("mt-0.5", ".mt-0\\.5{margin-top:calc(var(--spacing) * .5)}");
        check("w-[0.5rem]", ".w-\\[0\\.5rem\\]{width:.5rem}");
        check("w-[12.5rem]", ".w-\\[12\\.5rem\\]{width:12.5rem}");
        check("!mt-0", ".\\!mt-0{margin-top:0px !important}");
    }

    #[test]
    fn the_sites_colors_have_names() {
        check("text-primary", ".text-primary{color:var(--op-accent)}");
        check("bg-primary", ".bg-primary{background-color:var(--op-accent-fill)}");
        check("dark:text-primary-light", "color:var(--op-accent)");
        check("font-mono", ".font-mono{font-family:var(--op-font-code)}");
    }

    #[test]
    fn names_of_before_keep_their_meaning() {
        check("flex-shrink-0", ".flex-shrink-0{flex-shrink:0}");
        check("shadow-sm", "0 1px 2px 0 var(--tw-shadow-color,rgb(0 0 0 / .05))");
        check("rounded-sm", "--radius-sm:.125rem");
        check("mint-flex flex", ":is(.flex,.mint-flex){display:flex}");
        check("dark:mint-hidden", ".dark\\:mint-hidden:where(.dark,.dark *){display:none}");
        check("2xl:mint-flex", ".\\32 xl\\:mint-flex{display:flex}");
        check(
            "group-hover:mint-opacity-100",
            ".group-hover\\:mint-opacity-100:is(:where(.mint-group):hover *){opacity:100%}",
        );
        check("mint-space-y-4", ":where(.mint-space-y-4>:not(:last-child)){");
        check("-mint-mt-2", ".-mint-mt-2{margin-top:calc(var(--spacing) * -2)}");
    }

    #[test]
    fn strange_classes_break_nothing() {
        for class in [
            "[",
            "[]",
            "w-[",
            "w-[]",
            "bg-[}x{]",
            "[a:b;c:d]",
            "[&{x}]:flex",
            "@",
            "*",
            "!",
            "-",
            "[@media]:flex",
            "content-['</style>']",
            "w-[calc(((]",
            "dark:",
            ":flex",
            "x".repeat(200).as_str(),
        ] {
            let sheet = sheet(&format!("{class} flex"));
            assert!(sheet.contains(".flex{display:flex}"), "{class}: {sheet}");
            assert_eq!(sheet.matches('{').count(), sheet.matches('}').count(), "{class}: {sheet}");
        }
    }
}
