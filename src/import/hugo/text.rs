//! A text of Hugo as Markdown: shortcodes are written, titles of alerts and options of fences are those of this
//! program.

use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;
use base::extension::has_extension;
use base::{Place, Problem};
use load::tool::RenderedText;

use super::HugoSettings;
use super::fence::FenceTracker;
use super::front::SECTION;
use super::shortcode::{ShortcodePiece, split_at_shortcodes};
use super::write::HugoWriter;

/// The lines of a page; `None` if nothing in them has to change.
pub(super) fn rewrite_hugo_text(
    settings: &HugoSettings,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> Option<Vec<(String, Place)>> {
    let page = text.site.find_page(text.slug);
    if page.is_some_and(|page| settings.extra(text.site, page, SECTION).is_some()) {
        return Some(HugoWriter::new(settings, text, problems).section());
    }
    let is_html = has_extension(text.site.tree.path(text.file), &["html", "htm"]);
    let is_likely = ["{{<", "{{%", "[!", "```", "~~~", "](g)", "fa-stack"].iter().any(|mark| text.body.contains(mark));
    let has_math = settings.has_math && ["\\(", "\\["].iter().any(|mark| text.body.contains(mark));
    if !is_html && !is_likely && !has_math {
        return None;
    }
    let mut writer = HugoWriter::new(settings, text, problems);
    match split_at_shortcodes(text.body) {
        Some(pieces) => writer.pieces(&pieces),
        None => writer.pieces(&[ShortcodePiece::Text(text.body, 0)]),
    }
    let lines = writer.finish();
    let lines = if is_html { of_html(lines) } else { lines };
    Some(with_alerts(if has_math { with_math(lines) } else { lines }))
}

/// HTML in which no line is taken for code, and none ends a block.
fn of_html(lines: Vec<(String, Place)>) -> Vec<(String, Place)> {
    let lines = lines.into_iter().map(|(line, place)| (line.trim().to_owned(), place));
    lines.filter(|(line, _)| !line.is_empty()).collect()
}

/// Formulas between `\(` and `\)`, `\[` and `\]` as those between dollars.
fn with_math(lines: Vec<(String, Place)>) -> Vec<(String, Place)> {
    let mut fence = FenceTracker::default();
    let of_line = |line: &str| {
        let parts = line.split('`').enumerate().map(|(number, part)| match number % 2 {
            0 => dollars(part),
            // code
            _ => part.to_owned(),
        });
        parts.collect::<Vec<_>>().join("`")
    };
    let lines = lines.into_iter().map(|(line, place)| {
        let is_code = fence.takes(&line);
        (if is_code || !line.contains('\\') { line } else { of_line(&line) }, place)
    });
    lines.collect()
}

fn dollars(text: &str) -> String {
    let text = text.replace("\\[", "$$").replace("\\]", "$$");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, inside, after)) = rest.split_once("\\(").and_then(|(before, rest)| {
        let (inside, after) = rest.split_once("\\)")?;
        Some((before, inside, after))
    }) {
        out.push_str(&format!("{before}${}$", inside.trim()));
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Alerts with a title of their own: `> [!NOTE] Title`, `> [!TIP]- Folded`.
fn with_alerts(lines: Vec<(String, Place)>) -> Vec<(String, Place)> {
    let mut out = Vec::with_capacity(lines.len());
    let mut fence = FenceTracker::default();
    let mut at = 0;
    while at < lines.len() {
        let (line, place) = &lines[at];
        let is_code = fence.takes(line);
        let Some((kind, is_folded, title)) = alert(line).filter(|_| !is_code) else {
            out.push((line.clone(), *place));
            at += 1;
            continue;
        };
        let indent = line.slice(..line.len() - line.trim_start().len());
        let (component, own) = component_of(kind);
        let title = if title.is_empty() { own } else { title };
        let name = if is_folded { "Accordion" } else { component };
        out.push((String::new(), *place));
        out.push((format!("{indent}{}", component_line::opening(name, &[("title", title)])), *place));
        at += 1;
        while let Some((rest, place)) =
            lines.get(at).and_then(|(line, place)| Some((line.trim_start().strip_prefix('>')?, place)))
        {
            out.push((format!("{indent}{}", rest.strip_prefix(' ').unwrap_or(rest)), *place));
            at += 1;
        }
        out.push((format!("{indent}{}", closing_component_line()), *place));
        out.push((String::new(), *place));
    }
    out
}

/// The kind, whether it is folded, and the title of an alert that is more than GitHub's.
fn alert(line: &str) -> Option<(&str, bool, &str)> {
    let rest = line.trim_start().strip_prefix('>')?.trim_start().strip_prefix("[!")?;
    let (kind, rest) = rest.split_once(']')?;
    let is_folded = rest.starts_with(['-', '+']);
    let title = rest.trim_start_matches(['-', '+']).trim();
    let is_githubs =
        ["note", "tip", "important", "warning", "caution"].iter().any(|known| kind.eq_ignore_ascii_case(known));
    let is_word = !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || c == '-');
    (is_word && (!title.is_empty() || is_folded || !is_githubs)).then_some((kind, is_folded, title))
}

/// The component of a kind of box, and what such a box is called where its kind says more than the component.
pub(super) fn component_of(kind: &str) -> (&'static str, &str) {
    match kind.to_lowercase().as_str() {
        "note" | "primary" | "secondary" | "default" | "light" | "dark" | "grey" | "gray" => ("Note", ""),
        "abstract" | "summary" | "quote" | "cite" | "example" => ("Note", kind),
        "info" => ("Info", ""),
        "important" | "question" | "todo" => ("Info", if kind.eq_ignore_ascii_case("important") { "" } else { kind }),
        "tip" | "hint" => ("Tip", ""),
        "success" | "check" | "ok" => ("Check", ""),
        "warning" | "caution" | "attention" => ("Warning", ""),
        "danger" | "error" | "bug" | "failure" | "critical" => ("Danger", ""),
        _ => ("Note", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_stand_between_dollars() {
        let lines = [r"a \( x_1 \) `\(b\)`", r"\[", "y", r"\]", "```", r"\(z\)", "```"];
        let shown = with_math(lines.map(|line| (line.to_owned(), Place::default())).into());
        let shown: Vec<&str> = shown.iter().map(|(line, _)| line.as_str()).collect();
        assert_eq!(shown, [r"a $x_1$ `\(b\)`", "$$", "y", "$$", "```", r"\(z\)", "```"]);
    }

    #[test]
    fn alerts_have_titles() {
        let lines = |text: &str| text.lines().map(|line| (line.to_owned(), Place::default())).collect::<Vec<_>>();
        let shown: Vec<String> = with_alerts(lines("> [!NOTE] Mind *this*\n> Body\n> more\n\n> [!TIP]\n> x"))
            .into_iter()
            .map(|(line, _)| line)
            .collect();
        let open = component_line::opening("Note", &[("title", "Mind *this*")]);
        assert_eq!(shown, ["", &open, "Body", "more", &closing_component_line(), "", "", "> [!TIP]", "> x"]);
    }
}
