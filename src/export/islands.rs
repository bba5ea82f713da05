//! What pages with islands bring along: a block of data in the page, and script files that pages share.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use serde_json::Value as Json;

use base::cut::cut;
use base::{BundlePath, FileId, Place, url};
use frame::link::PageLinks;
use frame::theme::{ThemeFile, fingerprinted};
use markup::expand::{Alive, Modules as _};
use markup::js::compile;
use markup::js::json::parse_script_json;
use render::{LoadSource, PageResolver};

use super::snippets::Snippets;

/// The script of all islands: preact, and what reads the block of data. Built by `templates/vendor/rebuild.mjs`.
const RUNTIME: &str = templates::text("vendor/islands.js");
/// Most addresses of a page's scripts that are looked up.
const MAX_ISLAND_ADDRESSES: usize = 2_000;

/// What a page with islands needs.
#[derive(Debug, Default)]
pub(super) struct Islands {
    /// JSON for the page, safe inside `<script>`.
    pub(super) data: String,
    /// Scripts in their order, from the root, percent-encoded.
    pub(super) scripts: Vec<String>,
    /// The files of the scripts.
    pub(super) files: Vec<Arc<ThemeFile>>,
}

/// A script file of an author's.
fn island_script(code: String) -> Arc<ThemeFile> {
    Arc::new(fingerprinted("script", "js", code.into_bytes()))
}

/// A script that gives code to the runtime, as `call`: what the code takes for granted are parameters.
fn define(call: &str, code: &str) -> String {
    let script = format!(
        "__offprint.{call}(function($h,$Fragment,Fragment,React,useState,useEffect,useLayoutEffect,useRef,useCallback,useMemo,useContext,useReducer,useId,user){{\"use strict\";{}return {code}}});",
        of_react(code)
    );
    compile::minify(&script).unwrap_or(script)
}

/// Declares what else of React the code may mean without importing it.
fn of_react(code: &str) -> String {
    const HOOKS: [&str; 6] = [
        "useDeferredValue",
        "useImperativeHandle",
        "useInsertionEffect",
        "useSyncExternalStore",
        "useTransition",
        "useDebugValue",
    ];
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let stands = |at: usize, name: &str| {
        let before = code.as_bytes()[..at].last();
        !before.is_some_and(|byte| is_word(byte) || *byte == b'.')
            && !code.as_bytes()[at + name.len()..].first().is_some_and(is_word)
    };
    let named = |name: &&&str| {
        **name != "Fragment" && memchr::memmem::find_iter(code.as_bytes(), name.as_bytes()).any(|at| stands(at, name))
    };
    let names: Vec<&str> = compile::REACT.iter().chain(&HOOKS).filter(named).copied().collect();
    if names.is_empty() { String::new() } else { format!("const {{{}}}=React;", names.join(",")) }
}

/// Puts together what a page's islands need. `calls` are those that were rendered.
pub(super) fn islands_of_page(
    alive: &Alive,
    page: &render::RenderedPage,
    links: &PageLinks<'_>,
    snippets: &Snippets<'_>,
    path: &BundlePath,
) -> Option<Islands> {
    let calls = &page.islands;
    if calls.is_empty() || alive.is_empty() {
        return None;
    }
    static FILE: OnceLock<Arc<ThemeFile>> = OnceLock::new();
    let runtime = FILE.get_or_init(|| Arc::new(fingerprinted("islands", "js", RUNTIME.as_bytes().to_vec())));
    let mut files = vec![Arc::clone(runtime)];
    let islands: Vec<Json> = calls.iter().map(|call| parsed(call)).collect();
    let needed = needed(alive, &islands, snippets);
    let mut addresses = BTreeMap::new();
    let mut modules = Vec::new();
    for module in alive.modules.iter().filter(|module| needed.contains(&module.file)) {
        let script = match &alive.own {
            Some((own, code)) if *own == module.file => island_script(define_module(snippets.number(*own), code)),
            _ => snippets
                .browser_script(module.file, |code| island_script(define_module(snippets.number(module.file), code)))?,
        };
        collect_addresses(&String::from_utf8_lossy(&script.bytes), links, &mut addresses);
        files.push(script);
        modules.push(Json::Array(vec![
            snippets.number(module.file).into(),
            parsed(&module.names),
            parsed(&module.stars),
        ]));
    }
    if !alive.thunks.is_empty() {
        let code: Vec<&str> =
            alive.thunks.iter().map(|thunk| if thunk.code.is_empty() { "null" } else { thunk.code.as_str() }).collect();
        files.push(island_script(define("thunks", &format!("[{}]", code.join(",")))));
    }
    for call in calls {
        collect_addresses(call, links, &mut addresses);
    }
    // most pages name nothing outside: they are the same whatever may be loaded
    let names_outside = files.iter().skip(1).any(|file| memchr::memmem::find(&file.bytes, b"//").is_some())
        || calls.iter().any(|call| call.contains("//"));
    let thunks: Vec<Json> = alive.thunks.iter().map(|thunk| parsed(&thunk.names)).collect();
    let loads: BTreeMap<&str, Json> =
        page.loads.iter().map(|(address, source)| (address.as_str(), load_to_json(source))).collect();
    let data = serde_json::json!({ "modules": modules, "thunks": thunks, "islands": islands, "urls": addresses, "root": url::to_root(path.as_str()),
        "loads": loads, "outside": names_outside && links.loads_outside() });
    let data = data.to_string().replace('<', "\\u003c");
    let scripts = files.iter().map(|file| url::encode_path(file.path.as_str())).collect();
    Some(Islands { data, scripts, files })
}

/// `[address, width, height]`, `[address]`, or `[]` for what the bundle does not have.
fn load_to_json(source: &LoadSource) -> Json {
    match source.size {
        _ if source.absent || source.url.is_empty() => Json::Array(Vec::new()),
        Some((width, height)) => serde_json::json!([source.url, width, height]),
        None => serde_json::json!([source.url]),
    }
}

/// The script file of a module.
fn define_module(module: u32, code: &str) -> String {
    define(&format!("module({module})"), code)
}

fn parsed(json: &str) -> Json {
    parse_script_json(json).unwrap_or_default()
}

/// The modules that islands use, and those that these import.
fn needed(alive: &Alive, islands: &[Json], snippets: &Snippets<'_>) -> Vec<FileId> {
    let file_of = |number: &Json| snippets.numbered(u32::try_from(number.as_u64()?).ok()?);
    let mut found: Vec<FileId> = Vec::new();
    let mut open: Vec<Json> = islands.to_vec();
    open.extend(alive.thunks.iter().map(|thunk| parsed(&thunk.names)));
    let roots = islands.iter().filter_map(|island| file_of(island.get(0)?));
    let mut next: Vec<FileId> = roots.collect();
    loop {
        while let Some(json) = open.pop() {
            let Json::Array(parts) = json else { continue };
            if let [Json::String(tag), module, Json::String(_)] = parts.as_slice()
                && tag == "c"
            {
                next.extend(file_of(module));
            }
            open.extend(parts);
        }
        let Some(file) = next.pop() else { return found };
        if !found.contains(&file) {
            found.push(file);
            if let Some(module) = alive.modules.iter().find(|module| module.file == file) {
                open.push(parsed(&module.names));
                next.extend(parsed(&module.stars).as_array().into_iter().flatten().filter_map(file_of));
            }
        }
    }
}

impl Islands {
    /// Words of the page's own scripts that may be classes: those in strings.
    pub(super) fn classes(&self) -> impl Iterator<Item = &str> {
        let scripts = self.files.iter().skip(1).filter_map(|file| std::str::from_utf8(&file.bytes).ok());
        scripts
            .flat_map(|script| script.split(['"', '\'', '`', '{', '}', '$']).flat_map(str::split_ascii_whitespace))
            .filter(|word| !word.contains(['(', '=', ',', ';']) || word.contains('['))
    }
}

/// Finds addresses in the strings of a script, `"/docs/start"`, and where they lead from this page.
fn collect_addresses(script: &str, links: &PageLinks<'_>, addresses: &mut BTreeMap<String, String>) {
    for (at, _) in script.match_indices('/') {
        let Some(quote @ ('"' | '\'' | '`')) = cut(script, at).0.chars().next_back() else { continue };
        let rest = cut(script, at).1;
        let Some(length) = rest.find([quote, '\\', '\n', ' ', '<', '$']) else { continue };
        let (address, after) = cut(rest, length);
        if !after.starts_with(quote)
            || !(2..=300).contains(&length)
            || address.starts_with("//")
            || addresses.len() >= MAX_ISLAND_ADDRESSES
            || addresses.contains_key(address)
        {
            continue;
        }
        let target = links.href(address, Place::default(), &mut Vec::new());
        if !target.url.is_empty() && !target.external {
            addresses.insert(address.to_owned(), target.url);
        }
    }
}
