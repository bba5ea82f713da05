//! What authors write (ES modules with JSX and TypeScript) to what the sandbox runs: plain scripts without imports,
//! each a function of the names it takes from elsewhere.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    CallExpression, Expression, IdentifierReference, JSXElementName, JSXMemberExpressionObject, Statement,
    UnaryExpression, UnaryOperator,
};
use oxc::ast_visit::Visit;
use oxc::codegen::{Codegen, CodegenOptions, CommentOptions};
use oxc::minifier::{CompressOptions, Minifier, MinifierOptions};
use oxc::parser::Parser;
use oxc::semantic::SemanticBuilder;
use oxc::span::{GetSpan, SourceType, Span};
use oxc::transformer::{JsxOptions, JsxRuntime, TransformOptions, Transformer, TypeScriptOptions};

use base::cut::SliceText as _;

use super::depth::with_room;
use super::guard::guard_code;
use super::lazy_imports::take_lazy_imports;
use super::live::{self, LiveModule};
use super::module_syntax::{ModuleBody, strip_module_syntax};
use super::names::is_language;
use super::syntax_error::line_of;

pub use super::lazy_imports::LazyImport;
pub use super::module_syntax::ImportedName;
pub use super::names::{REACT, is_of_browser};
pub use super::syntax_error::ScriptError;

/// A module, compiled.
#[derive(Clone, Debug, Default)]
pub struct CompiledModule {
    /// `(names) => { …; return {every top-level name} }`, where `names` is an object of the imported names.
    pub code: String,
    /// The same for the sandbox, which bounds it: `(tick, sum) => code`.
    pub guarded: String,
    /// Imports.
    pub imports: Vec<ImportedName>,
    /// The modules of `export * from`.
    pub stars: Vec<String>,
    /// The modules of `import()`.
    pub lazy: Vec<LazyImport>,
    /// Names used as elements or components that the module does not declare: the built-in ones.
    pub builtins: Vec<String>,
    /// Top-level and exported names, sorted.
    pub names: Vec<String>,
    /// What the text of the module says about islands.
    pub live: LiveModule,
}

/// An expression, compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompiledExpression {
    /// `(a, b) => value`, of the free names in order.
    pub code: String,
    /// The same for the sandbox, which bounds it: `(tick, sum) => code`.
    pub guarded: String,
    /// Names that the expression does not declare itself.
    pub free: Vec<String>,
    /// Those of them that are read as values at once, not in a function that may be called later, in the order of
    /// the text.
    pub read: Vec<String>,
    /// Names that are taken for the language's own or the browser's.
    pub language: Vec<String>,
}

/// Says which names are components that need no import.
pub type IsComponent = fn(&str) -> bool;

/// Compiles a module.
///
/// # Errors
/// It is not JavaScript, or it is larger or more deeply nested than scripts of documentation are.
pub fn module(source: &str, is_component: IsComponent) -> Result<CompiledModule, ScriptError> {
    with_room(source, || compile_module(source, is_component))
}

fn compile_module(source: &str, is_component: IsComponent) -> Result<CompiledModule, ScriptError> {
    let (source, lazy) = take_lazy_imports(source, false);
    let ModuleBody { script, exports, imports, stars } =
        parse_either(&source, true, |program| strip_module_syntax(&source, &program.body))?;
    let mut module = CompiledModule { imports, stars, lazy, ..CompiledModule::default() };
    let plain = transform(&script, ExpressionForm::Module)?;
    let taken: BTreeSet<&str> = module.imports.iter().map(|import| import.local.as_str()).collect();
    module.builtins = plain
        .free
        .iter()
        .filter(|name| plain.elements.contains(*name) || is_component(name))
        .filter(|name| !taken.contains(name.as_str()))
        .cloned()
        .collect();
    let known = taken
        .iter()
        .copied()
        .chain(module.lazy.iter().map(|import| import.local.as_str()))
        .chain(module.builtins.iter().map(String::as_str))
        .filter(|name| !plain.declared.contains(*name));
    let names: Vec<&str> = known.collect();
    module.live = plain.live;
    let mut returned: Vec<String> =
        plain.declared.iter().filter(|name| !name.starts_with("$default")).cloned().collect();
    module.names = returned.clone();
    for (exported, local) in exports {
        if exported != local {
            returned.push(format!("{exported:?}: {local}"));
            module.names.push(exported);
        }
    }
    module.names.sort_unstable();
    module.names.dedup();
    // a bundle has no accounts
    let user =
        if plain.free.iter().any(|name| name == "user") && !taken.contains("user") { "const user = {};" } else { "" };
    module.code =
        format!("({{{}}}) => {{{user}\n{}\nreturn {{{}}} }}", names.join(","), plain.code, returned.join(","));
    module.guarded = guarded(&module.code)?;
    Ok(module)
}

/// Compiles a module that gives a configuration: it may import what it likes, and wait at its top. Only `guarded`,
/// `imports` and `stars` are made; `import.meta` is `$meta` in it.
///
/// # Errors
/// As for [`module`].
pub fn config(source: &str) -> Result<CompiledModule, ScriptError> {
    with_room(source, || {
        let ModuleBody { script, exports, imports, stars } =
            parse_either(source, true, |program| strip_module_syntax(source, &program.body))?;
        let plain = transform(&script, ExpressionForm::Config)?;
        let names: BTreeSet<&str> =
            imports.iter().map(|import| import.local.as_str()).filter(|name| !plain.declared.contains(*name)).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let own = plain.declared.iter().filter(|name| !name.starts_with("$default")).cloned();
        let exported = exports.iter().filter(|(exported, local)| exported != local);
        let returned: Vec<String> =
            own.chain(exported.map(|(exported, local)| format!("{exported:?}: {local}"))).collect();
        let code = plain.code.replace("import.meta", "$meta");
        // `"use strict"` has no place in a function with such a parameter
        let code = format!(
            "($names) => {{const {{{}}} = $names;\n{code}\nreturn {{{}}} }}",
            names.join(","),
            returned.join(",")
        );
        // only one that waits is made to: others have given everything when they return
        let guarded = guarded(&code).or_else(|_| guarded(&format!("async {code}")))?;
        Ok(CompiledModule { guarded, imports, stars, ..CompiledModule::default() })
    })
}

/// Compiles an expression.
///
/// # Errors
/// As for [`module`].
pub fn compile_page_expression(source: &str, is_component: IsComponent) -> Result<CompiledExpression, ScriptError> {
    expression_with(source, is_component, &[])
}

/// The same where an author has names of the language for something else.
///
/// # Errors
/// As for [`module`].
pub fn expression_with(
    source: &str,
    is_component: IsComponent,
    own: &[String],
) -> Result<CompiledExpression, ScriptError> {
    with_room(source, || compile_expression(source, is_component, own))
}

fn compile_expression(
    source: &str,
    is_component: IsComponent,
    own: &[String],
) -> Result<CompiledExpression, ScriptError> {
    let source = format!("({source}\n)");
    let (mut script, imports) = take_lazy_imports(&source, true);
    for import in &imports {
        // a page has no name for it
        script = Cow::Owned(script.replace(&format!("({}===undefined?", import.local), "(true?"));
        script = Cow::Owned(script.replace(
            &format!("typeof $loaded===\"function\"?$loaded({0}):Promise.resolve({0})", import.local),
            "null",
        ));
    }
    let mut plain = transform(&script, ExpressionForm::Expression)?;
    let language = plain.language.extract_if(.., |name| !own.contains(name)).collect();
    plain.free.append(&mut plain.language);
    plain.free.sort_unstable();
    let value = plain.code.trim().trim_end_matches(';');
    let code = format!("({}) => {{ return (\n{value}\n)}}", plain.free.join(","));
    let first = |name: &str| plain.read.get(name).copied();
    let mut read: Vec<String> =
        plain.free.iter().filter(|name| first(name).is_some() && !is_component(name)).cloned().collect();
    read.sort_by_key(|name| first(name));
    Ok(CompiledExpression { guarded: guarded(&code)?, code, free: plain.free, read, language })
}

fn guarded(code: &str) -> Result<String, ScriptError> {
    guard_code(code).map_err(|reason| ScriptError { message: reason.to_owned(), line: 1 })
}

/// The same script, smaller: for readers' browsers. `None` if it cannot be read.
pub fn minify(script: &str) -> Option<String> {
    minify_as(script, SourceType::script())
}

/// The same module, smaller.
pub(super) fn minify_module(module: &str) -> Option<String> {
    minify_as(module, SourceType::mjs())
}

fn minify_as(script: &str, kind: SourceType) -> Option<String> {
    let arena = Allocator::default();
    let parsed = Parser::new(&arena, script, kind).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return None;
    }
    let mut program = parsed.program;
    let options = MinifierOptions { compress: Some(CompressOptions::smallest()), ..MinifierOptions::default() };
    let minified = Minifier::new(options).minify(&arena, &mut program);
    let printed = Codegen::new().with_options(CodegenOptions::minify()).with_scoping(minified.scoping).build(&program);
    Some(printed.code)
}

/// Parses as JavaScript with JSX or, if that fails, as TypeScript.
fn parse_either<T>(
    source: &str,
    module: bool,
    mut read: impl FnMut(&oxc::ast::ast::Program<'_>) -> T,
) -> Result<T, ScriptError> {
    let mut first = None;
    for kind in [SourceType::jsx(), SourceType::tsx()] {
        let arena = Allocator::default();
        let kind = if module { kind } else { kind.with_script(true) };
        let parsed = Parser::new(&arena, source, kind).parse();
        if parsed.panicked || !parsed.diagnostics.is_empty() {
            let error = parsed.diagnostics.iter().next().map(|diagnostic| {
                let at = diagnostic.labels.first().map_or(0, oxc::diagnostics::LabeledSpan::offset);
                ScriptError { message: diagnostic.message.to_string(), line: line_of(source, at) }
            });
            first = first.or(error);
            continue;
        }
        return Ok(read(&parsed.program));
    }
    Err(first.unwrap_or_else(|| ScriptError { message: "it is not JavaScript".to_owned(), line: 1 }))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ExpressionForm {
    Module,
    /// A module that may wait at its top.
    Config,
    Expression,
}

struct PlainExpression {
    code: String,
    /// Names that are neither declared nor JavaScript's own, sorted.
    free: Vec<String>,
    /// Names that are JavaScript's own.
    language: Vec<String>,
    /// Top-level names, sorted.
    declared: BTreeSet<String>,
    /// Names of elements.
    elements: BTreeSet<String>,
    /// Names that are read at once, and where first.
    read: BTreeMap<String, u32>,
    live: LiveModule,
}

/// JSX to calls of `h`, types removed.
fn transform(script: &str, form: ExpressionForm) -> Result<PlainExpression, ScriptError> {
    // what the parser accepted as TypeScript only is TypeScript
    let arena = Allocator::default();
    let kind = |kind: SourceType| if form == ExpressionForm::Config { kind } else { kind.with_script(true) };
    let mut parsed = Parser::new(&arena, script, kind(SourceType::jsx())).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        parsed = Parser::new(&arena, script, kind(SourceType::tsx())).parse();
    }
    if let Some(diagnostic) = parsed.diagnostics.iter().next() {
        let at = diagnostic.labels.first().map_or(0, oxc::diagnostics::LabeledSpan::offset);
        return Err(ScriptError { message: diagnostic.message.to_string(), line: line_of(script, at) });
    }
    let mut program = parsed.program;
    if form == ExpressionForm::Expression && !matches!(program.body.as_slice(), [Statement::ExpressionStatement(_)]) {
        return Err(ScriptError { message: "it is not an expression".to_owned(), line: 1 });
    }
    let mut elements = Elements::default();
    elements.visit_program(&program);
    if !elements.big.is_empty() {
        return transform(&without_big_literals(script, &elements.big), form);
    }
    if let Some(span) = elements.refused.filter(|_| form != ExpressionForm::Config) {
        return Err(ScriptError {
            message: "`import()` and `await` at the top are not available here".to_owned(),
            line: line_of(script, span.start),
        });
    }
    let scoping = SemanticBuilder::new().with_excess_capacity(1.0).build(&program).semantic.into_scoping();
    let declared: BTreeSet<String> = scoping
        .iter_bindings_in(scoping.root_scope_id())
        .filter(|symbol| scoping.symbol_flags(*symbol).is_value())
        .map(|symbol| scoping.symbol_name(symbol).to_owned())
        .collect();
    let (mut language, mut free): (Vec<String>, Vec<String>) =
        scoping.root_unresolved_references().keys().map(|name| name.to_string()).partition(|name| is_language(name));
    free.sort_unstable();
    language.sort_unstable();
    let live = match form {
        ExpressionForm::Module => {
            let unknown: BTreeSet<&str> =
                scoping.root_unresolved_references().keys().map(|name| name.as_str()).collect();
            live::of_program(&program, &|name| unknown.contains(name), &|at| line_of(script, at))
        }
        ExpressionForm::Config | ExpressionForm::Expression => LiveModule::default(),
    };
    let options = TransformOptions {
        typescript: TypeScriptOptions { only_remove_type_imports: true, ..TypeScriptOptions::default() },
        jsx: JsxOptions {
            runtime: JsxRuntime::Classic,
            pragma: Some("$h".to_owned()),
            pragma_frag: Some("$Fragment".to_owned()),
            throw_if_namespace: false,
            pure: false,
            display_name_plugin: false,
            ..JsxOptions::enable()
        },
        ..TransformOptions::default()
    };
    let done = Transformer::new(&arena, Path::new("script.tsx"), &options).build_with_scoping(scoping, &mut program);
    if let Some(diagnostic) = done.diagnostics.iter().next() {
        return Err(ScriptError { message: diagnostic.message.to_string(), line: 1 });
    }
    let options = CodegenOptions { comments: CommentOptions::disabled(), ..CodegenOptions::default() };
    let code = Codegen::new().with_options(options).build(&program).code;
    Ok(PlainExpression { code, free, language, declared, elements: elements.names, read: elements.read, live })
}

/// `10n` as `BigInt("10")`: the sandbox has no BigInt, whose cost cannot be bounded, and what needs it is left to the
/// browser. A literal would cost the whole module.
fn without_big_literals(script: &str, literals: &[Span]) -> String {
    let mut out = String::with_capacity(script.len() + literals.len() * 12);
    let mut from = 0;
    for literal in literals {
        let (start, end) = (literal.start as usize, literal.end as usize);
        let digits: String = script.slice(start..end).trim_end_matches('n').chars().filter(|c| *c != '_').collect();
        out.push_str(script.slice(from..start));
        out.push_str(&format!("BigInt(\"{digits}\")"));
        from = end;
    }
    out.push_str(script.slice(from..));
    out
}

/// Collects the names of elements, of what is read at once, and what the sandbox has not.
#[derive(Default)]
struct Elements {
    names: BTreeSet<String>,
    refused: Option<Span>,
    /// BigInt literals, in order.
    big: Vec<Span>,
    read: BTreeMap<String, u32>,
    /// Functions around, but for those that are called where they stand.
    later: u32,
    /// Where functions start that are called where they stand.
    called: BTreeSet<u32>,
}

impl<'a> Visit<'a> for Elements {
    fn visit_jsx_element_name(&mut self, name: &JSXElementName<'a>) {
        match name {
            JSXElementName::IdentifierReference(name) => {
                self.names.insert(name.name.to_string());
            }
            JSXElementName::MemberExpression(member) => {
                let mut object = &member.object;
                while let JSXMemberExpressionObject::MemberExpression(inner) = object {
                    object = &inner.object;
                }
                if let JSXMemberExpressionObject::IdentifierReference(name) = object {
                    self.names.insert(name.name.to_string());
                }
            }
            _ => {}
        }
    }

    fn visit_expression(&mut self, expression: &Expression<'a>) {
        match expression {
            Expression::ImportExpression(_) => {
                self.refused.get_or_insert(expression.span());
            }
            Expression::BigIntLiteral(literal) => self.big.push(literal.span),
            _ => {}
        }
        let is_later = is_function(expression) && !self.called.contains(&expression.span().start);
        self.later += u32::from(is_later);
        oxc::ast_visit::walk::walk_expression(self, expression);
        self.later -= u32::from(is_later);
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        if self.later == 0 {
            self.read.entry(name.name.to_string()).or_insert(name.span.start);
        }
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        // `typeof x` tests whether there is one
        if unary.operator != UnaryOperator::Typeof || !matches!(unary.argument, Expression::Identifier(_)) {
            oxc::ast_visit::walk::walk_unary_expression(self, unary);
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let given = call.arguments.iter().filter_map(|argument| argument.as_expression());
        let functions = std::iter::once(&call.callee)
            .chain(given)
            .map(Expression::without_parentheses)
            .filter(|one| is_function(one));
        self.called.extend(functions.map(|one| one.span().start));
        oxc::ast_visit::walk::walk_call_expression(self, call);
    }
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(source: &str) -> Result<CompiledModule, ScriptError> {
        super::module(source, |name| name == "Card")
    }

    fn expression(source: &str) -> Result<CompiledExpression, ScriptError> {
        super::compile_page_expression(source, |name| name == "Card")
    }

    #[track_caller]
    fn check(source: &str, expect: &[&str]) {
        let module = module(source).unwrap();
        for part in expect {
            assert!(module.code.contains(part), "{part} in\n{}", module.code);
        }
    }

    #[test]
    fn jsx_becomes_calls() {
        check("export const A = ({t}) => <b className=\"x\">{t}</b>;", &["$h(\"b\"", "return {A}"]);
        check("const A = () => <><Card/></>; export default A", &["({Card}) =>", "$Fragment", "\"default\": "]);
        check("export default () => <i/>;", &["\"default\": $default15"]);
        check("export default function X() { return 1 }", &["function X()", "\"default\": X"]);
    }

    #[test]
    fn names_come_from_imports_and_components() {
        let module = module("import A, { b as c } from './x.jsx';\nimport { useState } from 'react';\nexport const D = () => <A><c.E/><Tree.Folder/>{window.x}</A>").unwrap();
        let names: Vec<_> =
            module.imports.iter().map(|one| format!("{}:{}={}", one.from, one.exported, one.local)).collect();
        assert_eq!(names, ["./x.jsx:default=A", "./x.jsx:b=c", "react:useState=useState"]);
        assert_eq!(module.builtins, ["Tree"]);
    }

    #[test]
    fn statements_that_may_fail_cost_what_they_declare() {
        check(
            "export const A = f(), { b, c = 2 } = g;\nX.y = 1;\nexport const D = () => 1, e = [1, -2, { f: 'g' }];",
            &[
                "let A, b, c;",
                "try {",
                "$failed($e, 1, \"A, b, c\")",
                "$failed($e, 2, \"\")",
                "const D = () => 1, e = [",
            ],
        );
        check(
            "const a: string = f(); export default memo(() => a)",
            &["const a = f();", "$failed($e, 1, \"default\")"],
        );
        assert_eq!(module("export const A = f(), { b } = g").unwrap().names, ["A", "b"]);
    }

    #[test]
    fn names_of_the_language_may_be_the_authors() {
        let compiled = expression("location.city + Map.size").unwrap();
        assert_eq!((compiled.free.len(), compiled.language), (0, vec!["Map".to_owned(), "location".to_owned()]));
        let compiled = super::expression_with("location.city + Map.size", |_| false, &["location".to_owned()]).unwrap();
        assert_eq!(compiled.free, ["location"]);
    }

    #[test]
    fn re_exports_and_several_defaults() {
        check("export { a as b } from './x'; export * from './y'", &["\"b\": $from0"]);
        check("export default 1; export default 2;", &["const $default15", "\"default\": $default33"]);
        check("const a = 1; export { a as \"b-c\" }", &["\"b-c\": a"]);
    }

    #[test]
    fn types_are_removed() {
        check("type P = {a: string}; export const A = ({a}: P): number => (a as any)! + 1;", &["({ a }) =>"]);
    }

    #[test]
    fn expressions_name_what_they_need() {
        let compiled = expression("items.map((x, i) => <Card key={i}>{x} {word}</Card>)").unwrap();
        assert_eq!(compiled.free, ["Card", "items", "word"]);
        assert!(compiled.code.starts_with("(Card,items,word) =>"), "{}", compiled.code);
        assert_eq!(expression("{a: 1}").unwrap().free, [""; 0]);
        assert_eq!(compiled.read, ["items", "word"]);
        assert_eq!(expression("b - a.map(x => c) + typeof d + (() => e)()").unwrap().read, ["b", "a", "c", "e"]);
        assert_eq!(expression("{ go: () => later(now), at: now, icon: Card }").unwrap().read, ["now"]);
        assert!(expression("a; b").is_err());
        assert!(expression("a) + (b").is_ok(), "one expression all the same");
    }

    #[test]
    fn what_is_no_script_says_where() {
        assert_eq!(module("const a = 1;\nconst b = ;").unwrap_err().line, 2);
        assert!(module(&"(".repeat(100_000)).is_err());
        assert!(module(&format!("x = {}1", "1+".repeat(100_000))).is_err());
        assert!(expression("import('x')").is_err());
        assert!(expression("1n ** 2_0n").unwrap().code.contains("BigInt(\"20\")"));
    }

    #[test]
    fn scripts_get_smaller() {
        let small = minify("(function(){ const value = 1 + 2; window.x = () => { return value } })()").unwrap();
        assert!(small.len() < 50, "{small}");
    }
}
