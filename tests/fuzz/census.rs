//! The census of pages: what a source says, and what a page lacks of it.

use offprint::check::census::{CountedFile, Made, PageSyntax, Source, count_page};

/// Any text as a source and as a page: places are in the file, and no more is found than there is.
pub(super) fn census(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let text = text.as_ref();
    let (file, html) = text.split_once("\n---\n").unwrap_or((text, text));
    for is_mdx in [false, true] {
        let syntax =
            PageSyntax { is_mdx, hides_rust: is_mdx, is_mintlify: is_mdx, fills_code: is_mdx, is_vault: false };
        let source = Source::read(file, syntax);
        let written = CountedFile { path: "page.mdx", file, syntax };
        let census = count_page(&written, &source, &Made { html: [html, ""], title: "", later: html }, &[], None);
        assert!(census.words.found <= census.words.written, "{:?}", census.words);
        for problem in census.problems {
            let line = file.split('\n').nth(problem.line as usize - 1).expect("a line of the file");
            assert!(problem.column as usize <= line.chars().count() + 1, "{problem:?}");
        }
    }
}
