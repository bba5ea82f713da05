//! Whole pages: what the contract promises of each, whatever the site.

use serde_json::{Value, json};

use super::sample::{SiteSample, sample_content};
use super::{PageView, SiteTheme, ThemeFile, ThemeOptions, page};

use site::config::{Banner, Footer, FooterColumn, Logo, NavbarLink, Pair};
use site::contextual::{BuiltIn, PageOption};
use site::page::PageMode;
use site::theme_family::{THEME_FAMILIES, ThemeFamily};

fn options() -> ThemeOptions {
    ThemeOptions { site_id: "acme".into(), domain: Some("docs.acme.dev".into()), ..ThemeOptions::default() }
}

/// Everything at once: languages, versions, tabs with a menu, anchors, groups in groups.
fn large_navigation() -> Value {
    let tabs = |prefix: &str| {
        json!([
            { "tab": "Guides", "icon": "book", "groups": [
                { "group": "Start", "pages": [format!("{prefix}intro"), format!("{prefix}install"),
                    { "group": "Deep <b>", "icon": "key", "pages": [format!("{prefix}deep/one"), { "group": "Deeper", "pages": [format!("{prefix}deep/er/two")] }] }] },
                { "group": "Rooted", "root": format!("{prefix}rooted"), "directory": "card", "pages": [format!("{prefix}rooted/a"),
                    { "group": "Inner", "root": format!("{prefix}inner"), "pages": [format!("{prefix}inner/a")] }] },
            ] },
            { "tab": "API", "menu": [{ "item": "REST", "description": "Calls", "pages": [format!("{prefix}api/rest")] }, { "item": "Events", "pages": [format!("{prefix}api/events")] }] },
            { "tab": "Status", "href": "https://status.acme.dev" },
        ])
    };
    json!({
        "languages": [
            { "language": "en", "versions": [{ "version": "v2", "tabs": tabs("") }, { "version": "v1", "tag": "old", "tabs": tabs("v1/") }] },
            { "language": "ar", "versions": [{ "version": "v2", "tabs": tabs("ar/") }] },
        ],
        "global": { "anchors": [{ "anchor": "Blog", "icon": "newspaper", "href": "https://acme.dev/blog" }] }
    })
}

fn page_of(sample: &SiteSample, options: &ThemeOptions, slug: &str, content: &render::RenderedPage) -> String {
    let (theme, _, diagnostics) = SiteTheme::build(&sample.site, &sample.navigation, options, sample);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.code != "template"), "{diagnostics:?}");
    let id = sample.id(slug);
    let page = sample.site.page(id);
    let view = PageView {
        id,
        path: &format!("{slug}.html"),
        page,
        content,
        title_html: &page.meta.title,
        description_html: page.meta.description.as_ref().map(base::Description::source),
        last_modified: Some("2026-03-09"),
        related: &[],
        islands: "",
        scripts: &[],
        spec: None,
        feed: None,
        social: None,
    };
    theme.page(&view).html
}

fn count(html: &str, mark: &str) -> usize {
    html.matches(mark).count()
}

/// Values of an attribute.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let open = format!(" {attribute}=\"");
    html.split(open.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap_or_default()).collect()
}

/// What every page keeps to: ids once, links that name files from where they stand, nothing from elsewhere.
#[track_caller]
fn check_page(html: &str, path: &str, files: &[String]) {
    let mut ids = values(html, "id");
    ids.sort_unstable();
    let all = ids.len();
    ids.dedup();
    assert_eq!(all, ids.len(), "an id stands twice in {path}");
    assert_eq!(count(html, "<main id=\"content\""), 1);
    assert_eq!(count(html, "<h1 id=\"page-title\""), 1);
    assert!(!html.contains(['\u{1}', '\u{2}']), "a mark is left in {path}");
    assert!(!html.contains("crossorigin") && !html.contains("<base"));
    let first_link = html.find("<a ").map(|at| &html[at..]).unwrap_or_default();
    assert!(first_link.starts_with("<a class=\"skip-link\" href=\"#content\""));
    for url in values(html, "href").into_iter().chain(values(html, "src")) {
        assert!(!url.starts_with('/') && !url.is_empty() && !url.ends_with('/'), "{url} in {path}");
        if url.starts_with('#') || url.starts_with("https://") || url.starts_with("mailto:") {
            continue;
        }
        let folder = path.rsplit_once('/').map_or(Vec::new(), |(folder, _)| folder.split('/').collect());
        let mut at = folder;
        for part in url.split('#').next().unwrap_or_default().split('/') {
            if part == ".." {
                assert!(at.pop().is_some(), "{url} leaves the bundle from {path}")
            } else {
                at.push(part)
            }
        }
        let file = at.join("/");
        assert!(files.contains(&file), "{url} in {path} names no file: {file}");
    }
}

/// All files of a bundle that the sample's pages may name.
fn bundle(sample: &SiteSample, files: &[ThemeFile]) -> Vec<String> {
    let own = files.iter().map(|file| file.path.to_string());
    let pages = sample.site.pages.iter().map(|page| format!("{}.html", page.slug));
    own.chain(pages).chain(["index.html", "logo/light.svg", "logo/dark.svg", "fav.svg"].map(str::to_owned)).collect()
}

fn furnished() -> SiteSample {
    let mut sample = SiteSample::new(&large_navigation(), &["stray", "ar/stray"]);
    let config = &mut sample.site.config;
    config.logo = Some(Logo {
        image: Pair { light: "/logo/light.svg".into(), dark: "/logo/dark.svg".into() },
        ..Logo::default()
    });
    config.favicon = Some(Pair { light: "/fav.svg".into(), dark: "/fav.svg".into() });
    config.banner = Some(Banner {
        content: "**News** <script>x</script> [read](/intro)".into(),
        dismissible: true,
        kind: "info".into(),
        color: None,
    });
    config.navbar.links =
        vec![NavbarLink { label: "Support".into(), href: "mailto:help@acme.dev".into(), ..NavbarLink::default() }];
    config.navbar.primary = Some(NavbarLink {
        href: "https://github.com/acme/x".into(),
        kind: Some("github".into()),
        ..NavbarLink::default()
    });
    config.footer = Footer {
        note: None,
        socials: vec![("x".into(), "https://x.com/acme".into())],
        columns: vec![FooterColumn {
            header: Some("Docs".into()),
            items: vec![("Install".into(), "/install".into()), ("Gone".into(), "/gone".into())],
        }],
    };
    sample
}

#[test]
fn every_page_of_every_theme_keeps_the_contract() {
    let options = options();
    for family in &THEME_FAMILIES {
        let mut sample = furnished();
        sample.site.config.theme = family;
        let (theme, files, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
        let names = bundle(&sample, &files);
        for (page, id) in sample.site.pages.iter().zip(0..) {
            let path = format!("{}.html", page.slug);
            let content = sample_content();
            let view = PageView {
                id: base::PageId(id),
                path: &path,
                page,
                content: &content,
                title_html: "T",
                description_html: None,
                last_modified: None,
                related: &[],
                islands: "",
                scripts: &[],
                spec: None,
                feed: None,
                social: None,
            };
            let html = theme.page(&view).html;
            check_page(&html, &path, &names);
            for mark in [
                "id=\"header\"",
                "id=\"navbar\"",
                "id=\"banner\"",
                "id=\"sidebar\"",
                "id=\"sidebar-content\"",
                "id=\"content-area\"",
                "id=\"footer\"",
                "id=\"table-of-contents\"",
                "data-component-name=\"theme-toggle\"",
                "aria-controls=\"sidebar\"",
            ] {
                assert_eq!(count(&html, mark), 1, "{mark} in {path}");
            }
            let placed = sample.navigation.place[id as usize].is_some();
            assert_eq!(count(&html, "aria-current=\"page\""), usize::from(placed), "{path}");
            check_page(&theme.failed_page(view.id, &path, "it is <broken>"), &path, &names);
        }
        for file in files.iter().filter(|file| file.path.as_str().ends_with(".html")) {
            check_page(std::str::from_utf8(&file.bytes).unwrap(), file.path.as_str(), &names);
        }
    }
}

#[test]
fn the_start_page_knows_its_path() {
    let (sample, options) = (furnished(), options());
    let (theme, _, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
    let id = sample.id("intro");
    let content = sample_content();
    let view = PageView {
        id,
        path: "index.html",
        page: sample.site.page(id),
        content: &content,
        title_html: "T",
        description_html: None,
        last_modified: None,
        related: &[],
        islands: "",
        scripts: &[],
        spec: None,
        feed: None,
        social: None,
    };
    let html = theme.page(&view).html;
    assert!(html.contains(" data-current-path=\"/\""), "{html}");
    assert!(html.contains("<link rel=\"canonical\" href=\"https://docs.acme.dev\">"));
    let html = page_of(&sample, &options, "deep/one", &content);
    assert!(html.contains(" data-current-path=\"/deep/one\"") && html.contains(" data-root=\"../\""));
    assert!(html.contains("<title>one - Acme</title>"));
    assert!(html.contains("<link rel=\"canonical\" href=\"https://docs.acme.dev/deep/one\">"));
}

#[test]
fn groups_around_the_page_are_open_and_only_those() {
    let (sample, options) = (furnished(), options());
    let html = page_of(&sample, &options, "deep/er/two", &sample_content());
    assert_eq!(count(&html, "<details open>"), 2);
    let html = page_of(&sample, &options, "install", &sample_content());
    assert_eq!(count(&html, "<details open>"), 0);
    assert!(html.contains("Deep &lt;b&gt;"), "labels are escaped");
    let html = page_of(&sample, &options, "inner", &sample_content());
    assert_eq!(count(&html, "<details open>"), 1, "a group's root opens its group");
}

#[test]
fn neighbors_follow_the_navigation_within_the_branch() {
    let (sample, options) = (furnished(), options());
    let html = page_of(&sample, &options, "deep/one", &sample_content());
    assert!(html.contains("rel=\"prev\" href=\"../install.html\""), "{html}");
    assert!(html.contains("rel=\"next\" href=\"er/two.html\""));
    let html = page_of(&sample, &options, "api/rest", &sample_content());
    assert!(!html.contains("rel=\"next\"") && !html.contains("rel=\"prev\""));
}

#[test]
fn switches_lead_to_the_same_page_where_it_exists() {
    let (sample, options) = (furnished(), options());
    let html = page_of(&sample, &options, "deep/one", &sample_content());
    assert!(html.contains("href=\"../v1/deep/one.html\""), "the other version: {html}");
    assert!(html.contains("href=\"../ar/deep/one.html\" lang=\"ar\""), "the other language");
    assert!(html.contains("href=\"https://acme.dev/blog\""), "global anchors");
    let html = page_of(&sample, &options, "ar/install", &sample_content());
    assert!(html.contains("<html lang=\"ar\" dir=\"rtl\""));
    assert!(html.contains("href=\"../install.html\" lang=\"en\""), "{html}");
    // pages outside the navigation stand with their neighbors
    assert!(page_of(&sample, &options, "ar/stray", &sample_content()).contains("<html lang=\"ar\""));
    assert!(page_of(&sample, &options, "stray", &sample_content()).contains("<html lang=\"en\""));
}

#[test]
fn tabs_have_menus_and_know_the_current_one() {
    let (sample, options) = (furnished(), options());
    let html = page_of(&sample, &options, "api/events", &sample_content());
    let tabs = &html[html.find("id=\"tabs\"").unwrap()..];
    assert!(tabs.contains("<summary class=\"nav-tabs-item\" aria-current=\"true\">API"), "{tabs}");
    assert!(tabs.contains("href=\"events.html\" aria-current=\"true\""));
}

#[test]
fn modes_leave_out_what_they_leave_out() {
    let options = options();
    let modes = [
        (PageMode::Default, "default", true, true, false),
        (PageMode::Wide, "wide", false, true, false),
        (PageMode::Custom, "custom", false, false, true),
        (PageMode::Frame, "frame", false, false, true),
        (PageMode::Center, "center", false, true, false),
    ];
    for (mode, name, toc, footer, bare) in modes {
        let mut sample = furnished();
        let id = sample.id("install");
        sample.site.pages[id.0 as usize].meta.mode = mode;
        let html = page_of(&sample, &options, "install", &sample_content());
        assert!(html.contains(&format!("data-mode=\"{name}\"")));
        assert_eq!(html.contains("id=\"table-of-contents\""), toc, "{name}");
        assert_eq!(html.contains("id=\"footer\""), footer, "{name}");
        assert_eq!(html.contains("<h1 id=\"page-title\" class=\"op-page-title visually-hidden\""), bare, "{name}");
        assert!(html.contains("data-layout=\"tabs\"") && !html.contains("data-tree-menu"), "{name}");
        // a theme without a bar on top has one where the page tree is away, and the banner is above all in both frames
        sample.site.config.theme = ThemeFamily::named("maple").unwrap();
        let html = page_of(&sample, &options, "install", &sample_content());
        let is_away = matches!(mode, PageMode::Custom | PageMode::Center);
        assert_eq!(html.contains("data-layout=\"tabs\""), is_away, "{name}");
        assert_eq!(html.contains("data-tree-menu"), is_away, "{name}");
        assert_eq!(html.contains("class=\"op-rail\""), !is_away, "{name}");
        assert!(html.find("id=\"banner\"") < html.find("class=\"op-layout\""), "{name}");
    }
}

#[test]
fn examples_take_the_place_of_the_contents() {
    let (sample, options) = (furnished(), options());
    let with_aside =
        render::RenderedPage { aside: "<div id=\"request-example\">curl</div>".into(), ..sample_content() };
    let html = page_of(&sample, &options, "install", &with_aside);
    assert!(html.contains("id=\"request-example\"") && !html.contains("id=\"table-of-contents\""));
    let none = render::RenderedPage { toc: Vec::new(), ..sample_content() };
    assert!(!page_of(&sample, &options, "install", &none).contains("id=\"table-of-contents\""));
}

#[test]
fn directories_list_what_a_group_holds() {
    let (sample, options) = (furnished(), options());
    let html = page_of(&sample, &options, "rooted", &sample_content());
    assert_eq!(count(&html, "class=\"directory-card\""), 2, "{html}");
    assert!(html.contains("<span class=\"directory-text\">About rooted/a</span>"));
    assert!(!page_of(&sample, &options, "rooted/a", &sample_content()).contains("directory-card"));
}

#[test]
fn nothing_hidden_is_shown() {
    let navigation = json!({ "tabs": [
        { "tab": "Open", "groups": [{ "group": "A", "pages": ["a"] }, { "group": "Secret", "hidden": true, "pages": ["s"] }] },
        { "tab": "Closed", "hidden": true, "groups": [{ "group": "C", "pages": ["c"] }] },
        { "tab": "Other", "groups": [{ "group": "O", "pages": ["o"] }] },
    ] });
    let (sample, options) = (SiteSample::new(&navigation, &[]), options());
    let html = page_of(&sample, &options, "a", &sample_content());
    assert!(!html.contains("Secret") && !html.contains("Closed") && html.contains("Other"));
    assert!(
        page_of(&sample, &options, "c", &sample_content()).contains("aria-current=\"page\""),
        "a hidden tab still has its own sidebar"
    );
}

#[test]
fn meta_tags_of_the_page_win_over_those_of_its_folder_and_the_site() {
    let mut sample = furnished();
    let id = sample.id("deep/one");
    sample.site.config.seo.metatags = vec![
        ("og:locale".into(), "en_US".into()),
        ("canonical".into(), "https://acme.dev/docs/".into()),
        ("author".into(), "site".into()),
    ];
    sample.site.config.seo.paths = vec![
        ("/deep".into(), vec![("author".into(), "folder".into())]),
        ("/".into(), vec![("author".into(), "root".into())]),
    ];
    let meta = &mut sample.site.pages[id.0 as usize].meta;
    meta.metatags = vec![("og:image".into(), "/logo/light.svg".into())];
    meta.keywords = vec!["a".into(), "b".into()];
    meta.noindex = true;
    sample.site.pages[id.0 as usize].visibility.noindex = true;
    let on_that_host = ThemeOptions { domain: Some("acme.dev".into()), ..options() };
    let html = page_of(&sample, &on_that_host, "deep/one", &sample_content());
    for tag in [
        "<meta name=\"author\" content=\"folder\">",
        "<meta property=\"og:locale\" content=\"en_US\">",
        "<meta property=\"og:image\" content=\"https://acme.dev/docs/logo/light.svg\">",
        "<meta name=\"robots\" content=\"noindex\">",
        "<meta name=\"keywords\" content=\"a, b\">",
        "<meta name=\"description\" content=\"About deep/one\">",
        "<meta name=\"twitter:card\" content=\"summary_large_image\">",
        "<link rel=\"canonical\" href=\"https://acme.dev/docs/deep/one\">",
    ] {
        assert!(html.contains(tag), "{tag} is missing:\n{html}");
    }
    assert_eq!(count(&html, "name=\"author\""), 1);
}

#[test]
fn the_404_page_needs_nothing_else() {
    let sample = furnished();
    let options = options();
    let (theme, _, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
    let html = theme.not_found(&crate::theme::Missing {
        description: "<p>Lost? <a href=\"offprint-root:intro.html|https://docs.acme.dev/intro\">Start</a></p>"
            .to_owned(),
        logo: ("data:image/svg+xml;base64,AA==".to_owned(), "data:image/svg+xml;base64,BB==".to_owned()),
    });
    assert!(html.matches("<script>").count() == html.matches("<script").count(), "{html}");
    assert!(html.contains("<img class=\"not-found-dark\" src=\"data:image/svg+xml;base64,BB==\""), "{html}");
    for url in values(&html, "href").into_iter().chain(values(&html, "src")) {
        assert!(url.starts_with("https://") || url.starts_with("data:"), "{url}");
    }
    assert!(html.contains("https://docs.acme.dev/intro"));
    assert!(html.contains("prefers-color-scheme:dark"));
}

#[test]
fn tenant_text_is_never_markup() {
    let mut sample = furnished();
    let evil = "\"><script>alert(1)</script>{{ 7 * 7 }}\u{1}\u{2}c1\u{2}";
    sample.site.config.name = evil.into();
    sample.site.config.seo.metatags = vec![(evil.into(), evil.into())];
    sample.site.config.navbar.links.push(NavbarLink {
        label: evil.into(),
        href: "javascript:alert(1)".into(),
        ..NavbarLink::default()
    });
    sample.navigation.nodes.iter_mut().for_each(|node| node.label.push_str(evil));
    sample.navigation.nodes.iter_mut().for_each(|node| node.tag = Some(evil.into()));
    let html = page_of(&sample, &options(), "deep/one", &sample_content());
    assert!(!html.contains("<script>alert") && !html.contains("javascript:"), "{html}");
    assert!(html.contains("{{ 7 * 7 }}") && !html.contains('\u{2}'));
}

#[test]
fn tenant_text_holds_no_marks() {
    let mut sample = furnished();
    sample.site.config.search_prompt = Some("\u{1}\u{1}deep/".into());
    sample.site.config.banner =
        Some(Banner { content: "&#1;&#1;deep/ &#2;c1&#2; [b](x&#1;deep/)".into(), ..Banner::default() });
    let mut options = options();
    options.searchable = vec![true; sample.site.pages.len()];
    let html = page_of(&sample, &options, "deep/one", &sample_content());
    assert_eq!(html.matches("\u{fffd}\u{fffd}deep/").count(), 2, "the prompt and the banner: {html}");
    assert!(!html.contains("../../deep/"));
}

#[test]
fn what_is_wrong_is_told() {
    let mut sample = furnished();
    sample.site.config.logo =
        Some(Logo { image: Pair { light: "/missing.svg".into(), dark: "/missing.svg".into() }, ..Logo::default() });
    sample.site.config.fonts.body = Some(site::config::Font { family: "Sohne".into(), ..Default::default() });
    let options = options();
    let (_, _, diagnostics) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
    let codes: Vec<&str> = diagnostics.iter().map(|diagnostic| diagnostic.code).collect();
    assert_eq!(codes, ["broken-link", "font-not-bundled", "missing-asset"], "{diagnostics:?}");
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.file == "docs.json"));
}

/// Groups of 10 sections of 20 pages.
fn many(pages: usize) -> SiteSample {
    let groups: Vec<Value> = (0..pages.div_ceil(200))
        .map(|g| {
            let sections: Vec<Value> = (g * 10..g * 10 + 10)
                .map(|s| json!({ "group": format!("Section {s:05}"), "pages": (0..20).map(|p| format!("g{g:03}/s{s:05}/p{p:02}")).collect::<Vec<_>>() }))
                .collect();
            json!({ "group": format!("Group {g:03}"), "pages": sections })
        })
        .collect();
    SiteSample::new(&json!({ "groups": groups }), &[])
}

#[test]
fn bytes_of_a_page_do_not_depend_on_the_number_of_pages() {
    let options = options();
    let (small, large) = (many(1_000), many(10_000));
    for slug in ["g001/s00013/p07", "g002/s00020/p00"] {
        let a = page_of(&small, &options, slug, &sample_content());
        let b = page_of(&large, &options, slug, &sample_content());
        assert_eq!(a.len(), b.len(), "{slug}");
        assert!(a.len() < 16_000, "{} bytes", a.len());
        assert_eq!(count(&a, "aria-current=\"page\""), 1);
        assert_eq!(count(&a, "_offprint/nav-0-"), 1);
    }
}

#[test]
fn every_page_of_a_large_site_is_reached_by_plain_links() {
    let options = options();
    let sample = many(1_000);
    let (_, files, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
    let lists: String = files
        .iter()
        .filter(|file| file.path.as_str().starts_with("_offprint/contents"))
        .map(|file| String::from_utf8_lossy(&file.bytes))
        .collect();
    for page in &sample.site.pages {
        assert!(lists.contains(&format!("href=\"../{}.html\"", page.slug)), "{}", page.slug);
    }
    let script = files.iter().find(|file| file.path.as_str().starts_with("_offprint/nav-0-")).unwrap();
    let text = std::str::from_utf8(&script.bytes).unwrap();
    let data: Value =
        serde_json::from_str(text.trim().rsplit_once("__opNav(").unwrap().1.trim_end_matches(')')).unwrap();
    let mut url = String::new();
    let mut urls = Vec::new();
    for row in data["n"].as_array().unwrap() {
        url.truncate(usize::try_from(row[2].as_u64().unwrap_or(0)).unwrap());
        url.push_str(row[3].as_str().unwrap_or_default());
        if !url.is_empty() {
            urls.push(url.clone());
        }
    }
    let expect: Vec<String> = sample.site.pages.iter().map(|page| format!("{}.html", page.slug)).collect();
    assert_eq!(urls, expect);
    assert!(text.len() < 40 * 1_000, "{} bytes", text.len());
}

#[test]
fn the_theme_is_light() {
    for theme in ["mint", "maple", "almond"].map(|name| ThemeFamily::named(name).unwrap()) {
        let (mut sample, mut options) = (furnished(), options());
        options.minify = Some(markup::js::compile::minify);
        sample.site.config.theme = theme;
        let (_, files, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
        let file = |extension: &str| {
            &files
                .iter()
                .find(|file| {
                    file.path.as_str().starts_with("_offprint/theme-") && file.path.as_str().ends_with(extension)
                })
                .unwrap()
                .bytes
        };
        let gzip = |bytes: &[u8]| {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
            std::io::Write::write_all(&mut encoder, bytes).unwrap();
            encoder.finish().unwrap().len()
        };
        assert!(gzip(file(".css")) <= 15_000, "{theme:?}: {} bytes of CSS", gzip(file(".css")));
        // with the menus of pages
        let mut with_menus = furnished();
        with_menus.site.config.theme = theme;
        with_menus.site.config.contextual.options.push(PageOption::BuiltIn(BuiltIn::Copy));
        let (_, more, _) = SiteTheme::build(&with_menus.site, &with_menus.navigation, &options, &with_menus);
        let size = |extension: &str| {
            more.iter()
                .find(|file| {
                    file.path.as_str().starts_with("_offprint/theme-") && file.path.as_str().ends_with(extension)
                })
                .map_or(0, |file| gzip(&file.bytes))
        };
        assert!(
            size(".css") <= gzip(file(".css")) + 600,
            "{theme:?}: {} bytes of CSS for menus",
            size(".css") - gzip(file(".css"))
        );
        assert!(size(".js") <= 8_000, "{} bytes of JS", size(".js"));
        // rules of other layouts stay at home
        let css = String::from_utf8_lossy(file(".css"));
        for layout in ["sidebar", "center"] {
            assert_eq!(css.contains(&format!("html[data-layout={layout}]")), theme.frame == layout, "{theme:?}");
        }
        for own in page::distinct_themes() {
            assert_eq!(css.contains(&format!("html[data-theme={}]", own.name)), theme == own, "{theme:?}");
        }
        assert!(!css.contains("html[data-decoration") && !css.contains("html[data-backdrop"));
    }
}

#[test]
fn no_file_is_made_twice() {
    for family in ["Inter", "JetBrains Mono", "Geist"] {
        let sample = SiteSample::new(
            &json!({ "fonts": { "heading": { "family": family }, "body": { "family": family } } }),
            &["only"],
        );
        let (_, files, _) = SiteTheme::build(&sample.site, &sample.navigation, &options(), &sample);
        let mut paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let all = paths.len();
        paths.sort_unstable();
        paths.dedup();
        assert_eq!(paths.len(), all, "{family}");
    }
}

#[test]
fn rare_style_sheets_come_with_what_needs_them() {
    let (sample, options) = (furnished(), options());
    let page = |html: &str| {
        page_of(
            &sample,
            &options,
            "intro",
            &render::RenderedPage { html: html.into(), ..render::RenderedPage::default() },
        )
    };
    let links = |html: &str| {
        values(html, "href")
            .into_iter()
            .filter(|href| href.ends_with(".css"))
            .map(|href| href.split('-').next().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(links(&page("<p>x</p>")), ["_offprint/theme"]);
    assert_eq!(links(&page("<p><math></math></p>")), ["_offprint/theme", "_offprint/math"]);
    assert_eq!(links(&page("<figure class=\"mermaid\"></figure>")), ["_offprint/theme", "_offprint/mermaid"]);
    assert_eq!(
        links(&page("<div class=\"tree-box\" data-component=\"Tree\"></div>")),
        ["_offprint/theme", "_offprint/fold", "_offprint/tree"]
    );
    let (_, files, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
    let list = files.iter().find(|file| file.path.as_str() == "_offprint/contents.html").unwrap();
    assert!(String::from_utf8_lossy(&list.bytes).contains("href=\"../_offprint/contents-"));
}

#[test]
fn a_site_without_navigation_has_pages_all_the_same() {
    let (sample, options) = (SiteSample::new(&json!({}), &["only"]), options());
    let (_, files, _) = SiteTheme::build(&sample.site, &sample.navigation, &options, &sample);
    check_page(&page_of(&sample, &options, "only", &sample_content()), "only.html", &bundle(&sample, &files));
}
