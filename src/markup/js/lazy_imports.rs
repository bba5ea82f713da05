//! `import()` in scripts: a bundle is whole from the start, so what it would load later is there at once, if it is a
//! file of the source. `import.meta` says nothing.

use std::borrow::Cow;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Function, ImportExpression, ImportMeta, TemplateLiteral};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::Parser;
use oxc::semantic::ScopeFlags;
use oxc::span::{SourceType, Span};

use base::cut::SliceText as _;

use super::syntax_error::line_of;

/// A module that a script loads later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LazyImport {
    /// The module, as written; empty if the script computes it.
    pub from: String,
    /// What its namespace is called in the script.
    pub local: String,
    /// Line of the script, from 1.
    pub line: u32,
}

/// A script with promises in the place of `import()`. With `only_inside`, those alone that stand in functions.
pub(super) fn take_lazy_imports(source: &str, only_inside: bool) -> (Cow<'_, str>, Vec<LazyImport>) {
    if !may_have_some(source) {
        return (Cow::Borrowed(source), Vec::new());
    }
    let arena = Allocator::default();
    let kinds = [SourceType::jsx(), SourceType::tsx()];
    let mut parsed = kinds.iter().map(|kind| Parser::new(&arena, source, *kind).parse());
    let Some(parsed) = parsed.find(|parsed| !parsed.panicked && parsed.diagnostics.is_empty()) else {
        return (Cow::Borrowed(source), Vec::new());
    };
    let mut found = ImportFinder { only_inside, ..ImportFinder::default() };
    found.visit_program(&parsed.program);
    let mut places = found.places;
    places.sort_by_key(|(span, _)| span.start);
    let (mut out, mut imports, mut from) = (String::with_capacity(source.len()), Vec::<LazyImport>::new(), 0);
    for (span, what) in places {
        let (start, end) = (span.start as usize, span.end as usize);
        // one within another goes with it
        let (Some(before), Some(written)) = (source.get(from..start), source.get(start..end)) else { continue };
        out.push_str(before);
        match what {
            ImportPlace::Meta => out.push_str("({env:{}})"),
            ImportPlace::Import(module) => {
                let local = format!("$lazy{}", imports.len());
                let reason = serde_json::json!(format!("`{module}` is not part of the bundle")).to_string();
                out.push_str(&format!(
                    "({local}===undefined?Promise.reject(new Error({reason})):typeof $loaded===\"function\"?$loaded({local}):Promise.resolve({local}))"
                ));
                imports.push(LazyImport { from: module, local, line: line_of(source, span.start) });
            }
        }
        out.extend(written.matches('\n'));
        from = end;
    }
    out.push_str(source.slice(from..));
    (Cow::Owned(out), imports)
}

/// Whether `import` stands somewhere before a bracket or a dot.
fn may_have_some(source: &str) -> bool {
    memchr::memmem::find_iter(source.as_bytes(), b"import").any(|at| {
        let rest = source.slice(at + "import".len()..).trim_start();
        rest.starts_with(['(', '.']) || rest.starts_with("/*") || rest.starts_with("//")
    })
}

enum ImportPlace {
    /// Of `import.meta`.
    Meta,
    /// Of `import()` of a module.
    Import(String),
}

#[derive(Default)]
struct ImportFinder {
    only_inside: bool,
    /// Functions around.
    functions: u32,
    places: Vec<(Span, ImportPlace)>,
}

impl<'a> Visit<'a> for ImportFinder {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.functions += 1;
        walk::walk_function(self, function, flags);
        self.functions -= 1;
    }

    fn visit_arrow_function_expression(&mut self, arrow: &oxc::ast::ast::ArrowFunctionExpression<'a>) {
        self.functions += 1;
        walk::walk_arrow_function_expression(self, arrow);
        self.functions -= 1;
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        if self.functions == 0 && self.only_inside {
            return;
        }
        let module = match &import.source {
            Expression::StringLiteral(text) => text.value.to_string(),
            Expression::TemplateLiteral(text) => whole_text(text).unwrap_or_default(),
            _ => String::new(),
        };
        self.places.push((import.span, ImportPlace::Import(module)));
    }

    fn visit_import_meta(&mut self, meta: &ImportMeta) {
        self.places.push((meta.span, ImportPlace::Meta));
    }
}

/// The text of a template without values in it.
fn whole_text(template: &TemplateLiteral<'_>) -> Option<String> {
    match template.quasis.as_slice() {
        [only] => only.value.cooked.as_ref().map(ToString::to_string),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises_stand_in_for_imports() {
        for (source, expect) in [
            ("f(() => import('./a.js'))", "./a.js:1"),
            ("useEffect(() => {\n  import(\n    /* x */ \"./a.js\"\n  ).then(m => m.go())\n}, [])", "./a.js:2"),
            ("const a = async () => (await import(`./b.js`)).default", "./b.js:1"),
            ("const a = name => import(`./${name}.js`)", ":1"),
            ("const a: string = 'x'; export const b = () => import('./c')", "./c:1"),
            ("import('./a').then(() => import('./b'))", "./a:1 ./b:1"),
            ("const a = import.meta.env.MODE", ""),
            ("import a from './a'; const b = 'import(\"x\")' // import('y')", ""),
            ("const a = () => import(", ""),
        ] {
            let (script, imports) = take_lazy_imports(source, false);
            let names: Vec<_> = imports.iter().map(|import| format!("{}:{}", import.from, import.line)).collect();
            assert_eq!(names.join(" "), expect, "{source}");
            assert_eq!(script.matches('\n').count(), source.matches('\n').count(), "{source}");
            assert!(imports.iter().all(|import| script.contains(&import.local)), "{script}");
        }
        assert_eq!(take_lazy_imports("import.meta.url", false).0, "({env:{}}).url");
        assert_eq!(take_lazy_imports("import('a')", true).0, "import('a')");
    }
}
