//! Mermaid diagrams, drawn when the site is exported: one inline SVG that follows the page's colors in both schemes.

mod contrast;
mod css;
mod draw;
mod labels;
mod measure;
mod path;
mod scheme;
mod sequence;
mod trim;

use std::fmt::Write as _;

use base::{Diagnostic, Place, html};

use super::Renderer;
use contrast::adapt_contrast;
use draw::{DiagramPalette, DiagramScheme};
use labels::adapt_labels;
use scheme::merge_schemes;
use trim::trim_drawing;

/// Largest source that is drawn, bytes; larger ones stay text. The engine's time grows with the square of some sources.
const MAX_SOURCE_BYTES: usize = 24 << 10;
/// Longest line of a source that is drawn, bytes.
const MAX_LINE_BYTES: usize = 4 << 10;
/// Labels may shrink to this part of their size before a wide diagram scrolls instead.
const LEAST_SCALE: f64 = 0.75;
/// Diagrams at most this wide (CSS pixels) never scroll, so they take no focus.
const NEVER_SCROLLS: f64 = 280.0;

/// Writes a diagram. `meta` is the rest of the fence's info string: `placement` and `actions` are kept as data
/// attributes. A source that cannot be drawn stays readable, with a warning.
pub fn write_diagram(r: &mut Renderer<'_>, source: &str, meta: &str, place: Place) {
    let id = r.ids.claim("diagram".to_owned(), '-', 2);
    match drawing(r, source, &id, place) {
        Ok(svg) => {
            r.out.push_str("<figure class=\"mermaid\" data-component=\"Mermaid\"");
            push_meta(&mut r.out, meta);
            r.out.push_str(&svg);
            r.out.push_str("</figure>");
        }
        Err(problem) => {
            r.out.push_str(
                "<div class=\"mermaid mermaid-source\" data-component=\"Mermaid\"><pre tabindex=\"0\"><code>",
            );
            r.text(source);
            r.out.push_str("</code></pre></div>");
            let hint = "check it with a Mermaid editor; its source is shown as text";
            r.warn(
                place,
                Diagnostic::new("diagram-failed", format!("a diagram cannot be rendered: {problem}")).hint(hint),
            );
        }
    }
}

fn push_meta(out: &mut String, meta: &str) {
    for (key, allowed) in [
        ("placement", ["top-left", "top-right", "bottom-left", "bottom-right"].as_slice()),
        ("actions", &["true", "false"]),
    ] {
        let value = meta.split_ascii_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
        let value = value.map(|value| value.trim_matches(['"', '\'', '{', '}']));
        if let Some(value) = value.filter(|value| allowed.contains(value)) {
            let _ = write!(out, " data-{key}=\"{value}\"");
        }
    }
}

/// The rest of the figure's tag and the drawing, or one line of what is wrong.
fn drawing(r: &mut Renderer<'_>, source: &str, id: &str, place: Place) -> Result<String, String> {
    if source.len() > MAX_SOURCE_BYTES {
        return Err(format!("it is longer than {} kB", MAX_SOURCE_BYTES >> 10));
    }
    if source.lines().any(|line| line.len() > MAX_LINE_BYTES) {
        return Err(format!("a line of it is longer than {} kB", MAX_LINE_BYTES >> 10));
    }
    let Colored { svg, pairs, own_colors } = draw_both_schemes(&adapt_labels(source), id)?;
    let (links, diagnostics) = (r.links, &mut r.page.diagnostics);
    let mut link = |href: &str| {
        let href = links.href(href, place, diagnostics);
        (!href.url.is_empty()).then_some(href.url)
    };
    let trimmed = trim_drawing(&svg, id, &mut link).ok_or("the diagram engine wrote something that is not an SVG")?;
    let [_, _, width, height] = trimmed.view;
    if !(1.0..=20_000.0).contains(&width) || !(1.0..=40_000.0).contains(&height) {
        return Err(format!("it would be {width:.0} by {height:.0} pixels large"));
    }
    let mut out = String::with_capacity(trimmed.body.len() + 512);
    if own_colors {
        out.push_str(if source.contains("dark") { " data-ground=\"dark\"" } else { " data-ground=\"light\"" });
    }
    if width > NEVER_SCROLLS {
        out.push_str(" tabindex=\"0\"");
    }
    let _ = write!(out, "><svg id=\"{id}\"");
    if !trimmed.class.is_empty() {
        let _ = write!(out, " class=\"{}\"", trimmed.class);
    }
    // what is inside an image is hidden from assistive technology; links must not be
    let role = if trimmed.body.contains("<a ") { "group" } else { "img" };
    let _ = write!(out, " role=\"{role}\" aria-label=\"");
    html::push_attr(&mut out, &alternative(source, &trimmed));
    let (wide, high) = (width.ceil(), height.ceil());
    let _ = write!(out, "\" width=\"{wide}\" height=\"{high}\" viewBox=\"");
    for (index, number) in trimmed.view.iter().enumerate() {
        let _ = write!(out, "{}{}", if index == 0 { "" } else { " " }, (number * 100.0).round() / 100.0);
    }
    out.push('"');
    if width > NEVER_SCROLLS {
        let _ = write!(out, " style=\"min-width:{:.0}px\"", (width * LEAST_SCALE).max(NEVER_SCROLLS));
    }
    out.push('>');
    push_pairs(&mut out, id, &pairs);
    out.push_str(&trimmed.body);
    out.push_str("</svg>");
    Ok(out)
}

/// The colors that are none of the page's own, in both schemes.
fn push_pairs(out: &mut String, id: &str, pairs: &[(String, String)]) {
    let mut used = pairs.iter().enumerate().peekable();
    if used.peek().is_none() {
        return;
    }
    let mut dark = String::new();
    let _ = write!(out, "<style>#{id}{{");
    for (index, (light_color, dark_color)) in used {
        let _ = write!(out, "--m{index}:{light_color};");
        let _ = write!(dark, "--m{index}:{dark_color};");
    }
    let _ = write!(out, "}}.dark #{id}{{{dark}}}</style>");
}

/// A drawing as the engine writes it.
struct Colored {
    svg: String,
    /// The colors `--m0`, `--m1` … that are none of the page's own: (light, dark).
    pairs: Vec<(String, String)>,
    /// The author set all colors: they do not follow the page.
    own_colors: bool,
}

fn draw_both_schemes(source: &str, id: &str) -> Result<Colored, String> {
    if source.contains("themeVariables") || source.contains("themeCSS") {
        return Ok(Colored {
            svg: draw::draw_diagram(source, id, DiagramPalette::Authors)?,
            pairs: Vec::new(),
            own_colors: true,
        });
    }
    let light = draw::draw_diagram(
        &adapt_contrast(source, DiagramScheme::Light),
        id,
        DiagramPalette::Pages(DiagramScheme::Light),
    )?;
    let dark = draw::draw_diagram(
        &adapt_contrast(source, DiagramScheme::Dark),
        id,
        DiagramPalette::Pages(DiagramScheme::Dark),
    )?;
    match merge_schemes(&light, &dark) {
        Some(merged) => Ok(Colored { svg: merged.svg, pairs: merged.pairs, own_colors: false }),
        // should the two ever differ in more than colors: a drawing on a light ground is readable in both schemes
        None => Ok(Colored { svg: light, pairs: Vec::new(), own_colors: true }),
    }
}

/// The accessible name: the author's own title and description, or the kind of diagram and its labels.
fn alternative(source: &str, trimmed: &trim::Trimmed) -> String {
    if !trimmed.described.is_empty() {
        return trimmed.described.join(". ");
    }
    let mut out = diagram_kind(source).to_owned();
    for (index, label) in trimmed.labels.iter().enumerate() {
        if out.chars().count() + label.chars().count() > 240 {
            out.push_str(" …");
            break;
        }
        out.push_str(if index == 0 { ": " } else { ", " });
        out.push_str(label);
    }
    out
}

/// The kind of diagram in words.
fn diagram_kind(source: &str) -> &'static str {
    let mut in_settings = false;
    let first = source.lines().map(str::trim).find(|line| {
        if *line == "---" {
            in_settings = !in_settings;
            return false;
        }
        !in_settings && !line.is_empty() && !line.starts_with("%%")
    });
    let word: String = first.unwrap_or_default().chars().take_while(char::is_ascii_alphanumeric).collect();
    match word.as_str() {
        "flowchart" | "graph" => "Flowchart",
        "sequenceDiagram" => "Sequence diagram",
        "classDiagram" => "Class diagram",
        "stateDiagram" => "State diagram",
        "erDiagram" => "Entity relationship diagram",
        "gantt" => "Gantt chart",
        "pie" => "Pie chart",
        "gitGraph" => "Git graph",
        "journey" => "User journey",
        "mindmap" => "Mind map",
        "timeline" => "Timeline",
        "quadrantChart" => "Quadrant chart",
        "xychart" => "Chart",
        "sankey" => "Sankey diagram",
        "requirementDiagram" => "Requirement diagram",
        "architecture" => "Architecture diagram",
        "kanban" => "Kanban board",
        _ => "Diagram",
    }
}

#[cfg(test)]
mod tests;
