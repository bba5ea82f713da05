//! The fonts that are part of the program: Inter and Geist for text, JetBrains Mono and Geist Mono for code, STIX Two
//! Math for formulas. Variable fonts, in parts by script, so that a browser loads only the parts a page needs. See
//! `templates/fonts/rebuild.py`.

use std::fmt::Write as _;

/// A font family.
#[derive(Debug)]
pub struct FontFamily {
    /// Its name in CSS.
    pub name: &'static str,
    /// All characters are equally wide.
    pub mono: bool,
    /// Its lightest and heaviest weight.
    pub weights: (u16, u16),
    /// Its parts.
    pub faces: &'static [Face],
    /// Name of the license's file.
    pub license_file: &'static str,
    /// The license, which travels with the fonts.
    pub license: &'static str,
    /// How a font that every system has is scaled to take the same room, per cent.
    fallback: Option<Fallback>,
}

/// One file of a family.
#[derive(Debug)]
pub struct Face {
    /// File name.
    pub file: &'static str,
    /// The file, WOFF2.
    pub bytes: &'static [u8],
    /// Italic (true) or upright.
    pub italic: bool,
    /// The characters it is for: a CSS `unicode-range`; empty for all.
    pub range: &'static str,
}

/// `size-adjust`, `ascent-override` and `descent-override` of the stand-in, per cent.
#[derive(Debug)]
struct Fallback {
    size: &'static str,
    ascent: &'static str,
    descent: &'static str,
}

const LATIN: &str = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,\
    U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";
const LATIN_EXT: &str = "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,\
    U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF";
const CYRILLIC: &str = "U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116";
const CYRILLIC_EXT: &str = "U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F";
const GREEK: &str = "U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF";
const GREEK_EXT: &str = "U+1F00-1FFF";
const VIETNAMESE: &str = "U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,\
    U+0323,U+0329,U+1EA0-1EF9,U+20AB";

macro_rules! face {
    ($file:literal, $range:expr) => {
        face!($file, $range, false)
    };
    ($file:literal, $range:expr, $italic:expr) => {
        Face { file: $file, bytes: templates::bytes(concat!("fonts/", $file)), italic: $italic, range: $range }
    };
}

/// Inter: the text font of a site that names none, and of diagrams.
pub static INTER: FontFamily = FontFamily {
    name: "Inter",
    mono: false,
    weights: (100, 900),
    // later faces win where ranges overlap, so Latin comes last
    faces: &[
        face!("inter-cyrillic-ext.woff2", CYRILLIC_EXT),
        face!("inter-cyrillic.woff2", CYRILLIC),
        face!("inter-greek-ext.woff2", GREEK_EXT),
        face!("inter-greek.woff2", GREEK),
        face!("inter-vietnamese.woff2", VIETNAMESE),
        face!("inter-latin-ext.woff2", LATIN_EXT),
        face!("inter-latin-italic.woff2", LATIN, true),
        face!("inter-latin.woff2", LATIN),
    ],
    license_file: "inter-OFL.txt",
    license: const { templates::text("fonts/inter-OFL.txt") },
    fallback: Some(Fallback { size: "107.29", ascent: "90.3", descent: "22.48" }),
};

/// JetBrains Mono: the code font.
pub static JETBRAINS_MONO: FontFamily = FontFamily {
    name: "JetBrains Mono",
    mono: true,
    weights: (100, 800),
    faces: &[
        face!("jetbrains-mono-cyrillic-ext.woff2", CYRILLIC_EXT),
        face!("jetbrains-mono-cyrillic.woff2", CYRILLIC),
        face!("jetbrains-mono-greek.woff2", GREEK),
        face!("jetbrains-mono-vietnamese.woff2", VIETNAMESE),
        face!("jetbrains-mono-latin-ext.woff2", LATIN_EXT),
        face!("jetbrains-mono-latin.woff2", LATIN),
    ],
    license_file: "jetbrains-mono-OFL.txt",
    license: const { templates::text("fonts/jetbrains-mono-OFL.txt") },
    fallback: Some(Fallback { size: "100", ascent: "102", descent: "30" }),
};

/// Geist, for sites that name it.
pub static GEIST: FontFamily = FontFamily {
    name: "Geist",
    mono: false,
    weights: (100, 900),
    faces: &[
        face!("geist-cyrillic-ext.woff2", CYRILLIC_EXT),
        face!("geist-cyrillic.woff2", CYRILLIC),
        face!("geist-vietnamese.woff2", VIETNAMESE),
        face!("geist-latin-ext.woff2", LATIN_EXT),
        face!("geist-latin.woff2", LATIN),
    ],
    license_file: "geist-OFL.txt",
    license: const { templates::text("fonts/geist-OFL.txt") },
    fallback: Some(Fallback { size: "105.42", ascent: "95.33", descent: "27.98" }),
};

/// Geist Mono, for sites that name it.
pub static GEIST_MONO: FontFamily = FontFamily {
    name: "Geist Mono",
    mono: true,
    weights: (100, 900),
    faces: &[
        face!("geist-mono-cyrillic-ext.woff2", CYRILLIC_EXT),
        face!("geist-mono-cyrillic.woff2", CYRILLIC),
        face!("geist-mono-vietnamese.woff2", VIETNAMESE),
        face!("geist-mono-latin-ext.woff2", LATIN_EXT),
        face!("geist-mono-latin.woff2", LATIN),
    ],
    license_file: "geist-mono-OFL.txt",
    license: const { templates::text("fonts/geist-mono-OFL.txt") },
    fallback: Some(Fallback { size: "100", ascent: "100.5", descent: "29.5" }),
};

/// STIX Two Math: what formulas are set in. Only for sites that have some; browsers load it where one stands.
pub static STIX_TWO_MATH: FontFamily = FontFamily {
    name: "STIX Two Math",
    mono: false,
    weights: (400, 400),
    faces: &[face!("stix-two-math.woff2", "")],
    license_file: "stix-two-math-OFL.txt",
    license: const { templates::text("fonts/stix-two-math-OFL.txt") },
    fallback: None,
};

/// The families that a site may name for its text and code.
pub static FAMILIES: [&FontFamily; 4] = [&INTER, &JETBRAINS_MONO, &GEIST, &GEIST_MONO];

/// The family of a name, without regard to case, spaces and the words that font packages add (`Inter Variable`, `Geist
/// Sans`).
pub fn find_font_family(family: &str) -> Option<&'static FontFamily> {
    let letters = |name: &str| name.chars().filter(char::is_ascii_alphabetic).collect::<String>().to_ascii_lowercase();
    let name = letters(family);
    let name = name.strip_suffix("variable").unwrap_or(&name);
    let name = name.strip_suffix("sans").unwrap_or(name);
    FAMILIES.into_iter().find(|known| letters(known.name) == name)
}

impl FontFamily {
    /// A CSS `font-family` list: the font, its stand-in of the same size, what the system has.
    pub fn stack(&self) -> String {
        let system = if self.mono {
            "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace"
        } else {
            "system-ui, sans-serif"
        };
        format!("\"{0}\", \"{0} Fallback\", {system}", self.name)
    }

    /// The parts that a site needs whose text holds these characters; the basic Latin ones always.
    pub fn needed<'a>(
        &'static self,
        mut holds: impl FnMut(&Face) -> bool + 'a,
    ) -> impl Iterator<Item = &'static Face> + 'a {
        self.faces.iter().filter(move |face| face.range == LATIN || holds(face))
    }

    /// The part to preload: upright Latin.
    pub fn first(&self) -> Option<&Face> {
        self.faces.iter().find(|face| face.range == LATIN && !face.italic)
    }
}

impl Face {
    /// Whether the file has a character.
    pub fn covers(&self, c: char) -> bool {
        if self.range.is_empty() {
            return true;
        }
        let code = u32::from(c);
        self.range.split(',').any(|part| {
            let part = part.trim_start_matches("U+");
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let number = |hex| u32::from_str_radix(hex, 16).unwrap_or(u32::MAX);
            (number(from)..=number(to)).contains(&code)
        })
    }
}

/// The `@font-face` rules of families: their faces (those that `url` gives an address, relative to the style sheet) and
/// the stand-in that takes the same room until they are loaded.
pub fn font_face_rules(families: &[&FontFamily], mut url: impl FnMut(&Face) -> Option<String>) -> String {
    let mut out = String::new();
    for family in families {
        let FontFamily { name, weights: (lightest, heaviest), .. } = family;
        for face in family.faces {
            let Some(url) = url(face) else { continue };
            let style = if face.italic { "italic" } else { "normal" };
            let _ = write!(
                out,
                "@font-face{{font-family:\"{name}\";font-style:{style};font-weight:{lightest} {heaviest};font-display:swap;\
                 src:url(\"{url}\") format(\"woff2\")"
            );
            if !face.range.is_empty() {
                let _ = write!(out, ";unicode-range:{}", face.range);
            }
            out.push_str("}\n");
        }
        let Some(Fallback { size, ascent, descent }) = &family.fallback else { continue };
        let local = if family.mono {
            "local(\"Menlo\"),local(\"Courier New\"),local(\"Liberation Mono\"),local(\"DejaVu Sans Mono\")"
        } else {
            "local(\"Arial\"),local(\"Liberation Sans\"),local(\"Arimo\"),local(\"Helvetica\")"
        };
        let _ = writeln!(
            out,
            "@font-face{{font-family:\"{name} Fallback\";src:{local};size-adjust:{size}%;ascent-override:{ascent}%;\
             descent-override:{descent}%;line-gap-override:0%}}"
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expect: Option<&str>) {
        assert_eq!(find_font_family(name).map(|family| family.name), expect, "{name}");
    }

    #[test]
    fn families_are_found_by_their_usual_names() {
        check("Inter", Some("Inter"));
        check("inter variable", Some("Inter"));
        check("JetBrainsMono", Some("JetBrains Mono"));
        check("Geist Sans", Some("Geist"));
        check("geist mono", Some("Geist Mono"));
        check("Roboto", None);
        check("", None);
        check("sans", None);
    }

    #[test]
    fn every_file_is_woff2_and_has_a_name_of_its_own() {
        let mut files: Vec<&str> = FAMILIES.iter().flat_map(|family| family.faces).map(|face| face.file).collect();
        assert!(FAMILIES.iter().flat_map(|family| family.faces).all(|face| face.bytes.starts_with(b"wOF2")));
        assert!(FAMILIES.iter().all(|family| family.license.contains("SIL OPEN FONT LICENSE")));
        files.sort_unstable();
        let count = files.len();
        files.dedup();
        assert_eq!(files.len(), count);
        assert!(STIX_TWO_MATH.faces[0].bytes.starts_with(b"wOF2"));
    }

    #[test]
    fn parts_are_for_their_script() {
        let part = |c: char| {
            INTER.faces.iter().filter(|face| face.covers(c) && !face.italic).map(|face| face.file).collect::<Vec<_>>()
        };
        assert_eq!(part('a'), ["inter-latin.woff2"]);
        assert_eq!(part('ł'), ["inter-latin-ext.woff2"]);
        assert_eq!(part('я'), ["inter-cyrillic.woff2"]);
        assert_eq!(part('Ω'), ["inter-greek.woff2"]);
        assert_eq!(part('字'), Vec::<&str>::new());
        assert_eq!(INTER.first().map(|face| face.file), Some("inter-latin.woff2"));
        let russian: Vec<_> =
            INTER.needed(|face| "Привет".chars().any(|c| face.covers(c))).map(|face| face.file).collect();
        assert_eq!(russian, ["inter-cyrillic.woff2", "inter-latin-italic.woff2", "inter-latin.woff2"]);
    }

    #[test]
    fn formulas_have_a_font_of_their_own() {
        let rule = "@font-face{font-family:\"STIX Two Math\";font-style:normal;font-weight:400 400;font-display:swap;\
            src:url(\"fonts/stix-two-math.woff2\") format(\"woff2\")}\n";
        assert_eq!(font_face_rules(&[&STIX_TWO_MATH], |face| Some(format!("fonts/{}", face.file))), rule);
        check("STIX Two Math", None);
    }

    #[test]
    fn rules_stand_beside_their_files() {
        let css = font_face_rules(&[&JETBRAINS_MONO], |face| (face.range == LATIN).then(|| face.file.to_owned()));
        let expect = "@font-face{font-family:\"JetBrains Mono\";font-style:normal;font-weight:100 800;font-display:swap;\
            src:url(\"jetbrains-mono-latin.woff2\") format(\"woff2\");unicode-range:U+0000-00FF,";
        assert!(css.starts_with(expect), "{css}");
        assert!(css.contains("@font-face{font-family:\"JetBrains Mono Fallback\";src:local(\"Menlo\"),"), "{css}");
        assert!(
            css.ends_with("size-adjust:100%;ascent-override:102%;descent-override:30%;line-gap-override:0%}\n"),
            "{css}"
        );
    }
}
