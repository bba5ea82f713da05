//! What leads out of a bundle: the proof of an export that nothing else does.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::address::scheme_of;
use super::{RawAddress, ReferenceKind, Visitor, scan_file};

/// Most different addresses of a kind that are listed; all are counted.
const MAX_LISTED_ADDRESSES: usize = 10_000;
/// Longest address that is listed, bytes.
const MAX_LISTED_BYTES: usize = 2_000;

/// References of one file that lead out of the bundle, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// Kind, address, offset in the file.
    pub found: Vec<(ReferenceKind, String, usize)>,
}

impl Outside {
    /// Reads a file of a bundle; what it is its name says.
    pub fn of(path: &str, bytes: &[u8]) -> Self {
        let mut out = Self::default();
        scan_file(path, bytes, &mut out);
        out
    }

    /// What a browser would load.
    pub fn loads(&self) -> impl Iterator<Item = &(ReferenceKind, String, usize)> {
        self.found.iter().filter(|(kind, ..)| kind.is_load())
    }
}

impl Visitor for Outside {
    const DETAILS: bool = false;

    fn reference(&mut self, kind: ReferenceKind, address: RawAddress<'_>, at: usize) {
        if kind == ReferenceKind::Relation || !address.is_outside() {
            return;
        }
        let url = address.url();
        // an address to write to or a program to open is no reference to another host
        let is_host =
            kind.is_load() || scheme_of(&url).is_none_or(|scheme| matches!(scheme.as_str(), "http" | "https" | "ftp"));
        if is_host {
            self.found.push((kind, url, at));
        }
    }

    fn restart(&mut self) {
        self.found.clear();
    }
}

/// Where an address occurs first and how often it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct First {
    /// What it does there.
    pub kind: ReferenceKind,
    /// The address.
    pub url: String,
    /// The file of the bundle where it comes first.
    pub file: String,
    /// How many times it is there in all files.
    pub count: u64,
}

/// References of one kind in all files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReferenceGroup {
    /// How many there are.
    pub count: u64,
    /// Different addresses in the order of the bundle; at most 10,000.
    pub addresses: Vec<First>,
}

/// All references of a bundle that lead out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutsideReferences {
    /// Files that were read: HTML, SVG, CSS.
    pub files_read: u64,
    /// Scripts of the source, which cannot be read like that.
    pub scripts: u64,
    /// Calls in components that send requests to other servers, as far as their text shows.
    pub component_requests: u64,
    /// The policy of the pages lets neither scripts nor components send requests to other servers.
    pub requests_blocked: bool,
    /// What browsers would load from elsewhere: there should be none.
    pub loads: ReferenceGroup,
    /// What readers may follow.
    pub links: ReferenceGroup,
    /// Links in place of outside media.
    pub placeholders: ReferenceGroup,
    /// Pages that lead elsewhere by themselves.
    pub redirects: ReferenceGroup,
    #[serde(skip)]
    known: FxHashMap<(ReferenceKind, String), usize>,
}

impl OutsideReferences {
    /// Whether the bundle loads nothing from elsewhere.
    pub fn is_self_contained(&self) -> bool {
        self.outside_loads() == 0
    }

    /// What browsers would load from elsewhere, and what components would request there if the policy of the pages lets
    /// them.
    pub fn outside_loads(&self) -> u64 {
        self.loads.count + if self.requests_blocked { 0 } else { self.component_requests }
    }

    /// Counts a file of the bundle.
    pub fn count_file(&mut self, path: &str, of_source: bool) {
        self.files_read += u64::from(super::FileLanguage::of(path).is_some());
        self.scripts += u64::from(of_source && matches!(path.rsplit_once('.'), Some((_, "js" | "mjs" | "cjs"))));
    }

    /// Adds what a file refers to. The order of calls is the order of the lists.
    pub fn add(&mut self, file: &str, outside: Outside) {
        for (kind, mut url, _) in outside.found {
            if url.len() > MAX_LISTED_BYTES {
                let end = (0..=MAX_LISTED_BYTES).rev().find(|end| url.is_char_boundary(*end)).unwrap_or_default();
                url.truncate(end);
            }
            let group = match kind {
                ReferenceKind::Link => &mut self.links,
                ReferenceKind::Placeholder => &mut self.placeholders,
                ReferenceKind::Redirect => &mut self.redirects,
                _ => &mut self.loads,
            };
            group.count += 1;
            let key = (kind, url);
            match self.known.get(&key) {
                Some(index) => group.addresses[*index].count += 1,
                None if group.addresses.len() < MAX_LISTED_ADDRESSES => {
                    group.addresses.push(First { kind, url: key.1.clone(), file: file.to_owned(), count: 1 });
                    self.known.insert(key, group.addresses.len() - 1);
                }
                None => {}
            }
        }
    }
}
