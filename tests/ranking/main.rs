//! How good the ranking is: asks questions about exported sites, and counts how many find their page first, and among
//! the first three.
//!
//! `cargo run --example ranking -- FOLDER QUESTIONS.tsv`: bundles as folders in FOLDER, and rows of a
//! name there, a question, and the pages that answer it, with `|` between them. `questions.tsv` was written before the
//! ranking was changed, for eight public repositories.

use std::error::Error;
use std::fs;
use std::io::{Write as _, stdout};
use std::path::Path;

use offprint::search::{IndexReader, SearchScope};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, questions] = arguments.as_slice() else { return Err("ranking FOLDER QUESTIONS.tsv".into()) };
    let (mut asked, mut first, mut third) = (0, 0, 0);
    for line in fs::read_to_string(questions)?.lines() {
        let [site, question, pages] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not three columns: {line}").into());
        };
        let root = Path::new(folder).join(site);
        let load = |path: &str| fs::read_to_string(root.join(path)).ok();
        let reader = IndexReader::open(0, &load).ok_or_else(|| format!("there is no index in {}", root.display()))?;
        let areas = reader.areas();
        let version = (!areas.versions.is_empty()).then_some(areas.default_version);
        let hits = reader.query_within(question, 10, SearchScope { version, section: None });
        let found: Vec<&str> = hits.iter().filter_map(|hit| hit.url.split('#').next()?.strip_suffix(".html")).collect();
        let rank = found.iter().position(|page| pages.split('|').any(|expected| expected == *page));
        asked += 1;
        first += u32::from(rank == Some(0));
        third += u32::from(rank.is_some_and(|rank| rank < 3));
        if rank != Some(0) {
            writeln!(stdout(), "{site}: {question}: {found:?}")?;
        }
    }
    writeln!(stdout(), "{asked} questions: {first} find their page first, {third} among the first three")?;
    Ok(())
}
