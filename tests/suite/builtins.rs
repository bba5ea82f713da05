//! What the language of page scripts has built in, called with what would keep a native loop busy: lengths without end,
//! chains of prototypes, iterators that never finish. Every call ends, whether the function is listed in
//! `realm/bounds.js` or not: the table of functions is asked from the language itself.

use std::sync::mpsc;
use std::time::Duration;

use offprint::base::FileId;
use offprint::markup::expand::{Alone, Expanded, expand_document};
use offprint::markup::parse_mdx;

/// A call that has not ended by then never does: a page's scripts have seconds of processor time.
const LONGEST: Duration = Duration::from_secs(120);

/// Values that are dangerous to loop over, by their definitions.
const HOSTILE: [(&str, &str); 9] = [
    ("a length", "const h = { length: 2 ** 53 - 1 };"),
    ("a length that spreads", "const h = { length: 2 ** 53 - 1, [Symbol.isConcatSpreadable]: true };"),
    ("an empty array", "const h = new Array(2 ** 32 - 1);"),
    ("an array in an array", "const h = [new Array(2 ** 32 - 1)];"),
    ("raw text", "const h = { raw: { length: 2 ** 53 - 1 } };"),
    ("an iterator", "const h = { length: 2 ** 53 - 1, [Symbol.iterator]: [].values };"),
    ("a pattern that always matches", "const h = { flags: 'g', exec: Object, lastIndex: 0, length: 2 ** 53 - 1 };"),
    (
        "prototypes",
        "let h = { length: 999999 }; for (let n = 0; n < 20000; n++) h = Object.create(h); const top = h; h = new Array(999999); Object.setPrototypeOf(h, top);",
    ),
    ("long text", "const h = 'a'.repeat(1 << 19); h + h;"),
];

/// Ways to call a function `f` with `h`.
const CALLS: &str = "
    () => f.call(h), () => f.call(h, h), () => f.call(h, h, h), () => f.call(h, () => h), () => f.call('x', h), () => f.call([], h),
    () => f.call([1], () => h), () => f.call([3, 4, 5], 1, h), () => f.call('x', 2 ** 30), () => f.call('x', 2 ** 53, h), () => f.call(Object, h),
    () => f.call(h, 0, 2 ** 53), () => f.call(new Map([[h, h]]), h), () => f.call(/x*/g, h), () => new f(h), () => Reflect.apply(f, null, h)";

/// Finds every function that a script can reach: how an expression names it.
const FUNCTIONS: &str = r#"
    const found = [], seen = new Set();
    const named = (key) => typeof key === 'symbol' ? '[' + key.description + ']' : '[' + JSON.stringify(key) + ']';
    const walk = (value, path) => {
        if (value === null || (typeof value !== 'object' && typeof value !== 'function') || seen.has(value)) return;
        seen.add(value);
        if (typeof value === 'function') found.push(path);
        for (const key of Reflect.ownKeys(value)) {
            const { value: inner } = Object.getOwnPropertyDescriptor(value, key);
            walk(inner, path + named(key));
        }
    };
    walk(globalThis, 'globalThis');
    const made = {
        '[].values()': [].values(), '""[Symbol.iterator]()': ''[Symbol.iterator](), '"".matchAll(/x/g)': ''.matchAll(/x/g),
        'new Map().keys()': new Map().keys(), 'new Set().keys()': new Set().keys(), '(function* () {})()': (function* () {})(),
    };
    for (const name of Object.keys(made)) walk(Object.getPrototypeOf(made[name]), 'Object.getPrototypeOf(' + name + ')');
    return <b>{found.join('\n')}</b>"#;

fn expanded(body: &str) -> Expanded {
    let source = format!("export const X = () => {{ {body} }}\n\n<X/>\n\nThe end.\n");
    expand_document(parse_mdx(&source, FileId(0), 1), FileId(0), &Alone)
}

fn functions() -> Vec<String> {
    let page = expanded(FUNCTIONS);
    let text = format!("{:?}", page.nodes);
    assert!(page.problems.is_empty(), "{:?}", page.problems);
    let start = text.find("globalThis[").expect("functions");
    let text = text.get(start..).expect("a start");
    let end = text.find("\" }").or_else(|| text.find("\")")).expect("an end");
    let text = text.get(..end).expect("an end").replace("\\\"", "\"").replace("\\\\", "\\");
    text.replace("\\n", "\n").lines().map(str::to_owned).collect()
}

#[test]
fn every_built_in_ends_whatever_it_is_called_with() {
    let functions = functions();
    assert!(functions.len() > 300, "{}: {functions:?}", functions.len());
    for name in ["globalThis[\"Array\"][\"prototype\"][\"concat\"]", "globalThis[\"String\"][\"raw\"]"] {
        assert!(functions.iter().any(|function| function == name), "{name} is not among {functions:?}");
    }
    let (sender, results) = mpsc::channel();
    for (what, definition) in HOSTILE {
        let (functions, sender) = (functions.clone(), sender.clone());
        let run = move || {
            for function in functions {
                let _ = sender.send((what, function.clone(), None));
                let page = expanded(&format!(
                    "{definition} const f = {function}; const out = []; for (const call of [{CALLS}]) {{ try {{ call(); }} catch {{}} }} return <b>ended</b>"
                ));
                let end = format!("{:?}", page.nodes).contains("The end.");
                let _ = sender.send((what, function, Some(end)));
            }
        };
        std::thread::Builder::new().stack_size(16 << 20).spawn(run).expect("a thread");
    }
    drop(sender);
    let mut running = std::collections::BTreeMap::new();
    loop {
        match results.recv_timeout(LONGEST) {
            Ok((what, function, None)) => drop(running.insert(what, function)),
            Ok((what, function, Some(end))) => {
                assert!(end, "{what}: {function} takes the page with it");
                running.remove(what);
            }
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("these do not end: {running:#?}"),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    assert!(running.is_empty(), "a call panicked: {running:#?}");
}
