use proptest::prelude::*;

use super::*;

/// Everything that a reader tells, in order.
#[derive(Default, Debug, PartialEq, Eq)]
struct All {
    references: Vec<(ReferenceKind, String)>,
    ids: Vec<String>,
    pictures: Vec<Option<String>>,
    hidden: bool,
}

impl Visitor for All {
    const DETAILS: bool = true;
    fn reference(&mut self, kind: ReferenceKind, address: RawAddress<'_>, _at: usize) {
        self.references.push((kind, address.url()));
    }
    fn id(&mut self, id: RawAddress<'_>, _at: usize) {
        self.ids.push(id.text());
    }
    fn image(&mut self, alt: Option<RawAddress<'_>>, _src: Option<RawAddress<'_>>, _at: usize) {
        self.pictures.push(alt.map(RawAddress::text));
    }
    fn hidden(&mut self) {
        self.hidden = true;
    }
    fn restart(&mut self) {
        *self = Self::default();
    }
}

impl All {
    fn line(&self) -> String {
        self.references.iter().map(|(kind, url)| format!("{} {url}", kind.word())).collect::<Vec<_>>().join("; ")
    }
}

#[track_caller]
fn check_html(html: &str, by: html::HtmlParsing, expect: &str) {
    let mut all = All::default();
    assert_eq!(html::scan_html(html.as_bytes(), &mut all), by, "{html}");
    assert_eq!(all.line(), expect, "{html}");
    // the other reader has no other opinion
    let mut parsed = All::default();
    html::read_with_parser(html.as_bytes(), &mut parsed);
    let (mut all, mut parsed) = (all.references, parsed.references);
    all.sort();
    parsed.sort();
    assert_eq!(all, parsed, "{html}");
}

use html::HtmlParsing::{Parser, Scanner};

#[test]
fn everything_that_loads_is_seen() {
    check_html(
        "<script src=a.js></script><link rel=stylesheet href='b.css'><link rel='shortcut icon' href=c>",
        Scanner,
        "script a.js; style b.css; image c",
    );
    check_html(
        "<img src=a srcset='b 1x, c,d 2x ,e'><source srcset=\"f\"><video src=g poster=h></video>",
        Scanner,
        "image a; image b; image c,d; image e; image f; media g; image h",
    );
    check_html(
        "<iframe src=a></iframe><object data=b></object><embed src=c><input type=image src=d>",
        Scanner,
        "frame a; frame b; frame c; image d",
    );
    check_html(
        "<link rel=preconnect href=//a><link rel='dns-prefetch' href=//b><link rel=preload as=font href=c>",
        Scanner,
        "hint //a; hint //b; font c",
    );
    check_html(
        "<a href=a ping='b c'>x</a><form action=d></form><button formaction=e>",
        Scanner,
        "other b; other c; link a; link d; link e",
    );
    check_html(
        "<p style='background:url(a)'><td background=b><body style=\"--x:image-set('c' 1x)\">",
        Scanner,
        "image a; image b; image c",
    );
    check_html(
        "<meta http-equiv=Refresh content=\"0; URL='a b'\"><meta http-equiv=refresh content=5>",
        Scanner,
        "redirect a b",
    );
    check_html("<base href=/x/><html manifest=y>", Scanner, "other /x/; other y");
    check_html("<a class='card media-placeholder' href=https://v.x>y</a>", Scanner, "placeholder https://v.x");
    check_html("<link rel=canonical href=a><link rel='alternate stylesheet' href=b>", Scanner, "relation a; style b");
}

#[test]
fn tags_are_read_as_browsers_do() {
    check_html("<IMG\n\tSRC\n=\n'a>b'\nALT>", Scanner, "image a>b");
    check_html("<img/src=a/ ><img src=\"b\"title='c'src=d>", Scanner, "image a/; image b");
    check_html(
        "<!-- <img src=a> --><!--><img src=b><!--x--!><img src=c><!doctype \"><img src=d>",
        Scanner,
        "image b; image c; image d",
    );
    check_html("< img src=a></ img src=b><? img src=c><img src=d></a b='>'><img src=e>", Scanner, "image d; image e");
    check_html("<title><img src=a></title><textarea><img src=b></textarea ><img src=c>", Scanner, "image c");
    check_html("<script>'<img src=a></scriptx>'</script><img src=b>", Scanner, "image b");
    check_html("<script><!--<script></script><img src=a>--></script><img src=b>", Parser, "image b");
    check_html("<img src='a", Scanner, "");
    check_html("<img src=a&amp;b&#x41;>", Scanner, "image a&bA");
    check_html("<noscript><img src=a></noscript><img src=b>", Scanner, "image a; image b");
    check_html("<iframe srcdoc='<img src=a>'></iframe>", Scanner, "image a");
    check_html("<style>a{b:url( \"c\" )}</style><style>@import 'd'</style>", Scanner, "image c; style d");
    check_html("<select><option></select><title>x</title><img src=a>", Scanner, "image a");
}

#[test]
fn drawings_and_formulas_in_pages() {
    check_html(
        "<svg><image href=a /><use xlink:href='b#c'/><path fill='url(d#e)'/></svg>",
        Scanner,
        "image a; image b#c; image d#e",
    );
    check_html("<svg><a href=a><text>x</text></a></svg><style>p{q:url(b)}</style>", Scanner, "link a; image b");
    check_html("<svg><style>a{b:url(&quot;c&quot;)}</style></svg>", Parser, "image c");
    check_html("<svg><style><img src=a></style></svg>", Parser, "image a");
    check_html("<svg><![CDATA[<img src=a>]]></svg><img src=b>", Parser, "image b");
    check_html("<svg><set attributeName=href to='http://a;b'/></svg>", Scanner, "image http://a; image b");
    check_html("<math><mi>x</mi></math><img src=a>", Scanner, "image a");
    check_html("<svg><p></svg><img src=a>", Parser, "image a");
}

#[test]
fn ids_and_pictures_are_told() {
    let mut all = All::default();
    html::scan_html(b"<h1 id=a><a name='b&amp;c'></a><img alt src=u><img src=v><img alt=x aria-hidden=true><meta name=robots content=NOINDEX>", &mut all);
    assert_eq!(
        (all.ids, all.pictures, all.hidden),
        (vec!["a".to_owned(), "b&c".to_owned()], vec![Some(String::new()), None], true)
    );
}

#[track_caller]
fn check_css(css: &str, expect: &str) {
    let mut all = All::default();
    super::css::scan_css(css.as_bytes(), AddressCoding::Plain, 0, &mut all);
    assert_eq!(all.line(), expect, "{css}");
}

#[test]
fn addresses_of_style_sheets() {
    check_css("a{b:url(c)}d{e:URL( 'f g' )}", "image c; image f g");
    check_css("@import 'a' screen;@import url(b);@\\69mport \"c\";", "style a; style b; style c");
    check_css("@font-face{src:url(a.woff2)format('woff2'),local('b')}c{d:url(e)}", "font a.woff2; image e");
    check_css("a{b:\\75 rl(c\\)d)}e{f:u\\72l('g\\'h')}", "image c)d; image g'h");
    check_css("/* url(a) */b{content:\"url(c)\";d:'\\'url(e)'}", "");
    check_css("a{b:image-set('c' 1x,url(d) 2x,'e' type('f'))}g{h:'i'}", "image c; image d; image e");
    check_css("@namespace url(a);@namespace x 'b';c{d:url(e)}", "image e");
    check_css(
        "a{b:url(data:image/svg+xml;utf8,<svg xmlns='http://x'/>)}",
        "image data:image/svg+xml;utf8,<svg xmlns='http://x'/>",
    );
    check_css("a{b:src('c')}d{e:url(\"f", "image c; image f");
    check_css("a{b:curl(c)}", "");
    check_css("a{b:'c\nd:url(e)}", "image e");
}

#[track_caller]
fn check_svg(svg: &str, expect: &str) {
    let mut all = All::default();
    scan_file("a.svg", svg.as_bytes(), &mut all);
    assert_eq!(all.line(), expect, "{svg}");
}

#[test]
fn addresses_of_drawings() {
    check_svg("<?xml-stylesheet href='a.css'?><svg><image xlink:href=\"b\"/></svg>", "style a.css; image b");
    check_svg("<s:svg><s:style><![CDATA[a{b:url(c)}]]></s:style><s:image href='d'/></s:svg>", "image c; image d");
    check_svg(
        "<!DOCTYPE svg [<!ENTITY a '<image href=\"b\"/>'>]><svg><!-- <image href='c'/> --><title><image href='d'/></title></svg>",
        "image d",
    );
    check_svg("<svg xmlns='http://www.w3.org/2000/svg'><script href='a'/><use href='#b'/></svg>", "script a; image #b");
    let wide: Vec<u8> = "\u{FEFF}<svg><image href='a'/></svg>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut all = All::default();
    scan_file("A.SVG", &wide, &mut all);
    assert_eq!(all.line(), "image a");
}

#[test]
fn the_outside_is_counted() {
    let mut all = OutsideReferences::default();
    let page = b"<a href=https://a.b/c>x</a><a href=mailto:x@y.z>y</a><a href=d.html>z</a><img src=//e.f/g.png><img src=data:,>";
    all.add("p.html", Outside::of("p.html", page));
    all.add("q.html", Outside::of("q.html", page));
    assert_eq!((all.links.count, all.loads.count, all.is_self_contained()), (2, 2, false));
    assert_eq!(
        all.loads.addresses,
        [First { kind: ReferenceKind::Image, url: "//e.f/g.png".to_owned(), file: "p.html".to_owned(), count: 2 }]
    );
    assert_eq!(Outside::of("a.txt", page), Outside::default());
}

/// Pieces of which hostile pages are made.
const PIECES: &str = "(<svg>|</svg>|<math>|</math>|<mtext>|</mtext>|<style>|</style>|<script>|</script>|<title>|</title>|<textarea>|</textarea>|<noscript>|</noscript>|\
    <iframe>|</iframe>|<select>|</select>|<p>|<a>|</a>|<desc>|<foreignObject>|<img src=\"u\">|<img src='v'|<image href=w />|<a href=x>|<!--|-->|--!>|<!-->|<!\\[CDATA\\[|\\]\\]>|\
    <!doctype |<\\?|>|/>| |\"|'|=|url\\(y\\)|@import 'z'|/\\*|\\*/|\\\\|&quot;|<p style=\"a:url\\(b\\)\">|<img srcset=\"c, d 2x\">|<|</|<x:y )";

fn pages(most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(PIECES, 0..most).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_end(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        for name in ["a.html", "a.svg", "a.css"] {
            scan_file(name, &bytes, &mut All::default());
        }
    }

    #[test]
    fn hostile_pages_end(text in pages(60)) {
        for name in ["a.html", "a.svg", "a.css"] {
            scan_file(name, text.as_bytes(), &mut All::default());
        }
    }

    /// Where the scanner has an opinion and lol_html has one too, they are the same.
    #[test]
    fn both_readers_agree(text in pages(30)) {
        let (mut scanned, mut parsed) = (All::default(), All::default());
        let sure = html::scan_html_tags(text.as_bytes(), &mut scanned) && html::read_with_parser(text.as_bytes(), &mut parsed) == Parser;
        if sure {
            scanned.references.sort();
            parsed.references.sort();
            prop_assert_eq!(scanned.references, parsed.references, "{}", text);
        }
    }
}
