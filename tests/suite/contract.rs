//! The bundle contract: what holds for every file of every bundle, whatever the site. [`violations`] reads a bundle as
//! a browser on `file://` would and names each broken rule.

use std::collections::{BTreeMap, BTreeSet};

use offprint::site::theme_family::THEME_FAMILIES;
use percent_encoding::percent_decode_str;
use scraper::ElementRef;
use sha2::{Digest, Sha256};
use unicode_normalization::{UnicodeNormalization, is_nfc};

use crate::suite::html::{Page, is_chrome};
#[cfg(test)]
use crate::suite::site::{SiteTest, fixture};

/// The files of a bundle: path, bytes.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Attributes that make a browser load something.
const LOADS: &[(&str, &str)] = &[
    ("script", "src"),
    ("img", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("audio", "src"),
    ("source", "src"),
    ("track", "src"),
    ("iframe", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("input", "src"),
    ("image", "href"),
    ("use", "href"),
    ("image", "xlink:href"),
    ("use", "xlink:href"),
    ("body", "background"),
    ("frame", "src"),
];

/// `rel` values of `<link>` that load.
const LOADING_RELS: &[&str] =
    &["stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest", "apple-touch-icon", "mask-icon"];

/// Everything that a bundle does against the contract.
pub(crate) fn violations(files: &Files) -> Vec<String> {
    let mut bundle = Bundle { files, ids: BTreeMap::new(), wrong: Vec::new() };
    bundle.check_names();
    bundle.check_manifest();
    let html = files.iter().filter(|(path, _)| path.ends_with(".html"));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let pages: Vec<_> = html.map(|(path, bytes)| (path.clone(), Page::parse(&text(bytes)))).collect();
    for (path, page) in &pages {
        bundle.ids.insert(
            path.clone(),
            page.select("[id]").iter().filter_map(|element| element.attr("id")).map(str::to_owned).collect(),
        );
    }
    let mut titles: BTreeMap<String, String> = BTreeMap::new();
    for (path, page) in &pages {
        bundle.check_page(path, page);
        // the page that a login returns to is none that anybody reads
        if is_stub(page) || path == "_offprint/oauth.html" {
            continue;
        }
        bundle.check_skeleton(path, page);
        let title = page.select("title").first().map(|title| title.inner_html()).unwrap_or_default();
        // the start page may be a copy of a page
        if path != "index.html"
            && let Some(other) = titles.insert(format!("{title}\u{0}{}", language(page)), path.clone())
        {
            bundle.fail(path, &format!("has the title of {other}: {title}"));
        }
    }
    bundle.check_styles();
    bundle.check_scripts();
    bundle.wrong
}

fn language(page: &Page) -> String {
    page.select("html").first().and_then(|html| html.attr("lang")).unwrap_or_default().to_owned()
}

/// A page that only leads elsewhere.
fn is_stub(page: &Page) -> bool {
    page.count("meta[http-equiv=refresh]") > 0
}

struct Bundle<'a> {
    files: &'a Files,
    ids: BTreeMap<String, BTreeSet<String>>,
    wrong: Vec<String>,
}

impl Bundle<'_> {
    fn fail(&mut self, path: &str, what: &str) {
        self.wrong.push(format!("{path}: {what}"));
    }

    /// Rule 10: names that every file system can hold.
    fn check_names(&mut self) {
        let mut folded: BTreeMap<String, String> = BTreeMap::new();
        for path in self.files.keys() {
            if path.chars().count() > 180 {
                self.fail(path, "is longer than 180 characters");
            }
            if !is_nfc(path) {
                self.fail(path, "is not in composed form");
            }
            for segment in path.split('/') {
                let stem = segment.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
                let device = matches!(stem.as_str(), "con" | "prn" | "aux" | "nul")
                    || (stem.len() == 4
                        && (stem.starts_with("com") || stem.starts_with("lpt"))
                        && stem.ends_with(|c: char| ('1'..='9').contains(&c)));
                if device
                    || segment.is_empty()
                    || segment.ends_with(['.', ' '])
                    || segment.contains(|c: char| "<>:\"|?*\\".contains(c) || c.is_control())
                {
                    self.fail(path, "has a name that some system cannot hold");
                }
            }
            if let Some(other) = folded.insert(path.nfkc().collect::<String>().to_lowercase(), path.clone()) {
                self.fail(path, &format!("differs from {other} only by case or form"));
            }
        }
    }

    /// The manifest lists every other file with its size and digest, and nothing else.
    fn check_manifest(&mut self) {
        const MANIFEST: &str = "_offprint/manifest.json";
        let Some(bytes) = self.files.get(MANIFEST) else { return self.fail(MANIFEST, "is missing") };
        let Ok(manifest) = serde_json::from_slice::<serde_json::Value>(bytes) else {
            return self.fail(MANIFEST, "is not JSON");
        };
        if manifest["formatVersion"] != 1 {
            self.fail(MANIFEST, "has no formatVersion 1");
        }
        let Some(listed) = manifest["files"].as_object() else { return self.fail(MANIFEST, "lists no files") };
        for (path, bytes) in self.files.iter().filter(|(path, _)| *path != MANIFEST) {
            let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            match listed.get(path) {
                None => self.fail(path, "is not in the manifest"),
                Some(entry) if entry["size"] != bytes.len() || entry["sha256"] != digest => {
                    self.fail(path, "differs from the manifest")
                }
                Some(_) => {}
            }
        }
        for path in listed.keys().filter(|path| !self.files.contains_key(*path)) {
            self.fail(path, "is in the manifest, not in the bundle");
        }
    }

    /// Rules 1 to 6 and 8 on one page.
    fn check_page(&mut self, path: &str, page: &Page) {
        for element in page.select("*") {
            let tag = element.value().name();
            for (name, value) in element.value().attrs() {
                if name == "crossorigin" || name == "integrity" || name == "srcdoc" {
                    self.fail(path, &format!("<{tag} {name}>"));
                }
                if name.starts_with("on") && name.len() > 3 {
                    self.fail(path, &format!("<{tag} {name}=\"{value}\">"));
                }
                if value.trim_start().to_ascii_lowercase().starts_with("javascript:") {
                    self.fail(path, &format!("<{tag} {name}=\"{value}\">"));
                }
                if name == "style" {
                    self.check_css(path, value, false);
                }
            }
            for (_, attribute) in LOADS.iter().filter(|(load, _)| *load == tag) {
                if let Some(url) = element.attr(attribute) {
                    self.check_load(path, url, matches!(tag, "img" | "video" | "audio" | "source"));
                }
            }
            if let Some(set) = element.attr("srcset") {
                set.split(',')
                    .filter_map(|part| part.split_whitespace().next())
                    .for_each(|url| self.check_load(path, url, true));
            }
            match tag {
                "base" => self.fail(path, "<base>"),
                "iframe" if element.attr("src").is_some_and(|src| !src.starts_with("http")) => {
                    self.fail(path, "an iframe of a local file")
                }
                "script" if element.attr("type") == Some("module") => self.fail(path, "a module script"),
                "link" => self.check_link_element(path, element),
                "a" | "area" => self.check_anchor(path, element),
                "meta" if element.attr("http-equiv").is_some_and(|name| name.eq_ignore_ascii_case("refresh")) => {
                    let content = element.attr("content").unwrap_or_default();
                    let target = content
                        .split_once("url=")
                        .or_else(|| content.split_once("URL="))
                        .map_or("", |(_, url)| url.trim_matches(['\'', '"', ' ']));
                    self.check_internal(path, target);
                }
                "style" => self.check_css(path, &element.text().collect::<String>(), false),
                _ => {}
            }
        }
        self.check_unique_ids(path, page);
        if path == "404.html" {
            for element in page.select("[src], link[rel=stylesheet]") {
                let url = element.attr("src").or_else(|| element.attr("href")).unwrap_or_default();
                if !url.starts_with("data:") {
                    self.fail(path, &format!("needs {url}; hosts serve it at any depth"));
                }
            }
        }
    }

    fn check_link_element(&mut self, path: &str, element: ElementRef<'_>) {
        let rel = element.attr("rel").unwrap_or_default().to_ascii_lowercase();
        let href = element.attr("href").unwrap_or_default();
        if rel.split_whitespace().any(|rel| matches!(rel, "preconnect" | "dns-prefetch")) {
            self.fail(path, &format!("<link rel=\"{rel}\" href=\"{href}\">"));
        } else if rel.split_whitespace().any(|rel| LOADING_RELS.contains(&rel)) {
            self.check_load(path, href, false);
        } else if !is_outside(href) {
            self.check_internal(path, href);
        }
    }

    fn check_anchor(&mut self, path: &str, element: ElementRef<'_>) {
        let Some(href) = element.attr("href") else { return };
        if element.attr("target") == Some("_blank") && !element.attr("rel").unwrap_or_default().contains("noopener") {
            self.fail(path, &format!("{href} opens a tab without rel=noopener"));
        }
        if !is_outside(href) {
            self.check_internal(path, href);
        } else if href.starts_with("//") {
            self.fail(path, &format!("{href} takes its scheme from the page"));
        }
    }

    /// Rule 8: nothing is loaded from elsewhere, except pictures that an author took from there.
    fn check_load(&mut self, path: &str, url: &str, by_author: bool) {
        if url.starts_with("data:")
            || (by_author && url.starts_with("https://"))
            || (url.starts_with('#') && url.len() > 1)
        {
            return;
        }
        if is_outside(url) {
            self.fail(path, &format!("loads {url}"));
        } else {
            self.check_internal(path, url);
        }
    }

    /// Rules 2 and 3: relative, names a file that exists, and a fragment that exists there.
    fn check_internal(&mut self, path: &str, url: &str) {
        let (target, fragment) = url.split_once('#').map_or((url, None), |(target, fragment)| (target, Some(fragment)));
        let target = target.split('?').next().unwrap_or_default();
        if target.starts_with('/') {
            return self.fail(path, &format!("{url} starts with a slash"));
        }
        if target.ends_with('/') || target == "." || target == ".." || target.ends_with("/.") || target.ends_with("/..")
        {
            return self.fail(path, &format!("{url} names a folder"));
        }
        if target.contains(|c: char| c == ' ' || !c.is_ascii()) {
            self.fail(path, &format!("{url} is not encoded"));
        }
        let Some(file) = resolve(path, target) else {
            return self.fail(path, &format!("{url} leads out of the bundle"));
        };
        if !self.files.contains_key(&file) {
            return self.fail(path, &format!("{url} leads to {file}, which does not exist"));
        }
        let Some(fragment) = fragment else { return };
        let id = percent_decode_str(fragment).decode_utf8_lossy();
        if file.ends_with(".html") && !self.ids.get(&file).is_some_and(|ids| ids.contains(&*id)) {
            self.fail(path, &format!("{url}: no element has this id"));
        }
    }

    /// Rule 3: ids are unique, and what refers to an id finds it.
    fn check_unique_ids(&mut self, path: &str, page: &Page) {
        let mut seen = BTreeSet::new();
        for element in page.select("[id]") {
            let id = element.attr("id").unwrap_or_default();
            if !seen.insert(id) {
                self.fail(path, &format!("two elements have the id {id:?}"));
            }
        }
        for name in ["aria-controls", "aria-labelledby", "aria-describedby", "for"] {
            for element in page.select(&format!("[{name}]")) {
                for id in element.attr(name).unwrap_or_default().split_whitespace().filter(|id| !seen.contains(id)) {
                    self.fail(path, &format!("{name}={id:?} refers to nothing"));
                }
            }
        }
    }

    /// Sections 1, 2 and 5: landmarks and names.
    fn check_skeleton(&mut self, path: &str, page: &Page) {
        if path != "404.html" {
            for selector in [
                "html[lang][data-current-path]",
                "[data-content-area] > main[data-content][tabindex='-1']",
                "[data-content-area]",
                "link[rel~=icon]",
                "title",
            ] {
                if page.count(selector) != 1 && !(selector.starts_with("link") && page.count(selector) > 0) {
                    self.fail(path, &format!("has {} of `{selector}`", page.count(selector)));
                }
            }
            if page.count("h1.op-page-title") != 1 {
                self.fail(path, &format!("has {} of `h1.op-page-title`", page.count("h1.op-page-title")));
            }
            // what each part of the frame is called, unless the content has that name
            for (id, tag) in [
                ("content", "main"),
                ("content-area", "div"),
                ("page-title", "h1"),
                ("header", "header"),
                ("navbar", "div"),
                ("sidebar", "nav"),
                ("sidebar-content", "div"),
            ] {
                let named = page.count(&format!("{tag}#{id}, main [id='{id}']"));
                if named != 1 {
                    self.fail(path, &format!("has {named} of `{tag}#{id}`"));
                }
            }
            let first = page
                .select("body a[href], body button, body input, body summary, body [tabindex='0']")
                .first()
                .and_then(|element| element.attr("href").map(str::to_owned));
            let main =
                page.select("main[data-content]").first().and_then(|main| main.attr("id").map(|id| format!("#{id}")));
            if first.is_none() || first != main {
                self.fail(path, &format!("the first thing that takes focus is {first:?}, not the skip link"));
            }
        }
        if language(page).is_empty() {
            self.fail(path, "has no language");
        }
        for picture in page.select("img") {
            let src = picture.attr("src").unwrap_or_default();
            if picture.attr("alt").is_none() {
                self.fail(path, &format!("the picture {src} has no alt"));
            }
            if !is_outside(src)
                && !src.starts_with("data:")
                && (picture.attr("width").is_none() || picture.attr("height").is_none())
            {
                self.fail(path, &format!("the picture {src} has no size"));
            }
        }
        for button in page.select("button") {
            let named = button.attr("aria-label").is_some_and(|label| !label.is_empty())
                || button.attr("aria-labelledby").is_some()
                || button.text().any(|text| !text.trim().is_empty());
            if !named {
                self.fail(
                    path,
                    &format!("a button has no name: {}", button.html().chars().take(120).collect::<String>()),
                );
            }
        }
        for link in page.select("a a, a button, button a") {
            self.fail(path, &format!("a control inside a link: {}", link.html().chars().take(120).collect::<String>()));
        }
        for pre in page.select("div.code-block pre") {
            if pre.attr("tabindex") != Some("0") {
                self.fail(path, "a code block that cannot be scrolled with the keyboard");
            }
        }
        for hidden in page.select("main [role=tabpanel]").into_iter().filter(|panel| !is_chrome(*panel)) {
            if hidden.attr("hidden").is_some()
                || hidden
                    .attr("style")
                    .is_some_and(|style| style.contains("display:none") || style.contains("display: none"))
            {
                self.fail(path, "a panel is hidden without a script");
            }
        }
    }

    /// Style sheets load nothing from elsewhere.
    fn check_styles(&mut self) {
        for (path, bytes) in self.files {
            if path.ends_with(".css") {
                let css = String::from_utf8_lossy(bytes).into_owned();
                let path = path.clone();
                self.check_css(&path, &css, true);
            }
        }
    }

    /// `sheet`: a style sheet of the bundle. Otherwise a style in a page, where an author may have named a picture from
    /// elsewhere.
    fn check_css(&mut self, path: &str, css: &str, sheet: bool) {
        if css.contains("@import") {
            self.fail(path, "@import");
        }
        for (at, _) in css.match_indices("url(") {
            let url = css[at + 4..].split(')').next().unwrap_or_default().trim_matches(['"', '\'', ' ']);
            if url.starts_with("data:") || url.starts_with('#') {
                continue;
            }
            if is_outside(url) && (sheet || !url.starts_with("https://")) {
                self.fail(path, &format!("loads {url}"));
            } else if !is_outside(url) {
                self.check_internal(path, url);
            }
        }
    }

    /// Rule 1 and 11: our scripts use nothing that `file://` forbids, and are silent.
    fn check_scripts(&mut self) {
        const FORBIDDEN: &[&str] = &[
            "import(",
            "fetch(",
            "XMLHttpRequest",
            "serviceWorker",
            "new Worker",
            "eval(",
            "new Function",
            "console.",
            "alert(",
            "document.write",
            "sendBeacon",
            "WebSocket",
        ];
        for (path, bytes) in self.files {
            if !path.ends_with(".js") {
                continue;
            }
            let script = String::from_utf8_lossy(bytes);
            // the Markdown of a page: one comment in a function, which nothing runs
            if let Some(rest) = path.strip_suffix(".md.js").and_then(|_| script.strip_prefix("__opText(function(){/*"))
            {
                if rest.find("*/") != Some(rest.len() - "*/})\n".len()) {
                    self.wrong.push(format!("{path}: the comment ends early"));
                }
                continue;
            }
            for word in FORBIDDEN.iter().filter(|word| contains_call(&script, word)) {
                self.wrong.push(format!("{path}: uses {word}"));
            }
        }
    }
}

/// Whether a script uses a name, not merely one that ends like it.
fn contains_call(script: &str, name: &str) -> bool {
    script
        .match_indices(name)
        .any(|(at, _)| !script[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.'))
}

/// Has a scheme or a host.
fn is_outside(url: &str) -> bool {
    url.starts_with("//")
        || url.find(':').is_some_and(|colon| {
            url[..colon].chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c)) && colon > 0
        })
}

/// The bundle file that a relative URL on a page names.
pub(crate) fn resolve(from: &str, url: &str) -> Option<String> {
    if url.is_empty() {
        return Some(from.to_owned());
    }
    let mut folders: Vec<String> = from.split('/').map(str::to_owned).collect();
    folders.pop();
    for segment in url.split('/') {
        match segment {
            "." => {}
            ".." => drop(folders.pop()?),
            segment => folders.push(percent_decode_str(segment).decode_utf8_lossy().into_owned()),
        }
    }
    Some(folders.join("/"))
}

/// Pages that a reader reaches from the start page by links alone, without any script.
pub(crate) fn reachable(files: &Files) -> BTreeSet<String> {
    let mut seen = BTreeSet::from(["index.html".to_owned()]);
    let mut next = vec!["index.html".to_owned()];
    while let Some(path) = next.pop() {
        let Some(bytes) = files.get(&path) else { continue };
        let page = Page::parse(&String::from_utf8_lossy(bytes));
        for link in page.select("a[href]") {
            let url = link.attr("href").unwrap_or_default().split('#').next().unwrap_or_default();
            if is_outside(url) || url.is_empty() {
                continue;
            }
            if let Some(file) = resolve(&path, url).filter(|file| file.ends_with(".html") && !seen.contains(file)) {
                seen.insert(file.clone());
                next.push(file);
            }
        }
    }
    seen
}

#[cfg(test)]
#[track_caller]
fn check(site: SiteTest) {
    let exported = site.other_diagnostics().run();
    let wrong = violations(&exported.files);
    assert!(wrong.is_empty(), "{} violations\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn docs() {
    check(SiteTest::fixture("docs"));
}

/// Headings may say anything, and links to them lead there in every layout: the frame goes without those ids on that
/// page.
#[test]
fn headings_named_like_the_frame() {
    let names = [
        "Content",
        "Sidebar",
        "Header",
        "Navbar",
        "Footer",
        "Banner",
        "Pagination",
        "Tabs",
        "Search",
        "Search bar entry",
        "Page title",
        "Table of contents",
        "Content area",
        "Sidebar content",
    ];
    let slug = |name: &str| name.to_lowercase().replace(' ', "-");
    let body: String = names.iter().map(|name| format!("## {name}\n\n[link](#{})\n\n", slug(name))).collect();
    for theme in ["mint", "maple", "willow"] {
        let docs = format!(
            r##"{{"theme": "{theme}", "name": "T", "colors": {{"primary": "#0F766E"}}, "banner": {{"content": "News"}}, "navigation": {{"tabs": [{{"tab": "A", "pages": ["index", "other"]}}, {{"tab": "B", "pages": ["b"]}}]}}}}"##
        );
        let files = format!(
            "//- docs.json\n{docs}\n//- index.mdx\n{body}\n//- b.mdx\nB.\n//- other.mdx\n[Over there](/#content), [its frame](/b#content), [up](#), [top](#top).\n"
        );
        let exported = SiteTest::inline(&files).run();
        let wrong = violations(&exported.files);
        assert!(wrong.is_empty(), "{theme}: {} violations\n{}", wrong.len(), wrong.join("\n"));
        let page = exported.page("index");
        for name in names {
            assert_eq!(page.count(&format!("main h2[id='{0}'] a[href='#{0}']", slug(name))), 1, "{theme}: {name}");
            assert_eq!(page.count(&format!("main p a[href='#{}']", slug(name))), 1, "{theme}: {name}");
        }
        let links: Vec<String> = exported
            .page("other")
            .select("main p a")
            .iter()
            .map(|link| link.attr("href").unwrap_or_default().to_owned())
            .collect();
        assert_eq!(links, ["index.html#content", "b.html#content", "#op-top", "#op-top"], "{theme}");
    }
}

/// So do anchors that authors write themselves, and titles of what gets an anchor.
#[test]
fn anchors_named_like_the_frame() {
    let site = SiteTest::page(
        "<div id=\"sidebar\">S</div>\n\n<Accordion title=\"Content\">C</Accordion>\n\n## Top\n\n[one](#content), [two](#top), [three](#)",
    );
    let exported = site.element("index", "main div[id=sidebar]").element("index", "main details[id=content]").run();
    let wrong = violations(&exported.files);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let links: Vec<String> = exported
        .page("index")
        .select("main p a")
        .iter()
        .map(|link| link.attr("href").unwrap_or_default().to_owned())
        .collect();
    assert_eq!(links, ["#content", "#top", "#op-top"]);
}

#[test]
fn plain_folder() {
    check(SiteTest::fixture("plain"));
}

#[test]
fn mint_json() {
    check(SiteTest::fixture("mint"));
}

#[test]
fn every_kind_of_navigation() {
    check(SiteTest::fixture("navigation"));
}

#[test]
fn versions_within_tabs() {
    check(SiteTest::fixture("versions"));
}

#[test]
fn hostile_content() {
    check(SiteTest::fixture("hostile"));
}

#[test]
fn with_a_domain() {
    check(SiteTest::fixture("docs").arg("--domain").arg("docs.example.com").arg("--version").arg("1.0"));
}

#[test]
fn all_families() {
    for theme in THEME_FAMILIES.iter().map(|family| family.name) {
        let exported = family(theme).run();
        let wrong = violations(&exported.files);
        assert!(wrong.is_empty(), "{theme}: {} violations\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// The content of `fixtures/families`, with one of the nine themes.
#[cfg(test)]
pub(crate) fn family(theme: &str) -> SiteTest {
    let folder = fixture("families/content");
    let mut site = SiteTest::inline("");
    for entry in
        walkdir::WalkDir::new(&folder).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file())
    {
        let path = entry.path().strip_prefix(&folder).expect("below the folder").to_string_lossy().replace('\\', "/");
        let mut bytes = std::fs::read(entry.path()).expect("a fixture");
        if path == "docs.json" {
            let text = String::from_utf8(bytes).expect("UTF-8");
            bytes = text.replace("\"theme\": \"mint\"", &format!("\"theme\": \"{theme}\"")).into_bytes();
        }
        site = site.file(&path, bytes);
    }
    site.other_diagnostics()
}
