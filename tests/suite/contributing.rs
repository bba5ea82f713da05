//! The lists of `CONTRIBUTING.md` name files that are there.

use std::path::Path;

#[test]
fn files_of_the_lists_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("CONTRIBUTING.md")).expect("the file");
    let starts = ["src/", "tests/", "templates/", "fixtures/", "benches/"];
    let named: Vec<&str> = text
        .split('`')
        .skip(1)
        .step_by(2)
        .flat_map(str::split_whitespace)
        .filter(|word| starts.iter().any(|start| word.starts_with(start)))
        .collect();
    let missing: Vec<&&str> = named
        .iter()
        .filter(|path| {
            // `<name>` and `*` stand for what is to be written
            let known = path.find(['<', '*']).map_or(**path, |end| path.get(..end).unwrap_or_default());
            let folder =
                if known.len() < path.len() { known.rsplit_once('/').map_or("", |(folder, _)| folder) } else { known };
            !root.join(folder).exists()
        })
        .collect();
    assert!(named.len() > 30 && missing.is_empty(), "{missing:?} of {}", named.len());
}
