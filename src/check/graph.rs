//! What the files of a bundle say together.

use rustc_hash::FxHashMap;

use base::Diagnostic;

use super::CheckReport;
use super::facts::{HtmlFacts, display_checked_address, fragment_digest};
use super::names::FileNames;

/// Pages that hosts show by themselves.
const NOT_FOUND: &str = "404.html";
const START: &str = "index.html";
/// Browsers give up long before.
const MAX_HOPS: u32 = 50;

/// An address of another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutsideLink {
    /// The address.
    pub url: String,
    /// The file that names it first.
    pub file: String,
    /// Its line there.
    pub line: u32,
    /// Pages that name it.
    pub pages: u64,
}

/// What is kept of each file: 4 bytes for a way, 8 for an id.
#[derive(Debug, Default)]
struct GraphNode {
    ways: Box<[u32]>,
    ids: Box<[u64]>,
    redirect: Option<u32>,
    is_page: bool,
    is_unlisted: bool,
}

/// A link to an anchor that is not judged yet.
#[derive(Debug)]
struct Pending {
    from: u32,
    anchor: super::facts::Anchor,
}

pub(super) struct Graph<'a> {
    names: &'a FileNames,
    nodes: Vec<GraphNode>,
    pending: Vec<Pending>,
    outside: Vec<OutsideLink>,
    outside_by_url: FxHashMap<String, usize>,
    pub(super) report: CheckReport,
}

impl<'a> Graph<'a> {
    pub(super) fn new(names: &'a FileNames) -> Self {
        let nodes = (0..names.len()).map(|_| GraphNode::default()).collect();
        Self {
            names,
            nodes,
            pending: Vec::new(),
            outside: Vec::new(),
            outside_by_url: FxHashMap::default(),
            report: CheckReport::default(),
        }
    }

    pub(super) fn add(&mut self, facts: HtmlFacts) {
        let report = &mut self.report;
        report.pages += u64::from(facts.is_page);
        report.references += facts.references;
        report.outside_links += facts.outside_count;
        report.placeholders += facts.placeholders;
        report.outside_loads += facts.outside_loads;
        report.findings.extend(facts.findings);
        self.pending.extend(facts.anchors.into_iter().map(|anchor| Pending { from: facts.file, anchor }));
        for (url, line) in facts.outside_links {
            match self.outside_by_url.get(&url) {
                Some(index) => self.outside[*index].pages += 1,
                None => {
                    self.outside_by_url.insert(url.clone(), self.outside.len());
                    self.outside.push(OutsideLink {
                        url,
                        file: self.names.name(facts.file).to_owned(),
                        line,
                        pages: 1,
                    });
                }
            }
        }
        let node = GraphNode {
            ways: facts.ways,
            ids: facts.ids,
            redirect: facts.redirect,
            is_page: facts.is_page,
            is_unlisted: facts.is_unlisted,
        };
        if let Some(place) = self.nodes.get_mut(facts.file as usize) {
            *place = node;
        }
    }

    /// Marks pages that no link has to lead to.
    pub(super) fn unlist(&mut self, files: &[u32]) {
        for file in files {
            if let Some(node) = self.nodes.get_mut(*file as usize) {
                node.is_unlisted = true;
            }
        }
    }

    /// Decides what needs all files.
    pub(super) fn judge(mut self) -> CheckReport {
        self.judge_anchors();
        self.judge_redirects();
        self.judge_orphans();
        CheckReport { outside: self.outside, ..self.report }
    }

    fn judge_anchors(&mut self) {
        for Pending { from, anchor } in &self.pending {
            let target = &self.nodes[anchor.target as usize];
            let is_top = anchor.fragment.eq_ignore_ascii_case("top");
            if is_top || target.ids.binary_search(&fragment_digest(&anchor.fragment)).is_ok() {
                continue;
            }
            let message = format!(
                "`{}` has no anchor `#{}`",
                self.names.name(anchor.target),
                display_checked_address(&anchor.fragment)
            );
            let finding = Diagnostic::error("broken-anchor", message).hint("the link leads to the top of the page");
            self.report.findings.push(finding.at(self.names.name(*from), anchor.line, anchor.column));
        }
    }

    /// Pages that lead on by themselves must arrive.
    fn judge_redirects(&mut self) {
        for start in 0..self.names.len() {
            let mut at = start;
            let mut hops = 0;
            while let Some(next) = self.nodes[at as usize].redirect {
                at = next;
                hops += 1;
                if at == start || hops > MAX_HOPS {
                    let finding = Diagnostic::error("redirect-cycle", "the page redirects to itself");
                    self.report.findings.push(finding.at(self.names.name(start), 0, 0));
                    break;
                }
            }
        }
    }

    /// Pages that no path of links from the start page leads to. Pages that are `noindex` or redirects need none.
    fn judge_orphans(&mut self) {
        let Some(start) = self.names.find(START) else {
            if self.report.pages > 0 {
                let finding =
                    Diagnostic::warning("no-start-page", "there is no index.html, which is the start page on hosts");
                self.report.findings.push(finding);
            }
            return;
        };
        let mut reached = vec![false; self.nodes.len()];
        let mut open = vec![start];
        reached[start as usize] = true;
        while let Some(file) = open.pop() {
            for way in &self.nodes[file as usize].ways {
                if !std::mem::replace(&mut reached[*way as usize], true) {
                    open.push(*way);
                }
            }
        }
        for (file, reached) in (0..).zip(reached) {
            let (node, name) = (&self.nodes[file as usize], self.names.name(file));
            if !reached && node.is_page && !node.is_unlisted && name != NOT_FOUND && !name.ends_with("/404.html") {
                let finding = Diagnostic::warning("orphan-page", "no link from the start page leads to this page");
                let finding = finding.hint("add it to the navigation, link to it, or set `hidden: true`");
                self.report.findings.push(finding.at(name, 0, 0));
            }
        }
    }
}
