use proptest::prelude::*;

use super::*;

const MDX: PageSyntax =
    PageSyntax { is_mdx: true, hides_rust: false, is_mintlify: false, fills_code: false, is_vault: false };
const MARKDOWN: PageSyntax =
    PageSyntax { is_mdx: false, hides_rust: false, is_mintlify: false, fills_code: false, is_vault: false };

/// The words that a text shows.
fn words(text: &str, syntax: PageSyntax) -> String {
    let source = Source::read(text, syntax);
    let is_word = |c: char| c.is_alphanumeric();
    let words: Vec<&str> = source.text().split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!((words(text, MDX).as_str(), words(text, MARKDOWN).as_str()), (expect, expect), "{text}");
}

#[track_caller]
fn check_mdx(text: &str, expect: &str) {
    assert_eq!(words(text, MDX), expect, "{text}");
}

#[track_caller]
fn check_markdown(text: &str, expect: &str) {
    assert_eq!(words(text, MARKDOWN), expect, "{text}");
}

#[test]
fn front_matter_is_no_text() {
    check("---\ntitle: One\n---\n\nTwo", "Two");
    check("\u{feff}---\r\ntitle: One\r\n---\r\nTwo", "Two");
    check("+++\ntitle = 'One'\n+++\nTwo", "Two");
    check("{\n  \"title\": \"One\"\n}\n\nTwo", "Two");
    check("\n---\ntitle: One\n\nlist:\n\n---\nTwo", "Two");
    check("---\n\nOne\n", "One");
}

#[test]
fn modules_are_no_text() {
    check_mdx("import A from '/a.mdx'\nimport { B } from \"/b.mdx\"\n\nText <A /> <B>inside</B>", "Text inside");
    check_mdx("import {\n  A,\n} from './a'\nText", "Text");
    check_mdx("export const f = () => {\n  return <p>don't</p>\n}\n\nText", "Text");
    check_mdx("export const a = `one\n\ntwo`;\n\nText", "Text");
    check_mdx("import the file first.\n\nexport it later.", "import the file first export it later");
    check_markdown("import a from 'b'", "import a from b");
}

#[test]
fn marks_of_blocks_are_no_text() {
    check("# One\n\n> - two\n> 12. three\n\nFour\n====\n\n- [x] five\n- [ ] six", "One two three Four five six");
    check("| a | b |\n|---|:-:|\n| c \\| d | `e|f` |", "a b c d e f");
    check(":::warn title=\"A title\"\nText\n:::", "A title Text");
    check(":::note[A title]{.x}\nText\n:::\n\n::: tip Another\nText\n:::", "A title Text Another Text");
    check("!!! note \"A title\"\n    Text\n\n??? tip\n    More\n\n=== \"Tab\"", "A title Text More Tab");
    check("> [!NOTE]\n> Text", "Text");
    check("> [!my-kind|wide right] Title\n> Text", "Title Text");
    check("::: tabs key:os\n== Title\nText\n:::", "Title Text");
    check("/// html | div.own\nText\n///", "Text");
    check("Use `:::js let x`", "Use let x");
    check("/// details | A title\n    type: no\n\nText\n///", "A title Text");
    check("[label]: https://example.org \"T\"\n[^1]: The note\n*[HTML]: Hyper\n[TOC]\n\nText[^1]", "The note Text");
    check("--8<-- \"file.md\"\n<<< @/file.js\nText", "Text");
}

/// A word of the head of a block ends at a control character, and the next one begins behind it.
#[test]
fn control_characters_part_words() {
    for control in (0..b' ').map(char::from).filter(|c| *c != '\n') {
        check(&format!("```js{control}a{control}title=\"b c\"{control}d\ne\n```\nf"), "b c e f");
        let mintlify = PageSyntax { is_mintlify: true, ..MDX };
        assert_eq!(words(&format!("```js{control}a b\nc\n```\nd"), mintlify), "a b c d", "{control:?}");
    }
}

#[test]
fn code_is_text() {
    check("```js no title=\"x y.js\" {1,2}\nlet <b> = {c}; // *d*\n```\ne", "x y js let b c d e");
    check("~~~\na\n```\nb\n~~~\nc", "a b c");
    check("- item\n  ```sh\n  run it\n  ```\n- next", "item run it next");
    check("a `b <c> {d}` ``e ` f`` g ` h", "a b c d e f g h");
    check("`get`Name and Set`ter`", "getName and Setter");
    check("```js\nrun() # every (1)! word\n/* b */ c() // (2)!\n```", "run b c");
    check("a `{{#no b}}` c", "a c");
    check("```\n{% raw %}a{% endraw %}\n```", "a");
    check("<pre>a\\</pre> b", "a b");
    check("```\n{{#include a.rs}}\n--8<-- \"b\"\n{!c!}\nd\n```", "d");
    check("```js\na() // [!code ++] kept\n// highlight-next-line\nb() # (1)!\n```", "a kept b");
    check("| `a | b |\n| c` | d |", "a b c d");
    check_markdown("``` c\na\n    ```\nb\n```\nc", "a b c");
    check_mdx("```c\na\n        ```\nb", "a b");
    check("````mdx-code-block\n<p>a</p>\n", "a");
    let titled = PageSyntax { is_mintlify: true, fills_code: true, ..MDX };
    assert_eq!(
        words("```js A title (new) {1,2} lines icon=\"no no\" highlight={3} end\nb\n```", titled),
        "A title new end b"
    );
    assert_eq!(words("```\na {{b}} {{ c.d }} {{e f}}\n```\n`g {{h}} i`", titled), "a e f g i");
    let rust = PageSyntax { hides_rust: true, ..MARKDOWN };
    assert_eq!(words("```rust\n# use hidden;\nshown();\n#![attr]\n```", rust), "shown attr");
}

#[test]
fn tags_are_no_text() {
    check("a<b>c</b>d <p title=\"no\">e</p>f<br/>g <!-- no\n\nno --> h", "acd e f g h");
    check("a <script>no</script> b <style>\n.no {}\n</style> c", "a b c");
    check("1 < 2 and a <b and <https://example.org/x> <me@example.org>", "1 2 and a b and");
    check_mdx("<Card title=\"One\" icon=\"no\" href={`/no`}>Two</Card>", "One Two");
    check_mdx("<Card title={'One'} data={[{a: '>'}]}\n  onClick={() => { no() }}>Two</Card>", "One Two");
    check_mdx("import { Card } from '/own.jsx'\n\n<Card title=\"no\">Two</Card>", "Two");
    check_mdx(
        "<Visibility for=\"agents\">no <Visibility>no</Visibility></Visibility><Visibility for=\"humans\">yes</Visibility>",
        "yes",
    );
    check("<img src=\"no.png\" alt=\"One &amp; two\">", "One two");
    check("<table><tr><th>a</th><th data-hidden>no</th></tr><tr><td>b</td><td>no</td></tr></table>", "a b");
    check_markdown("<li v-for=\"a in b\">no</li><p>yes</p>", "yes");
}

#[test]
fn expressions_are_no_text() {
    check_mdx("a {/* no\n\nno */} b {no.no} {\"c\"} {`d`} {`no ${x}`} e{' '}f", "a b c d e f");
    check_mdx("a { b", "a b");
    check("a {{ no }} b", "a b");
    check_markdown(
        "{{< tab \"no\" >}}\na\n{{< /tab >}} {{% no %}} {% no a=\"b\" %} b {: .no } {#no .no} { c }",
        "a b c",
    );
    check("# One {#no}\n\n## Two \\{#no\\}", "One Two");
    check_markdown("{! no !} {* no.py ln[1] *} [=85% \"a\"] {{% comment %}}no{{% /comment %}} b", "a b");
    check_markdown("{% content-ref url=\"no.md\" %}\n[no](no.md)\n{% endcontent-ref %}\na", "a");
    check_markdown("a\n\n1. TOC\n{:toc}\n\nb", "a b");
}

#[test]
fn links_show_their_words() {
    check("[a b](/c(d) \"t\") [e][f] [g][] ![h](i.png) [![j](k.png)](l)", "a b e g h j");
    check("see https://example.org/a?b=c, or www.example.org", "see or www example org");
    check("a[^note] b :smile: c d:e:f", "a b c d e f");
    check("![[no.png]] ![[words]](x.png)", "words");
}

#[test]
fn formulas_are_counted() {
    let shown = |text: &str| Source::read(text, MDX).shown.len();
    assert_eq!((shown("a $x^2$ b $$y$$ c $5 and $6"), words("a $x^2$ b", MDX)), (2, "a b".to_owned()));
    assert_eq!((shown("a \\(x\\) \\\\[y\\\\]"), words("a \\(x\\) \\[b](c)", MDX)), (2, "a b".to_owned()));
    check_markdown("pay $5 or ${name}$ now", "pay 5 or name now");
}

#[test]
fn places_are_those_of_the_file() {
    let file = "---\ntitle: T\n---\n\nOne **two** [three](/x) &amp; `four`";
    let source = Source::read(file, MDX);
    for word in ["One", "two", "three", "four"] {
        assert_eq!(source.text().find(word).map(|at| source.place(at)), file.find(word));
    }
}

proptest! {
    /// Whatever stands there, it is read, and nothing is invented.
    #[test]
    fn any_text_is_read(text in "(<|>|/|\"|'|`|```|~~~|\\{|\\}|\\[|\\]|\\(|\\)|!|&|;|:|::|\\*|\\$|\\+|\n|---\n|import |export | |<!--|-->|a|é|漢|\\\\|=|\t|\r|\0|\u{b}|\u{c}|\u{1f}){0,60}") {
        for syntax in [MDX, MARKDOWN] {
            let source = Source::read(&text, syntax);
            prop_assert!(source.text().len() <= text.len() * 2 + 2);
            for at in 0..source.text().len() {
                prop_assert!(source.place(at) <= text.len());
            }
        }
    }
}

#[test]
fn syntax_of_vaults_and_young_tools_is_no_text() {
    let vault = PageSyntax { is_vault: true, ..MARKDOWN };
    assert_eq!(words("A [[Note#Part|label]] [[Note]] %%no%% b ^name\n\n![alt|80](a.png)", vault), "A label b alt");
    assert_eq!(words("100%% and [[1]] x^2", MARKDOWN), "100 and 1 x 2");
    check_markdown("# Own [#own]\n\n## Place :id=part\n\n# First {docsify-ignore}", "Own Place First");
    check_markdown("[part](_part.md ':include') text", "text");
    check_markdown("::: code-tabs#shell\n@tab:active npm\n@[code{2-3}](./a.js)\n:::", "npm");
    check_markdown("Term\n:   !!! tip \"Title\"\n\n[x](/old.html) y", "Term Title x y");
}

#[test]
fn what_tools_replace_in_code_is_no_text() {
    check("```sh\nget {{< param tag >}} {{</* kept */>}}\n```", "get kept");
    check("```js-vue\na {{ $frontmatter.maker }}\n```\n\n```js\nb {{ c }}\n```", "a b c");
    check("```mdx-code-block\nOne\n```\n\nTwo\n\n```js\nthree\n```", "One Two three");
}

#[test]
fn what_browsers_show_instead_is_no_text() {
    check("a <video src=\"a.mp4\">No player.</video> b <iframe>None</iframe> c", "a b c");
    check_markdown("    ::yaml\n    key: 1\n\nText", "key 1 Text");
}

#[test]
fn lines_of_metadata_are_no_text() {
    check_markdown("title: The dock\nauthors: A crew\n    and more\n\nText", "Text");
    check_markdown("---\ntitle: The dock\n...\nText", "Text");
    check_mdx("title: The dock\n\nText", "title The dock Text");
}
