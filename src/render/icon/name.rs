//! What an author may call an icon, brought to the spellings the libraries use.

use site::config::IconLibrary;

/// A name as the libraries might spell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IconQuery {
    /// Spellings, most literal first, without repeats.
    pub(super) spellings: Vec<String>,
    /// The style that the name itself carries (`fa-brands fa-github`).
    pub(super) style: Option<String>,
    /// The library that the name itself carries (`lucide:house`).
    pub(super) library: Option<IconLibrary>,
}

/// Longer names are no icon's.
const MAX_NAME_BYTES: usize = 96;

impl IconQuery {
    /// Reads a name: `gear`, `fa-gear`, `fa-solid fa-gear`, `lucide:house`, `circle_check`, `CircleCheck`,
    /// `brands/github` …
    pub(super) fn read(written: &str) -> Self {
        let mut query = Self::default();
        let written = written.trim();
        if written.len() > MAX_NAME_BYTES {
            return query;
        }
        let mut name = written;
        if let Some((set, rest)) = written.split_once(':') {
            query.set(set);
            name = rest;
        } else if let Some((style, rest)) = written.rsplit_once('/') {
            // `fontawesome/brands/github`, `simple/github`
            let style = style.rsplit('/').next().unwrap_or(style).to_ascii_lowercase();
            query.style = Some(if style == "simple" { "brands".to_owned() } else { style });
            name = rest;
        } else if written.contains(' ') {
            name = query.classes(written);
        }
        query.spell(name);
        query
    }

    /// The part before a colon, as icon collections name themselves: `fa6-brands`, `lucide`, `tabler`.
    fn set(&mut self, set: &str) {
        let set = set.to_ascii_lowercase();
        if set.starts_with("fa") {
            self.library = Some(IconLibrary::FontAwesome);
            self.style = set.split_once('-').map(|(_, style)| style.to_owned()).or_else(|| class_style(&set));
        } else if set.starts_with("lucide") {
            self.library = Some(IconLibrary::Lucide);
        } else if set.starts_with("tabler") {
            self.library = Some(IconLibrary::Tabler);
        }
    }

    /// A list of classes (`fa-solid fa-gear fa-fw`): keeps the style, returns the name; other texts come back whole.
    fn classes<'a>(&mut self, written: &'a str) -> &'a str {
        let mut name = None;
        let mut styled = false;
        for class in written.split_ascii_whitespace() {
            if let Some(style) = class_style(class) {
                styled = true;
                // `fa` and `sharp` say less than what stands beside them
                if !matches!(style.as_str(), "" | "sharp") {
                    self.style = Some(style);
                }
            } else if !is_modifier(class) {
                name = name.or(Some(class));
            }
        }
        if styled { name.unwrap_or(written) } else { written }
    }

    fn spell(&mut self, name: &str) {
        let plain: String = name.trim().chars().map(|c| if matches!(c, '_' | ' ' | '.') { '-' } else { c }).collect();
        let lower = plain.to_ascii_lowercase();
        self.add(lower.clone());
        self.add(kebab(&plain));
        for prefix in ["fa-", "lucide-", "icon-tabler-", "tabler-", "ti-", "icon-", "brand-"] {
            if let Some(rest) = lower.strip_prefix(prefix) {
                self.add(rest.to_owned());
            }
        }
        for suffix in ["-icon", "-solid", "-regular", "-outline", "-filled", "-line"] {
            if let Some(rest) = lower.strip_suffix(suffix) {
                self.add(rest.to_owned());
            }
        }
    }

    fn add(&mut self, spelling: String) {
        if !spelling.is_empty() && !self.spellings.contains(&spelling) {
            self.spellings.push(spelling);
        }
    }
}

/// The name in a set that is none of ours but has the same subjects: `material/home`, `octicons/alert-16`.
pub(super) fn of_other_set(written: &str) -> Option<&str> {
    let written = written.trim();
    let name = written.strip_prefix("material/").or_else(|| written.strip_prefix("octicons/"))?;
    let sized = ["-12", "-16", "-24", "-48"].iter().find_map(|size| name.strip_suffix(size));
    Some(sized.unwrap_or(name)).filter(|name| name.len() <= MAX_NAME_BYTES)
}

/// Spellings of a name of another set, the most literal first: without what only says how it is drawn, without words at
/// its end, and its last word alone.
pub(super) fn shorter_spellings(name: &str) -> Vec<String> {
    const SHAPES: [&str; 7] = ["outline", "variant", "circle", "box", "filled", "fill", "multiple"];
    let words: Vec<&str> = name.split('-').collect();
    let core_words = words.iter().enumerate().filter(|(at, word)| *at == 0 || !SHAPES.contains(word));
    let core_words: Vec<&str> = core_words.map(|(_, word)| *word).collect();
    let mut names = vec![name.to_owned()];
    names.extend((1..=core_words.len()).rev().map(|count| core_words[..count].join("-")));
    names.extend(core_words.last().map(|word| (*word).to_owned()));
    names
}

/// `CircleCheck2` as `circle-check-2`.
fn kebab(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    let mut before = '-';
    for c in name.chars() {
        let starts_word = c.is_ascii_uppercase() && !before.is_ascii_uppercase();
        let starts_number = c.is_ascii_digit() && before.is_ascii_alphabetic();
        if before != '-' && (starts_word || starts_number) {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
        before = c;
    }
    out
}

/// The style that a Font Awesome class names; empty for the plain `fa`.
fn class_style(class: &str) -> Option<String> {
    let style = match class {
        "fa" => "",
        "fas" => "solid",
        "far" => "regular",
        "fab" => "brands",
        "fal" => "light",
        "fat" => "thin",
        "fad" => "duotone",
        "fass" => "sharp-solid",
        "fasr" => "sharp-regular",
        "fasl" => "sharp-light",
        _ => match class.strip_prefix("fa-")? {
            style @ ("solid" | "regular" | "brands" | "light" | "thin" | "duotone" | "sharp") => style,
            _ => return None,
        },
    };
    Some(style.to_owned())
}

/// Classes that only size or move an icon.
fn is_modifier(class: &str) -> bool {
    let Some(word) = class.strip_prefix("fa-") else { return false };
    matches!(
        word,
        "fw" | "spin"
            | "pulse"
            | "border"
            | "inverse"
            | "2xs"
            | "xs"
            | "sm"
            | "lg"
            | "xl"
            | "2xl"
            | "beat"
            | "fade"
            | "bounce"
    ) || word.strip_suffix('x').is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty())
        || word.starts_with("rotate-")
        || word.starts_with("flip-")
        || word.starts_with("pull-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, spellings: &[&str], style: Option<&str>) {
        let query = IconQuery::read(written);
        assert_eq!(query.spellings, spellings, "{written}");
        assert_eq!(query.style.as_deref(), style, "{written}");
    }

    #[test]
    fn names_are_brought_to_the_libraries_spelling() {
        check("gear", &["gear"], None);
        check(" Gear ", &["gear"], None);
        check("fa-gear", &["fa-gear", "gear"], None);
        check("circle_check", &["circle-check"], None);
        check("CircleCheck2", &["circlecheck2", "circle-check-2"], None);
        check("GitHub", &["github", "git-hub"], None);
        check("arrow right", &["arrow-right"], None);
        check("brand-github", &["brand-github", "github"], None);
    }

    #[test]
    fn class_lists_carry_a_style() {
        check("fa-solid fa-gear", &["fa-gear", "gear"], Some("solid"));
        check("fab fa-github fa-fw", &["fa-github", "github"], Some("brands"));
        check("fa-sharp fa-light fa-2x fa-key", &["fa-key", "key"], Some("light"));
        check("fa fa-cog", &["fa-cog", "cog"], None);
        check("brands/github", &["github"], Some("brands"));
    }

    #[test]
    fn collections_name_the_library() {
        assert_eq!(IconQuery::read("lucide:house").library, Some(IconLibrary::Lucide));
        assert_eq!(IconQuery::read("tabler:home").library, Some(IconLibrary::Tabler));
        let query = IconQuery::read("fa6-brands:github");
        assert_eq!((query.library, query.style.as_deref()), (Some(IconLibrary::FontAwesome), Some("brands")));
        assert_eq!(IconQuery::read("mdi:home").library, None);
    }

    #[test]
    fn endless_names_are_no_names() {
        check(&"x".repeat(5_000), &[], None);
    }
}
