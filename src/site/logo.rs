//! Logos that cannot be seen on the background of a scheme: white ones in the light scheme, black ones in the dark one.

use base::cut::SliceText as _;

use super::config::{ColorScheme, Logo};
use super::tree::SourceTree;

/// Largest picture that is looked at, bytes.
const MAX_LOGO_BYTES: u64 = 256 << 10;
/// Parts of names of files for the light and the dark scheme.
const FORMS: [(&str, &str); 6] = [
    ("black", "white"),
    ("dark", "light"),
    ("dark", "white"),
    ("color", "white"),
    ("light", "dark"),
    ("black", "light"),
];

/// Gives a logo with one form the other one that lies beside it, or says where it cannot be seen.
pub fn find_other_form(logo: &mut Logo, tree: &SourceTree) {
    if logo.image.light != logo.image.dark {
        return;
    }
    let Some(unseen) = unseen_in(&logo.image.light, tree) else { return };
    let other = beside(&logo.image.light, tree).find(|other| unseen_in(other, tree) != Some(unseen));
    match other {
        Some(other) if unseen == ColorScheme::Light => logo.image.light = other,
        Some(other) => logo.image.dark = other,
        None => logo.unseen_in = Some(unseen),
    }
}

/// Pictures of the same folder and ending whose names differ in the word for a scheme.
fn beside<'t>(path: &'t str, tree: &'t SourceTree) -> impl Iterator<Item = String> + 't {
    let (folder, name) = path.rsplit_once('/').map_or(("", path), |(folder, name)| (folder, name));
    let pairs = FORMS.iter().flat_map(|(one, other)| [(*one, *other), (*other, *one)]);
    let named = pairs.filter(|(one, _)| name.contains(one)).map(move |(one, other)| name.replacen(one, other, 1));
    let bare = ["-white", "_white", "-light", "_light", "-black", "_black", "-dark", "_dark"].iter();
    let bare = bare.filter(|word| name.contains(*word)).map(move |word| name.replacen(word, "", 1));
    let paths = named.chain(bare).map(move |name| if folder.is_empty() { name } else { format!("{folder}/{name}") });
    paths.filter(move |other| other != path && tree.find(other.trim_start_matches('/')).is_some())
}

/// The scheme on whose background a picture cannot be seen: one whose colors are all nearly white or nearly black, as its
/// text says (SVG), or its name.
fn unseen_in(path: &str, tree: &SourceTree) -> Option<ColorScheme> {
    let name = path.rsplit('/').next().unwrap_or_default().to_lowercase();
    let Some(stem) = name.strip_suffix(".svg") else {
        let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        return match (words.contains(&"white"), words.contains(&"black")) {
            (true, false) => Some(ColorScheme::Light),
            (false, true) => Some(ColorScheme::Dark),
            _ => None,
        };
    };
    let bytes = tree.read_at_most(tree.find(path.trim_start_matches('/'))?, MAX_LOGO_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok().filter(|text| !stem.is_empty() && !text.contains("<image"))?;
    // a picture that looks for the scheme itself
    if text.contains("prefers-color-scheme") {
        return None;
    }
    let tones: Vec<Option<ColorScheme>> = colors(&text).map(|color| tone(&color)).collect();
    let is_all = |scheme: ColorScheme| !tones.is_empty() && tones.iter().all(|tone| *tone == Some(scheme));
    [ColorScheme::Light, ColorScheme::Dark].into_iter().find(|scheme| is_all(*scheme))
}

/// The colors that an SVG names, without those of masks and nothing.
fn colors(text: &str) -> impl Iterator<Item = String> + '_ {
    const KEYS: [&str; 3] = ["fill", "stroke", "stop-color"];
    KEYS.iter().flat_map(move |key| {
        text.match_indices(key).filter_map(move |(at, key)| {
            let rest = text.slice(at + key.len()..).trim_start();
            let rest = rest.strip_prefix('=').or_else(|| rest.strip_prefix(':'))?.trim_start_matches([' ', '"', '\'']);
            let end = rest.find(['"', '\'', ';', '}', '<', '\n']).unwrap_or(rest.len());
            let color = rest.slice(..end).trim().to_lowercase();
            (!matches!(color.as_str(), "none" | "inherit" | "transparent" | "") && !color.starts_with("url("))
                .then_some(color)
        })
    })
}

/// On which background a color cannot be seen.
fn tone(color: &str) -> Option<ColorScheme> {
    let channels: Vec<u32> = match color.strip_prefix('#') {
        Some(digits) if digits.len() >= 6 => {
            (0..3).filter_map(|at| u32::from_str_radix(digits.get(at * 2..at * 2 + 2)?, 16).ok()).collect()
        }
        Some(digits) => digits.chars().take(3).filter_map(|c| Some(c.to_digit(16)? * 17)).collect(),
        None => match color {
            "white" | "snow" | "ivory" | "ghostwhite" | "floralwhite" => vec![255; 3],
            "black" | "currentcolor" => vec![0; 3],
            _ => {
                let inside = color.strip_prefix("rgb").and_then(|rest| rest.split_once('('))?.1;
                let numbers = inside.trim_end_matches(')').split([',', ' ', '/']).filter(|part| !part.is_empty());
                numbers.take(3).filter_map(|part| part.parse().ok()).collect()
            }
        },
    };
    if channels.len() == 3 && channels.iter().all(|channel| *channel >= 235) {
        Some(ColorScheme::Light)
    } else if channels.len() == 3 && channels.iter().all(|channel| *channel <= 36) {
        Some(ColorScheme::Dark)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_seen_or_not() {
        for (color, expect) in [
            ("#fff", Some(ColorScheme::Light)),
            ("#fafafa", Some(ColorScheme::Light)),
            ("white", Some(ColorScheme::Light)),
            ("rgb(255, 255, 255)", Some(ColorScheme::Light)),
            ("#000", Some(ColorScheme::Dark)),
            ("#1b1b1f", Some(ColorScheme::Dark)),
            ("currentcolor", Some(ColorScheme::Dark)),
            ("#3451b2", None),
            ("#é00", None),
            ("red", None),
        ] {
            assert_eq!(tone(color), expect, "{color}");
        }
    }

    #[test]
    fn colors_of_a_picture() {
        let text =
            "<svg fill='none'><path fill=\"#FFF\" stroke=\"url(#a)\"/><g style=\"fill:white;stroke: #000\"/></svg>";
        let mut found: Vec<String> = colors(text).collect();
        found.sort();
        assert_eq!(found, ["#000", "#fff", "white"]);
    }
}
