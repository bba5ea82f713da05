//! Makes an index of two pages and asks it: `cargo run -p offprint-search --example find`.

use std::collections::HashMap;
use std::error::Error;
use std::io::{Write as _, stdout};

use offprint_search::{IndexReader, SearchIndex, SearchPage};

fn main() -> Result<(), Box<dyn Error>> {
    let pages = [
        ("install.html", "Install", "<p>Download the program and put it into a folder of your path.</p>"),
        ("export.html", "Export", "<h2 id=\"zip\">An archive</h2><p>The bundle is one archive.</p>"),
    ];
    let mut index = SearchIndex::new(0, pages.len());
    let recorder = index.recorder();
    let records = pages.map(|(url, title, html)| {
        recorder.record(&SearchPage { url, title, html: [html, ""], boost: 1.0, ..SearchPage::default() }, &mut |_| {})
    });
    let mut files = index.add(records.into());
    files.extend(index.finish());

    let texts: HashMap<&str, &[u8]> = files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())).collect();
    let load = |path: &str| String::from_utf8(texts.get(path)?.to_vec()).ok();
    let reader = IndexReader::open(0, &load).ok_or("there is no index")?;
    let hits = reader.query("archive", 10);
    for hit in &hits {
        writeln!(stdout(), "{} ({})", hit.title, hit.url)?;
    }
    assert_eq!(hits.first().map(|hit| hit.url.as_str()), Some("export.html#zip"));
    Ok(())
}
