//! The color tokens of a site: neutrals in the primary's hue, and every text color legible on every ground it may
//! stand on.

use std::fmt::Write as _;

use super::color::Oklch;
use site::config::{CodeStyle, Colors, Config};

/// WCAG's bound for text.
const MIN_TEXT_CONTRAST: f64 = 4.5;
/// WCAG's bound for the edges of controls.
const MIN_EDGE_CONTRAST: f64 = 3.0;

/// Hues of callouts, badges and methods: name, hue, chroma. The style sheet has other names for some of them (`note`,
/// `tip`, `check`, `warning`, `danger`).
const HUES: [(&str, f64, f64); 7] = [
    ("info", 240.0, 0.10),
    ("blue", 255.0, 0.16),
    ("green", 150.0, 0.14),
    ("yellow", 75.0, 0.13),
    ("orange", 52.0, 0.15),
    ("red", 25.0, 0.18),
    ("purple", 295.0, 0.18),
];

/// The tokens of one scheme.
pub(super) struct SchemeTokens {
    /// (name without `--op-`, value), in order.
    pub(super) tokens: Vec<(&'static str, String)>,
    /// Grounds that text stands on.
    #[cfg(test)]
    grounds: [Oklch; 3],
    /// Colors that must be legible as text on them.
    #[cfg(test)]
    texts: Vec<(&'static str, Oklch)>,
}

/// The colors of a site, as CSS rules for `:root` and `html.dark`.
pub(super) fn palette_css(config: &Config) -> String {
    let mut out = String::with_capacity(3_000);
    push_for_authors(&mut out, config);
    for (selector, dark) in [(":root", false), ("html.dark", true)] {
        // paper is light
        let _ = write!(
            out,
            "{}{selector}{{color-scheme:{};",
            if dark { "@media not print{" } else { "" },
            if dark { "dark" } else { "light" }
        );
        for (name, value) in scheme(config, dark).tokens {
            let _ = write!(out, "--op-{name}:{value};");
        }
        out.push_str(if dark { "}}" } else { "}" });
    }
    out
}

/// The neutral steps by the names of hosted documentation: number, lightness.
const GRAYS: [(u16, f64); 11] = [
    (50, 0.985),
    (100, 0.967),
    (200, 0.928),
    (300, 0.872),
    (400, 0.707),
    (500, 0.551),
    (600, 0.446),
    (700, 0.373),
    (800, 0.278),
    (900, 0.21),
    (950, 0.13),
];

/// The colors by the names that style sheets written for hosted documentation use, as channels: `rgb(var(--primary) /
/// 10%)`. Such sheets set some of them, too: the page stands on the backgrounds, whoever has set them.
fn push_for_authors(out: &mut String, config: &Config) {
    let Colors { primary, light, dark } = &config.colors;
    let fallback = author_accent(config, false);
    out.push_str(":root{");
    for (name, hex) in [("primary", primary), ("primary-light", light), ("primary-dark", dark)] {
        push_channels(out, name, Oklch::from_hex(hex).unwrap_or(fallback));
    }
    let chroma = neutral_chroma(fallback);
    for (number, lightness) in GRAYS {
        push_channels(out, &format!("gray-{number}"), Oklch::new(lightness, chroma, fallback.h));
    }
    for (name, dark) in [("background-light", false), ("background-dark", true)] {
        push_channels(out, name, page_ground(config, dark));
    }
    out.push('}');
}

fn push_channels(out: &mut String, name: &str, color: Oklch) {
    let [red, green, blue] = color.srgb().map(|channel| (channel * 255.0).round() as u8);
    let _ = write!(out, "--{name}:{red} {green} {blue};");
}

/// How much of the author's accent is in neutral colors.
fn neutral_chroma(author: Oklch) -> f64 {
    (author.c * 0.06).min(0.009)
}

/// What pages of a scheme stand on: the author's color for it, if it fits the scheme.
fn page_ground(config: &Config, dark: bool) -> Oklch {
    own_ground(config, dark).unwrap_or_else(|| {
        let author = author_accent(config, dark);
        gray(if dark { DARK.page } else { LIGHT.page }, author)
    })
}

fn own_ground(config: &Config, dark: bool) -> Option<Oklch> {
    let pair = config.background.color.as_ref()?;
    Oklch::from_hex(if dark { &pair.dark } else { &pair.light }).filter(|color| (color.luminance() < 0.16) == dark)
}

/// A neutral color of some lightness. The lightest ones have hardly any hue.
fn gray(lightness: f64, author: Oklch) -> Oklch {
    let chroma = neutral_chroma(author);
    Oklch::new(lightness, if lightness > 0.97 { chroma * 0.35 } else { chroma }, author.h)
}

/// The author's accent of a scheme, and a calm green if it is no color.
pub(super) fn author_accent(config: &Config, dark: bool) -> Oklch {
    let colors = &config.colors;
    let hex = if dark { &colors.light } else { &colors.primary };
    Oklch::from_hex(hex).or_else(|| Oklch::from_hex(&colors.primary)).unwrap_or_else(|| Oklch::new(0.55, 0.13, 160.0))
}

/// Colors of pictures that are drawn of pages, sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shades {
    /// Light words on a dark ground.
    pub is_dark: bool,
    /// The ground.
    pub ground: [u8; 3],
    /// A first shape on it, hardly seen.
    pub tint: [u8; 3],
    /// A second shape, on the first.
    pub deep: [u8; 3],
    /// Titles.
    pub ink: [u8; 3],
    /// Descriptions.
    pub muted: [u8; 3],
    /// Accents as text.
    pub accent: [u8; 3],
    /// Accents as shapes.
    pub fill: [u8; 3],
}

/// The colors of pictures: those of the pages, with a wash of the author's accent; `backdrop` is the color that words
/// stand on instead of the ground. It also decides between dark and light words.
pub fn shades(config: &Config, dark: bool, backdrop: Option<[u8; 3]>) -> Shades {
    let backdrop = backdrop.map(|color| Oklch::from_srgb(color.map(|channel| f64::from(channel) / 255.0)));
    let dark = backdrop.map(|color| color.luminance() < 0.18).unwrap_or(dark);
    let author = author_accent(config, dark);
    let steps = if dark { &DARK } else { &LIGHT };
    let chroma = (author.c * 0.06).min(0.009);
    let gray = |l: f64| Oklch::new(l, chroma, author.h);
    let page = gray(steps.page);
    let washed = |share: f64| author.over(share, page);
    let own = [page, washed(0.06), washed(0.12)];
    let grounds = backdrop.map_or(own, |color| [color; 3]);
    let bytes = |color: Oklch| color.srgb().map(|channel| (channel * 255.0).round() as u8);
    Shades {
        is_dark: dark,
        ground: bytes(page),
        tint: bytes(own[1]),
        deep: bytes(own[2]),
        ink: bytes(gray(steps.ink).legible(7.0, &grounds)),
        muted: bytes(gray(steps.muted).legible(MIN_TEXT_CONTRAST, &grounds)),
        accent: bytes(author.legible(MIN_TEXT_CONTRAST, &grounds)),
        fill: bytes(author),
    }
}

/// The neutral steps of a scheme: lightness of page, raised, sunken, ink, muted, faint.
struct Steps {
    page: f64,
    raised: f64,
    sunken: f64,
    ink: f64,
    muted: f64,
    faint: f64,
    line_strong: f64,
}

const LIGHT: Steps =
    Steps { page: 0.995, raised: 0.982, sunken: 0.964, ink: 0.22, muted: 0.48, faint: 0.72, line_strong: 0.64 };
const DARK: Steps =
    Steps { page: 0.17, raised: 0.205, sunken: 0.235, ink: 0.93, muted: 0.70, faint: 0.44, line_strong: 0.52 };

/// The tokens of one scheme.
pub(super) fn scheme(config: &Config, dark: bool) -> SchemeTokens {
    let author = author_accent(config, dark);
    let steps = if dark { &DARK } else { &LIGHT };
    let gray = |l: f64| gray(l, author);
    let page = page_ground(config, dark);
    // an author's page keeps its distance to the grounds on it
    let has_own = own_ground(config, dark).is_some();
    let ground = |l: f64| if has_own { Oklch::new(page.l + l - steps.page, page.c, page.h) } else { gray(l) };
    let grounds = [page, ground(steps.raised), ground(steps.sunken)];
    let text = |color: Oklch| color.legible(MIN_TEXT_CONTRAST, &grounds);

    let ink = gray(steps.ink).legible(7.0, &grounds);
    let muted = text(gray(steps.muted));
    let accent = accent(author, &grounds);
    let (fill, on) = fill_and_text(Oklch::from_hex(&config.colors.dark).unwrap_or(author));
    let line_alpha = if dark { "11%" } else { "9%" };

    let mut tokens = vec![
        ("page", format!("rgb(var(--background-{}))", if dark { "dark" } else { "light" })),
        ("raised", grounds[1].to_string()),
        ("sunken", grounds[2].to_string()),
        ("ink", ink.to_string()),
        ("muted", muted.to_string()),
        ("faint", gray(steps.faint).to_string()),
        ("line", with_alpha(ink, line_alpha)),
        ("line-strong", gray(steps.line_strong).legible(MIN_EDGE_CONTRAST, &grounds).to_string()),
        ("accent", accent.to_string()),
        ("accent-fill", fill.to_string()),
        ("accent-on", on.to_string()),
        ("tint", with_alpha(accent, if dark { "9%" } else { "7%" })),
        ("ring", accent.to_string()),
        ("gray", muted.to_string()),
    ];
    let mut texts = vec![("ink", ink), ("muted", muted), ("accent", accent)];
    for (name, hue, chroma) in HUES {
        let color = legible_on_own_tint(Oklch::new(if dark { 0.76 } else { 0.53 }, chroma, hue), &grounds);
        tokens.push((name, color.to_string()));
        texts.push((name, color));
    }
    push_code(&mut tokens, config, dark, author);
    push_banner(&mut tokens, config, dark, fill);
    #[cfg(not(test))]
    drop(texts);
    SchemeTokens {
        tokens,
        #[cfg(test)]
        grounds,
        #[cfg(test)]
        texts,
    }
}

/// The accent as text: legible on the grounds and on its own tint.
fn accent(author: Oklch, grounds: &[Oklch; 3]) -> Oklch {
    // black and white accents are legible already and need no search for a tint
    legible_on_own_tint(author.legible(MIN_TEXT_CONTRAST, grounds), grounds)
}

/// A shade that is legible on the grounds and on 10 % of itself over them (badges, callouts, the current page).
fn legible_on_own_tint(color: Oklch, grounds: &[Oklch; 3]) -> Oklch {
    let mut shade = color.legible(MIN_TEXT_CONTRAST, grounds);
    for _ in 0..12 {
        let tinted: Vec<Oklch> = grounds.iter().map(|ground| shade.over(0.10, *ground)).collect();
        if tinted.iter().all(|ground| shade.contrast(*ground) >= MIN_TEXT_CONTRAST) {
            break;
        }
        shade = shade.legible(MIN_TEXT_CONTRAST, &tinted);
    }
    shade
}

/// A fill and the text on it. Brands write white on colors of middle lightness, where white is nearly legible: the
/// fill gets a little darker for it.
fn fill_and_text(color: Oklch) -> (Oklch, Oklch) {
    let white = Oklch::new(1.0, 0.0, 0.0);
    let fill =
        if white.contrast(color) >= MIN_EDGE_CONTRAST { color.legible(MIN_TEXT_CONTRAST, &[white]) } else { color };
    (fill, text_on(fill))
}

/// White or near-black, whichever is legible on a fill; white wins where both are.
fn text_on(fill: Oklch) -> Oklch {
    let white = Oklch::new(1.0, 0.0, 0.0);
    let dark = Oklch::new(0.16, 0.01, fill.h);
    if white.contrast(fill) >= MIN_TEXT_CONTRAST {
        white
    } else if dark.contrast(fill) >= MIN_TEXT_CONTRAST {
        dark
    } else {
        Oklch::new(0.0, 0.0, 0.0)
    }
}

/// Code has a quiet ground of its own, and a dark one in both schemes if the author says so.
fn push_code(tokens: &mut Vec<(&'static str, String)>, config: &Config, dark: bool, author: Oklch) {
    let chroma = (author.c * 0.05).min(0.008);
    if dark || config.styling.code == CodeStyle::Dark {
        tokens.push(("code-ground", Oklch::new(if dark { 0.145 } else { 0.19 }, chroma, author.h).to_string()));
        let ink = Oklch::new(0.91, chroma, author.h);
        tokens.push(("code-ink", ink.to_string()));
        tokens.push(("code-line", with_alpha(ink, "12%")));
    } else {
        tokens.push(("code-ground", Oklch::new(0.98, chroma * 0.4, author.h).to_string()));
        let ink = Oklch::new(0.27, chroma, author.h);
        tokens.push(("code-ink", ink.to_string()));
        tokens.push(("code-line", with_alpha(ink, "9%")));
    }
}

/// The banner: the author's color, or that of its kind.
fn push_banner(tokens: &mut Vec<(&'static str, String)>, config: &Config, dark: bool, fill: Oklch) {
    let banner = config.banner.as_ref();
    let own = banner
        .and_then(|b| b.color.as_ref())
        .and_then(|pair| Oklch::from_hex(if dark { &pair.dark } else { &pair.light }));
    let color = own.unwrap_or_else(|| match banner.map(|b| b.kind.as_str()) {
        Some("warning") => Oklch::new(0.52, 0.11, 65.0),
        Some("critical") => Oklch::new(0.50, 0.18, 25.0),
        _ => fill,
    });
    let (ground, on) = fill_and_text(color);
    tokens.push(("banner", ground.to_string()));
    tokens.push(("banner-on", on.to_string()));
}

fn with_alpha(color: Oklch, alpha: &str) -> String {
    let text = color.to_string();
    format!("{} / {alpha})", text.trim_end_matches(')'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use site::config::{Colors, Pair};

    fn config(primary: &str, light: &str, background: Option<(&str, &str)>) -> Config {
        Config {
            colors: Colors { primary: primary.into(), light: light.into(), dark: primary.into() },
            background: site::config::Background {
                color: background.map(|(light, dark)| Pair { light: light.into(), dark: dark.into() }),
                ..Default::default()
            },
            ..Config::default()
        }
    }

    #[track_caller]
    fn check(config: &Config) {
        for dark in [false, true] {
            let scheme = scheme(config, dark);
            for (name, color) in &scheme.texts {
                for ground in &scheme.grounds {
                    assert!(
                        color.contrast(*ground) >= MIN_TEXT_CONTRAST,
                        "{name} {color} on {ground}: {}",
                        color.contrast(*ground)
                    );
                    if !matches!(*name, "ink" | "muted") {
                        let tinted = color.over(0.07, *ground);
                        assert!(
                            color.contrast(tinted) >= MIN_TEXT_CONTRAST,
                            "{name} {color} on its tint: {}",
                            color.contrast(tinted)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn text_is_legible_whatever_the_author_picks() {
        for hex in [
            "#166E3F", "#7549F2", "#A8FF53", "#2d00f7", "#1EBCA1", "#000000", "#ffffff", "#ffff00", "#808080", "",
            "oops",
        ] {
            check(&config(hex, hex, None));
        }
    }

    #[test]
    fn text_is_legible_on_the_authors_background() {
        check(&config("#2d00f7", "#4cc9f0", Some(("#EEEEEE", "#222831"))));
        check(&config("#A8FF53", "#A8FF53", Some(("#fff", "#121317"))));
        check(&config("#1EBCA1", "#1EBCA1", Some(("#FFFFFF", "#121B22"))));
        // a background of the wrong scheme is not used
        check(&config("#1EBCA1", "#1EBCA1", Some(("#101010", "#fafafa"))));
    }

    #[test]
    fn a_legible_primary_stays_as_it_is() {
        let own = Oklch::from_hex("#166E3F").unwrap();
        assert!(palette_css(&config("#166E3F", "#26BD6C", None)).contains(&format!("--op-accent:{own};")));
    }

    #[test]
    fn authors_find_the_colors_as_channels() {
        let css = palette_css(&Config {
            colors: Colors { primary: "#166E3F".into(), light: "#26BD6C".into(), dark: String::new() },
            ..Config::default()
        });
        assert!(
            css.starts_with(":root{--primary:22 110 63;--primary-light:38 189 108;--primary-dark:22 110 63;--gray-50:"),
            "{css}"
        );
        for name in GRAYS
            .iter()
            .map(|(number, _)| format!("gray-{number}"))
            .chain(["background-light", "background-dark"].map(str::to_owned))
        {
            let (_, value) = css.split_once(&format!("--{name}:")).expect("the name");
            let value = value.split_once(';').expect("an end").0;
            assert_eq!(value.split(' ').filter(|channel| channel.parse::<u8>().is_ok()).count(), 3, "{name}: {value}");
        }
    }

    #[test]
    fn text_on_fills_is_legible() {
        for hex in ["#A8FF53", "#777777", "#ff0000", "#0D9373", "#7549F2", "#fff", "#000"] {
            let fill = Oklch::from_hex(hex).unwrap();
            assert!(text_on(fill).contrast(fill) >= MIN_TEXT_CONTRAST, "{hex}");
            let (shown, on) = fill_and_text(fill);
            assert!(on.contrast(shown) >= MIN_TEXT_CONTRAST, "{hex}");
        }
    }

    #[test]
    fn brands_keep_white_words_on_colors_of_middle_lightness() {
        let is_white = |hex: &str| fill_and_text(Oklch::from_hex(hex).unwrap()).1.l > 0.99;
        assert!(["#0284C7", "#0D9373", "#FF3D8B", "#16A34A"].into_iter().all(is_white));
        assert!(!["#FFD400", "#A8FF53", "#fff"].into_iter().any(is_white));
        let dark = Oklch::from_hex("#7549F2").unwrap();
        assert_eq!(fill_and_text(dark).0.to_string(), dark.to_string(), "what is dark enough stays");
    }

    #[test]
    fn control_edges_are_seen() {
        for dark in [false, true] {
            let scheme = scheme(&config("#7549F2", "#B3A7FF", None), dark);
            let steps = if dark { &DARK } else { &LIGHT };
            let edge = Oklch::new(steps.line_strong, 0.009, 290.0).legible(MIN_EDGE_CONTRAST, &scheme.grounds);
            assert!(scheme.grounds.iter().all(|ground| edge.contrast(*ground) >= MIN_EDGE_CONTRAST));
        }
    }
}
