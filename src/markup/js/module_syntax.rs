//! Imports and exports of a module: what is left without them is a script. Statements that may fail cost what they
//! declare, not the whole module.

use oxc::ast::ast::{
    Declaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind, Expression, ImportDeclarationSpecifier,
    ObjectPropertyKind, Statement, VariableDeclaration, VariableDeclarator,
};
use oxc::span::GetSpan;

use base::cut::SliceText as _;

use super::syntax_error::line_of;

/// A name that a module takes from another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportedName {
    /// The module, as written.
    pub from: String,
    /// The name there; `default` or `*`.
    pub exported: String,
    /// The name here.
    pub local: String,
}

/// A module without its imports and exports.
#[derive(Debug, Default)]
pub(super) struct ModuleBody {
    /// A script with the same lines.
    pub(super) script: String,
    /// Exported name, local name.
    pub(super) exports: Vec<(String, String)>,
    pub(super) imports: Vec<ImportedName>,
    /// The modules of `export * from`.
    pub(super) stars: Vec<String>,
}

/// Takes imports and exports out of a module.
pub(super) fn strip_module_syntax(source: &str, body: &[Statement<'_>]) -> ModuleBody {
    let (mut imports, mut stars) = (Vec::new(), Vec::new());
    let mut script = String::with_capacity(source.len());
    let mut exports = Vec::new();
    let mut at = 0;
    let mut cut = |from: u32, to: u32, instead: &str| {
        script.push_str(source.slice(at..from as usize));
        script.push_str(instead);
        let removed = source.slice(from as usize..to as usize);
        script.extend(removed.bytes().filter(|byte| *byte == b'\n').map(char::from));
        at = to as usize;
    };
    for statement in body {
        match statement {
            Statement::ImportDeclaration(import) => {
                let span = import.span;
                let from = import.source.value.to_string();
                if !import.import_kind.is_type() {
                    let specifiers = import.specifiers.iter().flatten();
                    imports.extend(specifiers.filter_map(|specifier| imported_name(specifier, &from)));
                }
                cut(span.start, span.end, ";");
            }
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::VariableDeclaration(declared) if may_fail(declared) => {
                    guard_declaration(source, export.span.start, declared, &mut cut)
                }
                declaration => cut(export.span.start, declaration.span().start, ""),
            },
            Statement::VariableDeclaration(declared) if may_fail(declared) => {
                guard_declaration(source, declared.span.start, declared, &mut cut)
            }
            Statement::ExportNamedDeclaration(export) => {
                if !export.export_kind.is_type() {
                    exports.extend(
                        export
                            .specifiers
                            .iter()
                            .map(|one| (one.exported.name().to_string(), one.local.name().to_string())),
                    );
                }
                cut(export.span.start, export.span.end, ";");
            }
            Statement::ExportFromDeclaration(export) => {
                for one in export.specifiers.iter().filter(|_| !export.export_kind.is_type()) {
                    let local = format!("$from{}", imports.len());
                    exports.push((one.exported.name().to_string(), local.clone()));
                    imports.push(ImportedName {
                        from: export.source.value.to_string(),
                        exported: one.local.name().to_string(),
                        local,
                    });
                }
                cut(export.span.start, export.span.end, ";");
            }
            Statement::ExportAllDeclaration(export) => {
                let from = export.source.value.to_string();
                match &export.exported {
                    None => stars.push(from),
                    Some(name) => {
                        let local = format!("$from{}", imports.len());
                        exports.push((name.name().to_string(), local.clone()));
                        imports.push(ImportedName { from, exported: "*".to_owned(), local });
                    }
                }
                cut(export.span.start, export.span.end, ";");
            }
            Statement::ExportDefaultDeclaration(export) => strip_default_export(source, export, &mut exports, &mut cut),
            Statement::ExpressionStatement(_)
            | Statement::IfStatement(_)
            | Statement::ForStatement(_)
            | Statement::ForInStatement(_)
            | Statement::ForOfStatement(_)
            | Statement::WhileStatement(_)
            | Statement::SwitchStatement(_)
            | Statement::TryStatement(_)
            | Statement::ThrowStatement(_)
            | Statement::BlockStatement(_) => {
                let span = statement.span();
                cut(span.start, span.start, "try{");
                cut(span.end, span.end, &caught(source, span.start, ""));
            }
            _ => {}
        }
    }
    script.push_str(source.slice(at..));
    ModuleBody { script, exports, imports, stars }
}

/// `export default`: of several all are kept, and the last one is the module's.
fn strip_default_export(
    source: &str,
    export: &ExportDefaultDeclaration<'_>,
    exports: &mut Vec<(String, String)>,
    cut: &mut impl FnMut(u32, u32, &str),
) {
    let inner = export.declaration.span();
    let name = match &export.declaration {
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
            function.id.as_ref().map(|id| id.name.to_string())
        }
        ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref().map(|id| id.name.to_string()),
        ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => return,
        _ => None,
    };
    exports.retain(|(exported, _)| exported != "default");
    match name {
        Some(name) => {
            exports.push(("default".to_owned(), name));
            cut(export.span.start, inner.start, "");
        }
        None => {
            let name = format!("$default{}", inner.start);
            if export.declaration.as_expression().is_some_and(expression_may_fail) {
                cut(export.span.start, inner.start, &format!("let {name};try{{{name} = ("));
                cut(inner.end, export.span.end, &format!("){}", caught(source, export.span.start, "default")));
            } else {
                cut(export.span.start, inner.start, &format!("const {name} = "));
            }
            exports.push(("default".to_owned(), name));
        }
    }
}

/// `let a, b; try { (a = …, b = …) } catch …`: what fails costs what it declares and nothing else of the module.
fn guard_declaration(
    source: &str,
    start: u32,
    declared: &VariableDeclaration<'_>,
    cut: &mut impl FnMut(u32, u32, &str),
) {
    let (Some(first), Some(last)) = (declared.declarations.first(), declared.declarations.last()) else { return };
    let names: Vec<&str> = declared
        .declarations
        .iter()
        .flat_map(|one| one.id.get_binding_identifiers())
        .map(|name| name.name.as_str())
        .collect();
    cut(start, first.span.start, &format!("let {};try{{(", names.join(",")));
    cut(last.span.end, declared.span.end, &format!("){}", caught(source, start, &names.join(", "))));
}

/// The end of a statement in `try`: the sandbox gets the error, a browser goes on.
fn caught(source: &str, at: u32, names: &str) -> String {
    format!("}}catch($e){{typeof $failed==\"function\"&&$failed($e,{},{names:?})}}", line_of(source, at))
}

/// Whether a declaration may throw when it is evaluated. Those with types are left as they are: without `const` they
/// are no expressions.
fn may_fail(declared: &VariableDeclaration<'_>) -> bool {
    let is_typed = declared.declarations.iter().any(|one| one.type_annotation.is_some() || one.definite);
    let may_fail = |one: &VariableDeclarator<'_>| {
        one.init.as_ref().is_some_and(|init| !one.id.is_binding_identifier() || expression_may_fail(init))
    };
    !is_typed && !declared.kind.is_using() && declared.declarations.iter().any(may_fail)
}

fn expression_may_fail(expression: &Expression<'_>) -> bool {
    match expression.without_parentheses() {
        Expression::ArrowFunctionExpression(_)
        | Expression::FunctionExpression(_)
        | Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::RegExpLiteral(_) => false,
        Expression::TemplateLiteral(template) => template.expressions.iter().any(expression_may_fail),
        Expression::ArrayExpression(array) => {
            array.elements.iter().any(|element| element.as_expression().is_none_or(expression_may_fail))
        }
        Expression::ObjectExpression(object) => object.properties.iter().any(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => property.computed || expression_may_fail(&property.value),
            ObjectPropertyKind::SpreadProperty(_) => true,
        }),
        Expression::UnaryExpression(unary) => expression_may_fail(&unary.argument),
        _ => true,
    }
}

pub(super) fn imported_name(specifier: &ImportDeclarationSpecifier<'_>, from: &str) -> Option<ImportedName> {
    let (exported, local) = match specifier {
        ImportDeclarationSpecifier::ImportSpecifier(one) if one.import_kind.is_type() => return None,
        ImportDeclarationSpecifier::ImportSpecifier(one) => (one.imported.name().to_string(), &one.local),
        ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => ("default".to_owned(), &one.local),
        ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => ("*".to_owned(), &one.local),
    };
    Some(ImportedName { from: from.to_owned(), exported, local: local.name.to_string() })
}
