//! Start pages that other generators make of front matter alone: `hero` and `features` (VitePress), `hero` (Starlight),
//! `heroText` and `features` (VuePress).

use base::cut::SliceText as _;

use super::yaml::{Yaml, YamlEntry};

/// Most actions or features that are read.
const MAX_HERO_ITEMS: usize = 64;

/// What a start page shows above its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hero {
    /// The site's name.
    pub name: Option<String>,
    /// What it is, in a few words.
    pub lead: Option<String>,
    /// The same as a sentence.
    pub tagline: Option<String>,
    /// Where to go first: label and address.
    pub actions: Vec<(String, String)>,
    /// What it is good for.
    pub features: Vec<HeroFeature>,
    /// What stands beside the words.
    pub picture: Option<HeroPicture>,
}

/// The picture of a start page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeroPicture {
    /// Its path or address, as written.
    pub light: String,
    /// That of the dark scheme, if it has its own.
    pub dark: Option<String>,
    /// What it shows; empty if it is mere decoration.
    pub alt: String,
}

/// A reason to use what is documented.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeroFeature {
    /// An emoji or the name of an icon.
    pub icon: Option<String>,
    /// Its name.
    pub title: String,
    /// What it means; Markdown.
    pub details: String,
    /// Where to read on.
    pub link: Option<String>,
    /// The words that lead there.
    pub link_text: Option<String>,
}

/// Reads it from the keys of a page; `None` if they make no start page.
pub fn read_hero(entries: &[YamlEntry]) -> Option<Hero> {
    let entry = |key: &str| entries.iter().find(|entry| entry.key == key).map(|entry| &entry.value);
    let hero = entry("hero").filter(|hero| matches!(hero, Yaml::Map(_)));
    // VuePress calls a page so, which may say nothing but its picture
    let is_home = entry("home").and_then(Yaml::as_text) == Some("true")
        && ["heroImage", "tagline", "actions", "actionText"].iter().any(|key| entry(key).is_some());
    if hero.is_none() && entry("heroText").is_none() && entry("features").is_none() && !is_home {
        return None;
    }
    // VuePress has all keys at the top
    let key = |name: &str| hero.and_then(|hero| hero.member(name)).or_else(|| entry(name));
    let mut actions: Vec<(String, String)> = maps(key("actions"))
        .filter_map(|action| Some((hero_text(action.member("text"))?, hero_text(action.member("link"))?)))
        .collect();
    actions.extend(hero_text(entry("actionText")).zip(hero_text(entry("actionLink"))));
    let features = maps(entry("features")).filter_map(|feature| {
        Some(HeroFeature {
            icon: hero_text(feature.member("icon")).filter(|icon| !icon.contains(['<', '/', '.'])),
            title: hero_text(feature.member("title"))?,
            details: hero_text(feature.member("details")).unwrap_or_default(),
            link: hero_text(feature.member("link")),
            link_text: hero_text(feature.member("linkText")),
        })
    });
    Some(Hero {
        name: hero_text(hero.and_then(|hero| hero.member("name").or_else(|| hero.member("title"))))
            .or_else(|| hero_text(entry("heroText"))),
        lead: hero_text(hero.and_then(|hero| hero.member("text"))),
        tagline: hero_text(key("tagline")),
        actions,
        features: features.collect(),
        picture: read_picture(hero, &entry),
    })
}

/// `image: /a.svg`, `image: {src, alt}`, `image: {light, dark, alt}` (VitePress), `image: {file, dark, light}` (Starlight),
/// `heroImage` with `heroAlt` and `heroImageDark` (VuePress).
fn read_picture<'y>(hero: Option<&'y Yaml>, entry: &dyn Fn(&str) -> Option<&'y Yaml>) -> Option<HeroPicture> {
    let path = |value: Option<&Yaml>| {
        let text = value?.as_text()?.trim();
        (!text.is_empty() && text != "null").then(|| text.to_owned())
    };
    let (light, dark, alt) = match hero.and_then(|hero| hero.member("image")) {
        Some(image @ Yaml::Map(_)) => {
            let of = |key: &str| path(image.member(key));
            (of("light").or_else(|| of("src")).or_else(|| of("file")), of("dark"), of("alt"))
        }
        Some(image) => (path(Some(image)), None, None),
        None => (path(entry("heroImage")), path(entry("heroImageDark")), path(entry("heroAlt"))),
    };
    let light = light.or_else(|| dark.clone())?;
    let dark = dark.filter(|dark| *dark != light);
    Some(HeroPicture { light, dark, alt: alt.unwrap_or_default() })
}

fn maps(value: Option<&Yaml>) -> impl Iterator<Item = &Yaml> {
    let items = if let Some(Yaml::List(items)) = value { items.as_slice() } else { &[] };
    items.iter().take(MAX_HERO_ITEMS)
}

/// A text without the tags that hold its lines and colors.
fn hero_text(value: Option<&Yaml>) -> Option<String> {
    let mut rest = value?.as_text()?;
    let mut out = String::with_capacity(rest.len());
    while let Some(open) = rest.find('<') {
        let Some(close) = rest
            .slice(open..)
            .find('>')
            .filter(|_| rest.slice(open + 1..).starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()))
        else {
            break;
        };
        out.push_str(rest.slice(..open));
        out.push_str(if rest.slice(open..).starts_with("<br") { " " } else { "" });
        rest = rest.slice(open + close + 1..);
    }
    out.push_str(rest);
    let words: Vec<&str> = out.split_whitespace().collect();
    Some(words.join(" ")).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn hero(front_matter: &str) -> Option<Hero> {
        read_hero(&yaml::parse_yaml(front_matter, true).expect("YAML"))
    }

    #[test]
    fn vitepress() {
        let it = hero("layout: home\nhero:\n  name: Vite\n  text: The <b>build</b> tool<br>for the web\n  actions:\n    - {text: Start, link: /guide}\n    - {theme: alt}\nfeatures:\n  - {icon: 💡, title: Fast, details: It is., link: /why}\n  - {icon: <svg/>, title: Small}\n  - {details: nameless}").expect("a hero");
        assert_eq!((it.name.as_deref(), it.lead.as_deref()), (Some("Vite"), Some("The build tool for the web")));
        assert_eq!(it.actions, [("Start".to_owned(), "/guide".to_owned())]);
        let features: Vec<_> = it
            .features
            .iter()
            .map(|it| (it.icon.as_deref(), it.title.as_str(), it.details.as_str(), it.link.as_deref()))
            .collect();
        assert_eq!(features, [(Some("💡"), "Fast", "It is.", Some("/why")), (None, "Small", "", None)]);
    }

    #[test]
    fn pictures() {
        for (text, expect) in [
            ("hero: {name: A, image: /a.svg}", ("/a.svg", None, "")),
            ("hero: {name: A, image: {src: /a.svg, alt: B}}", ("/a.svg", None, "B")),
            ("hero: {name: A, image: {light: /a.svg, dark: /b.svg}}", ("/a.svg", Some("/b.svg"), "")),
            ("hero: {title: A, image: {file: ../a.png, alt: B}}", ("../a.png", None, "B")),
            ("heroText: A\nheroImage: /a.svg\nheroAlt: B", ("/a.svg", None, "B")),
        ] {
            let it = hero(text).and_then(|hero| hero.picture).expect(text);
            assert_eq!((it.light.as_str(), it.dark.as_deref(), it.alt.as_str()), expect, "{text}");
        }
        assert_eq!(hero("heroText: A\nheroImage: null").and_then(|hero| hero.picture), None);
    }

    #[test]
    fn others() {
        let starlight = hero("template: splash\nhero:\n  title: Astro\n  tagline: \"1 < 2\"\n  actions: [{text: Go, link: /a, icon: right-arrow}]").expect("a hero");
        assert_eq!(
            (starlight.name.as_deref(), starlight.tagline.as_deref(), starlight.actions.len()),
            (Some("Astro"), Some("1 < 2"), 1)
        );
        let vuepress = hero("home: true\nheroText: Hero\ntagline: Sub\nactionText: Go\nactionLink: /go\nfeatures: [{title: A, details: B}]").expect("a hero");
        assert_eq!(
            (vuepress.name.as_deref(), vuepress.tagline.as_deref(), vuepress.actions.len(), vuepress.features.len()),
            (Some("Hero"), Some("Sub"), 1, 1)
        );
        assert_eq!(hero("title: x\ntagline: y\nhero: true"), None);
    }
}
