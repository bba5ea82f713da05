//! Ticks in compiled scripts: the engine counts calls and rounds of loops, but checks its limit only once in ten
//! thousand of them, and a single operation on long text can take a millisecond. So every function, round of a loop and
//! `catch`, and a stretch of code without any of them, passes a tick; and text that grows by `+` is measured.
//!
//! The script is not changed otherwise: the ticks are inserted into its text.

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionBody, ArrowFunctionExpression, AssignmentOperator, BinaryExpression,
    BinaryOperator, BindingRestElement, BlockStatement, CatchClause, ConditionalExpression, Expression, FunctionBody,
    IfStatement, LogicalExpression, PropertyKind, RegExpLiteral, SequenceExpression, SpreadElement, Statement,
    StaticBlock, SwitchCase, TryStatement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::Parser;
use oxc::span::{GetSpan, SourceType, Span};

use base::cut::SliceText as _;

/// Ticks between two looks at the budget.
pub(super) const BATCH: u32 = 4;
/// Most that a stretch of code may weigh without a tick; a plain operation weighs 1.
const STRETCH: u32 = 32;
/// What an operation weighs whose cost grows with what it is applied to.
const HEAVY: u32 = STRETCH;
/// What a call weighs, which may be of something native.
const CALL: u32 = 16;
/// Longest text whose addition is not measured, bytes: additions alone cannot make text long with it in the time there
/// is.
const SHORT: usize = 16;
/// Most bytes of regular expressions in a script: each is compiled by the engine without a pause.
const PATTERNS: usize = 20_000;

/// What a caught exception costs more than a tick: making one takes that long.
const CAUGHT: &str = "200";

/// `(tick, sum) => code`, where the code's ticks call `tick` and its additions `sum`. `code` is an expression.
///
/// # Errors
/// It holds more or larger regular expressions than scripts of documentation do, or is no expression.
pub(super) fn guard_code(code: &str) -> Result<String, &'static str> {
    let arena = Allocator::default();
    let parsed = Parser::new(&arena, code, SourceType::script()).parse();
    if parsed.panicked || !parsed.diagnostics.is_empty() {
        return Err("it is not a script");
    }
    let (left, tick, sum) = (unused(code, "$n"), unused(code, "$tick"), unused(code, "$sum"));
    let mut marks = ScriptMarks {
        edits: Vec::new(),
        weight: 0,
        patterns: 0,
        tick: format!("--{left}||({left}={tick}(0))"),
        caught: format!("{left}={tick}({CAUGHT});"),
        sum: format!("{sum}("),
    };
    marks.visit_program(&parsed.program);
    if marks.patterns > PATTERNS {
        return Err("its regular expressions are too long");
    }
    let mut edits = marks.edits;
    edits.sort_by_key(|(at, _)| *at); // stable: at one place in the order in which they nest
    let mut out = String::with_capacity(code.len() + edits.iter().map(|(_, text)| text.len()).sum::<usize>() + 64);
    out.push_str(&format!("({tick},{sum})=>{{let {left}={BATCH};return "));
    let mut from = 0;
    for (at, text) in &edits {
        out.push_str(code.slice(from..*at));
        out.push_str(text);
        from = *at;
    }
    out.push_str(code.slice(from..).trim_end().trim_end_matches(';'));
    out.push('}');
    Ok(out)
}

/// A name that a script does not use.
fn unused(code: &str, name: &str) -> String {
    let mut name = name.to_owned();
    while memchr::memmem::find(code.as_bytes(), name.as_bytes()).is_some() {
        name.push('$');
    }
    name
}

struct ScriptMarks {
    /// Where text is inserted.
    edits: Vec<(usize, String)>,
    /// What the code since the last tick weighs, on the heaviest way to here.
    weight: u32,
    patterns: usize,
    tick: String,
    caught: String,
    sum: String,
}

impl ScriptMarks {
    fn insert(&mut self, at: u32, text: &str) {
        self.edits.push((at as usize, text.to_owned()));
    }

    fn statement_tick(&mut self, at: u32) {
        let text = format!("{};", self.tick);
        self.edits.push((at as usize, text));
        self.weight = 0;
    }

    /// Visits an expression that may stand in brackets, with a tick before it if it weighs enough.
    fn ticked(&mut self, span: Span, visit: impl FnOnce(&mut Self)) {
        let first = self.edits.len();
        visit(self);
        if self.weight >= STRETCH {
            let text = format!("({},", self.tick);
            self.edits.insert(first, (span.start as usize, text));
            self.insert(span.end, ")");
            self.weight = 0;
        }
    }

    /// Visits what may be left out.
    fn perhaps(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = self.weight;
        visit(self);
        self.weight = self.weight.max(before);
    }

    /// Visits an element of a list.
    fn element(&mut self, expression: &Expression<'_>) {
        match expression {
            // in brackets they would lose their names
            Expression::ArrowFunctionExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ClassExpression(_) => self.visit_expression(expression),
            _ => self.ticked(expression.span(), |marks| marks.visit_expression(expression)),
        }
    }

    fn round(&mut self, body: &Statement<'_>) {
        match body {
            Statement::BlockStatement(block) => {
                self.statement_tick(block.span.start + 1);
                self.visit_statement(body);
            }
            _ => {
                let span = body.span();
                let text = format!("{{{};", self.tick);
                self.edits.push((span.start as usize, text));
                self.weight = 0;
                self.visit_statement(body);
                self.insert(span.end, "}");
            }
        }
    }

    /// Visits a function's body, whose weight is its own.
    fn inside(&mut self, visit: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.weight, 0);
        visit(self);
        self.weight = outer + 1;
    }

    fn dearer(&mut self, at: u32) {
        let caught = self.caught.clone();
        self.insert(at, &caught);
        self.weight = 0;
    }

    fn binary(&mut self, binary: &BinaryExpression<'_>) {
        let is_plain = is_short_operand(&binary.left) || is_short_operand(&binary.right);
        if binary.operator == BinaryOperator::Addition && !is_plain {
            let sum = self.sum.clone();
            self.insert(binary.span.start, &sum);
            walk::walk_binary_expression(self, binary);
            self.insert(binary.span.end, ")");
            self.weight += 4;
            return;
        }
        self.weight += if binary.operator.is_equality() || binary.operator.is_compare() {
            if is_plain { 1 } else { HEAVY }
        } else {
            1
        };
        walk::walk_binary_expression(self, binary);
    }
}

/// Whether an operand is short whatever the script is given.
fn is_short_operand(operand: &Expression<'_>) -> bool {
    match operand {
        Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::UnaryExpression(_)
        | Expression::UpdateExpression(_) => true,
        Expression::StringLiteral(text) => text.value.len() <= SHORT,
        Expression::Identifier(name) => name.name == "undefined",
        Expression::BinaryExpression(inner) => inner.operator != BinaryOperator::Addition,
        Expression::ParenthesizedExpression(inner) => is_short_operand(&inner.expression),
        _ => false,
    }
}

impl<'a> Visit<'a> for ScriptMarks {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        self.weight += 1;
        match expression {
            Expression::BinaryExpression(binary) => self.ticked(binary.span, |marks| marks.binary(binary)),
            Expression::ArrayExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::LogicalExpression(_)
            | Expression::ConditionalExpression(_)
            | Expression::NewExpression(_) => {
                self.ticked(expression.span(), |marks| walk::walk_expression(marks, expression));
            }
            Expression::AssignmentExpression(assignment)
                if assignment.operator == AssignmentOperator::Addition && !is_short_operand(&assignment.right) =>
            {
                let sum = self.sum.clone();
                self.insert(assignment.span.start, &sum);
                walk::walk_expression(self, expression);
                self.insert(assignment.span.end, ")");
                self.weight += 4;
            }
            Expression::TemplateLiteral(template) => {
                self.weight += 4 * (template.expressions.len() as u32).min(HEAVY);
                template.expressions.iter().for_each(|part| self.element(part));
            }
            Expression::CallExpression(_) => {
                self.weight += CALL;
                walk::walk_expression(self, expression);
            }
            _ => walk::walk_expression(self, expression),
        }
    }

    fn visit_argument(&mut self, argument: &Argument<'a>) {
        match argument.as_expression() {
            Some(expression) => self.element(expression),
            None => walk::walk_argument(self, argument),
        }
    }

    fn visit_array_expression_element(&mut self, element: &ArrayExpressionElement<'a>) {
        match element.as_expression() {
            Some(expression) => self.element(expression),
            None => walk::walk_array_expression_element(self, element),
        }
    }

    fn visit_object_property(&mut self, property: &oxc::ast::ast::ObjectProperty<'a>) {
        self.visit_property_key(&property.key);
        match property.kind {
            PropertyKind::Init if !property.method && !property.shorthand => self.element(&property.value),
            _ => self.visit_expression(&property.value),
        }
    }

    fn visit_sequence_expression(&mut self, sequence: &SequenceExpression<'a>) {
        sequence.expressions.iter().for_each(|part| self.element(part));
    }

    fn visit_logical_expression(&mut self, logical: &LogicalExpression<'a>) {
        self.visit_expression(&logical.left);
        self.perhaps(|marks| marks.visit_expression(&logical.right));
    }

    fn visit_conditional_expression(&mut self, conditional: &ConditionalExpression<'a>) {
        self.visit_expression(&conditional.test);
        self.perhaps(|marks| marks.visit_expression(&conditional.consequent));
        self.perhaps(|marks| marks.visit_expression(&conditional.alternate));
    }

    fn visit_chain_expression(&mut self, chain: &oxc::ast::ast::ChainExpression<'a>) {
        self.perhaps(|marks| walk::walk_chain_expression(marks, chain));
    }

    fn visit_if_statement(&mut self, it: &IfStatement<'a>) {
        self.visit_expression(&it.test);
        self.perhaps(|marks| marks.visit_statement(&it.consequent));
        if let Some(alternate) = &it.alternate {
            self.perhaps(|marks| marks.visit_statement(alternate));
        }
    }

    fn visit_switch_case(&mut self, case: &SwitchCase<'a>) {
        // a case compares like `===`
        self.weight += 8;
        self.perhaps(|marks| walk::walk_switch_case(marks, case));
    }

    fn visit_spread_element(&mut self, spread: &SpreadElement<'a>) {
        self.weight += HEAVY;
        walk::walk_spread_element(self, spread);
    }

    fn visit_binding_rest_element(&mut self, rest: &BindingRestElement<'a>) {
        self.weight += HEAVY;
        walk::walk_binding_rest_element(self, rest);
    }

    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        let pattern = literal.regex.pattern.text.as_str();
        // classes of the whole of Unicode are tables of many ranges
        self.patterns += pattern.len() + 500 * pattern.matches("\\p").count();
    }

    fn visit_statements(&mut self, statements: &oxc::allocator::Vec<'a, Statement<'a>>) {
        for statement in statements {
            if self.weight >= STRETCH && !matches!(statement, Statement::FunctionDeclaration(_)) {
                self.statement_tick(statement.span().start);
            }
            self.visit_statement(statement);
        }
    }

    fn visit_for_statement(&mut self, it: &oxc::ast::ast::ForStatement<'a>) {
        if let Some(init) = &it.init {
            self.visit_for_statement_init(init);
        }
        it.test.iter().chain(&it.update).for_each(|part| self.visit_expression(part));
        self.perhaps(|marks| marks.round(&it.body));
    }

    fn visit_for_in_statement(&mut self, it: &oxc::ast::ast::ForInStatement<'a>) {
        self.weight += HEAVY;
        self.visit_expression(&it.right);
        self.visit_for_statement_left(&it.left);
        self.perhaps(|marks| marks.round(&it.body));
    }

    fn visit_for_of_statement(&mut self, it: &oxc::ast::ast::ForOfStatement<'a>) {
        self.visit_expression(&it.right);
        self.visit_for_statement_left(&it.left);
        self.perhaps(|marks| marks.round(&it.body));
    }

    fn visit_while_statement(&mut self, it: &oxc::ast::ast::WhileStatement<'a>) {
        self.visit_expression(&it.test);
        self.perhaps(|marks| marks.round(&it.body));
    }

    fn visit_do_while_statement(&mut self, it: &oxc::ast::ast::DoWhileStatement<'a>) {
        self.round(&it.body);
        self.visit_expression(&it.test);
    }

    fn visit_try_statement(&mut self, it: &TryStatement<'a>) {
        self.perhaps(|marks| marks.visit_block_statement(&it.block));
        if let Some(handler) = &it.handler {
            self.visit_catch_clause(handler);
        }
        if let Some(finalizer) = &it.finalizer {
            self.visit_finally(finalizer);
        }
    }

    fn visit_catch_clause(&mut self, it: &CatchClause<'a>) {
        self.dearer(it.body.span.start + 1);
        self.perhaps(|marks| walk::walk_catch_clause(marks, it));
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        let start = body.directives.last().map_or(body.span.start + 1, |directive| directive.span.end);
        let text = format!("{}{};", if body.directives.is_empty() { "" } else { ";" }, self.tick);
        self.insert(start, &text);
        self.inside(|marks| marks.visit_statements(&body.statements));
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.visit_formal_parameters(&arrow.params);
        match &arrow.body {
            ArrowFunctionBody::FunctionBody(body) => self.visit_function_body(body),
            body => {
                let span = body.span();
                let text = format!("({},", self.tick);
                self.insert(span.start, &text);
                self.inside(|marks| marks.visit_expression(body.to_expression()));
                self.insert(span.end, ")");
            }
        }
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.visit_statements(&block.body);
    }
}

impl ScriptMarks {
    fn visit_finally(&mut self, block: &BlockStatement<'_>) {
        self.dearer(block.span.start + 1);
        self.visit_statements(&block.body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(code: &str, expect: &str) {
        let tick = "--$n||($n=$tick(0))";
        let guarded = guard_code(code).unwrap();
        let body =
            guarded.strip_prefix("($tick,$sum)=>{let $n=4;return ").and_then(|rest| rest.strip_suffix('}')).unwrap();
        assert_eq!(body.replace(tick, "T").replace("$n=$tick(200)", "C"), expect);
    }

    #[test]
    fn functions_and_loops_tick() {
        check("()=>{ return 1 }", "()=>{T; return 1 }");
        check("()=>1", "()=>(T,1)");
        check("()=>({a:1})", "()=>(T,({a:1}))");
        check("(function(){'use strict';for(;;);})", "(function(){'use strict';;T;for(;;){T;;}})");
        check("()=>{for(const a of b){c}}", "()=>{T;for(const a of b){T;c}}");
        check("()=>{while(a)b();do c();while(d)}", "()=>{T;while(a){T;b();}do {T;c();}while(d)}");
        check("()=>{try{a}catch(e){b}finally{c}}", "()=>{T;try{a}catch(e){C;b}finally{C;c}}");
        check("class{m(){x}static{y}}", "class{m(){T;x}static{y}}");
    }

    #[test]
    fn additions_are_measured() {
        check("()=>{a+=b;c=a+b;i+=1;i=i+1;s+'-'}", "()=>{T;$sum(a+=b);c=$sum(a+b);i+=1;i=i+1;s+'-'}");
        check("()=>{a+b+c}", "()=>{T;$sum($sum(a+b)+c)}");
    }

    #[test]
    fn long_stretches_tick() {
        let ticks = |code: String| guard_code(&code).unwrap().matches("--$n").count();
        for part in ["a===b;", "f(...a);", "({...a});", "c&&a===b;", "new A(b===c);"] {
            assert!(ticks(format!("()=>{{{}}}", part.repeat(100))) > 90, "{part}");
        }
        assert!(ticks(format!("()=>{{{}}}", "a;".repeat(100))) > 2);
        assert!(ticks(format!("()=>{{{}0}}", "a,".repeat(100))) > 2);
        assert!(ticks(format!("()=>[{}0]", "a.b,".repeat(100))) > 4);
        check("()=>{if(a===0)b(c,d)}", "()=>{T;if(a===0)b(c,d)}");
    }

    #[test]
    fn names_of_the_script_are_kept_apart() {
        let guarded = guard_code("()=>{$n=1;$tick=2}").unwrap();
        assert!(guarded.starts_with("($tick$,$sum)=>{let $n$=4;"), "{guarded}");
        assert!(guard_code("()=>{a+").is_err());
        assert!(guard_code(&format!("/{}/", "a".repeat(30_000))).is_err());
    }
}
