use rustc_hash::FxHashMap;

use super::*;
use crate::{Href, Kit, LoadSource, PageResolver};
use base::LoadKind;

/// A site of a few files, for tests of what is written through a renderer.
#[derive(Default)]
pub(crate) struct Files(FxHashMap<&'static str, &'static str>);

impl PageResolver for Files {
    fn href(&self, href: &str, _: Place, _: &mut Vec<Diagnostic>) -> Href {
        Href { url: href.to_owned(), external: false }
    }
    fn source(&self, src: &str, _: LoadKind, _: Place, _: &mut Vec<Diagnostic>) -> LoadSource {
        LoadSource {
            url: format!("../{}", src.trim_start_matches('/')),
            external: src.contains("://"),
            ..LoadSource::default()
        }
    }
    fn file_text(&self, path: &str, _: Place) -> Option<String> {
        self.0.get(path).map(|text| (*text).to_owned())
    }
    fn file_name(&self, _: Place) -> String {
        "guides/start.mdx".to_owned()
    }
}

/// What `write` adds to a page, and the problems it finds.
pub(crate) fn rendered(links: &Files, write: impl FnOnce(&mut Renderer<'_>)) -> (String, Vec<Diagnostic>) {
    let kit = Kit {
        highlighter: Default::default(),
        formulas: Default::default(),
        icons: IconLibrary::Lucide,
        code_style: Default::default(),
        variations: Vec::new(),
    };
    let mut renderer = Renderer::new(&kit, links);
    write(&mut renderer);
    (renderer.out, renderer.page.diagnostics)
}

#[track_caller]
fn check(site: IconLibrary, name: &str, style: Option<&str>, expect: (IconLibrary, &str)) {
    let found = lookup(site, name, style).unwrap_or_else(|| panic!("{name} is missing"));
    let (library, spelling) = expect;
    let (spelling, letter) = spelling.split_once('/').unwrap_or((spelling, "osrbf"));
    assert_eq!(Some(found), library::find_drawing(library, spelling, letter.as_bytes()), "{name}");
}

use IconLibrary::{FontAwesome, Lucide, Tabler};

#[test]
fn the_sites_library_comes_first() {
    for site in [FontAwesome, Lucide, Tabler] {
        check(
            site,
            "key",
            None,
            (
                site,
                if site == FontAwesome {
                    "key/s"
                } else if site == Tabler {
                    "key/o"
                } else {
                    "key"
                },
            ),
        );
    }
}

#[test]
fn old_names_are_known() {
    check(FontAwesome, "cog", None, (FontAwesome, "gear"));
    check(FontAwesome, "external-link", None, (FontAwesome, "arrow-up-right-from-square"));
    check(FontAwesome, "file-text", None, (FontAwesome, "file-lines"));
    check(FontAwesome, "area-chart", None, (FontAwesome, "chart-area"));
    check(FontAwesome, "magic", None, (FontAwesome, "wand-magic"));
    check(Lucide, "alert-circle", None, (Lucide, "circle-alert"));
    check(Lucide, "home", None, (Lucide, "house"));
}

#[test]
fn styles_that_the_free_part_lacks_fall_to_the_nearest() {
    check(FontAwesome, "file-lines", Some("regular"), (FontAwesome, "file-lines/r"));
    check(FontAwesome, "file-lines", Some("light"), (FontAwesome, "file-lines/r"));
    check(FontAwesome, "file-lines", Some("duotone"), (FontAwesome, "file-lines/s"));
    check(FontAwesome, "key", Some("sharp-thin"), (FontAwesome, "key/s"));
    check(FontAwesome, "fa-regular fa-file-lines", None, (FontAwesome, "file-lines/r"));
}

#[test]
fn brands_are_found_without_being_called_so() {
    for name in ["github", "GitHub", "discord", "x-twitter", "slack", "python", "fa-brands fa-github"] {
        let found = lookup(FontAwesome, name, None).map(|found| (found.library, found.outline));
        assert_eq!(found, Some((FontAwesome, false)), "{name}");
    }
    check(Lucide, "github", None, (FontAwesome, "github/b"));
    check(Lucide, "slack", Some("brands"), (FontAwesome, "slack/b"));
    check(Tabler, "github", None, (Tabler, "brand-github/o"));
}

#[test]
fn what_one_library_lacks_comes_from_another() {
    check(FontAwesome, "sparkles", None, (Lucide, "sparkles"));
    check(FontAwesome, "microchip-ai", Some("sharp-solid"), (FontAwesome, "microchip/s"));
    check(FontAwesome, "book-open-cover", None, (FontAwesome, "book-open/s"));
    check(FontAwesome, "solar-system", None, (Lucide, "orbit"));
    check(FontAwesome, "fire-flame", None, (FontAwesome, "fire-flame-simple"));
    check(FontAwesome, "fa-regular fa-comment-alt-check", None, (Lucide, "message-square-check"));
    check(FontAwesome, "cloud_slash", None, (Lucide, "cloud-off"));
    check(FontAwesome, "ChevronDoubleRight", None, (Lucide, "chevrons-right"));
    check(Tabler, "discount-check", Some("filled"), (Tabler, "rosette-discount-check/f"));
    check(FontAwesome, "circle-1", Some("solid"), (Tabler, "circle-number-1/f"));
    check(Lucide, "circle-1", None, (Tabler, "circle-number-1/o"));
}

#[test]
fn substitutes_exist_are_sorted_and_are_needed() {
    let lines: Vec<&str> = SUBSTITUTES.lines().collect();
    assert!(lines.is_sorted() && lines.len() > 200);
    for line in lines {
        let (name, _) = line.split_once(' ').expect(line);
        assert!(substitute_drawing(name, None).is_some(), "{line}: no such target");
        let all = [FontAwesome, Lucide, Tabler];
        assert!(
            all.iter().all(|library| library::find_drawing(*library, name, b"osrbf").is_none()),
            "{line}: the name itself exists"
        );
    }
}

#[test]
fn a_named_icon_is_an_inline_drawing() {
    let (html, warning) =
        svg(&named_icon("x", None), Lucide, &IconLook { size: 20.0, color: Some("#0a0"), class: "lead \"q" });
    assert_eq!(
        html,
        "<svg class=\"icon lead &quot;q\" aria-hidden=\"true\" width=\"20\" height=\"20\" style=\"color:#0a0\" viewBox=\"0 0 24 24\" \
         fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\">\
         <path d=\"M18 6 6 18\"/><path d=\"m6 6 12 12\"/></svg>"
    );
    assert_eq!(warning, None);
}

#[test]
fn colors_are_colors() {
    for color in ["red", "#16A34A", "rgb(1, 2, 3)", "oklch(50% 0.2 20 / 0.5)", "var(--brand)"] {
        assert_eq!(safe_color(color), Some(color));
    }
    for color in ["red;background:blue", "url(x)", "URL(//x)", "\"", "", "a:b"] {
        assert_eq!(safe_color(color), None, "{color}");
    }
}

#[test]
fn an_unknown_name_is_one_warning_and_a_neutral_drawing() {
    let (html, diagnostics) = rendered(&Files::default(), |r| {
        write_icon(
            r,
            &named_icon("gera", None),
            &IconLook::default(),
            Place { line: 3, column: 7, ..Place::default() },
        );
        write_icon(r, &named_icon("gera", None), &IconLook::default(), Place::default());
        write_icon(r, &named_icon("no-such-thing", None), &IconLook::default(), Place::default());
    });
    assert_eq!(html.matches("<circle cx=\"12\" cy=\"12\" r=\"6\"/>").count(), 3);
    assert_eq!(diagnostics.len(), 2);
    let first = &diagnostics[0];
    assert_eq!((first.code, first.message.as_str()), ("icon-missing", "there is no icon named `gera`"));
    assert_eq!((first.file.as_str(), first.line, first.column), ("guides/start.mdx", 3, 7));
}

#[test]
fn mistyped_names_get_a_hint() {
    for (name, near) in [("rokcet", "rocket"), ("rocke", "rocket"), ("rockett", "rocket"), ("rockot", "rocket")] {
        let (_, warning) = svg(&named_icon(name, None), Lucide, &IconLook::default());
        assert_eq!(warning.and_then(|warning| warning.hint), Some(format!("did you mean `{near}`?")), "{name}");
    }
    let (_, warning) = svg(&named_icon("layout-gird", None), FontAwesome, &IconLook::default());
    assert_eq!(
        warning.and_then(|warning| warning.hint),
        Some("did you mean `layout-grid`?".to_owned()),
        "a name of another library"
    );
}

#[test]
fn kinds_of_values() {
    for (value, expect) in [
        ("gear", IconKind::Name),
        ("brands/github", IconKind::Name),
        ("/images/x.svg", IconKind::Path),
        ("./x.png", IconKind::Path),
        ("images/x.SVG", IconKind::Path),
        ("https://example.com/x.svg", IconKind::Url),
        ("data:image/png;base64,AA", IconKind::Url),
        ("<svg></svg>", IconKind::Markup),
        ("🚀", IconKind::Sign),
        ("設定", IconKind::Name),
        ("", IconKind::Name),
    ] {
        assert_eq!(icon_kind(value), expect, "{value}");
    }
}

#[test]
fn files_are_inlined_and_pictures_are_loaded() {
    let files = Files(FxHashMap::from_iter([
        (
            "/a.svg",
            "<svg viewBox='0 0 8 8'><defs><clipPath id='c'><path d='M0 0'/></clipPath></defs><g clip-path='url(#c)'/></svg>",
        ),
        ("/styled.svg", "<svg viewBox='0 0 8 8'><style>.a{fill:red}</style><path class='a' d='M0 0'/></svg>"),
    ]));
    let (html, diagnostics) = rendered(&files, |r| {
        for path in ["/a.svg", "/a.svg", "/styled.svg", "/b.png", "https://example.com/b.png", "true"] {
            write_icon(r, &named_icon(path, None), &IconLook::default(), Place::default());
        }
    });
    assert!(html.contains("id=\"icon-c\"") && html.contains("url(#icon-c)"), "{html}");
    assert!(html.contains("id=\"icon-2-c\"") && html.contains("url(#icon-2-c)"), "{html}");
    let picture =
        "<img class=\"icon\" aria-hidden=\"true\" width=\"16\" height=\"16\" loading=\"lazy\" alt=\"\" src=\"../";
    assert_eq!(html.matches(picture).count(), 2, "{html}");
    assert!(!html.contains("example.com"), "{html}");
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), ["outside-load"]);
}

#[test]
fn signs_stand_for_themselves() {
    let (html, _) =
        rendered(&Files::default(), |r| write_icon(r, &named_icon("🚀", None), &IconLook::default(), Place::default()));
    assert_eq!(html, "<span class=\"icon\" aria-hidden=\"true\">🚀</span>");
}

proptest::proptest! {
    #[test]
    fn any_name_gives_a_drawing(name in ".{0,40}", style in proptest::option::of("[a-z-]{0,12}")) {
        let (html, _) = svg(&named_icon(name, style.as_deref()), FontAwesome, &IconLook::default());
        proptest::prop_assert!(html.starts_with("<svg class=\"icon\"") && html.ends_with("</svg>"));
    }

    #[test]
    fn any_value_is_written_without_breaking_out(value in "[<>/\"'&a-z0-9=#.: ]{0,60}") {
        let look = IconLook::default();
        let (html, _) =
            rendered(&Files::default(), |r| write_icon(r, &named_icon(value, None), &look, Place::default()));
        proptest::prop_assert!(!html.contains("<script") && html.matches('<').count() == html.matches('>').count());
    }
}

#[test]
fn names_of_other_sets_have_a_nearest_drawing() {
    for line in OF_OTHER_SETS.lines() {
        let (name, target) = line.split_once(' ').expect("two words");
        let (library, target) = target.split_once(':').expect("a library");
        let library = library_named(library).expect("a known library");
        assert!(library::find_drawing(library, target, styles(library, None)).is_some(), "{name}");
    }
    let same = |written: &str, name: &str| {
        let found = lookup(IconLibrary::FontAwesome, written, None);
        assert!(found.is_some() && found == lookup(IconLibrary::FontAwesome, name, None), "{written}");
    };
    same("material/home-outline", "house");
    same("material/tag-plus-outline", "tag-plus");
    same("octicons/alert-16", "lucide:triangle-alert");
    same("fontawesome/brands/github", "github");
    same("simple/docker", "docker");
    assert_eq!(lookup(IconLibrary::FontAwesome, "material/oar", None), None);
}
