//! The page's sandbox: which modules are loaded in it, and how components and expressions are run there.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value as Json;

use crate::ParsedFile;
use crate::component::is_known_component;
use crate::expr::Function;
use crate::js::compile::{self, CompiledExpression, LazyImport, ScriptError};
use crate::js::json::parse_script_json;
use crate::js::{Sandbox, ScriptBudget, ScriptLimit};
use crate::tree::{Flaw, JsxElement, Node, PropValue, Props};
use base::cut::SliceText as _;
use base::limits::IMPORT_DEPTH;
use base::time::rfc3339_seconds;
use base::{FileId, Place, Problem};

use super::alive::{Alive, LiveImport, Thunk};
use super::scope::{OWN_MODULES, is_media, is_module};
use super::wire::{exported, push_json_string, snippet, tagged};
use super::{Env, Expander};

/// The time for scripts if none is given: 2026-01-01. An export reads no clock.
const NEW_YEAR: u64 = 1_767_225_600;

/// What the sandbox says of a hook that no component has called.
const HOOK_OUTSIDE: &str = "hooks can only be called";

/// A component as it is called in the sandbox: props and children in its JSON.
pub(super) struct SandboxCall {
    pub(super) file: FileId,
    pub(super) name: String,
    pub(super) props: String,
    pub(super) children: String,
    /// The number of the first node that is held for it.
    pub(super) held: usize,
}

/// What one page has in its sandbox.
#[derive(Debug)]
pub(super) struct Scripts {
    page: FileId,
    /// Bytes of the page's own text.
    source_bytes: usize,
    /// The page's own module statements.
    source: String,
    own: Option<Arc<Result<compile::CompiledModule, ScriptError>>>,
    sandbox: Option<Result<Sandbox, String>>,
    /// Modules that were loaded, or why they could not be.
    loaded: FxHashMap<FileId, Result<(), String>>,
    /// Loaded modules in order, with what they were given.
    pub(super) given: Vec<LiveImport>,
    /// Expressions whose values hold functions: their code and what they were given, by the value's number.
    pub(super) thunks: Vec<Thunk>,
    /// Whether any component is an island.
    pub(super) has_islands: bool,
    /// Modules whose islands have been analyzed already.
    pub(super) prescanned: usize,
    /// Nodes that stand behind elements in the sandbox.
    pub(super) held: Vec<Node>,
    /// Whether what is written for it stands inside an element that is held.
    pub(super) in_plain: bool,
}

impl Scripts {
    pub(super) fn of_page(page: FileId, document: &ParsedFile) -> Self {
        Self {
            page,
            source_bytes: document.source_bytes,
            source: document.module.script.clone(),
            own: None,
            sandbox: None,
            loaded: FxHashMap::default(),
            given: Vec::new(),
            thunks: Vec::new(),
            has_islands: false,
            prescanned: 0,
            held: Vec::new(),
            in_plain: false,
        }
    }

    /// The scripts of a page that took too long: none runs.
    pub(super) fn still(page: FileId, document: &ParsedFile) -> Self {
        Self { sandbox: Some(Err(ScriptLimit::Time.to_string())), ..Self::of_page(page, document) }
    }

    /// The file of the page.
    pub(super) fn page(&self) -> FileId {
        self.page
    }

    /// Whether the scripts' time was over before their work was.
    pub(super) fn is_late(&self) -> bool {
        self.sandbox
            .as_ref()
            .is_some_and(|sandbox| sandbox.as_ref().is_ok_and(|sandbox| sandbox.limit() == Some(ScriptLimit::Time)))
    }

    /// What of this the browser needs.
    pub(super) fn into_alive(self) -> Alive {
        let own = self.own.and_then(|own| own.as_ref().as_ref().ok().map(|module| module.code.clone()));
        if self.has_islands {
            Alive { modules: self.given, own: Some(self.page).zip(own), thunks: self.thunks }
        } else {
            Alive::default()
        }
    }
}

impl Expander<'_> {
    /// `<Name …>` of a component that is written in JavaScript.
    pub(super) fn script_component(
        &mut self,
        file: FileId,
        name: &str,
        element: JsxElement,
        env: &Env,
        out: &mut Vec<Node>,
    ) {
        let nodes = self.scripted(file, name, &element, env, |it, call| {
            it.encode_props(&element.props, env, element.place, &mut call.props);
            it.encode_nodes(&element.children, Some(env), &mut call.children);
        });
        match nodes {
            Ok(nodes) => out.extend(nodes),
            Err(reason) => {
                self.script_failed(&format!("<{}>", element.name), &reason, element.place);
                if name.starts_with('<') {
                    return self.still_element(element, env, out);
                }
                let children = self.nodes(element.children, env);
                out.extend(children);
            }
        }
    }

    /// An expression of the page itself whose elements have state or handlers: it becomes an island as a component
    /// does that is this value alone. `data` is what of it the engine knows.
    pub(super) fn live_value(
        &mut self,
        value: &PropValue,
        data: PropValue,
        place: Place,
        env: &Env,
        out: &mut Vec<Node>,
    ) {
        let element = JsxElement {
            name: String::new(),
            props: Props::default(),
            children: Vec::new(),
            raw: None,
            inline: true,
            place,
            flaw: Flaw::None,
        };
        let nodes = self.scripted(env.file, "<", &element, env, |it, call| {
            call.props.push_str("[\"o\"]");
            call.children.push_str("[\"v\",");
            it.encode_value(value, &mut call.children);
            call.children.push(']');
        });
        match nodes {
            Ok(nodes) => out.extend(nodes),
            Err(reason) => {
                self.script_failed("{…}", &reason, place);
                self.show(data, out);
            }
        }
    }

    /// What a script makes of an element. `given` writes its props and children.
    fn scripted(
        &mut self,
        file: FileId,
        name: &str,
        element: &JsxElement,
        env: &Env,
        given: impl FnOnce(&mut Self, &mut SandboxCall),
    ) -> Result<Vec<Node>, String> {
        let held = self.scripts.held.len();
        let output = self.load(file).and_then(|()| {
            let mut call =
                SandboxCall { file, name: name.to_owned(), props: String::new(), children: String::from("["), held };
            let outer = std::mem::replace(&mut self.scripts.in_plain, false);
            given(self, &mut call);
            self.scripts.in_plain = outer;
            call.children.push(']');
            let module = self.modules.number(file);
            let json = self.sandbox()?.component(module, name, &call.props, &call.children)?;
            Ok((json, call))
        });
        let nodes = output.and_then(|(json, call)| self.decode_nodes(&json, &call, element, env));
        self.scripts.held.truncate(held);
        nodes
    }

    /// The value of a name that a module computes.
    pub(super) fn exported_value(&mut self, file: FileId, name: &str, place: Place) -> Option<PropValue> {
        let module = self.modules.number(file);
        let output = self.load(file).and_then(|()| self.sandbox()?.value(module, name));
        self.value_or_problem(output, name, place)
    }

    /// The value of an expression that is more than data.
    pub(super) fn script_value(&mut self, source: &str, env: &Env, place: Place) -> Option<PropValue> {
        let compiled = compile::compile_page_expression(source, is_known_component).and_then(|compiled| {
            let own: Vec<String> =
                compiled.language.iter().filter(|name| self.lookup(name, env).is_some()).cloned().collect();
            if own.is_empty() { Ok(compiled) } else { compile::expression_with(source, is_known_component, &own) }
        });
        let mut compiled = match compiled {
            Ok(compiled) => compiled,
            Err(error) => return Some(self.no_expression(source, &error.message, place)),
        };
        let unknown = compiled.read.iter().find(|name| self.named(name, env).is_none()).cloned();
        // a prop that a snippet was not given may well be read
        if let Some(name) = unknown.as_ref().filter(|_| env.props.is_none()) {
            if !self.reported_names.contains(&(env.file, name.clone())) {
                self.undefined(name, place);
            }
            return None;
        }
        let (mut names, mut output) = self.run_expression(&compiled, env);
        // hooks belong to a component: the expression becomes one
        if output.as_ref().is_err_and(|reason| reason.contains(HOOK_OUTSIDE))
            && let Ok(component) =
                compile::expression_with(&format!("$h(() => (\n{source}\n))"), is_known_component, &compiled.free)
        {
            (names, output) = self.run_expression(&component, env);
            compiled = component;
        }
        let short: String = source.lines().next().unwrap_or_default().chars().take(40).collect();
        let value = self.value_or_problem(output, &format!("{{{short}}}"), place);
        if let (Some(name), Some(PropValue::String(text))) = (&unknown, &value)
            && (text.contains("undefined") || text.contains("NaN"))
        {
            self.undefined(name, place);
            return None;
        }
        if let Some(PropValue::Live(number, _)) = value {
            self.scripts.thunks.resize(number as usize, Thunk::default()); // values of modules lie between
            self.scripts.thunks.push(Thunk { code: compiled.code, names });
        }
        value
    }

    /// Runs a compiled expression: what its names stand for, and its value.
    fn run_expression(&mut self, compiled: &CompiledExpression, env: &Env) -> (String, Result<String, String>) {
        let mut names = String::from("[");
        for (at, name) in compiled.free.iter().enumerate() {
            if at > 0 {
                names.push(',');
            }
            if let Err(reason) = self.encode_name(name, env, &mut names) {
                return (names, Err(reason));
            }
        }
        names.push(']');
        let output = self.sandbox().and_then(|sandbox| sandbox.expression(&compiled.guarded, &names));
        (names, output)
    }

    /// What stands in braces is no JavaScript: most likely text whose braces were not escaped, so nothing of it is
    /// lost.
    fn no_expression(&mut self, source: &str, reason: &str, place: Place) -> PropValue {
        self.report(
            source,
            Problem::new(
                "expression-syntax",
                format!("the text in braces is not an expression ({reason}); it is shown as text"),
                place,
            )
            .hint("write `\\{` for a plain brace, or correct the expression"),
        );
        PropValue::String(format!("{{{source}}}"))
    }

    fn value_or_problem(&mut self, output: Result<String, String>, what: &str, place: Place) -> Option<PropValue> {
        match output.and_then(|json| self.decode_value(&json, what, place)) {
            Ok(value) => Some(value),
            Err(reason) => {
                self.script_failed(what, &reason, place);
                None
            }
        }
    }

    /// Writes what `name` is in `env`.
    fn encode_name(&mut self, name: &str, env: &Env, out: &mut String) -> Result<(), String> {
        match self.named(name, env) {
            Some(value) => self.encode_in_scope(&value, out)?,
            None if name.starts_with(char::is_uppercase) => tagged('b', name, out),
            None => out.push_str("[\"u\"]"),
        }
        Ok(())
    }

    /// Writes a value; names of modules are loaded first.
    fn encode_in_scope(&mut self, value: &PropValue, out: &mut String) -> Result<(), String> {
        if let PropValue::Function(function) = value
            && let Function::Exported(file, _) | Function::Static(_, Some((file, _))) = &**function
        {
            self.load(*file)?;
        }
        self.encode_value(value, out);
        Ok(())
    }

    /// Whether a file's module statements declare a name in a way that only the compiler sees.
    pub(super) fn declares(&mut self, file: FileId, name: &str) -> bool {
        if file == self.scripts.page && memchr::memmem::find(self.scripts.source.as_bytes(), name.as_bytes()).is_none()
        {
            return false;
        }
        if file != self.scripts.page
            && self.modules.document(file).is_none_or(|document| {
                memchr::memmem::find(document.module.script.as_bytes(), name.as_bytes()).is_none()
            })
        {
            return false;
        }
        matches!(self.compiled(file).as_deref(), Some(Ok(module)) if module.names.iter().any(|known| known == name))
    }

    pub(super) fn compiled(&mut self, file: FileId) -> Option<Arc<Result<compile::CompiledModule, ScriptError>>> {
        if file != self.scripts.page {
            return self.modules.script(file);
        }
        if self.scripts.own.is_none() {
            self.scripts.own = Some(Arc::new(compile::module(&self.scripts.source, is_known_component)));
        }
        self.scripts.own.clone()
    }

    pub(super) fn sandbox(&mut self) -> Result<&Sandbox, String> {
        let budget = ScriptBudget::of_page(self.scripts.source_bytes);
        let sandbox =
            self.scripts.sandbox.get_or_insert_with(|| Sandbox::new(budget, self.modules.now().unwrap_or(NEW_YEAR)));
        sandbox.as_ref().map_err(Clone::clone)
    }

    /// Evaluates a module and those it imports, once for the page.
    pub(super) fn load(&mut self, file: FileId) -> Result<(), String> {
        if let Some(loaded) = self.scripts.loaded.get(&file) {
            return loaded.clone();
        }
        self.scripts.loaded.insert(file, Ok(())); // a cycle sees what is there by then: nothing
        if self.imports >= IMPORT_DEPTH {
            return Err(format!("files import files more than {IMPORT_DEPTH} deep"));
        }
        self.imports += 1;
        let loaded = self.evaluate(file);
        self.imports -= 1;
        self.scripts.loaded.insert(file, loaded.clone());
        loaded
    }

    fn evaluate(&mut self, file: FileId) -> Result<(), String> {
        let Some(compiled) = self.compiled(file) else { return Err("its file cannot be read".to_owned()) };
        let module = match &*compiled {
            Ok(module) => module,
            Err(error) => {
                let first = self.lines_before(file);
                return Err(format!("{} in {}, line {}", error.message, self.modules.path(file), error.line + first));
            }
        };
        let mut names: Vec<String> = Vec::with_capacity(module.imports.len() + module.builtins.len());
        for import in &module.imports {
            let mut pair = name_prefix(&import.local);
            self.encode_import(file, import, &mut pair)?;
            names.push(pair + "]");
        }
        for import in &module.lazy {
            let mut pair = name_prefix(&import.local);
            self.encode_lazy_import(file, import, &mut pair);
            names.push(pair + "]");
        }
        for name in &module.builtins {
            // what a script does not import it may still find on the page that uses it
            let mut pair = name_prefix(name);
            match self.page_value(file, name) {
                Some(value) => self.encode_in_scope(&value, &mut pair)?,
                None => tagged('b', name, &mut pair),
            }
            names.push(pair + "]");
        }
        let mut stars = Vec::new();
        for star in &module.stars {
            if let Some(target) = self.modules.resolve(file, star) {
                self.load(target)?;
                stars.push(self.modules.number(target).to_string());
            }
        }
        let (names, stars) = (format!("[{}]", names.join(",")), format!("[{}]", stars.join(",")));
        let number = self.modules.number(file);
        let failed = self.sandbox()?.load(number, &module.guarded, &names, &stars)?;
        self.statements_failed(file, &failed);
        self.scripts.given.push(LiveImport { file, names, stars });
        Ok(())
    }

    /// How many lines of a file stand before what its script's lines are counted from.
    pub(super) fn lines_before(&self, file: FileId) -> u32 {
        self.modules.document(file).map_or(0, |document| document.first_line.saturating_sub(1))
    }

    /// What `import()` loads later: a file of the source that can be evaluated; nothing else is known.
    fn encode_lazy_import(&mut self, from: FileId, import: &LazyImport, out: &mut String) {
        let target = self.modules.resolve(from, &import.from);
        let loaded = target.filter(|target| is_module(self.modules.path(*target)) && self.load(*target).is_ok());
        if let Some(target) = loaded {
            return exported(self.modules.number(target), "*", out);
        }
        out.push_str("[\"u\"]");
        let what =
            if import.from.is_empty() { "import(…)".to_owned() } else { format!("import(\"{}\")", import.from) };
        let line = import.line + self.lines_before(from);
        self.report(
            &format!("{} {what}", from.0),
            Problem::new(
                "script-import",
                format!("`{what}` loads nothing in the bundle"),
                Place { file: from, line, column: 1 },
            )
            .hint("only scripts of the source can be imported; copy the code that is needed into one"),
        );
    }

    /// What an imported name is: of React, of a snippet, of another module.
    fn encode_import(&mut self, from: FileId, import: &compile::ImportedName, out: &mut String) -> Result<(), String> {
        if is_react(&import.from) {
            tagged('r', &import.exported, out);
            return Ok(());
        }
        if let Some(own) = import.from.strip_prefix(OWN_MODULES) {
            match own {
                "page" => push_json_string(self.modules.path(self.scripts.page), out),
                "components" => tagged('b', &import.exported, out),
                name => push_json_string(&self.modules.known(name).unwrap_or_else(|| "null".into()), out),
            }
            return Ok(());
        }
        match self.modules.resolve(from, &import.from) {
            Some(target) if import.exported == "default" && self.modules.is_markdown(target) => {
                snippet(self.modules.number(target), out);
            }
            Some(target) if is_media(self.modules.path(target)) => {
                push_json_string(&format!("/{}", self.modules.path(target)), out)
            }
            Some(target) if !is_module(self.modules.path(target)) && !self.modules.runs(target) => {
                out.push_str("[\"u\"]")
            }
            Some(target) => {
                self.load(target)?;
                exported(self.modules.number(target), &import.exported, out);
            }
            None if import.local.starts_with(char::is_uppercase) => tagged('b', &import.local, out),
            None => out.push_str("[\"u\"]"),
        }
        Ok(())
    }

    /// What the page calls `name`, for a module that the page imports.
    fn page_value(&mut self, from: FileId, name: &str) -> Option<PropValue> {
        let page = self.scripts.page;
        let value = self.scopes.get(&page).filter(|_| from != page)?.get(name)?;
        matches!(value, PropValue::Function(_)).then(|| value.clone())
    }

    /// Reports statements of a module that failed: `[[names, reason, line], …]`.
    fn statements_failed(&mut self, file: FileId, failed: &str) {
        let Ok(Json::Array(failed)) = parse_script_json(failed) else { return };
        let before = self.lines_before(file);
        for statement in failed {
            let part = |at: usize| statement.get(at).and_then(Json::as_str).unwrap_or_default();
            let what = if part(0).is_empty() { "a statement".to_owned() } else { format!("`{}`", part(0)) };
            let line = statement.get(2).and_then(Json::as_u64).map_or(1, |line| line as u32);
            self.report(
                &format!("{} {line}", file.0),
                Problem::new(
                    "script-failed",
                    format!("{what} cannot be evaluated: {}", part(1)),
                    Place { file, line: line + before, column: 1 },
                )
                .hint("the rest of the script is evaluated; scripts have no browser, network or packages"),
            );
        }
    }

    /// A component reads what only a browser knows while it is first drawn.
    pub(super) fn asks_browser(&mut self, name: &str, api: &str, place: Place) {
        let message = format!(
            "`<{name}>` reads `{api}` while it is rendered; the page shows it without that value until its script runs in the browser"
        );
        let hint = "read it in `useEffect` and store it in a state";
        self.report(&format!("<{name}>"), Problem::new("component-browser", message, place).hint(hint));
    }

    /// Something that is rendered once, at export time, read the clock.
    pub(super) fn asks_time(&mut self, what: &str, place: Place) {
        if self.modules.now().is_some() {
            return;
        }
        let time = rfc3339_seconds(NEW_YEAR);
        let message = format!("`{what}` uses the current time; the bundle shows it as of {}", time.slice(..10));
        let hint = "set the time with `--exported-at`, or read it in `useEffect` and store it in a state, which uses the clock of the reader";
        self.report("now", Problem::new("script-time", message, place).hint(hint));
    }

    pub(super) fn script_failed(&mut self, what: &str, reason: &str, place: Place) {
        let hint = match what.starts_with('<') {
            true => "its children are shown instead; components have no browser, network or timers at export time",
            false => "nothing is shown in its place; expressions have no browser, network or timers at export time",
        };
        self.report(
            what,
            Problem::new("script-failed", format!("`{what}` cannot be rendered: {reason}"), place).hint(hint),
        );
    }
}

fn is_react(package: &str) -> bool {
    matches!(package, "react" | "react-dom" | "preact" | "preact/hooks" | "preact/compat" | "react/jsx-runtime")
}

/// `["local",`
fn name_prefix(local: &str) -> String {
    let mut out = String::from("[");
    push_json_string(local, &mut out);
    out.push(',');
    out
}
