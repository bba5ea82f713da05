//! What names mean: `[name]: address "title"` and `*[X]: words`. Both stand nowhere on the page.

use base::cut::SliceText as _;

use super::block::MkDocsWriter;
use super::lines::BlockLine;
use super::starts::{normal_name, target_of};

/// Most abbreviations of a page.
const MAX_ABBREVIATIONS: usize = 1_000;

impl MkDocsWriter<'_> {
    /// `[name]: target "title"` and `*[X]: words`, which stand nowhere.
    pub(super) fn definition_of_name(&mut self, lines: &[BlockLine<'_>], at: usize) -> Option<usize> {
        let text = lines[at].text.trim();
        if let Some(rest) = text.strip_prefix("*[").filter(|_| self.syntax.abbreviations) {
            let (name, words) = rest.split_once("]:")?;
            self.abbreviations.retain(|(known, _)| known != name.trim());
            if self.abbreviations.len() < MAX_ABBREVIATIONS
                && !words.trim().is_empty()
                && !matches!(words.trim(), "''" | "\"\"")
            {
                self.abbreviations.push((name.trim().to_owned(), words.trim().to_owned()));
            }
            return Some(at + 1);
        }
        let rest = text.strip_prefix('[').filter(|rest| !rest.starts_with('^'))?;
        let close = rest.find("]:")?;
        let (name, mut target) = (rest.slice(..close), rest.slice(close + 2..).trim().to_owned());
        if name.contains(['[', ']']) || name.trim().is_empty() {
            return None;
        }
        let mut next = at + 1;
        if target.is_empty() {
            target = lines.get(next).filter(|line| line.indent() > 0).map(|line| line.text.trim().to_owned())?;
            next += 1;
        }
        let (address, title) = target_of(&target)?;
        let mut title = title.to_owned();
        // the title may stand below
        if title.is_empty()
            && let Some(below) = lines.get(next).map(|line| line.text.trim())
            && below.len() > 2
            && ((below.starts_with('"') && below.ends_with('"')) || (below.starts_with('\'') && below.ends_with('\'')))
        {
            title = below.slice(1..below.len() - 1).to_owned();
            next += 1;
        }
        let address = if address.contains([' ', '(', ')', '<']) { format!("<{address}>") } else { address.to_owned() };
        let title = match title.as_str() {
            "" => String::new(),
            title => format!(" \"{}\"", title.replace('"', "\\\"")),
        };
        self.references.insert(normal_name(name), format!("{address}{title}"));
        Some(next)
    }
}
