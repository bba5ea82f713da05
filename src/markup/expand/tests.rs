use super::*;

use crate::component;
use crate::esm;
use crate::tree::number_text;

/// A site of a few files; the first is the page.
struct Files(Vec<(&'static str, &'static str)>);

impl Files {
    fn body(&self, file: FileId) -> &'static str {
        self.0[file.0 as usize].1
    }
}

impl Modules for Files {
    fn document(&self, file: FileId) -> Option<Arc<ParsedFile>> {
        let text = self.body(file);
        Some(Arc::new(match self.is_markdown(file) {
            true => crate::parse_mdx(text, file, 1),
            false => ParsedFile { module: esm::parse_script(text), first_line: 1, ..ParsedFile::default() },
        }))
    }
    fn resolve(&self, _: FileId, path: &str) -> Option<FileId> {
        self.0.iter().position(|(name, _)| *name == path).map(|at| FileId(at as u32))
    }
    fn is_markdown(&self, file: FileId) -> bool {
        self.path(file).ends_with(".mdx")
    }
    fn script(&self, file: FileId) -> Option<Arc<Result<compile::CompiledModule, ScriptError>>> {
        Some(Arc::new(compile::module(&self.document(file)?.module.script, component::is_known_component)))
    }
    fn path(&self, file: FileId) -> &str {
        self.0[file.0 as usize].0
    }
}

fn expanded(files: Vec<(&'static str, &'static str)>) -> Expanded {
    let files = Files(files);
    let document = crate::parse_mdx(files.body(FileId(0)), FileId(0), 1);
    expand_document(document, FileId(0), &files)
}

/// The page as text: elements as `<name prop=value>…</name>`, Markdown by its kind.
fn shown(nodes: &[Node]) -> String {
    nodes.iter().map(show_node).collect()
}

fn show_node(node: &Node) -> String {
    match node {
        Node::Text(text) => text.clone(),
        Node::Code(code) => format!("`{code}`"),
        Node::Html { .. } => "[html]".to_owned(),
        Node::Fence(fence) => format!("```{} {}```", fence.lang, fence.code),
        Node::Break { .. } => " ".to_owned(),
        Node::Block(block) => {
            let name = format!("{:?}", block.kind);
            let name = name.split([' ', '{', '(']).next().unwrap_or_default().to_lowercase();
            format!("({name} {})", shown(&block.children))
        }
        Node::Element(element) => {
            let props: String =
                element.props.0.iter().map(|(name, value)| format!(" {name}={}", show_value(value))).collect();
            format!("<{}{props}>{}</>", element.name, shown(&element.children))
        }
        Node::Island(island) => format!("[island {}]", shown(&island.children)),
        Node::Part(part) => format!("[{:?} {}]", part.kind, shown(&part.children)),
        node => format!("{node:?}"),
    }
}

fn show_value(value: &PropValue) -> String {
    match value {
        PropValue::String(text) => text.clone(),
        PropValue::Number(number) => number_text(*number),
        PropValue::Bool(on) => on.to_string(),
        PropValue::Array(items) => format!("[{}]", items.iter().map(show_value).collect::<Vec<_>>().join(" ")),
        PropValue::Object(fields) => format!(
            "{{{}}}",
            fields.iter().map(|(name, value)| format!("{name}:{}", show_value(value))).collect::<Vec<_>>().join(" ")
        ),
        PropValue::Nodes(nodes) => shown(nodes),
        value => format!("{value:?}"),
    }
}

#[track_caller]
fn check(page: &'static str, expect: &str) {
    check_files(vec![("page.mdx", page)], expect);
}

#[track_caller]
fn check_files(files: Vec<(&'static str, &'static str)>, expect: &str) {
    let expanded = expanded(files);
    let problems: Vec<_> = expanded.problems.iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(problems, [""; 0]);
    assert_eq!(shown(&expanded.nodes), expect);
}

#[track_caller]
fn check_fails(page: &'static str, shows: &str, reason: &str) {
    let expanded = expanded(vec![("page.mdx", page)]);
    assert_eq!(shown(&expanded.nodes), shows);
    let problems: Vec<_> = expanded.problems.iter().filter(|problem| problem.code == "script-failed").collect();
    assert_eq!(problems.len(), 1, "{:?}", expanded.problems);
    assert!(problems[0].message.contains(reason), "{}", problems[0].message);
    assert!(problems[0].place.line > 0);
}

#[test]
fn components_with_props_and_children() {
    check(
        "export const Box = ({title, children}) => <div className=\"box\"><b>{title}</b>{children}</div>\n\n<Box title=\"A\">some *text*</Box>",
        "<div className=box><b>A</b>some (emphasis text)</>"
            .replace("</>some", "</b>some")
            .replace("</b>", "</>")
            .as_str(),
    );
    check(
        "export const N = ({n = 2, ...rest}) => <i {...rest}>{n + 1}</i>\n\n<N id=\"x\" n={4}/> and <N/>",
        "(paragraph <i id=x>5</> and <i>3</>)",
    );
}

#[test]
fn calls_conditions_and_loops() {
    check(
        "export const items = ['a', 'b']\n\n{items.map((x, i) => <li key={i}>{x}{i > 0 && '!'}</li>)}",
        "<li>a</><li>b!</>",
    );
    check(
        "export const L = ({list}) => { if (!list.length) return null; return <ul>{list.map(x => <li>{x.n.toUpperCase()}</li>)}</ul> }\n\n<L list={[{n: 'a'}, {n: 'b'}]}/>",
        "<ul><li>A</><li>B</></>",
    );
    check("{[1,2,3].filter(x => x > 1).join(', ')}", "2, 3");
    check("a {1 + 1} b", "(paragraph a 2 b)");
    check("<Card title={`a${1+1}`.toUpperCase()}>x</Card>", "<Card title=A2>x</>");
}

#[test]
fn built_in_components_stay_elements() {
    check(
        "export const C = ({t}) => <Card title={t} icon={<svg/>}><Note>{t}</Note></Card>\n\n<C t=\"x\"/>",
        "<Card title=x icon=<svg></>><Note>x</></>",
    );
    check(
        "export const T = () => <Tree><Tree.Folder name=\"a\"><Tree.File name=\"b\"/></Tree.Folder></Tree>; export const U = () => { const x = 1; return <T/> }\n\n<U/>",
        "<Tree><Tree.Folder name=a><Tree.File name=b></></></>",
    );
    check(
        "export const W = ({children}) => { return <Frame>{children}</Frame> }\n\n<W>\n<Card title=\"a\">b</Card>\n\n```js\nlet x\n```\n</W>",
        "<Frame><Card title=a>b</>```js let x```</>",
    );
}

#[test]
fn hooks_give_their_first_state() {
    check(
        "export const C = () => { const [n, set] = useState(() => 3); const r = React.useRef(null); useEffect(() => { document.title = n }); const m = useMemo(() => n * 2, [n]); return <button ref={r} onClick={() => set(n + 1)}>{n} {m}</button> }\n\n<C/>",
        "[island <button>3 6</>]",
    );
    check(
        "export const Ctx = React.createContext('none')\nexport const P = ({children}) => <Ctx.Provider value=\"given\">{children}</Ctx.Provider>\nexport const U = () => <b>{useContext(Ctx)}</b>\n\n<P><U/></P>\n\n<U/>",
        "<b>given</><b>none</>",
    );
    check(
        "export const S = ({v}) => { const [a, b] = useState(1); if (a < v) b(a + 1); return <i>{a}</i> }\n\n<S v={5}/>",
        "[island <i>5</>]",
    );
}

#[test]
fn children_are_elements_that_components_can_look_at() {
    let page = "export const Tabz = ({children}) => <div>{React.Children.map(children, (c, i) => <button>{c.props.label}</button>)}{React.Children.toArray(children)[0]}</div>\nexport const Tabb = ({label, children}) => { const x = label; return <p>{children}</p> }\n\n<Tabz>\n  <Tabb label=\"one\">First **x**</Tabb>\n  <Tabb label=\"two\">Second</Tabb>\n</Tabz>";
    check(page, "<div><button>one</><button>two</><p>First (strong x)</></>");
    check(
        "export const R = ({render}) => <div>{render('x')}</div>\n\n<R render={(v) => <b>{v}</b>}/>",
        "<div><b>x</></>",
    );
    check(
        "export const F = ({children}) => <div>{children('y')}</div>\n\n<F>{(v) => <b>{v}</b>}</F>",
        "<div><b>y</></>",
    );
}

#[test]
fn functions_that_return_what_is_static_can_be_called() {
    check(
        "export const Cell = ({f}) => <p>{typeof f === 'function' ? f() : f}</p>\n\n<Cell f={() => <b>zero</b>} />",
        "<p><b>zero</></>",
    );
    check("export const items = [{ r: () => <b>r</b> }]\n\n{items.map(i => <p>{i.r()}</p>)}", "<p><b>r</></>");
    check("export const F = ({children}) => <div>{children()}</div>\n\n<F>{() => <b>y</b>}</F>", "<div><b>y</></>");
    let by_name = "export const Cell = ({f}) => <p>{f()}</p>\nexport const X = () => <b>x</b>\n\n<X/>\n\n<Cell f={X} />\n\n{[1, 2].map(() => <X/>)}";
    check(by_name, "<b>x</><p><b>x</></><b>x</><b>x</>");
    check_files(
        vec![
            ("page.mdx", "import { X as Y } from './x.jsx'\n\n{[1].map(() => Y())}"),
            ("./x.jsx", "export const X = () => <i>x</i>"),
        ],
        "<i>x</>",
    );
}

#[test]
fn the_hint_of_a_failed_expression_says_what_is_shown() {
    let hint = |page| expanded(vec![("page.mdx", page)]).problems[0].hint.clone().unwrap_or_default();
    assert!(hint("{(() => { throw 1 })()}").starts_with("nothing is shown"));
    assert!(hint("export const B = () => { throw 1 }\n\n<B>kept</B>").starts_with("its children"));
}

#[test]
fn elements_with_handlers_live() {
    check(
        "export const open = () => 1\n\n<button className=\"b\" onClick={open}>a **b**</button>",
        "[island <button className=b>a [Child(0) (strong b)]</>]",
    );
    check("<div><span onClick={() => alert('x')}>s</span></div>", "<div>[island <span>s</>]</>");
    // so do elements that an expression of the page makes
    check(
        "export const list = ['a', 'b']\n\n{list.map((v) => <button key={v} onClick={() => alert(v)}>{v}</button>)}\n\nafter",
        "[island <button>a</><button>b</>](paragraph after)",
    );
    check("one {true && <b onClick={() => 1}>x</b>} two", "(paragraph one [island <b>x</>] two)");
    check(
        "<div>{[1].map((n) => <Card title={String(n)}><i onClick={() => n}>t</i></Card>)}</div>",
        "<div>[island [Component <Card title=1>[Children <i>t</>]</>]]</>",
    );
    check("{[1].map((n) => <i key={n}>{n}</i>)}", "<i>1</>");
    check(
        "export const N = ({from}) => { const [n, set] = useState(from); return <button onClick={() => set(n + 1)}>{n}</button> }\n\n{[3, 4].map((n) => <N key={n} from={n}/>)}",
        "[island <button>3</><button>4</>]",
    );
    check("export const list = [1].map((n) => <b key={n} onClick={() => n}>{n}</b>)\n\n{list}", "[island <b>1</>]");
    check("<div onClick={() => 1}><button onClick={() => 2}>s</button></div>", "[island <div><button>s</></>]");
    check(
        "export const Box = ({children}) => <section>{children}</section>\n\n<Box><button onClick={() => 2}>s</button></Box>",
        "[island <section><button>s</></>]",
    );
    check("<img src=\"/a.png\" onError={(e) => { e.target.hidden = true }} />", "<img src=/a.png></>");
    let call = |page| match &expanded(vec![("page.mdx", page)]).nodes[0] {
        Node::Island(island) => island.call.clone(),
        node => panic!("{node:?}"),
    };
    assert_eq!(
        call("export const open = () => 1\n\n<button onClick={open}>a</button>"),
        r#"[0,"<button",["o","onClick",["c",0,"open"]],["a"]]"#
    );
    assert_eq!(call("<button onClick={() => 1}>a</button>"), r#"[0,"<button",["o","onClick",["f",0]],["a"]]"#);
}

#[test]
fn handlers_that_cannot_live_are_reported() {
    for page in ["<Card title=\"a\" onClick={() => 1}>x</Card>", "<ul><li onClick={() => 1}>x</li></ul>"] {
        let codes: Vec<_> = expanded(vec![("page.mdx", page)]).problems.iter().map(|problem| problem.code).collect();
        assert_eq!(codes, ["handler-lost"], "{page}");
    }
    let expanded = expanded(vec![("page.mdx", "export const x = [1 + ]\n\n<button onClick={() => x}>kept</button>")]);
    assert_eq!(shown(&expanded.nodes), "<button>kept</>");
    assert!(!expanded.problems.is_empty());
}

#[test]
fn imported_names_that_are_not_there_are_reported() {
    let problem = |page, script| {
        let problems = expanded(vec![("page.mdx", page), ("./c.jsx", script)]).problems;
        problems
            .into_iter()
            .map(|problem| format!("{}: {} ({})", problem.code, problem.message, problem.hint.unwrap_or_default()))
            .collect::<Vec<_>>()
            .join("\n")
    };
    let script = "export const Button = () => <b/>\nexport const Other = (x) => { return x }";
    assert_eq!(
        problem("import { Missing } from './c.jsx'\n\n<Missing />", script),
        "import-name: `./c.jsx` does not export `Missing`; nothing is shown in its place (it exports `Button`, `Other`)"
    );
    assert_eq!(
        problem("import { buton } from './c.jsx'\n\n{buton}", script),
        "import-name: `./c.jsx` does not export `buton`; nothing is shown in its place (did you mean `import { Button }`?)"
    );
    assert_eq!(problem("import Missing from './c.jsx'\n\n<Missing />", "const A = 1"), "");
    assert_eq!(
        problem("import Missing from './c.jsx'\n\n<Missing />", ""),
        "import-name: `./c.jsx` has no default export; nothing is shown for `Missing` (it exports nothing; declare it there with `export const …`)"
    );
    // what `export *` gives on is known where it runs
    let given_on = problem("import { Other } from './c.jsx'\n\n<Other />", "export * from './d.jsx'");
    assert!(given_on.starts_with("script-failed: `<Other>` cannot be rendered"), "{given_on}");
}

#[test]
fn snippets_import_snippets() {
    check_files(
        vec![
            (
                "page.mdx",
                "import { Outer } from './outer.jsx'\nimport Text from './text.mdx'\nimport Only from './only.jsx'\n\n<Outer n={2}/>\n\n<Only/>",
            ),
            (
                "./outer.jsx",
                "// a comment\nimport { Inner as I } from './inner.tsx';\n/* { */\nexport const Outer = ({ n }) => (\n  <div>\n    {/* another */}\n    <I n={n} />\n    <Text word=\"w\">kid</Text>\n  </div>\n);",
            ),
            (
                "./inner.tsx",
                "type P = { n: number };\nexport function Inner({ n }: P) { return <b>{(n as number) * 2}</b> }\nexport default Inner",
            ),
            ("./text.mdx", "Text {word} {children}"),
            (
                "./only.jsx",
                "const helper = (x) => x + 1\nconst Only = () => { return <u>{helper(1)}</u> }\nexport default Only",
            ),
        ],
        "<div><b>4</>(paragraph Text w kid)</><u>2</>",
    );
}

#[test]
fn snippets_with_props_compute() {
    check_files(
        vec![
            ("page.mdx", "import S from './s.mdx'\n\n<S word=\"abc\" n={3}/>"),
            ("./s.mdx", "- a {word.toUpperCase()} {n * 2} {n > 2 ? 'many' : 'few'}"),
        ],
        "(list (item a ABC 6 many))",
    );
}

#[test]
fn computed_exports_are_values() {
    check(
        "export const base = ['x', 'y'].map(s => s + '1')\nexport const all = { list: base, n: base.length }\n\nn {all.n} {base[0]} <Card title={all.list[1]}/>",
        "(paragraph n 2 x1 <Card title=y1></>)",
    );
    check("export const { a, b = 2 } = { a: 1 }\n\nn {a} {b}", "(paragraph n 1 2)");
}

#[test]
fn raw_html_and_forms() {
    check("export const H = ({a}) => <div dangerouslySetInnerHTML={{__html: '<b>x</b>'}}/>\n\n<H/>", "<div><b>x</></>");
    check(
        "export const as = 'td'\n\n<table><tr><td className=\"c\" dangerouslySetInnerHTML={{__html: `a <a href='/b'>${as}</a>`}}/></tr></table>",
        "<table><tr><td className=c>a <a href=/b>td</></></></>",
    );
    check(
        "<script type=\"application/ld+json\" dangerouslySetInnerHTML={{__html: JSON.stringify({'@type': 'X'})}} />\n\n<style dangerouslySetInnerHTML={{__html: 'a > b {}'}} />",
        "<script type=application/ld+json></><style>a > b {}</>",
    );
    check(
        "export const F = () => { return <form><select defaultValue=\"b\"><option value=\"a\">A</option><option value=\"b\">B</option></select><textarea value=\"t\"/><input defaultValue=\"v\"/></form> }\n\n<F/>",
        "<form><select><option value=a selected=false>A</><option value=b selected=true>B</></><textarea>t</><input value=v></></>",
    );
}

#[test]
fn days_and_dice_are_always_the_same() {
    check(
        "x {new Date(2024, 0, 31).toISOString()} {new Date('2024-05-06').toLocaleDateString('en-US', {month: 'long', day: 'numeric', year: 'numeric'})} {(1234567.891).toLocaleString()}",
        "(paragraph x 2024-01-31T00:00:00.000Z May 6, 2024 1,234,567.891)",
    );
    let page = "import { year } from './s.jsx'\n\nexport const Y = () => <i>{new Date().getFullYear()}</i>\n\n<Y/> <Y/> {Date.now()} {year}";
    let expanded =
        self::expanded(vec![("page.mdx", page), ("./s.jsx", "export const year = new Date().getFullYear()")]);
    assert_eq!(shown(&expanded.nodes), "<i>2026</><i>2026</>1767225600000 2026");
    assert_eq!(
        expanded.problems.iter().map(|problem| (problem.code, problem.place.line)).collect::<Vec<_>>(),
        [("script-time", 5)]
    );
    // what lives in a browser asks the reader's clock there
    check(
        "export const Y = () => { const [y] = useState(new Date().getFullYear()); return <i>{y}</i> }\n\n<Y/>",
        "[island <i>2026</>]",
    );
    let roll = || shown(&self::expanded(vec![("page.mdx", "{Math.random()}")]).nodes);
    assert_eq!(roll(), roll());
}

#[test]
fn failures_keep_the_children() {
    check_fails(
        "export const B = () => { throw new Error('boom') }\n\n<B>kept *text*</B>",
        "kept (emphasis text)",
        "boom",
    );
    check_fails("export const B = ({a}) => <i>{a.b.c}</i>\n\n<B>kept</B>", "kept", "undefined");
    check_fails("export const B = () => { for (;;) {} }\n\n<B>kept</B>", "kept", "too many steps");
    check_fails("export const B = () => { const b = () => b() + 1; return b() }\n\n<B>kept</B>", "kept", "stack");
    check_fails(
        "export const B = () => { let a = []; for (;;) a.push('x'.repeat(1000)) }\n\n<B>kept</B>",
        "kept",
        "memory",
    );
    check_fails("export const B = () => { return (<i> }\n\n<B>kept</B>", "kept", "page.mdx, line 1");
    check_fails(
        "text\n\nexport const B = () => { return [1 + ] }\n\n<B>kept</B>",
        "(paragraph text)kept",
        "page.mdx, line 3",
    );
}

/// Whatever room is left for the engine's own error when memory is out: none, some for the error, some for its words
/// too.
#[test]
fn scripts_that_fill_memory_are_told_so() {
    for size in (600..2_000).step_by(97) {
        let page =
            format!("export const B = () => {{ let a = []; for (;;) a.push('x'.repeat({size})) }}\n\n<B>kept</B>");
        check_fails(page.leak(), "kept", "it took too much memory");
    }
    check_fails(
        "export const B = () => { throw new Error() }\n\n<B>kept</B>",
        "kept",
        "it threw an error without a message",
    );
    check_fails("export const B = () => { throw new TypeError('') }\n\n<B>kept</B>", "kept", "TypeError");
}

#[test]
fn what_only_a_browser_knows_is_left_open() {
    let expanded = expanded(vec![(
        "page.mdx",
        "export const B = () => { const [wide] = useState(window.innerWidth > 5); const c = useMemo(() => document.cookie, []); return <i>{location.href}kept{c}{wide ? '!' : ''}</i> }\n\n<B/>",
    )]);
    assert_eq!(shown(&expanded.nodes), "[island <i>kept!</>]");
    assert_eq!(expanded.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["component-browser"]);
    check_files(
        vec![(
            "page.mdx",
            "export const history = { state: 'own' }\n\nexport const B = () => <i>{history.state}</i>\n\n<B/>",
        )],
        "<i>own</>",
    );
    let expanded = self::expanded(vec![("page.mdx", "export const B = () => <i>{document.title}kept</i>\n\n<B/>")]);
    assert_eq!(shown(&expanded.nodes), "[island <i>kept</>]");
    assert_eq!(expanded.problems.iter().map(|problem| problem.code).collect::<Vec<_>>(), ["component-browser"]);
    // a BigInt costs the component that asks for it and no other
    let expanded = self::expanded(vec![(
        "page.mdx",
        "export const D = () => <i>{String(0xFFn + 1_0n)}</i>\n\nexport const Ok = () => <b>fine</b>\n\n<Ok/>\n\n<D/>",
    )]);
    assert_eq!(shown(&expanded.nodes), "<b>fine</>[island ]");
    assert_eq!(
        expanded.problems.iter().map(|problem| (problem.code, problem.place.line)).collect::<Vec<_>>(),
        [("script-failed", 7)]
    );
    check("export const B = () => <i>{typeof window} {typeof document}</i>\n\n<B/>", "<i>undefined undefined</>");
}

#[test]
fn modules_that_ask_the_browser_are_alive() {
    let page = "import { Good } from './s.jsx'\n\n<Good/>";
    let expanded = expanded(vec![
        ("page.mdx", page),
        (
            "./s.jsx",
            "const saved = localStorage.getItem('theme') ?? 'light';\nexport const Good = () => { return <p>{saved}</p> }",
        ),
    ]);
    assert_eq!(shown(&expanded.nodes), "[island <p>light</>]");
}

#[test]
fn what_computes_computes() {
    check(
        "export const P = () => { return <p>{btoa('héllo')} {atob(' aGk')} {btoa(unescape(encodeURIComponent('ä€')))} {escape('ä b')} {structuredClone({ a: [1, { b: 2 }] }).a[1].b}</p> }\n\n<P/>",
        "<p>aOlsbG8= hi w6Tigqw= %E4%20b 2</>",
    );
    check(
        "export const U = () => { const u = new URL('../b?x=1', 'https://Ü.example/a/c'); u.searchParams.append('c', 'd e'); u.hash = 'h'; u.port = '8080'; return <p>{u.href} {[...u.searchParams.keys()].join()} {u.host} {String(URL.canParse('x'))}</p> }\n\n<U/>",
        "<p>https://xn--tda.example:8080/b?x=1&c=d+e#h x,c xn--tda.example:8080 false</>",
    );
    check(
        "{new URLSearchParams({ a: '1 2', b: 'ä' }).toString()} {new URLSearchParams('?a=%C3%A4+x&a=2').getAll('a').join()} {btoa('x')}",
        "a=1+2&b=%C3%A4 ä x,2 eA==",
    );
    check("export const location = { city: ['A', 'B'] }\n\nIn {location.city.join()}", "(paragraph In A,B)");
    let roll = || shown(&expanded(vec![("page.mdx", "{crypto.randomUUID()}")]).nodes);
    assert_eq!((roll(), roll().len()), (roll(), 36));
}

#[test]
fn what_would_wait_never_comes() {
    check(
        "export const T = () => { const t = setTimeout(() => { throw 1 }, 0); queueMicrotask(() => { throw 2 }); requestAnimationFrame(() => { throw 3 }); clearTimeout(t); return <b>{performance.now()}</b> }\n\n<T/>",
        "[island <b>0</>]",
    );
}

#[test]
fn react_needs_no_import() {
    check(
        "export const Ctx = createContext('x')\nexport const G = forwardRef((props, ref) => <b>{props.t}</b>)\nexport const M = memo(() => <i>{useContext(Ctx)}</i>)\n\n<G t=\"a\"/>\n\n<M/>",
        "<b>a</><i>x</>",
    );
}

#[test]
fn a_statement_that_fails_costs_what_needs_it() {
    let expanded = expanded(vec![(
        "page.mdx",
        "export const B = () => { return <b>fine</b> }\nexport const A = nothing(), other = 1\n\n<B/>\n\n<A>kept</A>",
    )]);
    assert_eq!(shown(&expanded.nodes), "<b>fine</>kept");
    let first = expanded.problems.first().map(|problem| (problem.message.as_str(), problem.place.line));
    assert_eq!(first, Some(("`A, other` cannot be evaluated: ReferenceError: nothing is not defined", 2)));
}

#[test]
fn a_part_that_throws_costs_itself() {
    check_fails(
        "export const Bad = ({children}) => { throw new TypeError('no') }\nexport const Good = () => { const a = 1; return <div>a<Bad><i>kept</i></Bad>b</div> }\n\n<Good/>",
        "<div>a<i>kept</>b</>",
        "`<Bad>` cannot be rendered: TypeError: no",
    );
}

#[test]
fn braces_around_text_stay_text() {
    let expanded = expanded(vec![("page.mdx", "call --input-json '{\"tags\": [\"a\"]}' now")]);
    assert!(shown(&expanded.nodes).contains("{\"tags\": [\"a\"]}"), "{}", shown(&expanded.nodes));
    assert_eq!(expanded.problems[0].code, "expression-syntax");
}

#[test]
fn code_that_is_no_expression_is_code() {
    let expanded =
        expanded(vec![("page.mdx", "<CodeBlock>\n{\n  \"a\": 1\n}\n</CodeBlock>\n\n<CodeBlock>{nobody}</CodeBlock>")]);
    let raw =
        |node: &Node| if let Node::Element(element) = node { element.raw.as_deref().map(str::to_owned) } else { None };
    assert_eq!(
        expanded.nodes.iter().map(raw).collect::<Vec<_>>(),
        [Some("{\n  \"a\": 1\n}".to_owned()), Some("{nobody}".to_owned())]
    );
    let codes: Vec<_> = expanded.problems.iter().map(|problem| problem.code).collect();
    assert_eq!(codes, ["expression-syntax", "undefined-name"]);
}

#[test]
fn snippets_may_ask_for_props_they_were_not_given() {
    check_files(
        vec![
            ("page.mdx", "import S from './s.mdx'\n\n<S word=\"w\"/>"),
            ("./s.mdx", "a {other || 'none'} {other && <b>x</b>}{word + '!'}"),
        ],
        "(paragraph a none w!)",
    );
    let expanded =
        expanded(vec![("page.mdx", "import S from './s.mdx'\n\n<S/>"), ("./s.mdx", "a {word + ' guide'} {word * 2}")]);
    assert_eq!(shown(&expanded.nodes), "(paragraph a  )");
    assert_eq!(expanded.problems.len(), 1, "{:?}", expanded.problems);
}

#[test]
fn pages_do_not_see_each_other() {
    let _ = expanded(vec![(
        "page.mdx",
        "export const B = () => { Array.prototype.map = null; Object.prototype.x = 1; globalThis.leak = 2; return 1 }\n\n<B/>",
    )]);
    check("export const C = () => <i>{[1].map(x => x)}{typeof leak}{({}).x}</i>\n\n<C/>", "<i>1undefined</>");
}
