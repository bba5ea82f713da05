//! What differs between two bundles, by the digests in their manifests: pages by name and title, other files by name.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;

use base::html::decode_character_references;

use super::manifest::Manifest;
use super::reader::BundleReader;
use super::verify::read_manifest;
use super::{MANIFEST_PATH, RESERVED_FOLDER, SIGNATURE_PATH};

/// What differs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// Pages.
    pub pages: DiffLists<PageDifference>,
    /// Changed pages in which nothing but names of shared files, which carry digests, is different; they are not among
    /// `pages.changed`.
    pub only_shared_names: Vec<String>,
    /// Other files.
    pub files: DiffLists<String>,
}

/// Things by what happened to them, each list sorted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DiffLists<T> {
    /// Only in the second bundle.
    pub added: Vec<T>,
    /// Different in the two.
    pub changed: Vec<T>,
    /// Only in the first bundle.
    pub removed: Vec<T>,
}

impl<T> Default for DiffLists<T> {
    fn default() -> Self {
        Self { added: Vec::new(), changed: Vec::new(), removed: Vec::new() }
    }
}

/// A page that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageDifference {
    /// Its file.
    pub file: String,
    /// Its title, in the later bundle that has it; empty if it has none.
    pub title: String,
}

impl Difference {
    /// Whether the bundles hold the same files.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Compares two bundles.
///
/// # Errors
/// A sentence, with the bundle's path: one of them is none, or holds other files than it says.
pub fn diff(old: &BundleReader, new: &BundleReader) -> Result<Difference, String> {
    let before = manifest_of(old)?;
    let after = manifest_of(new)?;
    let mut difference = Difference::default();
    let mut changed = Vec::new();
    let names: BTreeSet<&str> = before.files.iter().chain(&after.files).map(|record| record.path.as_str()).collect();
    for name in names {
        let is_page = is_page(name);
        match (before.find(name), after.find(name)) {
            (Some(one), Some(other)) if one.sha256 == other.sha256 => {}
            (Some(_), Some(_)) if is_page => changed.push(name),
            (Some(_), Some(_)) => difference.files.changed.push(name.to_owned()),
            (None, Some(_)) if is_page => difference
                .pages
                .added
                .push(PageDifference { file: name.to_owned(), title: archive_page_title(new, name) }),
            (None, _) => difference.files.added.push(name.to_owned()),
            (Some(_), None) if is_page => difference
                .pages
                .removed
                .push(PageDifference { file: name.to_owned(), title: archive_page_title(old, name) }),
            (Some(_), None) => difference.files.removed.push(name.to_owned()),
        }
    }
    let read = |archive: &BundleReader, name| {
        archive.find(name).and_then(|entry| archive.read(entry).ok()).unwrap_or_default()
    };
    let judged: Vec<(bool, PageDifference)> = changed
        .into_par_iter()
        .map(|name| {
            let (mut one, mut other) = (read(old, name), read(new, name));
            let title = html_title(&other);
            for html in [&mut one, &mut other] {
                drop_font(html);
                blank_digests(html);
            }
            (one == other, PageDifference { file: name.to_owned(), title })
        })
        .collect();
    for (is_same, page) in judged {
        if is_same {
            difference.only_shared_names.push(page.file);
        } else {
            difference.pages.changed.push(page);
        }
    }
    Ok(difference)
}

/// The manifest of a bundle whose files have the names and sizes that it lists.
fn manifest_of(archive: &BundleReader) -> Result<Manifest, String> {
    let shown = archive.path().display();
    let (_, manifest) = read_manifest(archive).map_err(|problem| format!("`{shown}` {}", problem.message))?;
    let manifest = manifest.map_err(|why| format!("`{shown}` has a manifest that cannot be read: {why}"))?;
    let there = archive.sorted().filter(|entry| !matches!(entry.name(), MANIFEST_PATH | SIGNATURE_PATH));
    let listed = manifest.files.iter().map(|record| (record.path.as_str(), record.size));
    if there.map(|entry| (entry.name(), entry.size())).eq(listed) {
        Ok(manifest)
    } else {
        Err(format!("`{shown}` holds other files than its manifest lists; `offprint verify` names them"))
    }
}

fn is_page(name: &str) -> bool {
    name.ends_with(".html") && name.split('/').next() != Some(RESERVED_FOLDER)
}

fn archive_page_title(archive: &BundleReader, name: &str) -> String {
    archive.find(name).and_then(|entry| archive.read(entry).ok()).map_or_else(String::new, |html| html_title(&html))
}

/// The text of the `<title>` that a page of the exporter has near its front.
fn html_title(html: &[u8]) -> String {
    let Some(start) = memchr::memmem::find(html, b"<title>") else { return String::new() };
    let rest = &html[start + 7..];
    let end = memchr::memchr(b'<', rest).unwrap_or(rest.len());
    let text = String::from_utf8_lossy(&rest[..end]);
    decode_character_references(&text).into_owned()
}

/// Removes the name of the text font, which the first tag of a page says so that it loads early.
fn drop_font(html: &mut Vec<u8>) {
    const NAME: &[u8] = b" data-font=\"";
    let tag = memchr::memmem::find(html, b"<html").and_then(|at| Some(at..at + memchr::memchr(b'>', &html[at..])?));
    let Some(tag) = tag else { return };
    let Some(start) = memchr::memmem::find(&html[tag.clone()], NAME).map(|at| tag.start + at) else { return };
    let value = start + NAME.len();
    if let Some(length) = memchr::memchr(b'"', &html[value..tag.end]) {
        html.drain(start..=value + length);
    }
}

/// Overwrites the digests in names of shared files: `_offprint/theme-0123abcd.css` becomes
/// `_offprint/theme-00000000.css`.
fn blank_digests(html: &mut [u8]) {
    let folder = format!("{RESERVED_FOLDER}/");
    let starts: Vec<usize> = memchr::memmem::find_iter(html, &folder).map(|at| at + folder.len()).collect();
    for start in starts {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
        let length = html[start..].iter().take_while(is_name).count();
        let name = &mut html[start..start + length];
        let digest = name.iter().rposition(|byte| *byte == b'-').map(|dash| dash + 1);
        let Some(digits) = digest.and_then(|at| name.get_mut(at..at + 9)) else { continue };
        if digits[8] == b'.' && digits[..8].iter().all(u8::is_ascii_hexdigit) {
            digits[..8].fill(b'0');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_digests(html: &str, expect: &str) {
        let mut bytes = html.as_bytes().to_vec();
        blank_digests(&mut bytes);
        assert_eq!(String::from_utf8(bytes).unwrap(), expect);
    }

    #[test]
    fn digests_of_shared_files_are_blanked() {
        check_digests(
            "<link href=\"../_offprint/theme-3f9a61c2.css\">",
            "<link href=\"../_offprint/theme-00000000.css\">",
        );
        check_digests(
            "_offprint/inter-latin-3100e775.woff2 _offprint/x.js",
            "_offprint/inter-latin-00000000.woff2 _offprint/x.js",
        );
        check_digests("theme-3f9a61c2.css _offprint/", "theme-3f9a61c2.css _offprint/");
        check_digests("_offprint/a-3f9a61c2", "_offprint/a-3f9a61c2");
        check_digests("_offprint/a-grün1234.css", "_offprint/a-grün1234.css");
    }

    #[test]
    fn the_text_font_is_no_change() {
        let mut html = b"<!doctype html><html lang=\"en\" data-font=\"_offprint/x-12345678.woff2\" data-y=\"\"><p data-font=\"z\">".to_vec();
        drop_font(&mut html);
        assert_eq!(html, b"<!doctype html><html lang=\"en\" data-y=\"\"><p data-font=\"z\">");
        drop_font(&mut html);
        assert!(html.ends_with(b"<p data-font=\"z\">"));
    }

    #[test]
    fn titles_are_text() {
        assert_eq!(html_title(b"<head><title>A &amp; B &lt;c&gt; &amp;lt;</title>"), "A & B <c> &lt;");
        assert_eq!((html_title(b"<p>"), html_title(b"<title>x")), (String::new(), "x".to_owned()));
    }
}
