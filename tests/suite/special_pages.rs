//! Pages that are not only their author's text: the assistant, what hosts show for missing addresses, words of the
//! frame.

use crate::suite::site::SiteTest;

fn languages() -> SiteTest {
    let config = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"languages":[
        {"language":"en","pages":["index","chat"]},
        {"language":"de","pages":["de/index","de/chat","de/alt"]}
    ]}}"##;
    SiteTest::inline("")
        .file("docs.json", config)
        .file("index.mdx", "---\ntitle: Start\n---\n\nText.\n")
        .file("chat.mdx", "---\ntitle: Ask\nmode: assistant\n---\n\nSomething to say.\n")
        .file("de/index.mdx", "---\ntitle: Anfang\n---\n\nText.\n")
        .file("de/chat.mdx", "---\ntitle: Fragen\nmode: assistant\n---\n")
        .file("de/alt.mdx", "---\ntitle: Alt\ndeprecated: true\n---\n\nText.\n")
}

#[test]
fn an_assistant_page_says_why_it_is_not_one() {
    let site = languages()
        .element("chat", "main .op-notice[data-chrome] svg[aria-hidden=true]")
        .text("chat", "Something to say.")
        .no_element("index", ".op-notice")
        .run();
    for (page, words) in [
        ("chat", "This page is a chat with the site’s assistant"),
        ("de/chat", "Diese Seite ist ein Gespräch mit dem Assistenten"),
    ] {
        let notice: String = site.page(page).select(".op-notice p").iter().flat_map(|notice| notice.text()).collect();
        assert!(notice.starts_with(words), "{notice}");
    }
}

#[test]
fn words_of_the_frame_follow_the_language() {
    let site = languages().run();
    let page = site.page("de/alt");
    for place in ["#sidebar .op-tag-deprecated", ".op-page-head .op-tag-deprecated"] {
        let words: Vec<String> = page.select(place).iter().map(|tag| tag.text().collect()).collect();
        assert_eq!(words, ["Veraltet"], "{place}");
    }
    let site = SiteTest::inline("")
        .file("docs.json", r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"languages":[{"language":"fr","pages":["index"]}]}}"##)
        .file("index.mdx", "---\ntitle: T\n---\n\nText.\n")
        .run();
    assert_eq!(
        site.page("404").select("h1").iter().map(|title| title.text().collect::<String>()).collect::<Vec<_>>(),
        ["Page introuvable"]
    );
    assert!(site.text_of("404.html").contains("pas de page à cette adresse"));
}

/// It keeps no choice of its readers, so it has the scheme in which the site starts.
#[test]
fn the_404_page_has_the_scheme_of_the_site() {
    let style = |appearance: &str| {
        let docs = format!(
            r##"{{"theme":"mint","name":"T","colors":{{"primary":"#0F766E"}},"appearance":{appearance},"navigation":{{"pages":["index"]}}}}"##
        );
        let site = SiteTest::inline("").file("docs.json", &docs).file("index.mdx", "Text.\n").run();
        site.text_of("404.html").to_owned()
    };
    let (system, dark, light) = (
        style(r#"{"default":"system"}"#),
        style(r#"{"default":"dark","strict":true}"#),
        style(r#"{"default":"light"}"#),
    );
    assert!(system.contains("prefers-color-scheme"));
    assert!(!dark.contains("prefers-color-scheme") && dark.contains(":root{color-scheme:dark"));
    assert!(!light.contains("prefers-color-scheme") && !light.contains(":root{color-scheme:dark"));
}

#[test]
fn authors_open_windows_for_their_own_pages_too() {
    SiteTest::pages(&[("index", "<a href=\"/b\" target=\"_blank\">b</a> and [c](/b)"), ("b", "Text.")])
        .element("index", "a[href='b.html'][target=_blank][rel=noopener]")
        .element("index", "a[href='b.html']:not([target])")
        .run();
}

#[test]
fn operations_that_no_description_has_are_told() {
    let docs = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"pages":["index","a","b","c","d","e"]}}"##;
    let page = |title: &str, operation: &str| format!("---\ntitle: {title}\n{operation}\n---\nText.\n");
    let site = SiteTest::inline("")
        .file("docs.json", docs)
        .file("index.mdx", "Text.\n")
        .file("a.mdx", page("A", "openapi: GET /pets"))
        .file("b.mdx", page("B", "openapi: GET /dogs"))
        .file("c.mdx", page("C", "openapi: gone.json GET /pets"))
        .file("d.mdx", page("D", "api: GET /dogs"))
        .file("e.mdx", page("E", "openapi: https://example.com/o.json GET /pets"))
        .file("pets.json", r#"{"openapi": "3.1.0", "paths": {"/pets": {"get": {"summary": "Pets"}}}}"#)
        .diagnostic("openapi-missing-operation", "b.mdx:3:1")
        .diagnostic("openapi-missing-file", "c.mdx:3:1")
        .diagnostic("openapi-remote", "e.mdx:3:1")
        .run();
    assert_eq!(site.page("b").select(".op-page-head h1").len(), 1, "the page is there all the same");
}

/// `v1` may mean several descriptions: the one that is called so comes first, then whichever has the operation.
#[test]
fn operations_are_looked_for_in_every_description_that_a_name_may_mean() {
    let docs = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"pages":["index","a","b","c","v1 PUT /beta"]}}"##;
    let description = |path: &str, summary: &str| {
        format!(
            r#"{{"openapi":"3.1.0","paths":{{"{path}":{{"post":{{"summary":"{summary}"}},"put":{{"summary":"Put {summary}"}}}}}}}}"#
        )
    };
    let site = SiteTest::inline("")
        .file("docs.json", docs)
        .file("index.mdx", "Text.\n")
        .file("a.mdx", "---\nopenapi: v1 post /both\n---\n")
        .file("b.mdx", "---\nopenapi: v1 post /beta\n---\n")
        .file("c.mdx", "---\ntitle: C\nopenapi: v1.json post /beta\n---\n")
        .file("api/v1-beta.json", description("/beta", "Of the beta"))
        .file("api/v10.json", description("/both", "Of ten"))
        .file("v1.json", description("/both", "Of one"))
        .diagnostic("openapi-missing-operation", "c.mdx:3:1")
        .run();
    for (page, title) in [("a", "Of one"), ("b", "Of the beta"), ("api-reference/put-of-the-beta", "Put Of the beta")] {
        let titles: Vec<String> =
            site.page(page).select(".op-page-head h1").iter().map(|title| title.text().collect()).collect();
        assert_eq!(titles, [title], "{page}");
    }
}

#[test]
fn descriptions_on_other_servers_are_named_where_operations_are_missing() {
    let docs = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"api":{"openapi":"https://spec.example.com/o.json"},"navigation":{"pages":["index","a"]}}"##;
    SiteTest::inline("")
        .file("docs.json", docs)
        .file("index.mdx", "Text.\n")
        .file("a.mdx", "---\ntitle: A\nopenapi: GET /pets\n---\nText.\n")
        .diagnostic("openapi-missing-operation", "a.mdx:3:1")
        .diagnostic("openapi-remote", "docs.json:1:")
        .run();
}

/// A list counts for all sources of a description; without one, those that extend it are found.
#[test]
fn overlays_change_a_description() {
    let docs = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},
"api":{"openapi":[{"source":"pets.json","overlays":["a.yaml", "/b.yaml"]}, "pets.json"]},
"navigation":{"groups":[
 {"group":"A","openapi":{"source":"pets.json","directory":"a","overlays":["a.yaml","b.yaml"]}},
 {"group":"B","openapi":{"source":"pets.json","directory":"b","overlays":[]}},
 {"group":"C","openapi":{"source":"shops.yaml","directory":"c"}},
 {"group":"D","openapi":{"source":"cars.yaml","directory":"d","overlays":[]}},
 {"group":"E","pages":["index"],"openapi":{"source":"none.yaml","overlays":["none.yaml"]}}]}}"##;
    let plain = |title: &str| format!("openapi: 3.1.0\npaths: {{/x: {{get: {{summary: {title}}}}}}}");
    let site = SiteTest::inline("")
        .file("docs.json", docs)
        .file("index.mdx", "Text.\n")
        .file("pets.json", r#"{"openapi": "3.1.0", "paths": {"/pets": {"get": {"summary": "Pets"}, "put": {}}}}"#)
        .file("a.yaml", "overlay: 1.0.0\nextends: shops.yaml\nactions:\n  - {target: $.paths.*.get, update: {summary: From A}}\n  - {target: 'paths', remove: true}\n")
        .file("b.yaml", "overlay: 1.0.0\nactions: [{target: \"$.paths['/pets'].put\", remove: true}, {target: $.paths.*.get, update: {summary: From B}}]\n")
        .file("shops.yaml", plain("Shops"))
        .file("cars.yaml", plain("Cars"))
        .file("c.yaml", "overlay: 1.0.0\nextends: cars.yaml\nactions: [{target: $.paths.*.get, update: {summary: From C}}]\n")
        .diagnostic("openapi-overlay", "docs.json:5:")
        .diagnostic("openapi-missing-file", "docs.json:8:")
        .diagnostic("openapi-overlay", "a.yaml:5:6")
        .run();
    let is_page = |path: &&String| path.ends_with(".html") && path.contains('/') && !path.starts_with("_offprint/");
    let pages: Vec<&String> = site.files.keys().filter(is_page).collect();
    assert_eq!(pages, ["a/from-b.html", "b/from-b.html", "c/from-a.html", "d/cars.html"]);
}

/// An entry may stand for a part of another page: links to it lead there, and a tab of nothing else leads to the first.
#[test]
fn entries_may_stand_for_parts_of_other_pages() {
    let docs = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"navigation":{"tabs":[{"tab":"Docs","pages":["index"]},{"tab":"CLI","groups":[{"group":"CLI","pages":["a/flags"]}]}]}}"##;
    SiteTest::inline("")
        .file("docs.json", docs)
        .file("index.mdx", "[x](/a/flags)\n\n## Export\n\nText.\n")
        .file("a/flags.mdx", "---\ntitle: Flags\nurl: /index#export\n---\n")
        .element("index", ".mdx-content a[href='#export']")
        .element("index", ".op-tabs a[href$='#export']")
        .run();
}

#[test]
fn descriptions_put_text_before_their_operations() {
    let docs = r##"{"theme":"mint","name":"T","colors":{"primary":"#0F766E"},"variables":{"v":"seven"},"navigation":{"groups":[{"group":"G","pages":["index","own"]},{"group":"API","openapi":"pets.yaml"}]}}"##;
    let pets = "openapi: 3.1.0
paths:
  /pets:
    get:
      summary: Pets
      x-mint:
        content: |
          import Part from '/snippets/part.mdx'

          <Note>Pets of {{v}}</Note>

          See [nowhere](/nowhere) and [own](/own#steps).

          <Part />
    put:
      summary: Own
      x-mint: {content: \"Before it. [Lost](/lost)\"}
";
    let site = SiteTest::inline("")
        .file("docs.json", docs)
        .file("index.mdx", "Text.\n")
        .file("own.mdx", "---\ntitle: Own\nopenapi: PUT /pets\n---\n## Steps\n\nMy words.\n")
        .file("snippets/part.mdx", "From a part.\n")
        .file("pets.yaml", pets)
        .diagnostic("broken-link", "pets.yaml:12:0")
        .diagnostic("broken-link", "pets.yaml:17:0")
        .element("api-reference/pets", "main .callout")
        .element("api-reference/pets", "main a[href='../own.html#steps']")
        .text("api-reference/pets", "Pets of seven")
        .text("api-reference/pets", "From a part.")
        .run();
    let words = site.page("own").content_text();
    assert!(words.find("Before it.").unwrap_or(usize::MAX) < words.find("My words.").unwrap_or(0), "{words}");
    let twin = site.text_of("own.md");
    assert!(twin.find("Before it.").unwrap_or(usize::MAX) < twin.find("## Steps").unwrap_or(0), "{twin}");
    assert!(site.text_of("api-reference/pets.md").contains("Pets of seven"));
}

#[test]
fn an_own_404_page_wins() {
    SiteTest::pages(&[("index", "Text."), ("404", "My words.")])
        .diagnostic("own-404", "404.mdx:0:0")
        .text("404", "My words.")
        .element("404", "#sidebar")
        .run();
    SiteTest::page("Text.").element("404", ".not-found-title").run();
}

/// Elements that a component makes are named by where the page uses it.
#[test]
fn scripts_of_components_have_a_place() {
    SiteTest::page(
        "Text.\n\nexport const Schema = () => (<script type=\"application/ld+json\">{'{}'}</script>);\n\n<Schema />",
    )
    .diagnostic("script-dropped", "index.mdx:9:1")
    .run();
}

#[test]
fn plain_markdown_keeps_its_addresses_and_says_where_a_script_was() {
    SiteTest::inline("")
        .file("README.md", "# T\n\nAsk <someone@example.com> or <https://example.com/a?b=1>.\n\n- item\n\n  <div>\n  <p>x</p> <script>run()</script>\n  </div>\n")
        .diagnostic("script-dropped", "README.md:8:12")
        .element("index", "a[href='mailto:someone@example.com']")
        .element("index", "a[href='https://example.com/a?b=1']")
        .text("index", "someone@example.com")
        .run();
}

#[test]
fn the_words_of_the_404_page_are_mdx() {
    let files = r##"//- docs.json
{
  "theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "variables": {"us": "Acme"}, "navigation": {"pages": ["index", "a"]},
  "errors": {"404": {"redirect": false, "description": "Try {{us}}:\n\n- [Home](/)\n- [API](/a)\n\n<Card title=\"Start here\" href=\"/a\">Go</Card>\n\n[Lost](/gone) ![P](/p.png)"}}
}
//- index.mdx
Here.
//- a.mdx
Here.
//- p.png
x
"##;
    SiteTest::inline(files)
        .arg("--domain")
        .arg("docs.example.com")
        .element("404", "main li a[href='https://docs.example.com'][data-to='index.html']")
        .element("404", "main li a[href='https://docs.example.com/a'][data-to='a.html']")
        .element("404", "main p")
        .element("404", "main a.card[href='https://docs.example.com/a']")
        .text("404", "Try Acme:")
        .diagnostic("broken-link", "docs.json:3:56")
        .check(|site| {
            let page = site.page("404");
            let loads = page.count("[src], link:not([rel=icon])");
            if loads == 0 { vec![] } else { vec![format!("{loads} elements load something")] }
        })
        .run();
    // without the address of the site they wait for the script that finds where it begins
    SiteTest::inline(files)
        .no_element("404", "main a[href]")
        .element("404", "main li a[data-to='a.html']")
        .element("404", "main a.card[data-to='a.html']")
        .text("404", "Start here")
        .diagnostic("broken-link", "docs.json:3:56")
        .run();
}

/// Its file cannot be a logo: hosts show the page at any depth.
#[test]
fn the_404_page_has_the_logo_and_ways_on() {
    let docs = |logo: &str| {
        format!(
            r##"{{"theme":"mint","name":"Acme","colors":{{"primary":"#0F766E"}},"logo":{logo},"navigation":{{"pages":["index"]}}}}"##
        )
    };
    let svg = |color: &str| {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" height=\"20\"><path fill=\"{color}\" d=\"M0 0h90v20H0z\"/></svg>"
        )
    };
    let site = |logo: &str| {
        SiteTest::inline("")
            .file("docs.json", docs(logo))
            .file("index.mdx", "Text.\n")
            .file("l.svg", svg("#123"))
            .file("d.svg", svg("#def"))
            .file("big.png", vec![0; 40_000])
    };
    site(r#"{"light": "/l.svg", "dark": "/d.svg"}"#)
        .element(
            "404",
            ".not-found-site > a[data-to='index.html']:not([href]) img[alt=Acme][src^='data:image/svg+xml;base64,']",
        )
        .element("404", ".not-found-site img.not-found-dark[alt=Acme][src^='data:']")
        .element("404", ".not-found-home[data-to='index.html'][hidden]:not([href])")
        .element("404", "button.not-found-back[hidden]")
        .run();
    site("\"/l.svg\"")
        .arg("--domain=docs.example.com")
        .element("404", ".not-found-home[href='https://docs.example.com']:not([hidden])")
        .no_element("404", ".not-found-dark")
        .run();
    site("\"/big.png\"").no_element("404", "img").text("404", "Acme").other_diagnostics().run();
}

#[test]
fn words_in_the_content_follow_the_language() {
    let body = "## Felder\n\n<ParamField query=\"limit\" type=\"integer\" default=\"10\" required deprecated>x</ParamField>\n\n```sh\nls\n```\n";
    let site = languages()
        .file("de/alt.mdx", format!("---\ntitle: Alt\n---\n\n{body}"))
        .file("index.mdx", format!("---\ntitle: Start\n---\n\n{body}"))
        .run();
    for (page, copy, link, said) in
        [("de/alt", "Code kopieren", "Link zu diesem Abschnitt", 1), ("index", "Copy code", "Link to this section", 0)]
    {
        let page = site.page(page);
        assert_eq!(page.count(&format!("button[data-copy][aria-label='{copy}']")), 1);
        assert_eq!(page.count(&format!(".heading-anchor[aria-label='{link}']")), 1);
        assert_eq!(page.count("html[data-words]"), said, "scripts speak the language, too");
    }
}

/// What is shown is in the page's language; the word of the source is in the page too, for programs that look for it.
#[test]
fn marks_of_fields_follow_the_language() {
    let field = "<ParamField query=\"limit\" type=\"integer\" default=\"10\" required deprecated>x</ParamField>\n";
    let site = languages()
        .file("de/alt.mdx", format!("---\ntitle: Alt\n---\n\n{field}"))
        .file("index.mdx", format!("---\ntitle: Start\n---\n\n{field}"))
        .run();
    for (page, required, deprecated, default) in
        [("de/alt", "erforderlich", "veraltet", "Standard: 10"), ("index", "required", "deprecated", "default: 10")]
    {
        let page = site.page(page);
        let shown = |place: &str| page.select(place).iter().flat_map(|element| element.text()).collect::<String>();
        let mark = |class: &str| {
            if page.count(&format!("{class} [hidden]")) > 0 {
                shown(&format!("{class} > [data-chrome]"))
            } else {
                shown(class)
            }
        };
        assert_eq!(
            (mark(".field-required"), mark(".field-deprecated"), shown(".field-default")),
            (required.to_owned(), deprecated.to_owned(), default.to_owned())
        );
        assert!(shown(".field-required").contains("required") && shown(".field-deprecated").contains("deprecated"));
    }
}

#[test]
fn descriptions_of_several_blocks_are_prose() {
    let described =
        |text: &str| format!("---\ntitle: T\ndescription: |\n  {}\n---\n\nText.\n", text.replace('\n', "\n  "));
    let site = SiteTest::pages(&[("index", "x"), ("a", ""), ("b", ""), ("c", "")])
        .file("a.mdx", described("Makes a job.\n- at once\n- or later"))
        .file("b.mdx", described("Makes a job.\n\nAnswers with `202`."))
        .file("c.mdx", described("One sentence that\nruns over two lines."))
        .run();
    assert_eq!(
        (site.page("a").count(".page-description > .prose li"), site.page("b").count(".page-description > .prose p")),
        (2, 2)
    );
    assert_eq!((site.page("c").count(".page-description"), site.page("c").count(".page-description .prose")), (1, 0));
}

#[test]
fn long_names_in_trees_titles_and_links_can_be_broken_at_their_seams() {
    SiteTest::pages(&[("index", "x"), ("a", "")])
        .file("a.mdx", "---\ntitle: createUserSessionToken\n---\n\nText.\n")
        .check(|site| {
            let places = [
                ("index", "#sidebar a[href='a.html'] > span"),
                ("index", ".pagination-next > span > span"),
                ("a", ".op-page-head h1"),
            ];
            let names = places.map(|(page, place)| {
                site.page(page).select(place).iter().map(|name| name.inner_html()).collect::<String>()
            });
            names.into_iter().filter(|name| name != "create<wbr>User<wbr>Session<wbr>Token").collect()
        })
        .run();
}

#[test]
fn missing_pictures_of_the_size_of_letters_show_no_words() {
    let site = SiteTest::page("<img src=\"https://x.example/a.png\" width=\"24\" alt=\"An arrow\" />\n\n<img src=\"https://x.example/b.png\" className=\"w-6 h-6\" alt=\"B\" />\n\n<img src=\"https://x.example/c.png\" className=\"w-full h-auto\" alt=\"C\" />\n")
        .arg("--offline")
        .other_diagnostics()
        .run();
    let page = site.page("index");
    assert_eq!(
        (
            page.count("main .image-icon"),
            page.count("main .image-placeholder"),
            page.count("main .image-icon[style='width:24px;height:24px']")
        ),
        (2, 3, 1)
    );
}
