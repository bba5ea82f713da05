//! The theme families: one row for each, which every stage reads. What a family changes beyond that is a rule of
//! `templates/css` for `html[data-theme="NAME"]`.

use serde::{Serialize, Serializer};

/// `theme` of `docs.json`.
#[derive(Debug, PartialEq, Eq)]
pub struct ThemeFamily {
    /// The word of `docs.json`.
    pub name: &'static str,
    /// The frame of its pages: `tabs` (under the top bar), `sidebar` (no top bar of its own) or `center`.
    pub frame: &'static str,
    /// Whether the style sheet sets it apart from others of its frame.
    pub has_own_rules: bool,
    /// Whether headings are set in the font of code, unless the site has a font for them.
    pub has_code_headings: bool,
    /// Whether `variations` of `docs.json` counts.
    pub has_variations: bool,
}

const ROW: ThemeFamily =
    ThemeFamily { name: "", frame: "tabs", has_own_rules: true, has_code_headings: false, has_variations: false };

/// All of them, in the order of the reference; the first is the one of a site that names none.
pub static THEME_FAMILIES: [ThemeFamily; 9] = [
    ThemeFamily { name: "mint", has_own_rules: false, ..ROW },
    ThemeFamily { name: "maple", frame: "sidebar", has_own_rules: false, ..ROW },
    ThemeFamily { name: "palm", frame: "sidebar", ..ROW },
    ThemeFamily { name: "willow", frame: "center", has_own_rules: false, has_variations: true, ..ROW },
    ThemeFamily { name: "linden", has_code_headings: true, ..ROW },
    ThemeFamily { name: "almond", frame: "center", ..ROW },
    ThemeFamily { name: "aspen", ..ROW },
    ThemeFamily { name: "luma", ..ROW },
    ThemeFamily { name: "sequoia", ..ROW },
];

impl ThemeFamily {
    /// The family of a word of `docs.json`.
    pub fn named(name: &str) -> Option<&'static Self> {
        THEME_FAMILIES.iter().find(|family| family.name == name)
    }
}

impl Default for &'static ThemeFamily {
    fn default() -> Self {
        &THEME_FAMILIES[0]
    }
}

impl Serialize for ThemeFamily {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name)
    }
}
