//! Drawings that are small and take for ever: none is drawn, each is copied as it is, with a word about it. Those of
//! real tools are drawn.

use crate::suite::site::{Exported, SiteTest};

const CONFIG: &str = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "favicon": "/icon.svg", "navigation": {"pages": ["index"]}}"##;

fn site(drawing: &str) -> SiteTest {
    SiteTest::page("Here.").file("docs.json", CONFIG).file("icon.svg", drawing)
}

fn svg(body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:s=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\">{body}</svg>"
    )
}

fn filtered(primitive: &str) -> String {
    svg(&format!(
        "<filter id=\"f\" x=\"-9\" y=\"-9\" width=\"99\" height=\"99\">{primitive}</filter><rect width=\"64\" height=\"64\" filter=\"url(#f)\"/>"
    ))
}

/// Elements of which each stands for many of the one before.
fn levels(count: usize, times: usize, make: impl Fn(usize) -> (String, String)) -> String {
    let mut body = "<g id=\"l0\"><path d=\"M0 0H9V9\"/></g>".to_owned();
    for level in 1..=count {
        let (open, one) = make(level - 1);
        body += &format!("{}{}</{}>", open, one.repeat(times), open.trim_start_matches('<').split(' ').next().unwrap());
    }
    body
}

fn drawings() -> Vec<(&'static str, String)> {
    let uses = |prefix: &str| {
        let body =
            levels(30, 2, |below| (format!("<g id=\"l{}\">", below + 1), format!("<{prefix}use href=\"#l{below}\"/>")));
        svg(&format!("<defs>{body}</defs><{prefix}use href=\"#l30\"/>"))
    };
    let chained = |tag: &str, property: &str| {
        let body = levels(30, 2, |below| {
            (
                format!("<{tag} id=\"l{}\" width=\"64\" height=\"64\">", below + 1),
                format!("<rect width=\"9\" height=\"9\" {property}=\"url(#l{below})\"/>"),
            )
        });
        let first = body.replace("<g id=\"l0\">", &format!("<{tag} id=\"l0\" width=\"9\" height=\"9\">")).replacen(
            "</g>",
            &format!("</{tag}>"),
            1,
        );
        svg(&format!("{first}<rect width=\"64\" height=\"64\" {property}=\"url(#l30)\"/>"))
    };
    let zigzag: String = (0..60_000).map(|n| format!("L{} {}", n % 64, n % 2 * 64)).collect();
    let stops: String =
        (0..20_000).map(|n| format!("<stop offset=\"{}\" stop-color=\"#f00\"/>", n as f32 / 20_000.0)).collect();
    vec![
        ("octaves", filtered("<feTurbulence baseFrequency=\".1\" numOctaves=\"1000000000\"/>")),
        (
            "octaves, written otherwise",
            filtered("<feTurbulence baseFrequency='.1' numOctaves='1e9'/>").replace("1e9", "2000000000"),
        ),
        ("a window as large as the picture", filtered("<feMorphology radius=\"1e6\"/>")),
        (
            "a large matrix",
            filtered(&format!("<feConvolveMatrix order=\"150\" kernelMatrix=\"{}\"/>", "1 ".repeat(22_500))),
        ),
        ("many filters", filtered(&"<feGaussianBlur stdDeviation=\"9\"/>".repeat(5_000))),
        ("many layers", svg(&"<g opacity=\".5\"><path d=\"M0 0H99V99\"/></g>".repeat(20_000))),
        ("uses of uses", uses("")),
        ("uses of uses with a prefix", uses("s:")),
        ("masks of masks", chained("mask", "mask")),
        ("patterns of patterns", chained("pattern", "fill")),
        ("clip paths of clip paths", chained("clipPath", "clip-path")),
        (
            "references of a sheet",
            svg(&format!(
                "<style>.a{{mask:url(#m)}}</style><mask id=\"m\">{}</mask>{}",
                "<path d=\"M0 0H9\"/>".repeat(2_000),
                "<path class=\"a\" d=\"M0 0H9V9\"/>".repeat(2_000)
            )),
        ),
        (
            "an inherited pattern",
            svg(&format!(
                "<pattern id=\"p\" width=\"9\" height=\"9\">{}</pattern><g fill=\"url(#p)\">{}</g>",
                "<path d=\"M0 0H9\"/>".repeat(2_000),
                "<path d=\"M0 0H9V9\"/>".repeat(2_000)
            )),
        ),
        (
            "markers at every corner",
            svg(&format!(
                "<marker id=\"m\">{}</marker><path marker-mid=\"url(#m)\" d=\"M0 0{}\"/>",
                "<path d=\"M0 0H9\"/>".repeat(2_000),
                "L1 1".repeat(2_000)
            )),
        ),
        (
            "a pattern without an end",
            svg(
                "<pattern id=\"p\" width=\"1e5\" height=\"1e5\" patternUnits=\"userSpaceOnUse\"><path d=\"M0 0H9V9\"/></pattern><rect width=\"64\" height=\"64\" fill=\"url(#p)\"/>",
            ),
        ),
        ("dust of dashes", svg(&"<path d=\"M0 0H1e6\" stroke=\"red\" stroke-dasharray=\".001\"/>".repeat(200))),
        ("lines that cross", svg(&format!("<path d=\"M0 0{zigzag}\"/>"))),
        (
            "a gradient of many stops",
            svg(&format!(
                "<linearGradient id=\"g\">{stops}</linearGradient>{}",
                "<rect width=\"64\" height=\"64\" fill=\"url(#g)\"/>".repeat(5)
            )),
        ),
        ("itself", svg("<g id=\"a\"><use href=\"#b\"/></g><g id=\"b\"><use href=\"#a\"/></g>")),
        ("deep", svg(&format!("{}{}", "<g>".repeat(5_000), "</g>".repeat(5_000)))),
        ("attributes", svg(&format!("<path {}/>", (0..50_000).map(|n| format!("a{n}=\"\" ")).collect::<String>()))),
        (
            "namespaces",
            svg(&format!(
                "<g {}>{}</g>",
                (0..1_000).map(|n| format!("xmlns:n{n}=\"u{n}\" ")).collect::<String>(),
                "<g xmlns:a=\"b\"/>".repeat(20_000)
            )),
        ),
        (
            "rules",
            svg(&format!(
                "<style>{}</style>{}",
                ".a .b{fill:red}".repeat(30_000),
                "<path class=\"b\"/>".repeat(30_000)
            )),
        ),
    ]
}

#[test]
fn none_is_drawn_and_each_is_told() {
    for (what, drawing) in drawings() {
        let exported = site(&drawing).diagnostic("svg-costly", "icon.svg:0:0").run();
        assert_eq!(exported.text_of("icon.svg"), drawing, "{what}: it is changed");
        assert!(!drawn(&exported), "{what}: it is drawn");
    }
}

fn drawn(exported: &Exported) -> bool {
    exported.files.iter().any(|(path, _)| path == "favicon.ico")
}

#[test]
fn what_tools_save_is_drawn() {
    let shadow = "<filter id=\"f\" x=\"0\" y=\"0\" width=\"64\" height=\"64\" filterUnits=\"userSpaceOnUse\" color-interpolation-filters=\"sRGB\"><feFlood flood-opacity=\"0\" result=\"a\"/><feColorMatrix in=\"SourceAlpha\" values=\"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0\" result=\"b\"/><feOffset dy=\"4\"/><feGaussianBlur stdDeviation=\"2\"/><feComposite in2=\"b\" operator=\"out\"/><feBlend in2=\"a\" result=\"c\"/><feBlend in=\"SourceGraphic\" in2=\"c\"/></filter><g clip-path=\"url(#c)\"><g filter=\"url(#f)\"><rect width=\"40\" height=\"40\" rx=\"8\" fill=\"url(#g)\"/></g></g><defs><linearGradient id=\"g\"><stop stop-color=\"#0F766E\"/><stop offset=\"1\" stop-color=\"#fff\"/></linearGradient><clipPath id=\"c\"><rect width=\"64\" height=\"64\"/></clipPath></defs>";
    let classes = "<defs><style>.a{fill:url(#g)}.b{clip-path:url(#c)}.c{fill:none;stroke:#000;stroke-dasharray:2 3}</style><linearGradient id=\"g\"><stop stop-color=\"red\"/></linearGradient><clipPath id=\"c\"><path d=\"M0 0H64V64\"/></clipPath></defs><g class=\"b\"><path class=\"a\" d=\"M0 0H64V64\"/><path class=\"c\" d=\"M0 0L64 64\"/></g>";
    let noise = "<filter id=\"n\"><feTurbulence type=\"fractalNoise\" baseFrequency=\".6\" numOctaves=\"3\"/></filter><rect width=\"64\" height=\"64\" filter=\"url(#n)\"/>";
    let uses = format!(
        "<symbol id=\"s\"><path d=\"M0 0H4V4\"/></symbol>{}",
        (0..400)
            .map(|n| format!("<use xlink:href=\"#s\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" x=\"{}\"/>", n % 64))
            .take(150)
            .collect::<String>()
    );
    for body in [shadow, classes, noise, &uses] {
        assert!(drawn(&site(&svg(body)).run()), "{body}");
    }
}
