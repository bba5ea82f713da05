//! Terms of a glossary: links to `g` in Hugo's own documentation, and the shortcodes of Kubernetes and its relatives.

use base::FileId;
use base::cut::SliceText as _;
use base::github_slug::github_slug;
use site::front_matter::split_front_matter;

use super::shortcode::ShortcodeCall;
use super::write::HugoWriter;

/// Where the terms of Hugo's documentation are.
const GLOSSARY: &str = "/quick-reference/glossary";
/// Folders with a file for each term.
const FOLDERS: [&str; 4] = ["docs/reference/glossary", "reference/glossary", "glossary", "docs/glossary"];

impl HugoWriter<'_> {
    /// A line whose links to `g` lead to the term that they name; as it is where the documentation has no glossary.
    pub(super) fn with_terms(&self, line: &str) -> String {
        if self.find_content(GLOSSARY).is_none() {
            return line.to_owned();
        }
        let glossary = self.target(GLOSSARY);
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        let mut marks = 0;
        while let Some(at) = rest.find("](g)") {
            let before = rest.slice(..at);
            marks += before.matches('`').count();
            // a link in code is shown
            if marks % 2 == 1 {
                out.push_str(rest.slice(..at + "](g)".len()));
                rest = rest.slice(at + "](g)".len()..);
                continue;
            }
            let label = match before.rfind('[') {
                Some(start) => before.slice(start + 1..).to_owned(),
                // it began in the line before
                None => {
                    format!("{} {}", self.line_before().rsplit('[').next().unwrap_or_default(), before.trim_start())
                }
            };
            out.push_str(&format!("{before}]({glossary}#{})", self.term(&label)));
            rest = rest.slice(at + "](g)".len()..);
        }
        out.push_str(rest);
        out
    }

    /// The anchor of a term, which may be written in its plural.
    fn term(&self, label: &str) -> String {
        let words: String = label.to_lowercase().chars().filter(|c| !matches!(c, '`' | '*' | '_')).collect();
        let own = github_slug(&words);
        let endings = [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("s", "")];
        let singular = endings.iter().find_map(|(plural, one)| Some(format!("{}{one}", own.strip_suffix(plural)?)));
        let is_there = |name: &String| self.find_content(&format!("{GLOSSARY}/{name}")).is_some();
        [Some(own.clone()), singular].into_iter().flatten().find(is_there).unwrap_or(own)
    }

    fn term_file(&self, id: &str) -> Option<FileId> {
        FOLDERS.iter().find_map(|folder| self.find_content(&format!("/{folder}/{id}")))
    }

    /// `glossary_tooltip`: the words of a term.
    pub(super) fn tooltip(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let id = call.any(&["term_id"]).or_else(|| call.positional(0)).unwrap_or_default().to_owned();
        let own = call.any(&["text"]).map(str::to_owned);
        let file = self.term_file(&id);
        let title = || file.map(|file| self.title_of(file)).filter(|title| !title.is_empty());
        let words = own.or_else(title).unwrap_or(id);
        let link = file.and_then(|file| super::config::text_at(&self.matter(file), "full_link"));
        match link {
            Some(link) => self.words(&format!("[{words}](<{link}>)"), place),
            None => self.words(&words, place),
        }
    }

    /// `glossary_definition`: what a term means, or its first paragraph.
    pub(super) fn definition(&mut self, call: &ShortcodeCall<'_>) -> bool {
        let place = self.place_at(call.at);
        let id = call.any(&["term_id"]).or_else(|| call.positional(0)).unwrap_or_default().to_owned();
        let Some(text) = self.term_file(&id).and_then(|file| self.text.site.tree.text(file)) else { return false };
        let split = split_front_matter(&text);
        let body = text.slice(split.body_offset..).trim().to_owned();
        let is_short = !call.any(&["length"]).is_some_and(|length| length == "all" || length == "long");
        let body = if is_short { body.split("\n\n").next().unwrap_or_default() } else { &body };
        let mut body = body.trim().to_owned();
        if let Some(before) = call.any(&["prepend"]) {
            let first = body.chars().next().map(|c| c.to_lowercase().to_string()).unwrap_or_default();
            let rest = body.get(body.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default().to_owned();
            body = format!("{before} {first}{rest}");
        }
        match super::shortcode::split_at_shortcodes(&body) {
            // terms name other terms
            Some(pieces) if self.enter() => {
                let body: Vec<_> = self.inner_lines(|it| it.pieces(&pieces));
                self.leave();
                self.push_lines(body);
            }
            _ => self.words(&body, place),
        }
        true
    }
}
