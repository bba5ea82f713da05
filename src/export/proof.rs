//! What an export says about files that load something from elsewhere: a bundle is meant to need nothing but itself.

use base::refs::{Outside, OutsideReferences, ReferenceKind};
use base::{Diagnostic, PageId, Severity, limits};
use frame::asset::remote::Remote;

use load::Site;

/// What an export makes of pictures and films from elsewhere. Anything else that comes from there is an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MediaPolicy {
    /// They stay where they are, as their author or `--vendor off` requires: a warning, and they are counted.
    Tolerated,
    /// All of them were to become part of the bundle: one that is still out there is an error.
    Refused,
}

impl MediaPolicy {
    /// By what becomes of remote assets.
    pub(super) fn of(remote: Option<&Remote>) -> Self {
        if remote.is_some_and(Remote::is_on) { Self::Refused } else { Self::Tolerated }
    }

    fn severity(self, kind: ReferenceKind) -> Severity {
        match kind {
            ReferenceKind::Image | ReferenceKind::Media if self == Self::Tolerated => Severity::Warning,
            _ => Severity::Error,
        }
    }
}

/// One diagnostic for each address that a page loads from elsewhere, with its place in the source if it is written
/// there.
pub(super) fn diagnostics(outside: &Outside, site: &Site, page: PageId, policy: MediaPolicy) -> Vec<Diagnostic> {
    let mut seen: Vec<&str> = Vec::new();
    let mut source = None;
    let mut out = Vec::new();
    for (kind, url, _) in outside.loads() {
        if seen.contains(&url.as_str()) {
            continue;
        }
        seen.push(url);
        let entry = site.page(page);
        let text = source.get_or_insert_with(|| {
            entry.file.and_then(|file| site.tree.read_text(file, limits::PAGE_BYTES).ok()).unwrap_or_default()
        });
        let (line, column) = line_and_column(text, url);
        let file = entry.file.map_or(entry.slug.as_str(), |file| site.tree.path(file));
        out.push(diagnostic(*kind, url, policy).at(file, line, column));
    }
    out
}

/// An error if one of the texts of a page holds what stands for a part of its source while that is read: a mistake of
/// this program, which loses that part.
pub(super) fn placeholder<'t>(
    mut texts: impl Iterator<Item = &'t str>,
    site: &Site,
    page: PageId,
) -> Option<Diagnostic> {
    let entry = site.page(page);
    let file = entry.file.map_or(entry.slug.as_str(), |file| site.tree.path(file));
    let message = "an internal error: a part of this page is shown as a placeholder";
    let hint = "report it with the source of the page";
    texts.any(markup::has_placeholder).then(|| Diagnostic::new("placeholder", message).at(file, 0, 0).hint(hint))
}

/// What files load from elsewhere that are no pages: style sheets and drawings.
pub(super) fn of_files(outside: &OutsideReferences) -> Vec<Diagnostic> {
    let files = outside.loads.addresses.iter().filter(|first| !first.file.ends_with(".html"));
    files
        .map(|first| diagnostic(first.kind, &first.url, MediaPolicy::Tolerated).at(first.file.as_str(), 0, 0))
        .collect()
}

fn diagnostic(kind: ReferenceKind, url: &str, policy: MediaPolicy) -> Diagnostic {
    let message = format!("`{}` is loaded from another host ({})", display_url(url), kind.word());
    let hint = "without a network it is missing; add the file to the source";
    Diagnostic { severity: policy.severity(kind), ..Diagnostic::warning("outside-load", message).hint(hint) }
}

fn display_url(url: &str) -> String {
    let mut out: String = url.chars().map(|c| if c.is_control() { ' ' } else { c }).take(120).collect();
    if out.len() < url.len() {
        out.push('…');
    }
    out
}

/// Line and column, from 1, where a text first names an address; zeros if it does not.
pub(super) fn line_and_column(text: &str, address: &str) -> (u32, u32) {
    let Some((before, _)) = text.split_once(address).filter(|_| !address.is_empty()) else { return (0, 0) };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or_default(), u32::try_from(column).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_characters() {
        assert_eq!(line_and_column("é\n日本 https://x", "https://x"), (2, 4));
        assert_eq!((line_and_column("a", "b"), line_and_column("a", "")), ((0, 0), (0, 0)));
    }

    #[test]
    fn only_pictures_are_tolerated() {
        let severity = |kind, policy| diagnostic(kind, "https://a", policy).severity;
        assert_eq!(severity(ReferenceKind::Image, MediaPolicy::Tolerated), Severity::Warning);
        assert_eq!(
            [
                severity(ReferenceKind::Script, MediaPolicy::Tolerated),
                severity(ReferenceKind::Image, MediaPolicy::Refused)
            ],
            [Severity::Error; 2]
        );
    }
}
