//! Colors that an author sets for nodes and bands: the text on them stays readable in both schemes.

use std::borrow::Cow;

use merman::theme_color::{ColorChannel, ThemeColor};

use base::cut::SliceText as _;

use super::draw::DiagramScheme;

/// The source with a readable text color for every node style that names a ground, and with the grounds of bands
/// (`rect`, `box`) toned to the scheme.
pub(super) fn adapt_contrast(source: &str, scheme: DiagramScheme) -> Cow<'_, str> {
    if !["style ", "classDef ", "rect ", "box "].iter().any(|word| source.contains(word)) {
        return source.into();
    }
    let mut out = String::with_capacity(source.len() + 64);
    for line in source.split_inclusive('\n') {
        let body = line.trim_end();
        let changed = match body.trim_start().split_once(' ').map(|(word, _)| word) {
            Some("style" | "classDef") => with_text_color(body),
            Some("rect" | "box") => with_band(body, scheme),
            _ => None,
        };
        out.push_str(changed.as_deref().unwrap_or(body));
        if line.ends_with('\n') {
            out.push('\n');
        }
    }
    out.into()
}

/// `style A fill:#f9f` with `color:` added, or corrected where it cannot be read on the ground.
fn with_text_color(line: &str) -> Option<String> {
    let mut fill = None;
    let mut color = None;
    let indent = line.len() - line.trim_start().len();
    // `style` or `classDef`, names, declarations
    let mut words = line.slice(indent..).splitn(3, ' ');
    let names = words.next()?.len() + 1 + words.next()?.len() + 1;
    let declarations = words.next()?.trim_end_matches(';').trim_end();
    for declaration in split_declarations(declarations) {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        match name.trim() {
            "fill" => fill = luminance(value),
            "color" => color = luminance(value),
            _ => {}
        }
    }
    let ground = fill?;
    if color.is_some_and(|text| contrast(text, ground) >= 4.5) {
        return None;
    }
    let readable = if contrast(1.0, ground) >= 4.5 { "#ffffff" } else { "#000000" };
    let others: Vec<&str> =
        split_declarations(declarations).filter(|one| !one.trim_start().starts_with("color:")).collect();
    Some(format!("{}{},color:{readable}", line.slice(..indent + names), others.join(",")))
}

/// Declarations at the commas that stand outside brackets.
fn split_declarations(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// `rect rgb(…)` and `box rgb(…) title`: a strong ground becomes a tint of the page.
fn with_band(line: &str, scheme: DiagramScheme) -> Option<String> {
    let indent = line.len() - line.trim_start().len();
    let (word, rest) = line.slice(indent..).split_once(' ')?;
    let rest = rest.trim_start();
    let end = match rest.find('(') {
        Some(open) if rest.slice(..open).bytes().all(|byte| byte.is_ascii_alphabetic()) => rest.find(')')? + 1,
        _ => rest.find(' ').unwrap_or(rest.len()),
    };
    let color = ThemeColor::parse(rest.slice(..end).trim()).ok()?;
    let alpha = color.channel(ColorChannel::Alpha);
    let [red, green, blue] = channels(&color);
    let ground = relative_luminance([red, green, blue]);
    // the ink of the scheme, on the ground as it stands
    let readable = match scheme {
        DiagramScheme::Light => alpha < 0.3 || contrast(ground, 0.012) >= 7.0,
        DiagramScheme::Dark => alpha < 0.3 || contrast(ground, 0.83) >= 7.0,
    };
    if readable {
        return None;
    }
    Some(format!("{}{word} rgba({red:.0}, {green:.0}, {blue:.0}, 0.18){}", line.slice(..indent), rest.slice(end..)))
}

fn channels(color: &ThemeColor) -> [f64; 3] {
    [ColorChannel::Red, ColorChannel::Green, ColorChannel::Blue].map(|channel| color.channel(channel))
}

/// Relative luminance (WCAG 2) of a solid color; `None` for what is none, or is see-through.
fn luminance(color: &str) -> Option<f64> {
    let color = ThemeColor::parse(color.trim().trim_end_matches("!important").trim()).ok()?;
    (color.channel(ColorChannel::Alpha) > 0.8).then(|| relative_luminance(channels(&color)))
}

fn relative_luminance(channels: [f64; 3]) -> f64 {
    let [red, green, blue] = channels.map(|channel| {
        let value = channel / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/// Contrast (WCAG 2) of two luminances.
fn contrast(a: f64, b: f64) -> f64 {
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(scheme: DiagramScheme, source: &str, expect: &str) {
        assert_eq!(adapt_contrast(source, scheme), expect);
    }

    #[test]
    fn text_on_an_authors_ground_is_readable() {
        check(
            DiagramScheme::Dark,
            "graph TD\n  style A fill:#f9f,stroke:#333\n",
            "graph TD\n  style A fill:#f9f,stroke:#333,color:#000000\n",
        );
        check(DiagramScheme::Light, "classDef x fill:#205080;\r\nB", "classDef x fill:#205080,color:#ffffff\nB");
        check(DiagramScheme::Light, "style A fill:#10b981,color:#fff", "style A fill:#10b981,color:#000000");
        check(
            DiagramScheme::Light,
            "style A fill:rgb(1, 2, 3),stroke:red",
            "style A fill:rgb(1, 2, 3),stroke:red,color:#ffffff",
        );
    }

    #[test]
    fn what_is_readable_or_unknown_stays() {
        for source in [
            "style A fill:#205080,color:#fff",
            "style A stroke:#333",
            "style A fill:var(--x)",
            "style A fill:transparent",
            "style",
            "classDef a b",
        ] {
            check(DiagramScheme::Light, source, source);
        }
    }

    #[test]
    fn bands_are_toned_to_the_scheme() {
        check(DiagramScheme::Light, "  rect rgb(191, 223, 255)\n", "  rect rgb(191, 223, 255)\n");
        check(DiagramScheme::Dark, "  rect rgb(191, 223, 255)\n", "  rect rgba(191, 223, 255, 0.18)\n");
        check(DiagramScheme::Light, "box Purple Alice & John", "box rgba(128, 0, 128, 0.18) Alice & John");
        check(DiagramScheme::Dark, "box Another Group", "box Another Group");
        check(DiagramScheme::Dark, "rect rgba(0, 0, 255, .1)", "rect rgba(0, 0, 255, .1)");
    }

    proptest::proptest! {
        #[test]
        fn any_source_keeps_its_lines(source in "((style|classDef|rect|box|é) ?[a-z#:,();0-9 \r\n]{0,20}\n?){0,6}") {
            for scheme in [DiagramScheme::Light, DiagramScheme::Dark] {
                proptest::prop_assert_eq!(adapt_contrast(&source, scheme).matches('\n').count(), source.matches('\n').count());
            }
        }
    }
}
