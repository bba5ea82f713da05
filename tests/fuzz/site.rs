//! Whole sites in memory: configurations, front matter, API descriptions, and pages from their text to HTML.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use offprint::base::Diagnostic;
use offprint::base::contents::HeldFiles;
use offprint::base::printable::is_unprintable;
use offprint::bundle::reader::BundleReader;
use offprint::export::{BundleFormat, BundleOutput, ExportOptions, ListedRoot, export_listed};
use offprint::import::TOOLS;
use offprint::load::{LoadError, LoadOptions, Loaded, load_tree};
use offprint::site::tree::SourceTree;
use tempfile::TempDir;

use crate::suite::contract::violations;

/// A page that has to come out whole, whatever the others are.
const OTHER: &str = "---\ntitle: Other\n---\n\nThe end.\n";
const DOCS: &str = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"pages": ["index", "other"]}}"##;
const SIDE_PAGE: &str = "---\ntitle: Sides\n---\n\nimport Part from '/snippets/a.mdx'\nimport { Box } from '/snippets/a.jsx'\n\n![A](/a.svg) [B](/a.csv)\n\n<Icon icon=\"/a.svg\" /> <Part /> <Box />\n";
const DOCS_API: &str = r##"{"theme": "mint", "name": "T", "colors": {"primary": "#0F766E"}, "navigation": {"groups": [{"group": "A", "pages": ["other"]}, {"group": "B", "openapi": "api.yaml"}, {"group": "C", "asyncapi": "api.yaml"}]}}"##;
/// Most pages for each byte of a description: names of operations take more than one.
const MAX_PAGES_PER_BYTE: usize = 1;

/// Files of a site: path, bytes.
type Files<'a> = [(&'a str, &'a [u8])];

fn tree(files: &Files<'_>) -> SourceTree {
    let held: HeldFiles = files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect();
    SourceTree::of(held.list(), Arc::new(held))
}

/// Loads a site; what is said about it has to stand in its files.
fn load(files: &Files<'_>) -> Result<Loaded, LoadError> {
    let loaded = load_tree(tree(files), Vec::new(), &LoadOptions { tools: TOOLS, ..LoadOptions::default() });
    match &loaded {
        Ok(loaded) => loaded.diagnostics.iter().for_each(|diagnostic| assert_within(files, diagnostic)),
        Err(LoadError::Config(diagnostic)) => assert_within(files, diagnostic),
        Err(_) => {}
    }
    loaded
}

/// The place of a problem is one of its file.
fn assert_within(files: &Files<'_>, diagnostic: &Diagnostic) {
    if diagnostic.line == 0 {
        return;
    }
    let file = files.iter().find(|(path, _)| *path == diagnostic.file);
    let (_, bytes) = file.unwrap_or_else(|| panic!("no file of the site: {diagnostic:?}"));
    let text = String::from_utf8_lossy(bytes);
    // in Markdown and YAML a lone carriage return ends a line, in JSON none does; the end of a file is a place, too
    let text = text.replace("\r\n", "\n");
    let text = if diagnostic.file.ends_with(".json") { text } else { text.replace('\r', "\n") };
    let lines = text.split('\n').count();
    assert!(diagnostic.line as usize <= lines, "{lines} lines: {diagnostic:?}");
    let columns = text.split('\n').nth(diagnostic.line as usize - 1).unwrap_or_default().chars().count();
    assert!(diagnostic.column as usize <= columns + 1, "{columns} columns: {diagnostic:?}");
}

/// Front matter: the page is there with a title, and the page beside it is not changed.
pub(super) fn front_matter(bytes: &[u8]) {
    let loaded = load(&[("docs.json", DOCS.as_bytes()), ("index.mdx", bytes), ("other.mdx", OTHER.as_bytes())])
        .expect("a site whose other page is fine");
    let page = |slug: &str| loaded.site.by_slug.get(slug).map(|page| loaded.site.page(*page));
    assert_eq!(page("other").expect("the other page").meta.title, "Other");
    // it may be restricted to groups of readers
    if let Some(page) = page("index") {
        assert!(page.body_offset <= bytes.len().max(String::from_utf8_lossy(bytes).len()), "{page:?}");
        let title = page.shown_title();
        assert!(!title.is_empty() && !title.contains(is_unprintable), "{title:?}");
    }
}

/// Configurations: whatever is JSON is a site with the pages that there are.
pub(super) fn docs_json(bytes: &[u8]) {
    let files: &Files<'_> = &[
        ("docs.json", bytes),
        ("index.mdx", b"Start.".as_slice()),
        ("guides/a.mdx", b"A.".as_slice()),
        ("other.mdx", OTHER.as_bytes()),
    ];
    match load(files) {
        Ok(loaded) => {
            let pages = loaded.navigation.iter().filter_map(|(_, node)| node.page);
            pages.for_each(|page| assert!((page.0 as usize) < loaded.site.pages.len()));
            assert!(loaded.site.by_slug.contains_key("other"), "{:?}", loaded.site.by_slug.keys());
        }
        Err(LoadError::Config(_)) => {
            let json = serde_json::from_slice::<serde_json::Value>(bytes);
            assert!(json.is_err(), "a configuration that is JSON is refused: {json:?}");
        }
        // a configuration may be no more than where pages are
        Err(error) => panic!("{error}"),
    }
}

/// Descriptions of APIs: the page beside them is there, and there are not more pages than a description can name.
pub(super) fn description(bytes: &[u8]) {
    let loaded = load(&[("docs.json", DOCS_API.as_bytes()), ("other.mdx", OTHER.as_bytes()), ("api.yaml", bytes)])
        .expect("a site whose other page is fine");
    assert!(loaded.site.by_slug.contains_key("other"));
    let pages = loaded.site.pages.len();
    assert!(pages <= 1 + bytes.len() * MAX_PAGES_PER_BYTE, "{pages} pages of {} bytes", bytes.len());
}

/// The text of a page to the HTML of a bundle.
pub(super) fn page(bytes: &[u8]) {
    export(&[("docs.json", DOCS.as_bytes()), ("index.mdx", bytes), ("other.mdx", OTHER.as_bytes())]);
}

/// A description to the reference pages of a bundle.
pub(super) fn reference(bytes: &[u8]) {
    export(&[("docs.json", DOCS_API.as_bytes()), ("other.mdx", OTHER.as_bytes()), ("api.yaml", bytes)]);
}

/// What lies beside pages, as every kind of file that is read: no reader panics, and none costs another file.
pub(super) fn side_files(bytes: &[u8]) {
    let kinds = ["a.css", "a.svg", "a.json", "a.yaml", "a.toml", "a.csv", "snippets/a.mdx", "snippets/a.jsx"];
    let mut files =
        vec![("docs.json", DOCS.as_bytes()), ("index.mdx", SIDE_PAGE.as_bytes()), ("other.mdx", OTHER.as_bytes())];
    files.extend(kinds.map(|path| (path, bytes)));
    // addresses that are no addresses are copied as they are
    exported(&files);
}

/// Exports a site, whose bundle keeps its contract.
fn export(files: &Files<'_>) {
    let wrong = violations(&exported(files));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The bundle of a site, in which the page beside the input is whole.
fn exported(files: &Files<'_>) -> BTreeMap<String, Vec<u8>> {
    let folder = TempDir::with_prefix("offprint-fuzz-").expect("a temporary folder");
    let output = BundleOutput { path: folder.path().join("site.zip"), format: BundleFormat::Zip };
    let options = ExportOptions { jobs: Some(1), ..ExportOptions::new(folder.path().join("source"), output) };
    let listed = ListedRoot { tree: tree(files), problems: Vec::new(), revision: None };
    let report = export_listed(listed, &options, &|_| {}, &AtomicBool::new(false)).expect("a bundle");
    for diagnostic in &report.diagnostics {
        assert!(!matches!(diagnostic.code, "page-failed" | "file-failed"), "{diagnostic:?}");
        assert_within(files, diagnostic);
    }
    let archive = BundleReader::open(&options.output.path).expect("a bundle that can be read");
    let read = |name: &str| archive.read(archive.find(name).expect("a file")).expect("bytes");
    let bundle: BTreeMap<String, Vec<u8>> =
        archive.entries().iter().map(|entry| (entry.name().to_owned(), read(entry.name()))).collect();
    assert!(String::from_utf8_lossy(&bundle["other.html"]).contains("The end."), "the other page is not whole");
    bundle
}

/// Style sheets, drawings, data and modules, with letters of every kind where their readers count bytes.
pub(super) fn sides() -> Vec<Vec<u8>> {
    let texts = [
        "\u{feff}.é{a:url(\"ü.png\")}/* 中 */中@import 'é.css' 中;@namespace url(é);h1 é,[中]{b:'é\\'}\u{2028}",
        "\u{feff}<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY é \"中\">]><svg xmlns='http://www.w3.org/2000/svg' width='4é' viewBox='0 0 4 4'><style>@import url(https://a.example/é);</style><image href='https://a.example/中.png'/><script>é</script><text>&é;é</text></svg>",
        "\u{feff}{\"é\": [1, \"中\\u00e9\", {\"openapi\": \"3.1.0\"}], // é\n}",
        "\u{feff}é: 中\nopenapi: 3.1.0\ninfo: {title: é, version: '1'}\npaths: {/é: {get: {summary: 中}}}\n",
        "\u{feff}[é]\n\"中\" = 'é'\n",
        "\u{feff}import a from './é.jsx'\nexport const Box = ({ é = \"中\" }) => <b title={'é'}>{`中${é}`}</b>\n",
        "\u{feff}---\ntitle: é\n---\n\n## É {#中}\n\n<Card title=\"é\">中</Card>\n",
    ];
    texts.iter().map(|text| text.as_bytes().to_vec()).collect()
}

/// Short pages that use much: components, code, formulas, tables, links, HTML, scripts, and mistakes.
pub(super) fn pages() -> Vec<Vec<u8>> {
    let texts = [
        "---\ntitle: A & <b>\ndescription: \"D\"\nicon: book\n---\n\n# One\n\nText *a* **b** `c` ~~d~~ [other](/other) [gone](/gone#x) <a@b.example>\n\n## Two {#own}\n\n[own](#own) [^1]\n\n[^1]: Note.\n",
        "<Tabs>\n  <Tab title=\"A\" icon=\"house\">\n    <Note>One</Note>\n  </Tab>\n  <Tab title=\"A\">Two</Tab>\n</Tabs>\n\n<Steps>\n  <Step title=\"S\">x</Step>\n</Steps>\n\n<Accordion title=\"Content\" defaultOpen={true}>y</Accordion>\n",
        "<CardGroup cols={2}>\n  <Card title=\"T\" href=\"/other\" icon=\"<svg onload=alert(1)>\">b</Card>\n  <Card title={`x${1}`} img=\"/a.png\" />\n</CardGroup>\n\n<ParamField path=\"p\" type=\"string\" required default=\"1\">f</ParamField>\n<Tooltip tip=\"t\">w</Tooltip> <Badge color=\"red\">n</Badge> <Icon icon=\"x\" />\n",
        "```js file.js {1,3} lines\nlet a = `${1}`; // [!code ++]\n```\n\n<CodeGroup>\n```python A\nprint(1)\n```\n```bash B\nls $HOME\n```\n</CodeGroup>\n\n$x_1^2$ and $$\\frac{a}{b}$$\n\n```mermaid\nflowchart TD\n  a[\"A\"] -->|x| b\n```\n",
        "| a | b |\n|:--|--:|\n| `x|y` | [l](/other) |\n\n- [x] t\n  1. n\n     > q\n\n<div class=\"flex p-4\" style={{color: \"red\", backgroundImage: \"url(x)\"}}><details open><summary>s</summary>t</details></div>\n<img src=\"javascript:alert(1)\" onerror=\"x\" /><iframe src=\"https://a.example\"></iframe>\n",
        "export const list = [1, 2];\nexport const C = ({a}) => <b>{a}</b>;\n\n{list.map((n) => <C key={n} a={n} />)}\n\n<C a=\"s\" /> {/* c */} {list.length > 1 ? \"y\" : null}\n\n<Unknown x={1}>z</Unknown>\n",
        ":::note Title\nBox\n:::\n\n!!! warning\n    W\n\n<Update label=\"L\" description=\"d\">u</Update>\n<Frame caption=\"c\">![alt](/x.png \"t\")</Frame>\n<Tree>\n<Tree.Folder name=\"f\"><Tree.File name=\"g\" /></Tree.Folder>\n</Tree>\n<b>open\n\n{unclosed\n",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}

/// Pages with front matter.
pub(super) fn front_matters() -> Vec<Vec<u8>> {
    let mut pages = super::files(&super::root().join("fixtures/hostile/matter"));
    pages.extend(super::fixtures(&[
        "docs/index.mdx",
        "docs/changelog.mdx",
        "docs/components/visibility.mdx",
        "docs/format/front-matter.mdx",
    ]));
    pages.push(b"---\ntitle: \"T\"\nsidebarTitle: S\nicon: {name: book, library: lucide}\ntag: NEW\nmode: wide\ngroups: [a, b]\nopenapi: api.yaml GET /a\nkeywords:\n  - one\n  - two\nhidden: true\nog:title: O\ndescription: >-\n  folded\n  text\n---\n\nWords.\n".to_vec());
    pages
}

/// Configurations of the tests, and one with a mistake in each key.
pub(super) fn configurations() -> Vec<Vec<u8>> {
    let names = ["docs", "hostile", "navigation", "versions", "families/content", "api", "drawings"];
    let paths = names.map(|name| format!("{name}/docs.json"));
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let mut all = super::fixtures(&paths);
    all.extend([DOCS.as_bytes().to_vec(), DOCS_API.as_bytes().to_vec()]);
    all
}

/// Descriptions of APIs that the tests render, and small ones.
pub(super) fn descriptions() -> Vec<Vec<u8>> {
    let mut all = super::fixtures(&[
        "api/specs/shop-floor.yaml",
        "api/specs/events.yaml",
        "api/specs/billing.json",
        "api/specs/files.yaml",
        "api/specs/partners/openapi.yaml",
    ]);
    all.extend(small_descriptions());
    all
}

/// Small ones that use much.
pub(super) fn small_descriptions() -> Vec<Vec<u8>> {
    let texts = [
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a/{id}:\n    parameters: [{name: id, in: path, schema: {type: string}}]\n    get: {summary: S, x-mint: {content: 'Words'}, responses: {'200': {description: D, content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}}\ncomponents: {schemas: {A: {allOf: [{$ref: '#/components/schemas/B'}, {type: object, properties: {a: {$ref: '#/components/schemas/A'}}}]}, B: {type: object, required: [b], properties: {b: {type: integer, default: 3}}}}}\n",
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: a.example\nbasePath: /v1\npaths: {/a: {post: {consumes: [application/json], parameters: [{name: body, in: body, schema: {$ref: '#/definitions/A'}}, {name: f, in: formData, type: file}], responses: {default: {description: D, schema: {type: array, items: {type: string}}}}}}}\ndefinitions: {A: {type: object, additionalProperties: {type: number}}}\n",
        "asyncapi: 2.6.0\ninfo: {title: T, version: '1'}\nservers: {a: {url: 'wss://a.example', protocol: wss}}\nchannels: {a/{b}: {parameters: {b: {schema: {type: string}}}, subscribe: {message: {oneOf: [{name: M, payload: {type: object}}, {$ref: '#/components/messages/N'}]}}}}\ncomponents: {messages: {N: {payload: {type: string}, traits: [{headers: {type: object}}]}}}\n",
        "asyncapi: 3.0.0\ninfo: {title: T, version: '1'}\nchannels: {a: {address: a, messages: {m: {payload: {type: string}}}}}\noperations: {o: {action: send, channel: {$ref: '#/channels/a'}, messages: [{$ref: '#/channels/a/messages/m'}]}}\n",
        "{\"openapi\": \"3.0.3\", \"info\": {\"title\": \"T\", \"version\": \"1\"}, \"paths\": {\"/a\": {\"get\": {\"operationId\": \"a\", \"tags\": [\"x\"], \"deprecated\": true, \"security\": [{\"k\": []}], \"responses\": {}}}}, \"components\": {\"securitySchemes\": {\"k\": {\"type\": \"apiKey\", \"in\": \"header\", \"name\": \"K\"}}}, \"webhooks\": {\"w\": {\"post\": {}}}}",
    ];
    texts.map(|text| text.as_bytes().to_vec()).to_vec()
}
