//! The tabs of vitepress-plugin-tabs: `::: tabs key:name` around texts that each begin with `== Title`.

use base::component_line::{closing_component_line, opening};
use base::cut::SliceText as _;
use base::lines::{PlacedLines, Verbatim};

/// Writes such tabs as components.
pub(super) fn write_plugin_tabs(lines: &mut PlacedLines) {
    if !lines.iter().any(|(line, _)| opens_tabs(line).is_some()) {
        return;
    }
    let mut out = PlacedLines::with_capacity(lines.len());
    let mut verbatim = Verbatim::default();
    // containers that are open: their colons, and for tabs whether one of them is open
    let mut open: Vec<(usize, Option<bool>)> = Vec::new();
    for (line, place) in std::mem::take(lines) {
        let inner = line.trim_start_matches([' ', '>']);
        let lead = line.slice(..line.len() - inner.len());
        let component = |out: &mut PlacedLines, line: &str| {
            let lines = [lead.trim_end().to_owned(), format!("{lead}{line}"), lead.trim_end().to_owned()];
            out.extend(lines.map(|line| (line, place)));
        };
        if verbatim.takes(inner) {
            out.push((line, place));
            continue;
        }
        let colons = inner.len() - inner.trim_start_matches(':').len();
        let closes = colons >= 3 && inner.slice(colons..).trim().is_empty();
        match open.last_mut() {
            _ if opens_tabs(&line).is_some() => {
                open.push((colons, Some(false)));
                component(&mut out, &opening("Tabs", &[]));
            }
            Some((_, Some(is_open))) if tab_title(inner).is_some() => {
                if std::mem::replace(is_open, true) {
                    component(&mut out, &closing_component_line());
                }
                component(&mut out, &opening("Tab", &[("title", tab_title(inner).unwrap_or_default())]));
            }
            Some((own, tabs)) if closes && *own == colons => {
                match tabs {
                    Some(is_open) => {
                        (0..1 + usize::from(*is_open)).for_each(|_| component(&mut out, &closing_component_line()))
                    }
                    None => out.push((line.clone(), place)),
                }
                open.pop();
            }
            _ => {
                if colons >= 3 && !closes {
                    open.push((colons, None));
                }
                out.push((line, place));
            }
        }
    }
    *lines = out;
}

/// `== Title`
fn tab_title(inner: &str) -> Option<&str> {
    inner.strip_prefix("==")?.strip_prefix(' ').map(str::trim).filter(|title| !title.is_empty())
}

/// The colons of `::: tabs` and `:::tabs key:name`.
fn opens_tabs(line: &str) -> Option<usize> {
    let inner = line.trim_start_matches([' ', '>']);
    let rest = inner.trim_start_matches(':');
    let name = rest.trim().split([' ', '\t']).next().unwrap_or_default();
    let colons = inner.len() - rest.len();
    (colons >= 3 && name == "tabs").then_some(colons)
}
