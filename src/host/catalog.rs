//! What is known of a site's bundles from one process to the next: which are kept, which one is shown, which ones an
//! operator turned away from, and how new the newest was.

use serde::{Deserialize, Serialize};

/// Most bundles that are remembered as turned away.
const MAX_REJECTED: usize = 32;

/// A bundle that was verified before it was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CachedBundle {
    /// Of the archive.
    pub(super) sha256: String,
    /// Its bytes.
    pub(super) size: u64,
    /// The bundle's label.
    pub(super) version: Option<String>,
    /// The version that the server named.
    pub(super) tag: Option<String>,
    /// A digest of the address that it came from, which does not reveal the address.
    pub(super) from: Option<String>,
}

/// The catalog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Catalog {
    /// Bundles that are kept, the newest first; after it the one that was shown before.
    pub(super) bundles: Vec<CachedBundle>,
    /// The digest of the bundle that is shown.
    active: Option<String>,
    /// Digests of bundles that an operator turned away from: they come back by an order only.
    turned_away: Vec<String>,
    /// What had to be shown when the last of them was turned away from.
    pin: Option<String>,
    /// The latest time of export of all bundles that were shown.
    newest: Option<String>,
}

impl Catalog {
    /// Reads a catalog, or the mere list of bundles that earlier versions wrote.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let list =
            || serde_json::from_slice::<Vec<CachedBundle>>(bytes).map(|bundles| Self { bundles, ..Self::default() });
        list().or_else(|_| serde_json::from_slice(bytes)).ok()
    }

    /// Takes a bundle in as the newest; gives those that have no place any more.
    pub(super) fn put(&mut self, bundle: CachedBundle, keep: usize) -> Vec<CachedBundle> {
        self.bundles.retain(|other| other.sha256 != bundle.sha256);
        // the one that a rollback leads to stays beside it
        let before = self
            .bundles
            .iter()
            .position(|other| self.active.as_ref() == Some(&other.sha256))
            .map(|at| self.bundles.remove(at));
        self.bundles.splice(0..0, [bundle].into_iter().chain(before));
        self.bundles.split_off(keep.max(1).min(self.bundles.len()))
    }

    /// A bundle is shown now.
    pub(super) fn show(&mut self, sha256: &str, exported_at: Option<&str>) {
        self.active = Some(sha256.to_owned());
        self.turned_away.retain(|other| other != sha256);
        if let Some(this) =
            exported_at.filter(|this| self.newest.as_deref().is_none_or(|newest| is_before(newest, this)))
        {
            self.newest = Some(this.to_owned());
        }
    }

    /// An operator turned away from a bundle, while this had to be shown.
    pub(super) fn turn_away(&mut self, sha256: String, pin: Option<String>) {
        self.turned_away.retain(|other| *other != sha256);
        self.turned_away.push(sha256);
        let many = self.turned_away.len().saturating_sub(MAX_REJECTED);
        self.turned_away.drain(..many);
        self.pin = pin;
    }

    /// Whether an operator turned away from it.
    pub(super) fn has_turned_away(&self, sha256: &str) -> bool {
        self.turned_away.iter().any(|other| other == sha256)
    }

    /// Whether what has to be shown is something else than it was then: that is an order too.
    pub(super) fn is_pinned_anew(&self, pin: Option<&str>) -> bool {
        pin.is_some() && self.pin.as_deref() != pin
    }

    /// The latest time of export that was shown, if this one is earlier.
    pub(super) fn newer_than(&self, exported_at: &str) -> Option<&str> {
        self.newest.as_deref().filter(|newest| is_before(exported_at, newest))
    }

    /// The bundles that a rollback from one leads to, the nearest first.
    pub(super) fn before(&self, sha256: &str) -> impl Iterator<Item = &CachedBundle> {
        // those behind it in the list are older
        let from = self.bundles.iter().position(|bundle| bundle.sha256 == sha256).map_or(0, |at| at + 1);
        self.bundles.iter().skip(from).filter(|bundle| !self.has_turned_away(&bundle.sha256))
    }

    /// The bundles that may be shown when there is nothing better, the best first: the last one that was, then the
    /// newest.
    pub(super) fn to_fall_back_on(&self) -> Vec<CachedBundle> {
        let mut list: Vec<CachedBundle> =
            self.bundles.iter().filter(|bundle| !self.has_turned_away(&bundle.sha256)).cloned().collect();
        list.sort_by_key(|bundle| self.active.as_ref() != Some(&bundle.sha256));
        list
    }

    /// Gives up all bundles but the one that is shown and the one before it.
    pub(super) fn give_up_others(&mut self) -> Vec<CachedBundle> {
        let active = self.active.clone().unwrap_or_default();
        let before = self.before(&active).next().map(|bundle| bundle.sha256.clone());
        let (stay, go) = std::mem::take(&mut self.bundles)
            .into_iter()
            .partition(|bundle| bundle.sha256 == active || Some(&bundle.sha256) == before.as_ref());
        self.bundles = stay;
        go
    }
}

/// Whether a time is before another one. Both are in UTC and of the same form, so their order is that of their letters;
/// of other forms nothing is said.
fn is_before(this: &str, other: &str) -> bool {
    this.len() == other.len() && this < other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(digit: char) -> CachedBundle {
        CachedBundle {
            sha256: digit.to_string().repeat(64),
            size: 3,
            version: Some(format!("v{digit}")),
            tag: None,
            from: None,
        }
    }

    /// A catalog after bundles were shown one after the other.
    fn catalog(digits: &str) -> Catalog {
        let mut catalog = Catalog::default();
        for digit in digits.chars() {
            catalog.put(bundle(digit), 9);
            catalog.show(&bundle(digit).sha256, None);
        }
        catalog
    }

    fn versions<'a>(list: impl IntoIterator<Item = &'a CachedBundle>) -> String {
        list.into_iter().map(|bundle| bundle.version.as_deref().unwrap_or_default().trim_start_matches('v')).collect()
    }

    #[test]
    fn the_one_that_was_shown_before_stays() {
        let mut catalog = catalog("123");
        assert_eq!(versions(&catalog.bundles), "321");
        catalog.turn_away(bundle('3').sha256, None);
        catalog.show(&bundle('2').sha256, None);
        catalog.turn_away(bundle('2').sha256, None);
        catalog.show(&bundle('1').sha256, None);
        assert_eq!(versions(&catalog.put(bundle('4'), 2)), "32");
        catalog.show(&bundle('4').sha256, None);
        assert_eq!(
            (versions(&catalog.bundles), versions(catalog.before(&bundle('4').sha256))),
            ("41".to_owned(), "1".to_owned())
        );
    }

    #[test]
    fn a_rollback_passes_over_what_was_turned_away_from() {
        let mut catalog = catalog("123");
        catalog.turn_away(bundle('3').sha256, Some("v3".to_owned()));
        catalog.show(&bundle('2').sha256, None);
        assert_eq!(versions(&catalog.to_fall_back_on()), "21");
        assert!(
            !catalog.is_pinned_anew(Some("v3")) && !catalog.is_pinned_anew(None) && catalog.is_pinned_anew(Some("v2"))
        );
        catalog.put(bundle('4'), 9);
        catalog.show(&bundle('4').sha256, None);
        assert_eq!(versions(catalog.before(&bundle('4').sha256)), "21");
        assert_eq!(
            (versions(&catalog.give_up_others()), versions(&catalog.bundles)),
            ("31".to_owned(), "42".to_owned())
        );
        // showing it again takes that back
        catalog.show(&bundle('3').sha256, None);
        assert!(!catalog.has_turned_away(&bundle('3').sha256));
    }

    #[test]
    fn nothing_makes_the_newest_older() {
        let mut catalog = Catalog::default();
        for time in [Some("2026-06-01T00:00:00Z"), None, Some("2026-03-01T00:00:00Z"), Some("2027")] {
            catalog.show("x", time);
            assert_eq!(catalog.newer_than("2026-03-01T00:00:00Z"), Some("2026-06-01T00:00:00Z"));
        }
        assert_eq!((catalog.newer_than("2026-06-01T00:00:00Z"), catalog.newer_than("2026")), (None, None));
    }

    #[test]
    fn lists_of_earlier_versions_are_read() {
        let list = serde_json::to_vec(&[bundle('1')]).unwrap();
        assert_eq!(Catalog::parse(&list).map(|catalog| versions(&catalog.bundles)), Some("1".to_owned()));
        let catalog = catalog("12");
        assert_eq!(Catalog::parse(&serde_json::to_vec(&catalog).unwrap()), Some(catalog));
        assert_eq!((Catalog::parse(b"[{"), Catalog::parse(b"3")), (None, None));
    }
}
