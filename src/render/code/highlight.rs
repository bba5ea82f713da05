//! The highlighter that all pages share.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use base::cut::SliceText as _;
use base::html::{escape_html_text, push_html_text};
use base::{Diagnostic, limits};
use site::config::CodeStyle;

use super::cache::{LineCache, LineResult};
use super::library::LanguageLibrary;
use super::palette::{CodePalette, OwnTheme};
use super::placeholder::{self, find_placeholders};
use textmate::{
    BLOCK_WORK, GrammarId, Looks, ScopeStacks, Span, StateId, States, TokenTheme, Tokenizer, TokenizerShared, Tools,
};

/// What a highlighter is made of.
#[derive(Clone, Debug, Default)]
pub struct HighlightOptions {
    /// `styling.codeblocks`.
    pub style: CodeStyle,
    /// Custom TextMate grammars: (source path, JSON text).
    pub languages: Vec<(String, String)>,
    /// Leave all code plain.
    pub off: bool,
}

/// Highlights code. Threads share the grammars, the states between lines, and the lines that were seen before; each
/// takes a tokenizer of its own for a block. Results depend on the language and the code alone.
pub struct Highlighter {
    off: bool,
    library: LanguageLibrary,
    /// The languages of shells.
    shells: [Option<GrammarId>; 3],
    palette: CodePalette,
    engine: Engine,
    /// By name: the themes that single blocks name; `None` for unknown names.
    own: Mutex<BTreeMap<String, Option<Arc<Themed>>>>,
}

/// What belongs to a pair of themes.
struct Engine {
    scopes: ScopeStacks,
    states: States,
    lines: LineCache,
    /// What earlier blocks taught the tokenizers; one for each thread that works on a block.
    idle: Mutex<Vec<Tools>>,
}

impl Engine {
    fn new(themes: [TokenTheme; 2]) -> Self {
        Self {
            scopes: ScopeStacks::new(themes),
            states: States::default(),
            lines: LineCache::new(),
            idle: Mutex::default(),
        }
    }
}

/// The theme of single blocks, with an engine of its own.
pub(super) struct Themed {
    theme: OwnTheme,
    engine: Engine,
}

impl Themed {
    /// The block's ground and ink, as a `style` attribute.
    pub(super) fn style(&self) -> &str {
        &self.theme.style
    }
}

/// How tokens get their looks: by the classes of the style sheet, or each by itself.
#[derive(Clone, Copy)]
enum TokenPen<'a> {
    Classes,
    Styles(&'a OwnTheme),
}

impl TokenPen<'_> {
    fn open(self, out: &mut String, looks: Looks) -> bool {
        match self {
            Self::Classes => CodePalette::open(out, looks),
            Self::Styles(theme) => theme.open(out, looks[0]),
        }
    }
}

impl Default for Highlighter {
    fn default() -> Self {
        Self::new(&HighlightOptions::default()).0
    }
}

impl fmt::Debug for Highlighter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Highlighter").field("palette", &self.palette).finish_non_exhaustive()
    }
}

impl Highlighter {
    /// Makes a highlighter; what is wrong with themes and custom grammars comes back beside it.
    pub fn new(options: &HighlightOptions) -> (Self, Vec<Diagnostic>) {
        let (palette, themes, mut diagnostics) = CodePalette::new(&options.style);
        let (library, refused) = LanguageLibrary::new(&options.languages);
        diagnostics.extend(refused);
        let shells = ["shellscript", "shellsession", "fish"].map(|name| library.find(name));
        let highlighter =
            Self { off: options.off, library, shells, palette, engine: Engine::new(themes), own: Mutex::default() };
        (highlighter, diagnostics)
    }

    /// The rules that color highlighted code, for the stylesheet. They follow `code.css`.
    pub fn css(&self) -> String {
        self.palette.css().to_owned()
    }

    /// A language's name for people; `None` if it is plain text or unknown.
    pub fn label(&self, lang: &str) -> Option<&str> {
        self.library.find(lang).map(|id| self.library.label(id))
    }

    /// The HTML of code: elements never span lines, the text is the code's. Unknown languages, lines over 1 kB and
    /// blocks over 256 kB stay plain, and so does the rest of a block that costs too much.
    pub fn html<'a>(&self, lang: &str, code: &'a str) -> Cow<'a, str> {
        self.write(&self.engine, TokenPen::Classes, lang, code)
    }

    /// Highlights code in the theme of a single block.
    pub(super) fn themed_html<'a>(&self, themed: &Themed, lang: &str, code: &'a str) -> Cow<'a, str> {
        self.write(&themed.engine, TokenPen::Styles(&themed.theme), lang, code)
    }

    /// A theme by its name, if there is one.
    pub(super) fn themed(&self, name: &str) -> Option<Arc<Themed>> {
        let mut own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || {
            OwnTheme::load(name)
                .map(|(theme, rules)| Arc::new(Themed { theme, engine: Engine::new([rules, TokenTheme::new(&[])]) }))
        };
        match own.get(name) {
            Some(known) => known.clone(),
            None => own.entry(name.to_owned()).or_insert_with(load).clone(),
        }
    }

    /// Whether there is a theme of this name.
    pub fn has_theme(&self, name: &str) -> bool {
        OwnTheme::exists(name)
    }

    fn write<'a>(&self, engine: &Engine, pen: TokenPen<'_>, lang: &str, code: &'a str) -> Cow<'a, str> {
        let shared = TokenizerShared { grammars: &self.library, scopes: &engine.scopes, states: &engine.states };
        let start = self
            .library
            .find(lang)
            .filter(|_| !self.off && code.len() <= limits::HIGHLIGHT_BLOCK_BYTES)
            .and_then(|language| Some((language, engine.states.initial(language, shared)?)));
        let Some((language, state)) = start else { return plain_code(code) };
        let is_shell = self.shells.contains(&Some(language));
        let mut block = HighlightedBlock {
            engine,
            shared,
            pen,
            language,
            is_shell,
            state: Some(state),
            first: true,
            work: BLOCK_WORK,
            tokenizer: None,
        };
        let mut out = String::with_capacity(code.len() * 3);
        let mut done = 0;
        for line in code.split('\n') {
            if done > 0 {
                out.push('\n');
            }
            if line.len() > limits::HIGHLIGHT_LINE_BYTES {
                push_html_text(&mut out, line);
            } else if !block.line(line, &mut out) {
                push_html_text(&mut out, code.slice(done..));
                break;
            }
            done += line.len() + 1;
        }
        block.finish();
        out.into()
    }
}

fn plain_code(code: &str) -> Cow<'_, str> {
    if code.contains(['&', '<', '>']) { escape_html_text(code).into() } else { code.into() }
}

/// A block on its way.
struct HighlightedBlock<'a> {
    engine: &'a Engine,
    shared: TokenizerShared<'a>,
    pen: TokenPen<'a>,
    language: GrammarId,
    /// `<name>` may be a placeholder in it.
    is_shell: bool,
    /// `None`: only the tokenizer knows.
    state: Option<StateId>,
    first: bool,
    /// Work left. Known lines cost what they cost the first time, so that the same block always ends in the same place.
    work: u64,
    tokenizer: Option<Tokenizer>,
}

impl HighlightedBlock<'_> {
    /// Writes a line. False: the block costs too much, and nothing was written.
    fn line(&mut self, line: &str, out: &mut String) -> bool {
        let engine = self.engine;
        let start = out.len();
        let key = self.state.map(|state| engine.lines.key(state, self.first, line));
        let known = key.and_then(|key| engine.lines.write(key, out));
        if let Some(known) = known {
            self.state = Some(known.next);
            self.first = false;
            self.work = self.work.saturating_sub(u64::from(known.work));
            if self.work == 0 {
                out.truncate(start);
            }
            return self.work > 0;
        }
        let tokenizer = self.tokenizer.get_or_insert_with(|| {
            let idle = engine.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            Tokenizer::new(idle.unwrap_or_default())
        });
        tokenizer.set_work(self.work);
        let placeholders = if self.is_shell { find_placeholders(line) } else { Vec::new() };
        let read = placeholder::as_words(line, &placeholders);
        let Some((spans, next, left)) = tokenizer.line(self.shared, self.language, self.state, self.first, &read)
        else {
            return false;
        };
        write_spans(
            out,
            line,
            spans
                .iter()
                .filter(|span| !placeholders.iter().any(|whole| whole.start < span.end && span.end < whole.end)),
            self.pen,
        );
        if let (Some(key), Some(next), Ok(work)) = (key, next, u32::try_from(self.work - left)) {
            engine.lines.keep(key, out.slice(start..), LineResult { next, work });
        }
        (self.state, self.first, self.work) = (next, false, left);
        true
    }

    /// Keeps what the tokenizer learnt.
    fn finish(self) {
        if let Some(tokenizer) = self.tokenizer {
            self.engine.idle.lock().unwrap_or_else(PoisonError::into_inner).push(tokenizer.into_tools());
        }
    }
}

/// Writes the spans of a line. White space has no color to show: it joins what is open.
fn write_spans<'s>(out: &mut String, line: &str, spans: impl Iterator<Item = &'s Span>, pen: TokenPen<'_>) {
    let mut from = 0;
    let mut written = 0;
    let mut open = None;
    for span in spans {
        let text = line.slice(from..span.end);
        let start = std::mem::replace(&mut from, span.end);
        if text.bytes().all(|byte| byte == b' ' || byte == b'\t') {
            continue;
        }
        if open != Some(span.looks) {
            if open.take().is_some() {
                out.push_str("</i>");
            }
            out.push_str(line.slice(written..start));
            written = start;
            open = pen.open(out, span.looks).then_some(span.looks);
        }
        push_html_text(out, line.slice(written..span.end));
        written = span.end;
    }
    if open.is_some() {
        out.push_str("</i>");
    }
    out.push_str(line.slice(written..));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Code in languages that work differently, with what they do across lines.
    const SAMPLES: [(&str, &str); 14] = [
        (
            "rust",
            "/// Doc\nfn main<'a>(x: &'a str) -> Vec<u8> {\n    let s = r#\"raw \"x\" {}\"#;\n    /* block\n    still */ println!(\"{}\", 0x1f_u8);\n}",
        ),
        (
            "python",
            "@dataclass\nclass A(B):\n    \"\"\"Doc\n    more\"\"\"\n    async def f(self, x: int = 1) -> str:\n        return f\"{x!r:>{10}} é\"  # end",
        ),
        (
            "ts",
            "import { a } from './a';\nexport const f = async <T,>(x?: T): Promise<T> => {\n  const re = /a[/]b+/g;\n  return `t ${x ?? `in ${1 + 2}`}` as T;\n};",
        ),
        (
            "tsx",
            "export default function A({ b }: P) {\n  return <B.C d=\"e\" {...f} onClick={() => g(1)}>t &amp; {h && <i />}</B.C>;\n}",
        ),
        (
            "bash",
            "# c\nexport A=\"$(cat ~/x | jq -r '.a[0]')\"\nfor f in *.md; do\n  cat <<'EOF' > $f\n  text $A\nEOF\ndone && curl -sS \"https://x/${A}\" \\\n  -d '{\"a\": 1}'",
        ),
        ("json", "{\n  \"a\": [1, 2.5e-3, true, null],\n  \"b\\n\": { \"c\": \"d\" }\n}"),
        ("yaml", "a: &x\n  - b: \"c\" # d\n    e: |\n      text\n      more\n  - *x\nf: [1, {g: h}]"),
        (
            "html",
            "<!doctype html>\n<script>let a = \"b\";</script>\n<style>p { color: red; margin: 0 1px }</style>\n<p class=\"x\" onclick=\"f(1)\">&amp; ü</p>",
        ),
        ("md", "---\na: b\n---\n# T *e*\n\n```js\nlet x = 1;\n```\n- [l](http://x) `c`\n> q"),
        ("sql", "-- c\nSELECT a.b, COUNT(*) FROM t AS a WHERE x = 'y''z' AND d > 1.5 GROUP BY 1;"),
        (
            "php",
            "<?php\nnamespace A\\B;\n$x = new \\C\\D($e['f'], \"g $h {$i->j}\");\n/** @param int $k */\nfunction l(?int $k): ?string { return <<<X\n t $k\nX; }",
        ),
        (
            "ruby",
            "class A < B\n  def c(d:, e: 1)\n    x = <<~H\n      t #{d}\n    H\n    %w[a b].map(&:to_s) =~ /r#{e}/i\n  end\nend",
        ),
        (
            "go",
            "package a\n\nfunc (s *S) F(ctx context.Context, m map[string]int) (err error) {\n\ts.x <- `raw` + \"a\\n\" // c\n}",
        ),
        (
            "vue",
            "<template>\n  <a v-if=\"b\" :c=\"d + 1\" @e=\"f($event)\">{{ g | h }}</a>\n</template>\n<script setup lang=\"ts\">\nconst x: number = 1\n</script>",
        ),
    ];

    /// The colors that a token has, light and dark, by the class before its text.
    fn colors(highlighter: &Highlighter, html: &str, token: &str) -> (String, String) {
        let at = html.find(&format!(">{token}")).unwrap_or_else(|| panic!("{token} opens no element in {html}"));
        let class = html[..at]
            .rsplit("class=")
            .next()
            .unwrap_or_default()
            .trim_matches('"')
            .split(' ')
            .next()
            .unwrap_or_default();
        let css = highlighter.css();
        let color = |dark: bool| {
            let selector = if dark {
                format!("*={}]", class.trim_matches(|c: char| c.is_ascii_lowercase()))
            } else {
                format!("^={}]", class.trim_end_matches(|c: char| c.is_ascii_uppercase()))
            };
            let rule = css.split('}').find(|rule| rule.contains("html.dark") == dark && rule.contains(&selector));
            rule.and_then(|rule| rule.rsplit("color:").next()).unwrap_or("none").to_owned()
        };
        (color(false), color(true))
    }

    #[track_caller]
    fn check(lang: &str, code: &str, token: &str, light: &str, dark: &str) {
        let highlighter = Highlighter::default();
        let html = highlighter.html(lang, code);
        assert_eq!(colors(&highlighter, &html, token), (light.to_owned(), dark.to_owned()), "{html}");
    }

    #[test]
    fn tokens_have_the_colors_of_the_themes() {
        check("rust", "fn main() {}", "fn", "#cb212d", "#569cd6");
        check("python", "def f():\n    return 'x'", "return", "#cb212d", "#c586c0");
        check("python", "def f():\n    return 'x'", "'x'", "#0a3069", "#ce9178");
        check("ts", "const x: number = 1; // hi", "// hi", "#616972", "#6a9955");
        check("json", "{\"a\": 1}", "\"a\"", "#116329", "#9cdcfe");
        check("bash", "echo \"hi\"", "\"hi\"", "#0a3069", "#ce9178");
        check("go", "func main() {}", "main", "#7a4bd2", "#dcdcaa");
        check("css", "a { color: red }", "color", "#0550ae", "#9cdcfe");
    }

    #[test]
    fn placeholders_in_shells_are_one_token() {
        let highlighter = Highlighter::default();
        let html = |lang: &str, code: &str| highlighter.html(lang, code).into_owned();
        for (code, word) in [
            ("npm access grant <scope:team> [<package>]", "npm access grant scope_team_x [package_x]"),
            ("curl <url> --out <file-name>", "curl url_x --out file_name_x"),
            ("git clone <repo url> && cd <dir>", "git clone repo_url_x && cd dir_x"),
            ("a@<é> <b>/<c>.json", "a@é_x b_x/c_x.json"),
        ] {
            // the colors of words of the same kind: no more tokens than those have
            assert_eq!(
                html("bash", code).matches("<i ").count(),
                html("bash", word).matches("<i ").count(),
                "{}",
                html("bash", code)
            );
            assert!(
                !html("console", &format!("$ {code}")).contains(">&lt;</i>"),
                "{}",
                html("console", &format!("$ {code}"))
            );
        }
        for code in ["sort < in > out", "cat <<EOF", "diff <(cmd) b>c", "sort <in >out"] {
            assert!(
                html("bash", code).contains("&lt;</i>") || html("bash", code).contains(">&lt;"),
                "{}",
                html("bash", code)
            );
        }
        assert_eq!(html("ts", "let a = <b>c;").matches("&lt;").count(), 1);
    }

    #[test]
    fn names_of_languages_are_found_in_any_case() {
        let highlighter = Highlighter::default();
        assert_eq!(highlighter.label("TS"), Some("TypeScript"));
        assert_eq!(highlighter.html("Bash", "cd x"), highlighter.html("sh", "cd x"));
        assert_eq!(highlighter.html("output", "a < b"), "a &lt; b");
    }

    #[test]
    fn lines_are_whole_elements() {
        let highlighter = Highlighter::default();
        for (lang, code) in SAMPLES {
            let html = highlighter.html(lang, code);
            assert_eq!(html.matches('\n').count(), code.matches('\n').count(), "{lang}");
            assert!(
                html.lines().all(|line| line.matches("<i ").count() == line.matches("</i>").count()),
                "{lang}: {html}"
            );
            assert!(html.contains("<i "), "{lang}");
            assert!(!html.contains("> </i>") && !html.contains("=></i>"), "{lang}: {html}");
        }
    }

    /// The automaton is a shortcut, nothing else.
    #[test]
    fn asking_every_pattern_gives_the_same() {
        let highlighter = Highlighter::default();
        for (lang, code) in SAMPLES {
            let language = highlighter.library.find(lang).expect("is known");
            let shared = TokenizerShared {
                grammars: &highlighter.library,
                scopes: &highlighter.engine.scopes,
                states: &highlighter.engine.states,
            };
            let spans = |ask_all: bool| {
                let mut tokenizer = Tokenizer::new(Tools::default());
                let mut state = shared.states.initial(language, shared);
                let mut all = Vec::new();
                for (index, line) in code.split('\n').enumerate() {
                    tokenizer.set_work(u64::MAX);
                    tokenizer.ask_all(ask_all);
                    let (spans, next, _) =
                        tokenizer.line(shared, language, state, index == 0, line).expect("work is left");
                    all.push((spans.to_vec(), next));
                    state = next;
                }
                all
            };
            assert_eq!(spans(false), spans(true), "{lang}");
        }
    }

    #[test]
    fn threads_and_order_do_not_matter() {
        let alone: Vec<String> =
            SAMPLES.iter().map(|(lang, code)| Highlighter::default().html(lang, code).into_owned()).collect();
        let shared = Highlighter::default();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (shared, alone) = (&shared, &alone);
                scope.spawn(move || {
                    for at in (0..SAMPLES.len()).map(|at| (at * 5 + thread * 3) % SAMPLES.len()) {
                        let (lang, code) = SAMPLES[at];
                        assert_eq!(shared.html(lang, code), alone[at]);
                    }
                });
            }
        });
    }

    #[test]
    fn hostile_code_ends_and_ends_the_same() {
        let cases = [
            ("yaml", ": ".repeat(10_000)),
            ("php", ("$".repeat(990) + "\n").repeat(60)),
            ("mdx", ("`".repeat(990) + "\n").repeat(20)),
            ("cpp", ("a<b<".repeat(240) + "\n").repeat(60)),
            ("js", "{\n".repeat(20_000)),
            ("bash", (0..3_000).map(|at| format!("cat <<E{at}\nx\nE{at}\n")).collect()),
            ("ts", "x".repeat(limits::HIGHLIGHT_BLOCK_BYTES + 1)),
        ];
        let highlighter = Highlighter::default();
        for (lang, code) in &cases {
            let first = highlighter.html(lang, code).into_owned();
            // now its first lines are known
            assert_eq!(first, highlighter.html(lang, code), "{lang}");
        }
    }

    #[test]
    fn long_lines_stay_plain_and_the_rest_goes_on() {
        let code = format!("let a = 1;\nlet b = '{}';\nlet c = 2;", "x".repeat(limits::HIGHLIGHT_LINE_BYTES));
        let html = Highlighter::default().html("js", &code).into_owned();
        let lines: Vec<&str> = html.lines().collect();
        assert!(lines[0].contains("<i ") && !lines[1].contains("<i ") && lines[2].contains("<i "), "{html}");
    }

    #[test]
    fn blocks_may_have_a_theme_of_their_own() {
        let highlighter = Highlighter::default();
        let nord = highlighter.themed("nord").expect("is known");
        assert!(nord.style().starts_with("--op-code-ground:#2e3440;"), "{}", nord.style());
        let html = highlighter.themed_html(&nord, "js", "let a = \"b\";").into_owned();
        assert!(html.contains("<i style=\"color:#8ba9c6\">let</i>") && !html.contains("class"), "{html}");
        // the other blocks keep the site's
        assert!(highlighter.html("js", "let a = \"b\";").contains("<i class="));
        assert!(highlighter.themed("no-such-theme").is_none() && !highlighter.has_theme("no-such-theme"));
    }

    #[test]
    fn custom_grammars_highlight() {
        let grammar = r#"{"name":"mine","scopeName":"source.mine","patterns":[{"match":"\\bloop\\b","name":"keyword.control.mine"},{"include":"source.json"}]}"#;
        let options =
            HighlightOptions { languages: vec![("mine.json".into(), grammar.into())], ..HighlightOptions::default() };
        let (highlighter, diagnostics) = Highlighter::new(&options);
        assert!(diagnostics.is_empty());
        let html = highlighter.html("mine", "loop \"x\"").into_owned();
        assert_eq!(html.matches("<i ").count(), 2, "{html}");
    }
}
