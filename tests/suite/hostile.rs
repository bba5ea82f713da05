//! Names and structures made to break programs. They are made here and not under `fixtures/`, because some systems
//! could not check them out.

use rayon::prelude::*;

use crate::suite::contract::violations;
use crate::suite::site::SiteTest;

#[track_caller]
fn bounded(what: &str, site: SiteTest) {
    let exported = site.bounded(what).other_diagnostics().run();
    assert!(exported.page("index").content_text().contains("The end."), "{what}: the end is lost");
}

#[test]
fn deep_and_long_structures_take_bounded_time() {
    let cases: &[(&str, String)] = &[
        ("nested elements", format!("{}x{}", "<div>".repeat(20_000), "</div>".repeat(20_000))),
        ("nested components", format!("{}\n\nx\n\n{}", "<Note>\n".repeat(5_000), "</Note>\n".repeat(5_000))),
        ("unclosed elements", "<b>".repeat(50_000)),
        ("stray closing tags", "</b>".repeat(50_000)),
        ("nested quotes", format!("{} x", ">".repeat(50_000))),
        ("nested lists", (0..1_500).map(|depth| format!("{}- x\n", " ".repeat(depth * 2))).collect()),
        ("lists of one line", "- ".repeat(100_000) + "x"),
        ("tasks of one line", "1. ".repeat(100_000) + "- [ ] x"),
        ("quotes in lists in quotes", "> - ".repeat(50_000) + "x"),
        ("quotes in items, line by line", (0..5_000).map(|depth| "> - ".repeat(depth % 50) + "x\n").collect()),
        ("nested brackets", format!("{}x{}", "[".repeat(50_000), "](y)".repeat(50_000))),
        ("open brackets", "[".repeat(100_000)),
        ("open shortcodes", "{{< a ".repeat(50_000)),
        ("open tags of templates", "{% a ".repeat(100_000)),
        ("roles without names", "}`".repeat(100_000)),
        ("images in images", "![".repeat(50_000)),
        ("stars", "*a ".repeat(50_000)),
        ("underscores and stars", "*_a ".repeat(50_000)),
        ("backticks", (1..1_000).map(|count| "`".repeat(count) + " ").collect()),
        ("backticks without partners", "`a``".repeat(50_000) + "```"),
        ("open links", "[a](".repeat(100_000)),
        ("dollars", "$ ".repeat(500_000)),
        ("dollars in a row", format!("| {}", "$ ".repeat(500_000))),
        ("open boxes", ":::note\n".repeat(60_000)),
        ("indented boxes", "    !!! note\n".repeat(60_000)),
        ("elements in attributes", "<a x=".repeat(50_000)),
        ("elements in attributes of closing tags", format!("<a x={}", "<b></b x=".repeat(50_000))),
        (
            "elements in expressions in elements",
            format!(
                "{}{}",
                format!("{{{}", "<a>".repeat(120)).repeat(200),
                format!("{}}}", "</a>".repeat(120)).repeat(200)
            ),
        ),
        ("tabs of one name", "\n=== \"a\"\n\n    b\n".repeat(10_000)),
        ("a long chain of names", format!("{{a{}}}", ".a".repeat(150_000))),
        ("open comments", "a <!--".repeat(100_000)),
        ("closing tags without a name", "</".repeat(200_000)),
        ("elements in expressions in attributes", "<A a={".repeat(50_000) + &"/>}".repeat(50_000)),
        ("unclosed braces in a line", "{a ".repeat(50_000)),
        ("nested braces", format!("{}{}", "{".repeat(50_000), "}".repeat(50_000))),
        ("open braces", "{".repeat(100_000)),
        ("nested arrays", format!("{{{}{}}}", "[".repeat(20_000), "]".repeat(20_000))),
        ("nested template strings", format!("{{{}x{}}}", "`${".repeat(5_000), "}`".repeat(5_000))),
        ("many attributes", format!("<Card {} />", (0..20_000).map(|n| format!("a{n}=\"{n}\" ")).collect::<String>())),
        ("many headings of one text", "## Same\n\n".repeat(20_000)),
        ("many footnotes", (0..5_000).map(|n| format!("x[^{n}]\n\n[^{n}]: y\n\n")).collect()),
        ("many links", "[a](b) ".repeat(50_000)),
        ("a wide table", format!("|{}\n|{}\n|{}", "a|".repeat(5_000), "-|".repeat(5_000), "b|".repeat(5_000))),
        ("one long line of code", format!("```js\n{}\n```", "a=1;".repeat(100_000))),
        ("a long word", "a".repeat(1_000_000)),
        ("entities", "&#x41;&amp;&bogus;".repeat(20_000)),
        ("deep formula", format!("${}x{}$", "{".repeat(5_000), "}".repeat(5_000))),
        ("nested fractions", format!("$${}1{}$$", "\\frac{1}{".repeat(2_000), "}".repeat(2_000))),
        (
            "a large diagram",
            format!(
                "```mermaid\nflowchart TD\n{}```",
                (0..300).map(|n| format!("  n{n} --> n{}\n", n + 1)).collect::<String>()
            ),
        ),
    ];
    cases.par_iter().for_each(|(what, body)| {
        let page = format!("{body}\n\nThe end.");
        bounded(what, SiteTest::page(&page));
        bounded(what, SiteTest::inline("").file("index.md", page));
    });
}

/// How much more four times the input may cost. What is linear costs four times as much at most, what is quadratic
/// sixteen times.
#[cfg(unix)]
const MOST_GROWTH: f64 = 8.0;

/// Seconds of user CPU time that an export takes: what else the machine does meanwhile counts little. Only the start
/// page is written.
#[cfg(unix)]
#[track_caller]
fn seconds(files: &[(&str, String)]) -> f64 {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let source = folder.path().join("source");
    std::fs::create_dir(&source).expect("a folder");
    for (path, text) in files {
        std::fs::write(source.join(path), text).expect("a file");
    }
    let export = crate::suite::site::offprint();
    let mut shell = std::process::Command::new("/bin/sh");
    shell
        .args(["-c", "\"$@\" && times", "sh"])
        .arg(export.get_program())
        .arg("export")
        .arg(&source)
        .arg("-o")
        .arg(folder.path().join("site"));
    let output = shell
        .args(["--format", "dir", "--progress", "none", "--jobs", "1", "--vendor", "off", "--paths", "index"])
        .env_clear()
        .output()
        .expect("a shell");
    let times = String::from_utf8_lossy(&output.stdout);
    let html = std::fs::read_to_string(folder.path().join("site/index.html")).unwrap_or_default();
    assert!(
        html.contains("The end."),
        "{}",
        String::from_utf8_lossy(&output.stderr).chars().take(500).collect::<String>()
    );
    // `times` says minutes and seconds of the shell in one line, of what it has run in the next
    let (minutes, seconds) = times
        .lines()
        .last()
        .and_then(|line| line.split(' ').next()?.trim_end_matches('s').split_once('m'))
        .expect("times");
    minutes.parse::<f64>().expect("minutes") * 60.0 + seconds.parse::<f64>().expect("seconds")
}

/// A site whose navigation has an API description with so many operations.
#[cfg(unix)]
fn operations(count: usize, operation: impl Fn(usize) -> String) -> Vec<(&'static str, String)> {
    let paths: String = (0..count).map(|number| format!("  /p{number}: {{get: {}}}\n", operation(number))).collect();
    described(format!("openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n{paths}"))
}

/// A site whose navigation has this API description.
#[cfg(unix)]
fn described(api: String) -> Vec<(&'static str, String)> {
    let config = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "A", "pages": ["index"]}, {"group": "B", "openapi": "api.yaml"}]}}"##;
    vec![("docs.json", config.to_owned()), ("index.mdx", "The end.\n".to_owned()), ("api.yaml", api)]
}

#[cfg(unix)]
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| line(number) + "\n").collect()
}

/// A site with more in its configuration.
#[cfg(unix)]
fn site_with(members: &str) -> Vec<(&'static str, String)> {
    let config = format!(
        "{{\"theme\": \"mint\", \"name\": \"T\", {members} \"colors\": {{\"primary\": \"#0F766E\"}}, \"navigation\": {{\"pages\": [\"index\"]}}}}"
    );
    vec![("docs.json", config), ("index.mdx", "The end.\n".to_owned())]
}

/// The sizes are such that what is quadratic goes far beyond the limit, although every export has costs of its own.
#[cfg(unix)]
#[test]
fn cost_grows_with_the_input_and_not_with_its_square() {
    type Make = fn(usize) -> Vec<(&'static str, String)>;
    let cases: &[(&str, usize, Make)] = &[
        ("operations of one summary", 5_000, |count| operations(count, |_| "{summary: Same}".to_owned())),
        ("operations with content", 1_000, |count| {
            operations(count, |number| {
                format!("{{description: \"{}\", x-mint: {{content: \"Words of {number}.\"}}}}", "word ".repeat(200))
            })
        }),
        ("braces without partners", 150_000, |count| {
            let snippet = format!("```\n{}\n```\n", "{a ".repeat(count));
            vec![
                ("snippet.mdx", snippet),
                ("index.mdx", "import S from \"/snippet.mdx\";\n\n<S a=\"b\" />\n\nThe end.\n".to_owned()),
            ]
        }),
        ("footnotes", 10_000, |count| {
            vec![(
                "index.md",
                (0..count).map(|number| format!("x[^{number}]\n\n[^{number}]: y\n\n")).collect::<String>()
                    + "The end.\n",
            )]
        }),
        ("keys of front matter", 20_000, |count| {
            vec![("index.md", format!("---\n{}---\n\nThe end.\n", lines(count, |number| format!("key{number}: x"))))]
        }),
        ("keys of front matter that is no YAML", 2_000, |count| {
            vec![(
                "index.md",
                format!("---\n{}a: b: c\n---\n\nThe end.\n", lines(count, |number| format!("key{number}: x"))),
            )]
        }),
        ("keys of a configuration", 5_000, |count| site_with(&lines(count, |number| format!("\"key{number}\": 1,")))),
        ("redirects", 5_000, |count| {
            let redirect = |number| format!("{{\"source\": \"/a{number}\", \"destination\": \"/b{number}\"}},");
            site_with(&format!(
                "\"redirects\": [{}{{\"source\": \"/a\", \"destination\": \"/\"}}],",
                lines(count, redirect)
            ))
        }),
        ("properties of a schema", 10_000, |count| {
            let properties = (0..count).map(|number| format!("p{number}: {{type: string}}, ")).collect::<String>();
            let schema = format!("{{type: object, properties: {{{properties}}}}}");
            operations(1, |_| {
                format!(
                    "{{responses: {{'200': {{description: D, content: {{application/json: {{schema: {schema}}}}}}}}}}}"
                )
            })
        }),
        ("fields of a form that a path has for all", 4_000, |count| {
            let fields = |kind: &str| {
                (0..count)
                    .map(|number| format!("{{in: formData, name: {kind}{number}, type: string}}, "))
                    .collect::<String>()
            };
            let operation = format!("{{summary: Turn, parameters: [{}], responses: {{}}}}", fields("own"));
            let paths = format!("paths:\n  /a:\n    parameters: [{}]\n    post: {operation}\n", fields("shared"));
            described(format!("swagger: '2.0'\ninfo: {{title: T, version: '1'}}\n{paths}"))
        }),
        ("lists in lists", 10_000, |count| {
            vec![("index.md", "- > ".repeat(count) + &"- a\n  > - b\n".repeat(count) + "\nThe end.\n")]
        }),
        ("pictures that are missing", 5_000, |count| {
            vec![("index.md", lines(count, |number| format!("![word](gone-{number}.png)\n")) + "The end.\n")]
        }),
    ];
    for (what, size, files) in cases {
        let mut least = [f64::INFINITY; 2];
        // a busy machine disturbs one comparison, not two
        for _ in 0..2 {
            for (least, size) in least.iter_mut().zip([*size, size * 4]) {
                *least = least.min(seconds(&files(size)));
            }
            if least[1] < least[0] * MOST_GROWTH {
                break;
            }
        }
        assert!(
            least[1] < least[0] * MOST_GROWTH,
            "{what}: {:.2} s for {size}, {:.2} s for four times as many",
            least[0],
            least[1]
        );
    }
}

#[test]
fn snippets_do_not_multiply() {
    let mut site = SiteTest::page("import A from \"/snippets/level-0.mdx\";\n\n<A />\n\nThe end.");
    for level in 0..12 {
        let body = format!("import Next from \"/snippets/level-{}.mdx\";\n\n{}", level + 1, "<Next />\n\n".repeat(10));
        site = site.file(&format!("snippets/level-{level}.mdx"), body);
    }
    bounded("ten to the power of twelve", site.file("snippets/level-12.mdx", "x".repeat(100)));
}

#[test]
fn yaml_aliases_do_not_multiply() {
    let levels: String = (1..30)
        .map(|level| format!("k{level}: &k{level} [{}]\n", vec![format!("*k{}", level - 1); 10].join(", ")))
        .collect();
    let page = format!("---\nk0: &k0 [x, x]\n{levels}title: Many\n---\n\nThe end.\n");
    bounded("nine laughs", SiteTest::page("The end.").file("index.mdx", page));
}

#[test]
fn a_configuration_nested_deeply() {
    let deep = format!(
        "{{\"theme\":\"mint\",\"name\":\"T\",\"colors\":{{\"primary\":\"#0F766E\"}},\"navigation\":{}{}}}",
        "{\"groups\":[{\"group\":\"g\",\"pages\":[".repeat(500),
        "]}]}".repeat(500)
    );
    for (what, config) in [("deep", deep), ("open brackets", "[".repeat(200_000))] {
        let site = SiteTest::page("The end.").file("docs.json", config).bounded(what).exits(2).run();
        assert!(site.stderr.contains("docs.json:1:") && site.stderr.contains("nested"), "{what}: {}", site.stderr);
    }
}

/// Names that no bundle may hold as they are.
#[test]
fn names_are_tamed() {
    let names = [
        "con",
        "aux.mdx/x",
        "nul",
        "com1",
        "lpt9",
        "trailing.",
        "a:b",
        "what?",
        "star*",
        "quote\"d",
        "less<more>",
        "pi|pe",
        "back\\slash",
        "per%cent",
        "hash#tag",
        "sp ace",
        "ümlaut",
        "e\u{301}",
        "emoji🚀",
        "日本語",
        "-dash",
        "--flag",
        "..dots",
        "a'b",
        "semi;colon",
        "amp&er",
        "curly{b}",
        "UPPER",
        "upper",
        "tab\there",
        "new\nline",
        "ctrl\u{1}",
        "\u{202e}rtl",
        "_offprint/manifest",
        "assets/site",
        "index",
    ];
    let long = "l".repeat(120);
    let deep = vec!["d"; 100].join("/");
    let mut site = SiteTest::page("The end.");
    for name in names.iter().copied().chain([long.as_str(), deep.as_str()]) {
        site = site.file(
            &format!("{name}.mdx"),
            format!(
                "---\ntitle: {:?}\n---\n\nText of a strange name. [Home](/index).\n",
                name.escape_default().to_string()
            ),
        );
    }
    let exported = site
        .file("index.mdx", "---\ntitle: Names\n---\n\nThe end. [hash](/hash%23tag) [umlaut](/ümlaut) [space](/sp%20ace) [percent](/per%25cent)\n")
        .other_diagnostics()
        .run();
    let wrong = violations(&exported.files);
    assert!(wrong.is_empty(), "{} violations\n{}", wrong.len(), wrong.join("\n"));
    let strange = exported
        .html()
        .filter(|path| exported.page(path.trim_end_matches(".html")).content_text().contains("Text of a strange name."))
        .count();
    // `index` is the start page itself
    assert!(
        strange >= names.len() + 2 - 1,
        "{strange} of {}: {:?}",
        names.len() + 1,
        exported.html().collect::<Vec<_>>()
    );
    assert!(exported.page("index").content_text().contains("The end."));
}

#[test]
fn pages_that_differ_only_by_case_both_exist() {
    let site = SiteTest::pages(&[("index", "[one](/Guide) [two](/guide)"), ("Guide", "Upper."), ("guide", "Lower.")])
        .other_diagnostics()
        .run();
    let texts: Vec<_> = site.html().map(|path| site.page(path.trim_end_matches(".html")).content_text()).collect();
    assert!(texts.iter().any(|text| text.contains("Upper.")) && texts.iter().any(|text| text.contains("Lower.")));
    let wrong = violations(&site.files);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(
        site.diagnostics.iter().any(|diagnostic| diagnostic.message.contains("uide")),
        "a word about the clash: {:?}",
        site.diagnostics
    );
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let outside = tempfile::TempDir::new().expect("a temporary folder");
    std::fs::write(outside.path().join("secret.md"), "# The secret\n").expect("a file");
    std::fs::write(folder.path().join("index.md"), "# Start\n\n[linked](linked.md) ![picture](picture.png)\n")
        .expect("a file");
    symlink(outside.path().join("secret.md"), folder.path().join("linked.md")).expect("a link");
    symlink(outside.path(), folder.path().join("folder")).expect("a link");
    symlink("/etc/passwd", folder.path().join("picture.png")).expect("a link");
    symlink(folder.path(), folder.path().join("circle")).expect("a link");
    let site = crate::suite::site::Exported::of(folder.path(), &[]);
    assert_eq!(site.code, 0, "{}", site.stderr);
    for (path, bytes) in &site.files {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("The secret") && !text.contains("root:x:0:"), "{path} came through a link");
    }
}

#[test]
fn bytes_that_are_no_text() {
    let site = SiteTest::page("The end.")
        .file("bad.mdx", b"---\ntitle: Bad\n---\n\nBefore \xff\xfe\x80 after.\n")
        .file("binary.md", [0u8, 159, 146, 150].repeat(500))
        .other_diagnostics()
        .run();
    let text = site.page("bad").content_text();
    assert!(text.contains("Before") && text.contains("after."), "{text}");
    assert!(site.diagnostics.iter().any(|diagnostic| diagnostic.file == "bad.mdx"), "{:?}", site.diagnostics);
}

/// A drawing is a page when somebody opens it by its own address.
#[test]
fn drawings_run_nothing() {
    let calm = "<?xml version=\"1.0\"?>\r\n<svg xmlns='http://www.w3.org/2000/svg'  width='4' height='4'><title>on=\"x\"</title></svg>\n";
    let site = SiteTest::page("![a](/a.svg) ![b](/b.svg)")
        .file("a.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\" onload=\"alert(1)\"><script>alert(1)</script><rect width=\"4\" height=\"4\"/></svg>")
        .file("b.svg", calm)
        .diagnostic("svg-active", "a.svg:0:0")
        .run();
    assert_eq!(
        site.text_of("a.svg"),
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4\" height=\"4\" ><rect width=\"4\" height=\"4\"/></svg>"
    );
    assert_eq!(site.text_of("b.svg"), calm);
}
