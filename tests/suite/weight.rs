//! What a page makes its reader download: budgets, in every family of themes.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;

use flate2::{Compression, write::GzEncoder};
use offprint::site::theme_family::THEME_FAMILIES;

use crate::suite::servers::png;
use crate::suite::site::{Exported, SiteTest, fixture};

/// Most bytes of the program's style sheets of a page, compressed as servers do it.
const STYLE_BYTES: usize = 14 * 1024;
/// Most bytes of the utility classes of a page of the documentation.
const UTILITY_BYTES: usize = 700;

/// Most bytes of all scripts of an ordinary page.
const SCRIPT_BYTES: usize = 8_000;

fn gzipped(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("a buffer takes everything");
    encoder.finish().expect("a buffer takes everything").len()
}

/// The pages whose style sheets are too heavy, with all of them; and how many pages have one for what they hold.
fn too_heavy(site: &Exported) -> (Vec<String>, usize) {
    let mut weights: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut joined = 0;
    for path in site.html() {
        let page = site.page(path.trim_end_matches(".html"));
        let links = page.select("link[rel=stylesheet]");
        let sheets = links
            .iter()
            .filter_map(|link| link.attr("href"))
            .filter_map(|href| href.find("_offprint/").map(|at| href[at..].to_owned()));
        let (mut own, mut utilities) = (0, 0);
        let mut parts = Vec::new();
        for sheet in sheets {
            let name = sheet.trim_start_matches("_offprint/").split(['-', '.']).next().unwrap_or_default().to_owned();
            let weight = *weights.entry(sheet).or_insert_with_key(|sheet| gzipped(&site.files[sheet]));
            *if name == "utilities" { &mut utilities } else { &mut own } += weight;
            parts.push((name, weight));
        }
        joined += usize::from(parts.iter().any(|(name, _)| name == "parts" || name == "whole"));
        if own > STYLE_BYTES || utilities > UTILITY_BYTES {
            wrong.push(format!("{path}: {own} bytes, {utilities} of utilities: {parts:?}"));
        }
    }
    (wrong, joined)
}

#[test]
fn style_sheets_of_a_page_stay_within_their_budget_in_every_family() {
    for theme in THEME_FAMILIES.iter().map(|family| family.name) {
        let source = tempfile::TempDir::with_prefix("offprint-weight-").expect("a temporary folder");
        for entry in walkdir::WalkDir::new(fixture("docs"))
            .into_iter()
            .filter_map(Result::ok)
            .filter(|entry| entry.file_type().is_file())
        {
            let to = source.path().join(entry.path().strip_prefix(fixture("docs")).expect("below the fixture"));
            fs::create_dir_all(to.parent().expect("a parent")).expect("a folder");
            fs::copy(entry.path(), to).expect("a copy");
        }
        let config = source.path().join("docs.json");
        let text = fs::read_to_string(&config).expect("a configuration");
        let mut value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        value["theme"] = theme.into();
        // the rules of a menu beside the title and of a banner are those of sites that have one
        for name in ["banner", "contextual"] {
            value.as_object_mut().expect("an object").remove(name);
        }
        fs::write(&config, value.to_string()).expect("a file");
        let site = Exported::of(source.path(), &[]);
        assert!(site.html().count() > 50, "{theme}: {}", site.stderr);
        let (wrong, joined) = too_heavy(&site);
        assert!(wrong.is_empty(), "{theme}: {wrong:#?}");
        // pages of operations have many kinds of content, and there are more of them with each route of the service
        let most = site.html().count() / 2;
        assert!((5..most).contains(&joined), "{theme}: {joined} pages have a joined style sheet");
    }
}

/// Every page of every site loads them, so what few pages need does not belong there.
#[test]
fn scripts_of_an_ordinary_page_stay_within_their_budget() {
    let site = SiteTest::fixture("docs").other_diagnostics().run();
    let page = site.page("quickstart");
    let scripts = page.select("script:not([type*=json])");
    let weights: Vec<(String, usize)> = scripts
        .iter()
        .map(|script| match script.attr("src") {
            Some(path) => (path.to_owned(), gzipped(&site.files[path])),
            None => ("in the page".to_owned(), gzipped(script.text().collect::<String>().as_bytes())),
        })
        .collect();
    assert!(weights.len() >= 2, "{weights:?}");
    let all: usize = weights.iter().map(|(_, bytes)| bytes).sum();
    assert!(all <= SCRIPT_BYTES, "{all} bytes: {weights:?}");
}

/// Screenshots come out of editors and browsers far larger than they need to be.
#[test]
fn large_png_files_are_written_again_if_told_so() {
    let picture = png(300, 300);
    assert!(picture.len() > 200_000);
    let sizes = |args: &[&str]| {
        let site = SiteTest::pages(&[("index", "![A](/large.png) ![B](/small.png)")])
            .file("large.png", &picture)
            .file("small.png", png(9, 9));
        let site = args.iter().fold(site, |site, arg| site.arg(arg)).run();
        ["large.png", "small.png"].map(|path| site.files[path].len())
    };
    let [large, small] = sizes(&["--optimize-png"]);
    assert!(large * 3 <= picture.len() * 2 && small == png(9, 9).len(), "{large} {small}");
    assert_eq!(sizes(&[]), [picture.len(), png(9, 9).len()]);
    assert_eq!(sizes(&["--no-optimize-png"]), [picture.len(), png(9, 9).len()], "pipelines of before still run");
}
