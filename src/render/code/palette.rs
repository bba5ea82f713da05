//! Colors of code: two themes become short classes and the style rules for them.
//!
//! A token's class names its color in the light theme (lower case) and in the dark one (upper case): `aB`. Letters go
//! by the sorted colors of each theme, so they depend on the themes alone. `_10` adds font styles: bits for light,
//! bits for dark. Rules match a part of the class (`[class^=a]`, `[class*=B]`), so that there is one for each color
//! and not one for each pair; `ba` comes after `b` and wins.

use std::collections::BTreeSet;
use std::fmt::Write;

use base::Diagnostic;
use site::config::CodeStyle;

use super::pack::THEMES;
use super::variables::{GROUND, VARIABLES, variable_colors, variable_rules};
use textmate::{Looks, ThemeRule, TokenLook, TokenTheme};

/// The default themes.
const LIGHT: &str = "github-light-default";
const DARK: &str = "dark-plus";
/// Grounds that default colors must be readable on: the style sheet decides the real ones, which are no harder.
const LIGHT_GROUND: PaletteRgb = PaletteRgb(0xf3, 0xf4, 0xf6);
const DARK_GROUND: PaletteRgb = PaletteRgb(0x17, 0x18, 0x1c);
/// The vendor's ground for `dark-plus`, where a site names it.
const DARK_CODE: PaletteRgb = PaletteRgb(0x0b, 0x0c, 0x0e);
/// What has a ground for code: blocks, and the groups that frame several.
const CODE: &str = ".code-block,.code-tabs";
/// Least contrast of a token with its ground: 4.5 with something in hand for tinted lines.
const CONTRAST: f64 = 5.0;

const ITALIC: u8 = 1;
const BOLD: u8 = 2;
const UNDERLINE: u8 = 4;
const STRIKE: u8 = 8;

/// Classes and style rules.
#[derive(Debug)]
pub(super) struct CodePalette {
    css: String,
}

/// One theme, ready to use.
struct ThemePalette {
    name: String,
    dark: bool,
    ink: PaletteRgb,
    ground: PaletteRgb,
    /// The colors of the theme, without that of plain text, which has the number 0.
    colors: Vec<PaletteRgb>,
    fonts: Vec<u8>,
    rules: Vec<ThemeRule>,
}

impl CodePalette {
    /// The palette of a style, and its themes for matching scopes.
    pub(super) fn new(style: &CodeStyle) -> (Self, [TokenTheme; 2], Vec<Diagnostic>) {
        if matches!(style, CodeStyle::Themes(pair) if pair.light == VARIABLES && pair.dark == VARIABLES) {
            return (Self::of_variables(), [TokenTheme::new(&variable_rules()), TokenTheme::new(&[])], Vec::new());
        }
        let mut diagnostics = Vec::new();
        let (light, dark) = match style {
            CodeStyle::System => (LIGHT, DARK),
            CodeStyle::Dark => (DARK, DARK),
            CodeStyle::Themes(pair) => (pair.light.as_str(), pair.dark.as_str()),
        };
        // named themes bring their own ground; the others stand on that of the site
        let own_ground = matches!(style, CodeStyle::Themes(_)) && (light, dark) != (LIGHT, DARK);
        let mut side = |name: &str, fallback: &str| {
            ThemePalette::load(name, own_ground).or_else(|| {
                diagnostics.push(unknown_theme(name, &format!("`{fallback}` is used")));
                ThemePalette::load(fallback, own_ground)
            })
        };
        let sides = (side(light, LIGHT), side(dark, DARK));
        if light == dark && diagnostics.len() == 2 {
            diagnostics = vec![unknown_theme(light, &format!("`{LIGHT}` and `{DARK}` are used"))];
        }
        let (Some(light), Some(dark)) = sides else {
            return (Self { css: String::new() }, [TokenTheme::new(&[]), TokenTheme::new(&[])], diagnostics);
        };
        // the same theme in both schemes: one side is enough
        let single = light.name == dark.name;
        let themes =
            [TokenTheme::new(&light.rules), if single { TokenTheme::new(&[]) } else { TokenTheme::new(&dark.rules) }];
        let mut css = String::from("@layer op.code{");
        if own_ground {
            push_grounds(&mut css, &light, &dark, single);
        } else if light.dark {
            let _ = write!(css, "@media not print{{{CODE}{{color-scheme:dark}}}}");
        }
        let light_css = theme_color_rules(&light.colors, false);
        // a dark theme on light pages has no colors for paper
        if light.dark {
            let _ = write!(css, "@media not print{{{light_css}}}");
        } else {
            css.push_str(&light_css)
        }
        if !single {
            let _ = write!(css, "@media not print{{{}}}", theme_color_rules(&dark.colors, true));
        }
        push_fonts(&mut css, &light.fonts, if single { None } else { Some(&dark.fonts) });
        css.push('}');
        (Self { css }, themes, diagnostics)
    }

    /// That of authors' variables. Paper is white, whatever they are made for.
    fn of_variables() -> Self {
        let colors = theme_color_rules(&variable_colors(), false);
        Self { css: format!("@layer op.code{{@media not print{{{CODE}{{{GROUND}}}{colors}}}}}") }
    }

    /// The style rules.
    pub(super) fn css(&self) -> &str {
        &self.css
    }

    /// Writes the opening tag of a token; nothing if it looks like plain text.
    pub(super) fn open(out: &mut String, looks: Looks) -> bool {
        let [light, dark] = looks;
        if looks == Looks::default() {
            return false;
        }
        let colored = light.color > 0 || dark.color > 0;
        let styled = light.font > 0 || dark.font > 0;
        out.push_str(if colored && styled { "<i class=\"" } else { "<i class=" });
        if colored {
            push_letters(out, light.color, b'a');
            push_letters(out, dark.color, b'A');
        }
        if styled {
            let _ = write!(out, "{}_{:x}{:x}", if colored { " " } else { "" }, light.font, dark.font);
        }
        out.push_str(if colored && styled { "\">" } else { ">" });
        true
    }
}

/// A theme for single blocks. The style sheet is made before any page is read and does not know it: each token brings
/// its color.
pub(super) struct OwnTheme {
    /// Ground, ink and scheme of the block: declarations for its `style`.
    pub(super) style: String,
    colors: Vec<String>,
}

impl OwnTheme {
    /// Whether there is a theme of this name.
    pub(super) fn exists(name: &str) -> bool {
        name == VARIABLES || THEMES.entries().any(|entry| entry.column(0) == name)
    }

    /// A theme by its name, and its rules for matching scopes.
    pub(super) fn load(name: &str) -> Option<(Self, TokenTheme)> {
        if name == VARIABLES {
            let own = Self { style: GROUND.to_owned(), colors: variable_colors() };
            return Some((own, TokenTheme::new(&variable_rules())));
        }
        let side = ThemePalette::load(name, true)?;
        let style = side.ground_rules().trim_matches(['{', '}']).to_owned();
        let colors = side.colors.iter().map(PaletteRgb::to_string).collect();
        Some((Self { style, colors }, TokenTheme::new(&side.rules)))
    }

    /// Writes the opening tag of a token; nothing if it looks like plain text.
    pub(super) fn open(&self, out: &mut String, look: TokenLook) -> bool {
        if look == TokenLook::default() {
            return false;
        }
        out.push_str("<i style=\"");
        if let Some(color) = usize::from(look.color).checked_sub(1).and_then(|at| self.colors.get(at)) {
            let _ = write!(out, "color:{color}");
        }
        if look.font > 0 {
            let _ = write!(out, "{}{}", if look.color > 0 { ";" } else { "" }, font(look.font));
        }
        out.push_str("\">");
        true
    }
}

fn unknown_theme(name: &str, instead: &str) -> Diagnostic {
    Diagnostic::new("code-theme", format!("there is no code theme `{name}`; {instead}"))
        .about(name)
        .hint("`styling.codeblocks.theme` takes the names of Shiki's themes, such as `github-dark` or `nord`")
}

impl ThemePalette {
    fn load(name: &str, own_ground: bool) -> Option<Self> {
        let entry = THEMES.entries().find(|entry| entry.column(0) == name)?;
        let dark = entry.column(1) == "dark";
        let stated = PaletteRgb::parse(entry.column(3), PaletteRgb(0, 0, 0)).unwrap_or(if dark {
            DARK_CODE
        } else {
            PaletteRgb(255, 255, 255)
        });
        let ground = match (own_ground, name) {
            (false, _) => {
                if dark {
                    DARK_GROUND
                } else {
                    LIGHT_GROUND
                }
            }
            // the vendor's
            (true, DARK) => DARK_CODE,
            (true, _) => stated,
        };
        let ink = PaletteRgb::parse(entry.column(2), ground)
            .unwrap_or(if dark { PaletteRgb(220, 220, 220) } else { PaletteRgb(30, 30, 30) })
            .readable(ground);
        let raw: Vec<(Vec<String>, Option<String>, Option<String>)> = serde_json::from_str(&entry.text()?).ok()?;
        let color = |text: &Option<String>| Some(PaletteRgb::parse(text.as_deref()?, ground)?.readable(ground));
        let colors: BTreeSet<PaletteRgb> =
            raw.iter().filter_map(|(_, text, _)| color(text)).filter(|color| *color != ink).collect();
        let colors: Vec<PaletteRgb> = colors.into_iter().take(usize::from(u8::MAX)).collect();
        let rules: Vec<ThemeRule> = raw
            .iter()
            .flat_map(|(selectors, text, font)| {
                // the ink is color 0
                let color = color(text).map(|color| colors.binary_search(&color).map_or(0, |at| at as u8 + 1));
                let font = font.as_deref().map(font_bits);
                selectors.iter().map(move |selector| ThemeRule { selector: selector.clone(), color, font })
            })
            .collect();
        let fonts: BTreeSet<u8> = rules.iter().filter_map(|rule| rule.font).chain([0]).collect();
        Some(Self { name: name.to_owned(), dark, ink, ground, colors, fonts: fonts.into_iter().collect(), rules })
    }

    fn ground_rules(&self) -> String {
        let line = self.ground.mix(self.ink, 0.14);
        let scheme = if self.dark { "dark" } else { "light" };
        format!(
            "{{--op-code-ground:{};--op-code-ink:{};--op-code-line:{line};color-scheme:{scheme}}}",
            self.ground, self.ink
        )
    }
}

fn push_grounds(css: &mut String, light: &ThemePalette, dark: &ThemePalette, single: bool) {
    let _ = write!(css, "@media not print{{{CODE}{}", light.ground_rules());
    if !single {
        let _ = write!(css, "html.dark :is({CODE}){}", dark.ground_rules());
    }
    css.push('}');
}

fn font_bits(text: &str) -> u8 {
    text.split_whitespace().fold(0, |bits, word| {
        bits | match word {
            "italic" => ITALIC,
            "bold" => BOLD,
            "underline" => UNDERLINE,
            "strikethrough" => STRIKE,
            _ => 0,
        }
    })
}

/// A rule per color of one theme.
fn theme_color_rules(own: &[impl std::fmt::Display], dark: bool) -> String {
    let mut css = String::new();
    for index in 0..=own.len() {
        // light ink is what tokens have anyway; dark ink must undo a light color
        let color = match index.checked_sub(1) {
            Some(at) => own[at].to_string(),
            None if dark => "inherit".to_owned(),
            None => continue,
        };
        css.push_str(if dark { "html.dark .code-block i[class*=" } else { ".code-block i[class^=" });
        push_letters(&mut css, index as u8, if dark { b'A' } else { b'a' });
        let _ = write!(css, "]{{color:{color}}}");
    }
    css
}

/// A rule per font style of each theme.
fn push_fonts(css: &mut String, light: &[u8], dark: Option<&[u8]>) {
    for &own in light.iter().filter(|own| **own != 0) {
        let _ = write!(css, ".code-block i[class*=_{own:x}]{{{}}}", font(own));
    }
    // a dark theme's plain style must undo a light one
    for &other in dark.unwrap_or_default() {
        let _ = write!(css, "html.dark .code-block i[class*=_][class$=\"{other:x}\"]{{{}}}", font(other));
    }
}

fn font(bits: u8) -> String {
    let style = if bits & ITALIC != 0 { "italic" } else { "normal" };
    let weight = if bits & BOLD != 0 { "600" } else { "inherit" };
    let line = match (bits & UNDERLINE != 0, bits & STRIKE != 0) {
        (true, true) => "underline line-through",
        (true, false) => "underline",
        (false, true) => "line-through",
        (false, false) => "none",
    };
    format!("font-style:{style};font-weight:{weight};text-decoration:{line}")
}

/// 0 is `a`, 25 is `z`, 26 is `ba` …
fn push_letters(out: &mut String, index: u8, first: u8) {
    if index >= 26 {
        out.push(char::from(first + index / 26));
    }
    out.push(char::from(first + index % 26));
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PaletteRgb(u8, u8, u8);

impl PaletteRgb {
    /// `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`; what is see-through is laid on the ground.
    fn parse(text: &str, ground: Self) -> Option<Self> {
        let digits: Vec<u8> = text
            .trim()
            .strip_prefix('#')?
            .chars()
            .map(|c| c.to_digit(16).map(|digit| digit as u8))
            .collect::<Option<_>>()?;
        let bytes: Vec<u8> = match digits.len() {
            3 | 4 => digits.iter().map(|digit| digit * 17).collect(),
            6 | 8 => digits.chunks(2).map(|pair| pair[0] * 16 + pair[1]).collect(),
            _ => return None,
        };
        let color = Self(bytes[0], bytes[1], bytes[2]);
        Some(bytes.get(3).map_or(color, |alpha| ground.mix(color, f64::from(*alpha) / 255.0)))
    }

    fn mix(self, other: Self, share: f64) -> Self {
        let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(self.0) + 0.7152 * linear(self.1) + 0.0722 * linear(self.2)
    }

    fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Darker or lighter, as little as it takes to be read on a ground.
    fn readable(self, ground: Self) -> Self {
        let (black, white) = (Self(0, 0, 0), Self(255, 255, 255));
        let end = if ground.contrast(black) > ground.contrast(white) { black } else { white };
        (0..=50)
            .map(|step| self.mix(end, f64::from(step) / 50.0))
            .find(|color| color.contrast(ground) >= CONTRAST)
            .unwrap_or(end)
    }
}

impl std::fmt::Display for PaletteRgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::html::tag::code_token;
    use site::config::Pair;

    fn named(light: &str, dark: &str) -> CodeStyle {
        CodeStyle::Themes(Pair { light: light.into(), dark: dark.into() })
    }

    #[test]
    fn every_theme_is_readable() {
        for entry in THEMES.entries() {
            let side = ThemePalette::load(entry.column(0), true).expect("loads");
            assert!(!side.rules.is_empty() && !side.colors.is_empty(), "{}", side.name);
            for color in side.colors.iter().chain([&side.ink]) {
                assert!(color.contrast(side.ground) >= 4.5, "{}: {color} on {}", side.name, side.ground);
            }
        }
    }

    #[test]
    fn default_colors_hardly_change() {
        let side = ThemePalette::load(LIGHT, false).expect("loads");
        assert!(side.colors.contains(&PaletteRgb(0x05, 0x50, 0xae)), "{:?}", side.colors);
        assert!(side.colors.iter().all(|color| color.contrast(LIGHT_GROUND) >= 4.5));
    }

    #[test]
    fn unknown_themes_are_reported() {
        let (palette, _, diagnostics) = CodePalette::new(&named("aurora-x", "nord"));
        assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), ["code-theme"]);
        assert!(palette.css().contains("--op-code-ground:#2e3440"), "{}", palette.css());
    }

    #[test]
    fn one_unknown_theme_is_told_once() {
        let (_, _, diagnostics) = CodePalette::new(&named("light", "light"));
        let messages: Vec<String> = diagnostics.into_iter().map(|diagnostic| diagnostic.message).collect();
        assert_eq!(messages, [format!("there is no code theme `light`; `{LIGHT}` and `{DARK}` are used")]);
    }

    #[test]
    fn colors_may_be_variables() {
        let (palette, _, diagnostics) = CodePalette::new(&named(VARIABLES, VARIABLES));
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        for part in ["--op-code-ground:var(--mint-color-background,", "i[class^=f]{color:var(--mint-token-keyword,"] {
            assert!(palette.css().contains(part), "{part}: {}", palette.css());
        }
    }

    #[test]
    fn dark_in_both_needs_no_scheme() {
        let (palette, _, _) = CodePalette::new(&CodeStyle::Dark);
        assert!(
            palette.css().contains("color-scheme:dark")
                && !palette.css().contains("html.dark")
                && !palette.css().contains("-ground")
        );
    }

    #[test]
    fn style_rules_are_small() {
        let size = |style: &CodeStyle| CodePalette::new(style).0.css().len();
        assert!(size(&CodeStyle::System) < 2_500, "{}", size(&CodeStyle::System));
        assert!(
            size(&named("github-light", "one-dark-pro")) < 4_000,
            "{}",
            size(&named("github-light", "one-dark-pro"))
        );
    }

    #[test]
    fn classes() {
        let class = |light: (u8, u8), dark: (u8, u8)| {
            let mut out = String::new();
            let look = |(color, font)| TokenLook { color, font };
            CodePalette::open(&mut out, [look(light), look(dark)]);
            out
        };
        assert_eq!(class((0, 0), (0, 0)), "");
        assert_eq!(class((1, 0), (2, 0)), "<i class=bC>");
        assert_eq!(class((27, 0), (0, 0)), "<i class=bbA>");
        assert_eq!(class((1, 1), (0, 0)), "<i class=\"bA _10\">");
        assert_eq!(class((0, 0), (0, 2)), "<i class=_02>");
    }

    #[test]
    fn tokens_are_what_readers_of_pages_pass_over() {
        for (light, dark) in [((1, 0), (2, 0)), ((255, 0), (255, 0)), ((0, 15), (0, 15))] {
            let look = |(color, font)| TokenLook { color, font };
            let mut token = String::new();
            CodePalette::open(&mut token, [look(light), look(dark)]);
            token.push_str("a</i>");
            assert!(code_token(token.as_bytes()).is_some(), "{token}");
        }
    }
}
