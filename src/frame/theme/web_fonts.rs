//! Fonts that a site only names: a font service gives the style sheet of a family, and the bundle gets those of its
//! files that the scripts of the site need.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::asset::remote::SheetText;
use base::{Diagnostic, Severity};
use site::config::Font;

use super::ConfigTarget;
use super::fragment::ROOT;
use super::source::ChromeInput;
use super::theme_file::css_string;

/// Weights that the theme sets text in.
const WEIGHTS: [u16; 4] = [400, 500, 600, 700];
/// Most files of a family: one of East Asia comes in some 120 slices.
const MAX_FACES: usize = 400;
/// Slices of one style from which on a family is cut by how frequent its characters are, not by script: a page needs
/// any of them.
const MANY_SLICES: usize = 16;
/// The first of the characters that such families are for.
const EAST_ASIAN: char = '\u{2e80}';

/// A file of a family.
#[derive(Debug, PartialEq, Eq)]
struct WebFace {
    /// Absolute address of the file.
    address: String,
    is_italic: bool,
    /// Lightest and heaviest.
    weights: (u16, u16),
    /// The range of characters as CSS writes it; empty for all characters.
    range: String,
}

/// Writes the rules of a family that no file is named for; nothing, and a warning, if it cannot be had.
pub(super) fn push_web_font_rules(css: &mut String, source: &ChromeInput<'_>, font: &Font, letters: &BTreeSet<char>) {
    let why = match sheet(source, font) {
        // the theme is made again once it is there
        SheetText::Pending => return,
        SheetText::Here(sheet, base) => {
            let faces = needed(faces(&sheet, &base), letters);
            if faces.is_empty() {
                (format!("`{base}` names no file of it"), Severity::Warning)
            } else {
                for face in faces {
                    push_rule(css, source, font, &face);
                }
                return;
            }
        }
        SheetText::Off => ("no network requests are made".to_owned(), Severity::Warning),
        SheetText::Absent(why, severity) => (why, severity),
    };
    let message = format!("the font `{}` has no `source`, and cannot be fetched: {}", font.family, why.0);
    let hint = "name a family of Google Fonts, or put its file into the docs folder and name it as `source`; until then the text is set in Inter";
    source.report(
        Diagnostic { severity: why.1, ..Diagnostic::warning("font-not-bundled", message) }
            .about(&font.family)
            .hint(hint),
    );
}

/// The file of a family to preload, percent-encoded, from the root: upright, Latin, of the usual weight.
pub(super) fn preload_font_file(source: &ChromeInput<'_>, font: &Font) -> Option<String> {
    let SheetText::Here(sheet, base) = sheet(source, font) else { return None };
    let is_first = |face: &WebFace| {
        !face.is_italic && (face.weights.0..=face.weights.1).contains(&400) && unicode_range_covers(&face.range, 'a')
    };
    let face = faces(&sheet, &base).into_iter().find(is_first)?;
    match source.links.asset(&face.address) {
        ConfigTarget::Inside(url) => Some(url),
        _ => None,
    }
}

/// The style sheet of a family, with the weights of all parts of the site that are set in it.
fn sheet(source: &ChromeInput<'_>, font: &Font) -> SheetText {
    let fonts = &source.config().fonts;
    let same = [&fonts.heading, &fonts.body].into_iter().flatten().filter(|other| other.family == font.family);
    let weights: BTreeSet<u16> = WEIGHTS.into_iter().chain(same.filter_map(|other| other.weight)).collect();
    source.links.font_sheet(&query(&font.family, &weights))
}

/// The query for a font service: the weights that there are of these, and the italic of the text.
fn query(family: &str, weights: &BTreeSet<u16>) -> String {
    let family: String = url::form_urlencoded::byte_serialize(family.trim().as_bytes()).collect();
    let weights: Vec<String> = weights.iter().map(u16::to_string).collect();
    format!("family={family}:{},400i&display=swap", weights.join(","))
}

fn push_rule(css: &mut String, source: &ChromeInput<'_>, font: &Font, face: &WebFace) {
    // the style sheet lies one folder below the root
    let Some(url) = source.asset(&face.address, "font").map(|url| url.replace(ROOT, "../")) else { return };
    let style = if face.is_italic { "italic" } else { "normal" };
    let weight = match face.weights {
        (lightest, heaviest) if lightest == heaviest => lightest.to_string(),
        (lightest, heaviest) => format!("{lightest} {heaviest}"),
    };
    let (name, url) = (css_string(&font.family), css_string(&url));
    let _ = write!(
        css,
        "@font-face{{font-family:{name};font-style:{style};font-weight:{weight};font-display:swap;src:url({url})"
    );
    if !face.range.is_empty() {
        let _ = write!(css, ";unicode-range:{}", face.range);
    }
    css.push_str("}\n");
}

/// The files that a style sheet names, in its order. A variable font is named once for each weight: it is one file.
fn faces(sheet: &str, base: &url::Url) -> Vec<WebFace> {
    let mut faces: Vec<WebFace> = Vec::new();
    for rule in sheet.split("@font-face").skip(1) {
        let Some(body) = rule.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(body, _)| body) else {
            continue;
        };
        let value = |name: &str| {
            let declarations = body.split(';').filter_map(|declaration| declaration.split_once(':'));
            declarations
                .filter(|(found, _)| found.trim().eq_ignore_ascii_case(name))
                .map(|(_, value)| value.trim())
                .next_back()
        };
        let written = value("src")
            .and_then(|src| src.split_once("url(")?.1.split_once(')'))
            .map(|(address, _)| address.trim().trim_matches(['"', '\'']));
        let Some(address) = written.and_then(|address| base.join(address).ok()).map(String::from) else { continue };
        let mut numbers =
            value("font-weight").unwrap_or("400").split_ascii_whitespace().filter_map(|weight| match weight {
                "normal" => Some(400),
                "bold" => Some(700),
                weight => weight.parse().ok(),
            });
        let lightest: u16 = numbers.next().unwrap_or(400);
        let weights = (lightest, numbers.next().unwrap_or(lightest));
        let is_italic = value("font-style").is_some_and(|style| !style.eq_ignore_ascii_case("normal"));
        let range: String = value("unicode-range")
            .unwrap_or_default()
            .chars()
            .filter(|c| c.is_ascii_hexdigit() || matches!(c, 'U' | 'u' | '+' | '-' | ',' | '?'))
            .collect();
        let same =
            faces.iter().position(|face| face.address == address && face.is_italic == is_italic && face.range == range);
        match same {
            Some(index) => {
                let face = &mut faces[index];
                face.weights = (face.weights.0.min(weights.0), face.weights.1.max(weights.1));
            }
            None if faces.len() < MAX_FACES => faces.push(WebFace { address, is_italic, weights, range }),
            None => {}
        }
    }
    faces
}

/// The files that a site needs whose text holds these letters; the basic Latin ones always.
fn needed(faces: Vec<WebFace>, letters: &BTreeSet<char>) -> Vec<WebFace> {
    let is_for_letters = |face: &WebFace| letters.iter().any(|letter| unicode_range_covers(&face.range, *letter));
    let slices = |face: &WebFace| {
        faces.iter().filter(|other| other.is_italic == face.is_italic && other.weights == face.weights).count()
    };
    // the characters of East Asia are spread over all slices
    let wants_slices = letters.iter().filter(|letter| **letter >= EAST_ASIAN).any(|letter| {
        faces.iter().any(|face| unicode_range_covers(&face.range, *letter) && slices(face) > MANY_SLICES)
    });
    let keep: Vec<bool> = faces
        .iter()
        .map(|face| {
            unicode_range_covers(&face.range, 'a') || is_for_letters(face) || wants_slices && slices(face) > MANY_SLICES
        })
        .collect();
    faces.into_iter().zip(keep).filter_map(|(face, keep)| keep.then_some(face)).collect()
}

/// Whether a `unicode-range` holds a character: `U+41`, `U+0-7F`, `U+4??`; an empty one holds all.
fn unicode_range_covers(range: &str, c: char) -> bool {
    let code = u32::from(c);
    range.is_empty()
        || range.split(',').any(|part| {
            let part = part.trim_start_matches(['U', 'u']).trim_start_matches('+');
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let number = |hex: &str, digit: &str| u32::from_str_radix(&hex.replace('?', digit), 16).ok();
            number(from, "0").zip(number(to, "F")).is_some_and(|(from, to)| (from..=to).contains(&code))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = "/* cyrillic */\n@font-face { font-family: 'Lato'; font-style: normal; font-weight: 400; font-display: swap;\
        src: url(https://f.example/l/cyr.woff2) format('woff2'); unicode-range: U+0301, U+0400-045F; }\n\
        /* latin */ @font-face{font-family:'Lato';font-style:normal;font-weight:400;src:url('latin.woff2') format('woff2');unicode-range:U+0000-00FF, U+20??}\
        @font-face{font-family:'Lato';font-style:normal;font-weight:700;src:url(latin.woff2);unicode-range:U+0000-00FF, U+20??}\
        @font-face{font-family:'Lato';font-style:italic;font-weight:400;src:url(latin-i.woff2)}\
        @font-face{font-family:'Lato';src:local('Lato')} @font-face{";

    fn read() -> Vec<WebFace> {
        faces(SHEET, &url::Url::parse("https://f.example/css?family=Lato").unwrap())
    }

    #[test]
    fn sheets_name_files() {
        let found: Vec<(String, bool, (u16, u16), &str)> = read()
            .into_iter()
            .map(|face| {
                (
                    face.address.replace("https://f.example/", ""),
                    face.is_italic,
                    face.weights,
                    if face.range.is_empty() { "" } else { "…" },
                )
            })
            .collect();
        let expect = [
            ("l/cyr.woff2", false, (400, 400), "…"),
            ("latin.woff2", false, (400, 700), "…"),
            ("latin-i.woff2", true, (400, 400), ""),
        ];
        assert_eq!(found, expect.map(|(address, italic, weights, range)| (address.to_owned(), italic, weights, range)));
    }

    #[test]
    fn only_needed_files_come_along() {
        let of = |letters: &str| needed(read(), &letters.chars().collect()).len();
        assert_eq!((of(""), of("é"), of("я")), (2, 2, 3));
        let slice = |number: u32| WebFace {
            address: number.to_string(),
            is_italic: false,
            weights: (400, 400),
            range: format!("U+{:X}", 0x4E00 + number),
        };
        let latin = || WebFace {
            address: "latin".to_owned(),
            is_italic: false,
            weights: (400, 400),
            range: "U+0-FF".to_owned(),
        };
        let of =
            |letters: &str| needed((0..20).map(slice).chain([latin()]).collect(), &letters.chars().collect()).len();
        assert_eq!((of("é"), of("一")), (1, 21), "the slices of a family belong together");
    }

    #[test]
    fn ranges_hold_characters() {
        for (range, c, expect) in [
            ("", 'x', true),
            ("U+41", 'A', true),
            ("U+0-40,U+42", 'A', false),
            ("u+4??", 'ӿ', true),
            ("U+4??", '\u{500}', false),
            ("x,U+", 'A', false),
        ] {
            assert_eq!(unicode_range_covers(range, c), expect, "{range}");
        }
    }

    #[test]
    fn queries_name_a_family_and_its_weights() {
        assert_eq!(
            query(" Open Sans&x=1", &BTreeSet::from([300, 400])),
            "family=Open+Sans%26x%3D1:300,400,400i&display=swap"
        );
    }
}
