//! What the statements of a module declare, by the parser: names that come from other modules, and names with values.

use std::ops::Range;

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    BindingPattern, Declaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind, Expression, Function,
    Statement, VariableDeclaration,
};
use oxc::parser::Parser;
use oxc::span::{GetSpan, SourceType, Span};

use super::depth::with_room;
use super::module_syntax::{ImportedName, imported_name};

/// A statement of a module.
#[derive(Debug)]
pub struct ModuleStatement {
    /// Where the statement stands in the text that was read.
    pub range: Range<usize>,
    /// The kind of the statement.
    pub kind: StatementKind,
}

/// What a statement of a module says.
#[derive(Debug)]
pub enum StatementKind {
    /// `import … from`, and `export … from`, which gives the names on.
    Import(Vec<ImportedName>),
    /// `export * from` a module.
    Star(String),
    /// Names with values, exported or not; none for types, classes and patterns, which only the compiler knows.
    Declare(Vec<Declared>),
    /// Something that runs: a call, a loop.
    Run,
}

/// A name and what it is declared as.
#[derive(Debug)]
pub struct Declared {
    /// The name; `default` for the default export.
    pub name: String,
    /// The value that the name is declared as.
    pub value: DeclaredValue,
}

/// What a name is declared as.
#[derive(Debug)]
pub enum DeclaredValue {
    /// An expression in the text that was read, without a type that stands behind it.
    Expression(Range<usize>),
    /// A function or class in the text that was read.
    Function(Range<usize>),
    /// Another name.
    Name(String),
}

/// The statements of a text that is JavaScript or TypeScript with JSX.
///
/// # Errors
/// It is not, from this offset on; `None` if it is too long or too deep to be read.
pub fn read_statements(source: &str) -> Result<Vec<ModuleStatement>, Option<usize>> {
    with_room(source, || Ok(read(source))).unwrap_or(Err(None))
}

fn read(source: &str) -> Result<Vec<ModuleStatement>, Option<usize>> {
    let mut failed = 0;
    for kind in [SourceType::jsx(), SourceType::tsx()] {
        let arena = Allocator::default();
        let parsed = Parser::new(&arena, source, kind).parse();
        if !parsed.panicked && parsed.diagnostics.is_empty() {
            return Ok(parsed.program.body.iter().filter_map(statement).collect());
        }
        let labels = parsed.diagnostics.iter().next().and_then(|diagnostic| diagnostic.labels.first());
        failed = failed.max(labels.map_or(0, oxc::diagnostics::LabeledSpan::offset));
    }
    Err(Some(failed as usize))
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn statement(statement: &Statement<'_>) -> Option<ModuleStatement> {
    let kind = match statement {
        Statement::EmptyStatement(_) => return None,
        Statement::ImportDeclaration(import) => {
            let specifiers = import.specifiers.iter().flatten().filter(|_| !import.import_kind.is_type());
            StatementKind::Import(specifiers.filter_map(|one| imported_name(one, &import.source.value)).collect())
        }
        Statement::ExportFromDeclaration(export) => {
            let specifiers = export.specifiers.iter().filter(|_| !export.export_kind.is_type());
            StatementKind::Import(
                specifiers
                    .map(|one| ImportedName {
                        from: export.source.value.to_string(),
                        exported: one.local.name().to_string(),
                        local: one.exported.name().to_string(),
                    })
                    .collect(),
            )
        }
        Statement::ExportAllDeclaration(export) => match &export.exported {
            Some(name) => StatementKind::Import(vec![ImportedName {
                from: export.source.value.to_string(),
                exported: "*".to_owned(),
                local: name.name().to_string(),
            }]),
            None => StatementKind::Star(export.source.value.to_string()),
        },
        Statement::ExportNamedDeclaration(export) => {
            let specifiers = export.specifiers.iter().filter(|_| !export.export_kind.is_type());
            let names = specifiers.map(|one| (one.exported.name().to_string(), one.local.name().to_string()));
            let renamed = names.filter(|(exported, local)| exported != local);
            StatementKind::Declare(
                renamed.map(|(name, local)| Declared { name, value: DeclaredValue::Name(local) }).collect(),
            )
        }
        Statement::ExportDeclaration(export) => StatementKind::Declare(match &export.declaration {
            Declaration::VariableDeclaration(declared) => variables(declared),
            Declaration::FunctionDeclaration(function) => named_function(function).into_iter().collect(),
            _ => Vec::new(),
        }),
        Statement::ExportDefaultDeclaration(export) => StatementKind::Declare(default_export(export)),
        Statement::VariableDeclaration(declared) => StatementKind::Declare(variables(declared)),
        Statement::FunctionDeclaration(function) => {
            StatementKind::Declare(named_function(function).into_iter().collect())
        }
        Statement::ClassDeclaration(_)
        | Statement::TSTypeAliasDeclaration(_)
        | Statement::TSInterfaceDeclaration(_)
        | Statement::TSEnumDeclaration(_) => StatementKind::Declare(Vec::new()),
        _ => StatementKind::Run,
    };
    Some(ModuleStatement { range: range(statement.span()), kind })
}

fn variables(declared: &VariableDeclaration<'_>) -> Vec<Declared> {
    let one = |one: &oxc::ast::ast::VariableDeclarator<'_>| {
        let BindingPattern::BindingIdentifier(name) = &one.id else { return None };
        let value = one.init.as_ref().map(expression)?;
        Some(Declared { name: name.name.to_string(), value })
    };
    declared.declarations.iter().filter_map(one).collect()
}

fn named_function(function: &Function<'_>) -> Option<Declared> {
    let name = function.id.as_ref()?.name.to_string();
    Some(Declared { name, value: DeclaredValue::Function(range(function.span)) })
}

fn default_export(export: &ExportDefaultDeclaration<'_>) -> Vec<Declared> {
    let value = match &export.declaration {
        ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => return Vec::new(),
        ExportDefaultDeclarationKind::FunctionDeclaration(function) => DeclaredValue::Function(range(function.span)),
        ExportDefaultDeclarationKind::ClassDeclaration(class) => DeclaredValue::Function(range(class.span)),
        declaration => match declaration.as_expression() {
            Some(value) => expression(value),
            None => return Vec::new(),
        },
    };
    vec![Declared { name: "default".to_owned(), value }]
}

/// A value without the types that stand behind it.
fn expression(value: &Expression<'_>) -> DeclaredValue {
    match value {
        Expression::TSAsExpression(typed) => expression(&typed.expression),
        Expression::TSSatisfiesExpression(typed) => expression(&typed.expression),
        Expression::TSNonNullExpression(typed) => expression(&typed.expression),
        Expression::Identifier(name) => DeclaredValue::Name(name.name.to_string()),
        Expression::FunctionExpression(function) => DeclaredValue::Function(range(function.span)),
        value => DeclaredValue::Expression(range(value.span())),
    }
}
