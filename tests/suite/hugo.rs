//! Sites of Hugo: where their files are found, what sections hand down, what links mean, and code that stays code.

use super::site::SiteTest;

const DRAWING: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='4' height='4'><path d='M0 0h4v4z'/></svg>";

/// A site of some files below a folder, beside a configuration of nothing but a title.
fn hugo(files: &[(&str, &str)]) -> SiteTest {
    let site = SiteTest::inline("").file("hugo.toml", "title = 'Ships'\n");
    files.iter().fold(site, |site, (path, text)| site.file(path, text))
}

/// A page: its front matter and what follows.
fn page(front: &str, body: &str) -> String {
    format!("---\n{front}\n---\n\n{body}\n")
}

#[test]
fn addresses_on_a_page_begin_at_its_address() {
    let site = hugo(&[
        ("content/port/_index.md", &page("title: Port", "[crane](crane/) [tug](./tug) [gate](#top)\n\n## Top")),
        ("content/port/crane.md", &page("title: Crane", "## Hook\n\nc")),
        ("content/port/tug/index.md", &page("title: Tug", "![t](tug.svg) [c](../crane) [b](berth/)")),
        ("content/port/tug/tug.svg", DRAWING),
        ("content/port/tug/berth.md", "b"),
        ("content/crane.md", &page("title: Other crane", "o")),
        (
            "content/port/pier.md",
            &page(
                "title: Pier",
                "[a](../crane) [b](../crane#hook) [c](../crane/) [d][far] [e](../../crane) [f](crane.md) <a href=\"../tug\">g</a> ![p](../pier.svg)\n\n[far]: ../crane/#hook",
            ),
        ),
        ("content/port/pier.svg", DRAWING),
        ("content/port/old.md", &page("title: Old\nurl: /elsewhere/deep/old/", "[a](../../../port/crane) [b](../new)")),
        ("content/elsewhere/deep/new.md", &page("title: New", "n")),
    ]);
    let site = site
        .element("port/index", "main a[href='crane.html']")
        .element("port/index", "main a[href='tug/index.html']")
        .element("port/tug/index", "main img")
        .element("port/tug/index", "main a[href='../crane.html']")
        .element("port/pier", "main a[href='crane.html']")
        .element("port/pier", "main a[href='crane.html#hook']")
        .element("port/pier", "main a[href='../crane.html']")
        .element("port/pier", "main a[href='tug/index.html']")
        .element("port/pier", "main img")
        .element("elsewhere/deep/old", "main a[href='../../port/crane.html']")
        .element("elsewhere/deep/old", "main a[href='new.html']")
        .other_diagnostics()
        .run();
    assert_eq!(site.page("port/pier").count("main p a[href='crane.html']"), 3, "a, c and f");
}

#[test]
fn pages_that_are_files_begin_in_their_folder() {
    SiteTest::inline("")
        .file("hugo.toml", "title = 'Ships'\nuglyURLs = true\n")
        .file("content/port/a.md", page("title: A", "[b](b.html) [c](../c.html)"))
        .file("content/port/b.md", page("title: B", "b"))
        .file("content/c.md", page("title: C", "c"))
        .element("port/a", "main a[href='b.html']")
        .element("port/a", "main a[href='../c.html']")
        .run();
}

#[test]
fn sections_hand_their_front_matter_down() {
    let tree = "cascade:\n  - params: {tag: v1}\n    crew: ten\n  - target: {path: '/port/**', kind: page}\n    crew: two\n    mate: one\n  - _target:\n      path: /port/dock/**\n    bell: loud\n  - target: {environment: development}\n    never: seen";
    let words = "{{< param tag >}}, {{< param crew >}}, {{< param mate >}}, {{< param bell >}}{{< param never >}}.";
    hugo(&[
        ("content/port/_index.md", &page(&format!("title: Port\n{tree}"), words)),
        ("content/port/a.md", &page("title: A\nparams: {crew: own}", words)),
        ("content/port/b.md", &page("title: B\ntag: v2", &format!("{words}\n\n```sh\nget {{{{< param tag >}}}}\n```"))),
        ("content/port/dock/_index.md", &page("title: Dock\ncascade: {tag: v3}", words)),
        ("content/port/dock/c.md", &page("title: C", words)),
        ("content/other/d.md", &page("title: D", "Tags: [{{< param tag >}}]")),
    ])
    .text("port/index", "v1, ten, , .")
    .text("port/a", "v1, own, one, .")
    .text("port/b", "v2, ten, one, .")
    .text("port/b", "get v2")
    .text("port/dock/index", "v3, ten, , .")
    .text("port/dock/c", "v3, ten, one, loud.")
    .text("other/d", "Tags: []")
    .run();
}

#[test]
fn the_configuration_hands_front_matter_down() {
    let body = "{{< param tag >}}";
    for (path, config) in [
        ("hugo.toml", "[[cascade]]\ntag = 'all'\n[[cascade]]\nhue = 'red'\n[cascade.target]\nlang = 'en'\n"),
        ("hugo.yaml", "cascade:\n  - tag: all\n"),
        ("hugo.json", "{\"cascade\": {\"params\": {\"tag\": \"all\"}}}"),
        ("config/_default/cascade.yaml", "- tag: all\n"),
    ] {
        let site = SiteTest::inline("");
        let site = if path.starts_with("hugo") { site } else { site.file("hugo.toml", "title = 'Ships'\n") };
        site.file(path, config)
            .file("content/a.md", format!("+++\ntitle = 'A'\n+++\n\n{body} is it\n"))
            .file("content/b.md", format!("{{\n\"title\": \"B\", \"tag\": \"own\"\n}}\n\n{body} is it\n"))
            .text("a", "all is it")
            .text("b", "own is it")
            .run();
    }
}

#[test]
fn what_a_page_says_of_its_build_comes_first() {
    hugo(&[
        ("content/parts/_index.md", &page("title: Parts\ncascade:\n  build: {render: never, list: never}", "none")),
        ("content/parts/a.md", &page("title: A", "none")),
        ("content/parts/b.md", &page("title: B\nbuild: {render: always}", "here")),
        ("content/parts/c.md", &page("title: C\n_build: {render: always}", "here")),
        ("content/parts/more/_index.md", &page("title: More\ncascade: {_build: {render: always}}", "here")),
        ("content/parts/more/d.md", &page("title: D", "here")),
        ("content/x.md", &page("title: X", "x")),
    ])
    .no_file("parts/a.html")
    .has_file("parts/b.html")
    .has_file("parts/c.html")
    .has_file("parts/more/d.html")
    .run();
}

#[test]
fn folders_and_files_are_mounted() {
    let mounts = "[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n[[module.mounts]]\nsource = '../plans'\ntarget = 'content/plans'\n[[module.mounts]]\nsource = '../CHANGES.md'\ntarget = 'content/changes.md'\n[[module.mounts]]\nsource = '../pictures'\ntarget = 'static/pictures'\n[[module.mounts]]\nsource = '../facts'\ntarget = 'data/facts'\n";
    let as_yaml = "mounts:\n- {source: content, target: content}\n- {source: ../plans, target: content/plans}\n- {source: ../CHANGES.md, target: content/changes.md}\n- {source: ../pictures, target: static/pictures}\n- {source: ../facts, target: data/facts}\n";
    let as_json = "{\"module\": {\"mounts\": [{\"source\": \"content\", \"target\": \"content\"}, {\"source\": \"../plans\", \"target\": \"content/plans\"}, {\"source\": \"../CHANGES.md\", \"target\": \"content/changes.md\"}, {\"source\": \"../pictures\", \"target\": \"static/pictures\"}, {\"source\": \"../facts\", \"target\": \"data/facts\"}]}}";
    for (path, config) in [
        ("site/hugo.toml", mounts),
        ("site/config/_default/module.yaml", as_yaml),
        ("site/config/production/hugo.json", as_json),
    ] {
        let site = SiteTest::inline("")
            .file("site/hugo.toml", "title = 'Ships'\n")
            .file(path, config)
            .file("site/content/_index.md", page("title: Home", "[one](plans/one/) [log](/changes/)"))
            .file("site/layouts/shortcodes/speed.html", "{{ site.Data.facts.ship.speed }} knots")
            .file("plans/_index.md", page("title: Plans", "p"))
            .file("plans/one.md", page("title: One", "{{< speed >}} ![p](/pictures/a.svg)"))
            .file("CHANGES.md", "# Log\n\nNothing.\n")
            .file("pictures/a.svg", DRAWING)
            .file("facts/ship.toml", "speed = 12\n")
            .file("README.md", "# No page\n")
            .element("index", "main a[href='plans/one.html']")
            .element("index", "main a[href='changes.html']")
            .text("plans/one", "12 knots")
            .element("plans/one", "main img")
            .no_file("README.html")
            .run();
        assert!(site.text_of("llms.txt").contains("plans/one.md"), "{path}");
    }
}

#[test]
fn a_mounted_folder_that_is_missing_is_told() {
    SiteTest::inline("")
        .file("hugo.toml", "[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n[[module.mounts]]\nsource = '../../plans'\ntarget = 'content/plans'\n")
        .file("content/a.md", page("title: A", "a"))
        .diagnostic("config-value", "hugo.toml")
        .has_file("a.html")
        .run();
}

#[test]
fn some_files_of_a_folder_are_mounted() {
    for filter in
        ["excludeFiles = ['drafts/**', '*.tmp.md']", "files = ['! drafts/**', '! *.tmp.md']", "includeFiles = 'a.md'"]
    {
        SiteTest::inline("")
            .file("hugo.toml", format!("[[module.mounts]]\nsource = 'docs'\ntarget = 'content/docs'\n{filter}\n"))
            .file("docs/a.md", page("title: A", "a"))
            .file("docs/b.tmp.md", page("title: B", "b"))
            .file("docs/drafts/c.md", page("title: C", "c"))
            .file("content/d.md", page("title: D", "no folder of its own"))
            .has_file("docs/a.html")
            .no_file("docs/b.tmp.html")
            .no_file("docs/drafts/c.html")
            .no_file("d.html")
            .run();
    }
}

#[test]
fn configurations_may_stand_in_parts() {
    SiteTest::inline("")
        .file(
            "config/_default/languages.toml",
            "[en]\nweight = 1\ncontentDir = 'pages/en'\n[fr]\nweight = 2\ncontentDir = 'pages/fr'\n",
        )
        .file("config/_default/params.yaml", "ui: {edge: sharp}\nfleet: small\n")
        .file("config/_default/params.fr.toml", "fleet = 'petite'\n")
        .file("config/production/params.json", "{\"fleet\": \"large\"}")
        .file("config/development/params.json", "{\"fleet\": \"none\"}")
        .file("config/_default/markup.toml", "[goldmark.extensions.typographer]\ndisable = true\n")
        .file("content/keep.txt", "x")
        .file("pages/en/a.md", page("title: A", "{{< param fleet >}} \"{{< param ui.edge >}}\""))
        .file("pages/fr/a.md", page("title: A", "{{< param fleet >}}"))
        .text("a", "large \"sharp\"")
        .text("fr/a", "petite")
        .run();
}

#[test]
fn files_of_data_keep_their_types() {
    hugo(&[
        ("data/ships.yaml", "- {name: Ada, sails: false, masts: 2}\n- {name: Bea, sails: true, masts: 10}\n"),
        ("data/ports/list.csv", "name,depth\n\"Ports, two\",7\n"),
        ("data/more.json", "{\"open\": false, \"count\": 3}"),
        (
            "layouts/shortcodes/ships.html",
            "{{ range site.Data.ships }}{{ if .sails }}{{ .name }} sails{{ else }}{{ .name }} rows{{ end }}{{ if gt .masts 3 }} high{{ end }}; {{ end }}",
        ),
        ("layouts/shortcodes/ports.html", "{{ range site.Data.ports.list }}{{ index . 0 }}: {{ index . 1 }}. {{ end }}"),
        ("layouts/shortcodes/more.html", "{{ if site.Data.more.open }}open{{ else }}shut{{ end }}"),
        ("content/a.md", &page("title: A", "{{< ships >}}\n\n{{< ports >}}\n\n{{< more >}}")),
    ])
    .text("a", "Ada rows; Bea sails high;")
    .text("a", "name: depth. Ports, two: 7.")
    .text("a", "shut")
    .run();
}

#[test]
fn code_with_shortcodes_in_it_stays_code() {
    let tab = |attributes: &str, code: &str| {
        format!(
            "{{{{< tabpane >}}}}\n{{{{< tab header=\"T\" {attributes} >}}}}\n{code}\n{{{{< /tab >}}}}\n{{{{< /tabpane >}}}}"
        )
    };
    let site = hugo(&[
        ("content/port/part.txt", "first\n\n  second \"q\"\n```\nlast"),
        ("content/port/part.md", "Words of the *part*.\n\n- item"),
        ("content/port/a.md", &page("title: A\ntag: v1", &tab("lang=\"sh\"", "get \"{{< param tag >}}\" -- __x__ *y*"))),
        ("content/port/b.md", &page("title: B", &tab("lang=\"sh\"", "say {{</* alert */>}} \"q\""))),
        ("content/port/c.md", &page("title: C\ntag: v1", "{{< highlight go \"linenos=table\" >}}\nx := \"{{< param tag >}}\"\n{{< /highlight >}}")),
        ("content/port/d.md", &page("title: D", &tab("lang=\"sh\"", "{{< readfile file=\"part.txt\" >}}"))),
        ("content/port/e.md", &page("title: E", "- item\n\n  ````text\n  {{< readfile file=\"part.txt\" >}}\n  ````\n\n  after")),
        ("content/port/f.md", &page("title: F", "1. item\n\n   {{< readfile file=\"part.md\" >}}\n\n2. {{< readfile \"part.md\" >}}\n\n> {{< readfile \"part.md\" >}}")),
        ("content/port/g.md", &page("title: G", "{{< tabpane text=true >}}\n{{% tab \"T\" %}}\n**bold** {{< param title >}}\n{{% /tab %}}\n{{< /tabpane >}}")),
        ("content/port/h.md", &page("title: H", "{{< tabpane langEqualsHeader=true >}}\n{{< tab header=\"Pick:\" disabled=true />}}\n{{< tab header=\"Bash\" >}}\necho \"h\"\n{{< /tab >}}\n{{< /tabpane >}}")),
        ("content/port/i.md", &page("title: I\ntag: v1", &tab("lang=\"sh\" text=false", "get {{% param tag %}} \\\n  --then \"that\"").replace('\n', "\r\n"))),
    ])
    .run();
    for (page, words) in [
        ("a", "get \"v1\" -- __x__ *y*"),
        ("b", "say {{< alert >}} \"q\""),
        ("c", "x := \"v1\""),
        ("d", "first\n\n  second \"q\"\n```\nlast"),
        ("e", "  ````text\n  first\n\n    second \"q\"\n  ```\n  last\n  ````\n\n  after"),
        ("f", "1. item\n\n   Words of the *part*.\n\n   - item"),
        ("f", "2. Words of the *part*.\n\n   - item"),
        ("f", "> - item"),
        ("g", "**bold** G"),
        ("h", "```bash\necho \"h\"\n```"),
        ("i", "get v1 \\\n  --then \"that\""),
    ] {
        let twin = site.text_of(&format!("port/{page}.md"));
        assert!(twin.contains(words), "{page}: {words:?} is not in\n{twin}");
    }
    assert!(!site.text_of("port/h.md").contains("```\n```"), "a label has no code");
}

#[test]
fn a_file_that_is_mounted_twice_is_two_pages() {
    let mounts = "\n[[module.mounts]]\nsource = 'content'\ntarget = 'content'\n[[module.mounts]]\nsource = 'shared'\ntarget = 'content/port/shared'\n[[module.mounts]]\nsource = 'shared/rope.md'\ntarget = 'content/dock/line.md'\n";
    let site = SiteTest::inline("")
        .file("hugo.toml", format!("title = 'Ships'\n{mounts}"))
        .file("content/port/_index.md", page("title: Port", "p"))
        .file("content/dock/_index.md", page("title: Dock", "d"))
        .file("content/dock/oak.md", page("title: Oak", "o"))
        .file("shared/rope.md", page("title: Rope", "[oak](../oak/)"))
        .text("port/shared/rope", "oak")
        .element("dock/line", "main a[href='oak.html']")
        .other_diagnostics()
        .run();
    let list = site.text_of("dock/index.html");
    assert!(list.contains("line.html") && list.contains("../port/shared/rope.html"), "both stand in the navigation");
}

#[test]
fn mounts_name_languages_by_patterns() {
    let of = |source: &str, languages: &str| {
        format!("    - source: {source}\n      target: content\n      sites: {{matrix: {{languages: {languages}}}}}\n")
    };
    let config = format!(
        "title: Ships\ndefaultContentLanguage: en\nlanguages:\n  en: {{weight: 1}}\n  nl: {{weight: 2}}\n  fr: {{weight: 3}}\nmodule:\n  mounts:\n{}{}{}",
        of("en", "en"),
        of("nl", "['nl']"),
        of("all", "['**', '! fr']")
    );
    SiteTest::inline("")
        .file("hugo.yaml", config)
        .file("en/port.md", page("title: Port", "harbour"))
        .file("nl/port.md", page("title: Haven", "haven"))
        .file("all/flag.md", page("title: Flag", "[p](../port/)"))
        .text("port", "harbour")
        .text("nl/port", "haven")
        .element("flag", "main a[href='port.html']")
        .element("nl/flag", "main a[href='port.html']")
        .no_file("fr/flag.html")
        .no_file("fr/port.html")
        .other_diagnostics()
        .run();
}

#[test]
fn pages_beside_a_page_are_parts_of_it() {
    hugo(&[
        ("content/port/_index.md", &page("title: Port", "p")),
        ("content/port/tug/index.md", &page("title: Tug", "t")),
        ("content/port/tug/hull.md", &page("title: Hull", "h")),
        ("content/port/tug/deck/index.md", &page("title: Deck", "d")),
        ("content/port/section/index.md", &page("title: Odd", "o")),
        ("content/port/section/_index.md", &page("title: Section", "s")),
        ("content/port/section/inner.md", &page("title: Inner", "i")),
    ])
    .text("port/tug/index", "t")
    .no_file("port/tug/hull.html")
    .no_file("port/tug/deck/index.html")
    .text("port/section/inner", "i")
    .other_diagnostics()
    .run();
}

#[test]
fn front_matter_of_json_may_be_one_line() {
    let site = hugo(&[
        ("content/port/a.md", "{\"title\": \"Anchor }\", \"weight\": 2}\n\nWords of a.\n"),
        ("content/port/b.md", "{ \"title\": \"Bell\",\n  \"weight\": 1 }\r\n\r\nWords of b.\n"),
        ("content/port/c.md", "{\"not\": front} matter\n"),
    ])
    .text("port/a", "Words of a.")
    .nowhere("port/a", "weight")
    .text("port/c", "{“not”: front} matter")
    .other_diagnostics()
    .run();
    let titles = ["port/a", "port/b"].map(|page| site.page(page).select("title")[0].text().collect::<String>());
    assert_eq!(titles, ["Anchor } - Ships", "Bell - Ships"]);
}
