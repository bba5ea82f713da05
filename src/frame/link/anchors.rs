//! Which id of a page a fragment means.

use std::borrow::Cow;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use base::cut::SliceText as _;
use base::numbering::Numbering;
use markup::slug::{github_slug, heading_slug};
use site::ConfigKind;
use site::tree::composed;

/// Ids of parts of the frame, for pages whose content has nothing of that name: links may lead there.
const OF_FRAME: [&str; 6] = ["content", "content-area", "page-title", "search-bar-entry", "sidebar", "sidebar-content"];

/// The id of the frame that the top of a page has.
pub(super) const TOP: &str = "op-top";

/// The ids of a page. A plain folder is written for other tools, which make other ids of the same headings.
#[derive(Debug)]
pub struct Anchors<'a> {
    /// Sorted.
    ids: Cow<'a, [String]>,
    /// What GitHub calls the headings, and what we do: also where headings have other anchors, for authors who have
    /// looked their links up there.
    github: FxHashMap<String, String>,
    /// Only in plain folders, computed by the first lookup that needs a guess.
    guesses: Option<OnceLock<Guesses>>,
    /// Parts of the page are made by other tools: what they name is not known.
    is_open: bool,
}

/// The numbers of ids, by what other tools leave of them.
#[derive(Debug, Default)]
struct Guesses {
    /// By the letters and digits of the id alone; `None` where several ids have the same.
    by_letters: FxHashMap<String, Option<usize>>,
    /// By the id in lower case.
    folded: FxHashMap<String, usize>,
}

impl<'a> Anchors<'a> {
    /// The anchors of a page: its ids, sorted, and its headings in their order, each with its text and its id.
    /// `is_open`: other tools make parts of it.
    pub fn new(kind: ConfigKind, ids: Cow<'a, [String]>, headings: &[(String, String)], is_open: bool) -> Self {
        let mut github: FxHashMap<String, String> = FxHashMap::default();
        let mut numbering = Numbering::default();
        for (text, id) in headings {
            // `dup`, `dup-1`, `dup-2` …, past those that other headings have
            let name = numbering.first_free(github_slug(text), '-', 1, |name| !github.contains_key(name));
            github.insert(name, id.clone());
        }
        Self { ids, github, guesses: (kind == ConfigKind::Plain).then(OnceLock::new), is_open }
    }

    /// The id that a fragment means: what GitHub calls so, itself, or what other rules make of it. `None` if it is
    /// missing.
    pub fn find(&self, fragment: &str) -> Option<String> {
        // what GitHub's pages have before ids of their authors
        let fragment =
            if self.guesses.is_some() { fragment.strip_prefix("user-content-").unwrap_or(fragment) } else { fragment };
        // a plain folder is written for GitHub and its like; elsewhere their names are a second form
        let is_plain = self.guesses.is_some();
        let first = if is_plain { self.by_github(fragment).map(str::to_owned) } else { None };
        first
            .or_else(|| self.by_rules(fragment))
            .or_else(|| self.guess(fragment))
            .or_else(|| if is_plain { None } else { self.by_github(fragment).map(str::to_owned) })
            .or_else(|| self.is_open.then(|| self.around(fragment)))
    }

    /// The id of the heading that has a fragment as its second name: only GitHub calls it so, and the site is written
    /// for another tool.
    pub fn heading_by_second_name(&self, fragment: &str) -> Option<&str> {
        if self.guesses.is_some() || self.by_rules(fragment).is_some() {
            return None;
        }
        self.by_github(fragment)
    }

    fn by_github(&self, fragment: &str) -> Option<&str> {
        self.github.get(fragment).or_else(|| self.github.get(&fragment.to_lowercase())).map(String::as_str)
    }

    /// What a name of code stands in (`package.module` of `package.module.name`), or the fragment itself.
    fn around(&self, fragment: &str) -> String {
        let outer = fragment.rmatch_indices('.').map(|(at, _)| fragment.slice(..at));
        outer.take(8).find(|outer| self.is_known(outer)).unwrap_or(fragment).to_owned()
    }

    fn is_known(&self, id: &str) -> bool {
        self.ids.binary_search_by(|known| known.as_str().cmp(id)).is_ok()
    }

    /// The id that a fragment means: an id of the page, a part of the frame, or what the rules of headings make of it.
    fn by_rules(&self, fragment: &str) -> Option<String> {
        if self.is_known(fragment) || OF_FRAME.contains(&fragment) {
            return Some(fragment.to_owned());
        }
        // the same letters with their accents written in another way
        let is_same = |id: &&String| !id.is_ascii() && composed(id) == composed(fragment);
        if !fragment.is_ascii()
            && let Some(same) = self.ids.iter().find(is_same)
        {
            return Some(same.clone());
        }
        if fragment == "top" {
            return Some(TOP.to_owned());
        }
        let slug = heading_slug(fragment);
        if self.is_known(&slug) {
            return Some(slug);
        }
        // the vendor's former rule left out the underscores at the ends of a heading: `meta` was `_meta`
        let mut like = self.ids.iter().filter(|id| id.len() > slug.len() && id.trim_matches('_') == slug);
        like.next().filter(|_| like.next().is_none() && !slug.is_empty()).cloned()
    }

    /// What has the same letters and digits is meant, if there is only one, or one that differs by case alone. The
    /// second of equal headings is the first with a number (`-1`; MkDocs: `_1`).
    fn guess(&self, fragment: &str) -> Option<String> {
        let guesses = self.guesses.as_ref()?.get_or_init(|| Guesses::of(&self.ids));
        let like = |fragment: &str| guesses.find(fragment).map(|at| self.ids[at].clone());
        like(fragment).or_else(|| {
            let (base, number) = fragment.rsplit_once(['-', '_'])?;
            let number: u32 = number.parse().ok()?;
            let first = if self.is_known(base) { base.to_owned() } else { like(base)? };
            // the second is `-1` or `-2`
            let number = if self.is_known(&format!("{first}-1")) { number } else { number.checked_add(1)? };
            Some(format!("{first}-{number}")).filter(|id| self.is_known(id))
        })
    }
}

impl Guesses {
    fn of(ids: &[String]) -> Self {
        let mut guesses = Self::default();
        for (at, id) in ids.iter().enumerate() {
            guesses.by_letters.entry(letters(id)).and_modify(|only| *only = None).or_insert(Some(at));
            guesses.folded.entry(id.to_lowercase()).or_insert(at);
        }
        guesses
    }

    fn find(&self, fragment: &str) -> Option<usize> {
        let letters = Some(letters(fragment)).filter(|letters| !letters.is_empty())?;
        self.by_letters.get(&letters).copied()?.or_else(|| self.folded.get(&fragment.to_lowercase()).copied())
    }
}

/// The letters and digits of an anchor, in lower case and without accents.
fn letters(anchor: &str) -> String {
    if anchor.is_ascii() {
        return anchor.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    }
    anchor.nfkd().filter(|c| c.is_alphanumeric() && !is_combining_mark(*c)).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(fragment: &str, expect: Option<&str>) {
        let mut ids = [
            "faq-&-help",
            "node-js-&-bun",
            "v1-2-3",
            "what’s-new",
            "dup",
            "dup-2",
            "a-/-b",
            "c",
            "c++",
            "über",
            "step-1",
        ]
        .map(str::to_owned);
        ids.sort_unstable();
        let anchors = Anchors::new(ConfigKind::Plain, Cow::Borrowed(&ids), &[], false);
        assert_eq!(anchors.find(fragment).as_deref(), expect, "{fragment}");
    }

    #[test]
    fn anchors_of_other_dialects() {
        check("faq--help", Some("faq-&-help"));
        check("FAQ--Help", Some("faq-&-help"));
        check("nodejs--bun", Some("node-js-&-bun"));
        check("v123", Some("v1-2-3"));
        check("whats-new", Some("what’s-new"));
        check("a--b", Some("a-/-b"));
        check("Über", Some("über"));
        check("uber", Some("über"));
        check("dup-1", Some("dup-2"));
        check("dup_1", Some("dup-2"));
        check("step-1", Some("step-1"));
        check("user-content-dup", Some("dup"));
    }

    #[test]
    fn underscores_at_the_ends_may_be_missing() {
        let ids = ["__init__", "_meta", "a", "a_b", "b_", "_b"].map(str::to_owned);
        let mut ids = ids.to_vec();
        ids.sort_unstable();
        let anchors = Anchors::new(ConfigKind::Docs, Cow::Owned(ids), &[], false);
        for (fragment, id) in [
            ("meta", Some("_meta")),
            ("init", Some("__init__")),
            ("_meta", Some("_meta")),
            ("a", Some("a")),
            ("ab", None),
            ("b", None),
            ("content", Some("content")),
            ("top", Some("op-top")),
        ] {
            assert_eq!(anchors.find(fragment).as_deref(), id, "{fragment}");
        }
    }

    #[test]
    fn what_no_anchor_is_like() {
        check("dup-2-1", None);
        check("nowhere", None);
        check("-", None);
        check("dup-4294967295", None);
        // `c` and `c++` have the same letters
        check("c/", None);
    }

    #[test]
    fn headings_are_counted_as_github_does() {
        let headings = [
            ("Dup", "dup"),
            ("Dup", "dup-2"),
            ("Dup 1", "dup-1"),
            ("Dup", "dup-3"),
            ("p.exit([code])", "p-exit-code"),
            ("p.exitCode", "p-exitcode"),
        ];
        let headings = headings.map(|(text, id)| (text.to_owned(), id.to_owned()));
        let mut ids = headings.clone().map(|(_, id)| id);
        ids.sort_unstable();
        let find =
            |kind: ConfigKind, fragment: &str| Anchors::new(kind, Cow::Borrowed(&ids), &headings, false).find(fragment);
        for (fragment, id) in [
            ("dup", "dup"),
            ("dup-1", "dup-2"),
            ("dup-1-1", "dup-1"),
            ("dup-2", "dup-3"),
            ("pexitcode", "p-exit-code"),
            ("pexitcode-1", "p-exitcode"),
            ("Dup-2", "dup-3"),
        ] {
            assert_eq!(find(ConfigKind::Plain, fragment).as_deref(), Some(id), "{fragment}");
        }
        // elsewhere the site's own rule comes first
        assert_eq!(find(ConfigKind::Docs, "dup-2").as_deref(), Some("dup-2"));
        assert_eq!(find(ConfigKind::Docs, "pexitcode").as_deref(), Some("p-exit-code"));
        assert_eq!(find(ConfigKind::Docs, "pexit"), None);
        let second = |kind: ConfigKind, fragment: &str| {
            let anchors = Anchors::new(kind, Cow::Borrowed(&ids), &headings, false);
            anchors.heading_by_second_name(fragment).map(str::to_owned)
        };
        assert_eq!(second(ConfigKind::Docs, "pexitcode").as_deref(), Some("p-exit-code"));
        assert_eq!(second(ConfigKind::Docs, "dup-2"), None, "the site's own");
        assert_eq!(second(ConfigKind::Plain, "pexitcode"), None, "the only form there");
    }

    #[test]
    fn what_other_tools_make_is_not_missed() {
        let ids = ["a.b".to_owned()];
        let anchors = Anchors::new(ConfigKind::Plain, Cow::Borrowed(&ids), &[], true);
        assert_eq!(
            ["a.b.c", "a.b.C.d", "x"].map(|fragment| anchors.find(fragment).unwrap_or_default()),
            ["a.b", "a.b", "x"]
        );
    }
}
