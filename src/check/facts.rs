//! What one file says: decided as far as names alone decide it, the rest as numbers.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use percent_encoding::percent_decode_str;

use base::Diagnostic;
use base::cut::SliceText as _;
use base::refs::{self, FileLanguage, RawAddress, ReferenceKind, Visitor};
use frame::theme;

use super::names::{FileNames, LinkPlace};

/// Whether a file of this name is read at all.
pub(super) fn is_read(name: &str) -> bool {
    FileLanguage::of(name).is_some()
}

/// What one file says.
#[derive(Debug, Default)]
pub(super) struct HtmlFacts {
    pub(super) file: u32,
    /// Files that its links lead to, sorted, each once.
    pub(super) ways: Box<[u32]>,
    /// Links to anchors of other pages.
    pub(super) anchors: Vec<Anchor>,
    /// Digests of its ids, sorted.
    pub(super) ids: Box<[u64]>,
    /// The file that it leads to by itself.
    pub(super) redirect: Option<u32>,
    pub(super) is_page: bool,
    /// Servers that may be asked under the content security policy that the page sets before it refers to anything;
    /// `None` if it sets none that names them.
    pub(super) connections: Option<Vec<String>>,
    /// It leads elsewhere by itself, or is `noindex`.
    pub(super) is_unlisted: bool,
    pub(super) references: u64,
    pub(super) placeholders: u64,
    pub(super) outside_loads: u64,
    /// Addresses of other hosts that links lead to, with their line, each once.
    pub(super) outside_links: Vec<(String, u32)>,
    pub(super) outside_count: u64,
    pub(super) findings: Vec<Diagnostic>,
}

/// A link to an anchor of another page.
#[derive(Debug)]
pub(super) struct Anchor {
    pub(super) target: u32,
    pub(super) fragment: Box<str>,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// The digest of an id or a decoded fragment.
pub(super) fn fragment_digest(id: &str) -> u64 {
    // the key is the same in every run; a collision that an author makes hides only an own broken link
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

/// Reads a file.
pub(super) fn read_facts(file: u32, bytes: &[u8], names: &FileNames) -> HtmlFacts {
    let mut reader = FactReader::new(file, names, bytes);
    refs::scan_file(names.name(file), bytes, &mut reader);
    reader.finish()
}

/// Counts lines while offsets grow; goes back to the start if they do not.
struct LineCounter<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u32,
    /// Where the line begins.
    start: usize,
}

impl LineCounter<'_> {
    /// Line and column in characters, from 1.
    fn place(&mut self, at: usize) -> (u32, u32) {
        let at = at.min(self.bytes.len());
        if at < self.at {
            (self.at, self.line, self.start) = (0, 1, 0);
        }
        for end in memchr::memchr_iter(b'\n', &self.bytes[self.at..at]) {
            self.line = self.line.saturating_add(1);
            self.start = self.at + end + 1;
        }
        self.at = at;
        let column = String::from_utf8_lossy(&self.bytes[self.start..at]).chars().count() + 1;
        (self.line, u32::try_from(column).unwrap_or(u32::MAX))
    }
}

struct FactReader<'a> {
    file: u32,
    names: &'a FileNames,
    lines: LineCounter<'a>,
    facts: HtmlFacts,
    ways: BTreeSet<u32>,
    ids: Vec<(u64, usize)>,
    /// Anchors of the page itself that it links to.
    own: Vec<(String, usize)>,
    /// What was said already: a page names most of its targets more than once.
    said: BTreeSet<(&'static str, String)>,
    outside: BTreeSet<String>,
    is_redirect: bool,
}

impl<'a> FactReader<'a> {
    fn new(file: u32, names: &'a FileNames, bytes: &'a [u8]) -> Self {
        Self {
            file,
            names,
            lines: LineCounter { bytes, at: 0, line: 1, start: 0 },
            facts: HtmlFacts { file, ..HtmlFacts::default() },
            ways: BTreeSet::new(),
            ids: Vec::new(),
            own: Vec::new(),
            said: BTreeSet::new(),
            outside: BTreeSet::new(),
            is_redirect: false,
        }
    }

    fn finish(mut self) -> HtmlFacts {
        let name = self.names.name(self.file);
        self.facts.is_page = FileLanguage::of(name) == Some(FileLanguage::Html);
        self.ids.sort_unstable();
        let twice: Vec<usize> =
            self.ids.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
        for at in twice {
            let finding = Diagnostic::warning("duplicate-id", "this id is used more than once on the page")
                .hint("links to it lead to the first one");
            self.say(finding, at);
        }
        let known = |fragment: &str, ids: &[(u64, usize)]| {
            ids.binary_search_by_key(&fragment_digest(fragment), |(id, _)| *id).is_ok()
        };
        for (fragment, at) in std::mem::take(&mut self.own) {
            if !known(&fragment, &self.ids) {
                let finding =
                    Diagnostic::error("broken-anchor", format!("`#{fragment}`: this page does not have this anchor"));
                self.say(finding, at);
            }
        }
        self.ids.dedup_by_key(|(id, _)| *id);
        self.facts.ids = self.ids.iter().map(|(id, _)| *id).collect();
        self.facts.ways = self.ways.iter().copied().collect();
        self.facts.is_unlisted |= self.is_redirect;
        self.facts
    }

    /// Notes what is wrong, once for each message.
    fn say(&mut self, finding: Diagnostic, at: usize) {
        if self.said.insert((finding.code, finding.message.clone())) {
            let (line, column) = self.lines.place(at);
            self.facts.findings.push(finding.at(self.names.name(self.file), line, column));
        }
    }

    fn outside(&mut self, kind: ReferenceKind, url: String, at: usize) {
        if kind.is_load() {
            self.facts.outside_loads += 1;
            let message = format!("`{}` is loaded from another host ({})", display_checked_address(&url), kind.word());
            let finding = match kind {
                // a picture or a film is the author's own choice
                ReferenceKind::Image | ReferenceKind::Media => Diagnostic::warning("outside-load", message),
                _ => Diagnostic::error("outside-load", message),
            };
            return self.say(finding.hint("without a network it is missing; add the file to the bundle"), at);
        }
        let is_host = !url.contains(':')
            || url.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("http"))
            || url.starts_with("//");
        if kind == ReferenceKind::Relation || !is_host {
            return;
        }
        self.facts.placeholders += u64::from(kind == ReferenceKind::Placeholder);
        self.facts.outside_count += u64::from(kind == ReferenceKind::Link);
        if self.outside.insert(url.clone()) {
            let (line, _) = self.lines.place(at);
            self.facts.outside_links.push((url, line));
        }
    }

    fn inside(&mut self, kind: ReferenceKind, url: &str, at: usize) {
        let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
        let path = rest.split('?').next().unwrap_or_default();
        let fragment = fragment.split(":~:").next().unwrap_or_default();
        if path.is_empty() {
            // a drawing names its own parts; they are no places that a reader goes to
            if kind == ReferenceKind::Link && !fragment.is_empty() {
                self.own_anchor(fragment, at);
            }
            return;
        }
        if path.starts_with('/') {
            let message = format!("`{}` begins at the root of the host", display_checked_address(url));
            let hint = "it does not work below a path and from a disk; make it relative to its page";
            self.say(Diagnostic::error("absolute-address", message).hint(hint), at);
        }
        let name = self.names.name(self.file);
        let file = match self.names.resolve(name, path) {
            LinkPlace::File(file) => file,
            wrong => match self.objection(&wrong, kind, url, at) {
                Some(file) => file,
                None => return,
            },
        };
        if matches!(kind, ReferenceKind::Link | ReferenceKind::Placeholder | ReferenceKind::Redirect) {
            self.ways.insert(file);
        }
        if kind == ReferenceKind::Redirect {
            self.facts.redirect = Some(file);
        }
        if fragment.is_empty()
            || !matches!(kind, ReferenceKind::Link | ReferenceKind::Redirect)
            || FileLanguage::of(self.names.name(file)) != Some(FileLanguage::Html)
        {
            return;
        }
        if file == self.file {
            return self.own_anchor(fragment, at);
        }
        let (line, column) = self.lines.place(at);
        self.facts.anchors.push(Anchor { target: file, fragment: decode_fragment(fragment).into(), line, column });
    }

    fn own_anchor(&mut self, fragment: &str, at: usize) {
        let fragment = decode_fragment(fragment);
        if !fragment.eq_ignore_ascii_case("top") {
            self.own.push((fragment, at));
        }
    }

    /// Says why an address is wrong; the file that is meant, if there is one.
    fn objection(&mut self, place: &LinkPlace, kind: ReferenceKind, url: &str, at: usize) -> Option<u32> {
        let shown = display_checked_address(url);
        let (finding, meant) = match place {
            LinkPlace::File(file) => return Some(*file),
            LinkPlace::Folded(file) => {
                let message = format!("the name of `{shown}` is `{}`", self.names.name(*file));
                let hint = "write it exactly so: on most systems, names are case-sensitive";
                (Diagnostic::error("case-mismatch", message).hint(hint), Some(*file))
            }
            LinkPlace::Folder(file) => {
                let finding = Diagnostic::error("folder-link", format!("`{shown}` leads to a folder"));
                (finding.hint("from a disk, this shows a list of files; link to its index.html"), Some(*file))
            }
            LinkPlace::Extensionless(file) => {
                let finding =
                    Diagnostic::error("broken-link", format!("`{shown}` leads to no file; only with `.html`"));
                (finding.hint("add `.html`"), Some(*file))
            }
            LinkPlace::Above => (Diagnostic::error("broken-link", format!("`{shown}` leads out of the bundle")), None),
            LinkPlace::Missing if kind.is_load() => {
                let what = if kind == ReferenceKind::Image { "picture" } else { "file" };
                (Diagnostic::error("missing-file", format!("the {what} `{shown}` does not exist")), None)
            }
            LinkPlace::Missing => (Diagnostic::error("broken-link", format!("`{shown}` leads to no file")), None),
        };
        self.say(finding, at);
        meant
    }
}

fn decode_fragment(fragment: &str) -> String {
    percent_decode_str(fragment).decode_utf8_lossy().into_owned()
}

/// An address for a message: one line, not too long.
pub(super) fn display_checked_address(address: &str) -> String {
    const MAX_SHOWN_CHARS: usize = 120;
    let mut out: String = address.chars().take(MAX_SHOWN_CHARS).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if address.chars().nth(MAX_SHOWN_CHARS).is_some() {
        out.push('…');
    }
    out
}

impl Visitor for FactReader<'_> {
    const DETAILS: bool = true;

    fn reference(&mut self, kind: ReferenceKind, address: RawAddress<'_>, at: usize) {
        self.facts.references += 1;
        self.is_redirect |= kind == ReferenceKind::Redirect;
        let url = address.url();
        if address.is_outside() {
            return self.outside(kind, url, at);
        }
        // data: and its like hold what they mean
        let has_scheme = url.find(':').is_some_and(|colon| !url.slice(..colon).contains(['/', '?', '#']));
        if !url.is_empty() && !has_scheme {
            self.inside(kind, &url, at);
        }
    }

    fn id(&mut self, id: RawAddress<'_>, at: usize) {
        let id = id.text();
        if !id.is_empty() {
            self.ids.push((fragment_digest(&id), at));
        }
    }

    fn image(&mut self, alt: Option<RawAddress<'_>>, src: Option<RawAddress<'_>>, at: usize) {
        if alt.is_none() {
            let src = src.map(RawAddress::url).unwrap_or_default();
            let finding = Diagnostic::warning(
                "missing-alt",
                format!("the picture `{}` has no `alt`", display_checked_address(&src)),
            );
            self.say(finding.hint("describe it; write `alt=\"\"` for decoration"), at);
        }
    }

    fn policy(&mut self, content: RawAddress<'_>) {
        // a policy holds for what stands behind it
        if self.facts.references > 0 {
            return;
        }
        let content = content.text();
        let Some(servers) = theme::policy_connections(&content) else { return };
        // browsers hold a page to all of its policies
        match &mut self.facts.connections {
            Some(earlier) => earlier.retain(|server| servers.contains(&server.as_str())),
            earlier => *earlier = Some(servers.into_iter().map(str::to_owned).collect()),
        }
    }

    fn hidden(&mut self) {
        self.facts.is_unlisted = true;
    }

    fn restart(&mut self) {
        *self = FactReader::new(self.file, self.names, self.lines.bytes);
    }
}
