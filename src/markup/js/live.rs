//! What a component's text says about its behavior in the browser: which calls use the network, which components
//! of ours change with its state, and how those look whose props are written out.

use std::collections::{BTreeMap, BTreeSet};

use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, BindingPattern, CallExpression, Expression, Function,
    IdentifierReference, JSXAttributeItem, JSXAttributeName, JSXAttributeValue, JSXChild, JSXElement, JSXElementName,
    JSXExpression, NewExpression, Program, Statement, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::ScopeFlags;
use oxc::span::GetSpan;

use crate::component::{self, IslandChildren};

/// Most ways in which one element is noted.
const MAX_WAYS: usize = 16;
/// Most elements of a module that are noted.
const MAX_LIVE_ELEMENTS: usize = 200;
/// Most calls and props of a module that are noted.
const MAX_NOTES: usize = 100;

/// What a module does in the browser that the exporter should know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveModule {
    /// Calls that use the network: what is called, and the line.
    pub requests: Vec<(String, u32)>,
    /// Props of components of ours that change with the state and that no reader will see change: component, prop,
    /// line.
    pub frozen: Vec<(String, String, u32)>,
    /// Elements of components of ours whose props are written out.
    pub looks: Vec<LiveElement>,
}

/// An element whose props are written out, in one of its ways.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LiveElement {
    /// The component.
    pub name: String,
    /// Its props, by their names.
    pub props: BTreeMap<String, LiteralProp>,
    /// Its children, if they are text alone.
    pub text: Option<String>,
    /// Whether the element has children.
    pub has_children: bool,
    /// Its line.
    pub line: u32,
}

/// A value that is written out.
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralProp {
    /// `true`, `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(String),
}

/// Reads a program. `is_free` says which names it does not declare; `line_of` where a place is.
pub(super) fn of_program(
    program: &Program<'_>,
    is_free: &dyn Fn(&str) -> bool,
    line_of: &dyn Fn(u32) -> u32,
) -> LiveModule {
    let mut reader = LiveVisitor {
        is_free,
        line_of,
        frames: vec![BTreeSet::new()],
        given: BTreeSet::new(),
        live: LiveModule::default(),
    };
    reader.visit_program(program);
    reader.live
}

struct LiveVisitor<'r> {
    is_free: &'r dyn Fn(&str) -> bool,
    line_of: &'r dyn Fn(u32) -> u32,
    /// Names that change with the state, by the functions around.
    frames: Vec<BTreeSet<String>>,
    /// Where functions start whose parameters change with the state.
    given: BTreeSet<u32>,
    live: LiveModule,
}

impl LiveVisitor<'_> {
    fn mentions(&self, expression: &Expression<'_>) -> bool {
        let mut finder = StateFinder { frames: &self.frames, is_found: false };
        finder.visit_expression(expression);
        finder.is_found
    }

    fn bind(&mut self, pattern: &BindingPattern<'_>) {
        let names: Vec<String> = pattern.get_binding_identifiers().iter().map(|name| name.name.to_string()).collect();
        if let Some(frame) = self.frames.last_mut() {
            frame.extend(names);
        }
    }

    fn request(&mut self, what: &str, at: u32) {
        if self.live.requests.len() >= MAX_NOTES {
            return;
        }
        let line = (self.line_of)(at);
        if !self.live.requests.iter().any(|(known, at)| known == what && *at == line) {
            self.live.requests.push((what.to_owned(), line));
        }
    }

    fn element(&mut self, name: &str, element: &JSXElement<'_>) {
        let mut ways = Some(vec![LiveElement { name: name.to_owned(), ..LiveElement::default() }]);
        for item in &element.opening_element.attributes {
            let JSXAttributeItem::Attribute(attribute) = item else {
                ways = None;
                continue;
            };
            let JSXAttributeName::Identifier(prop) = &attribute.name else { continue };
            let prop = prop.name.as_str();
            if matches!(prop, "key" | "ref") {
                continue;
            }
            match literal_values(attribute.value.as_ref()) {
                Some(values) => {
                    ways = ways.map(|ways| {
                        each_way(ways, &values, |look, value| drop(look.props.insert(prop.to_owned(), value)))
                    })
                }
                None => {
                    ways = None;
                    self.judge(name, prop, attribute.value.as_ref());
                }
            }
        }
        self.judge_children(name, element);
        let Some(ways) = ways.and_then(|ways| with_children(ways, &element.children)) else { return };
        for mut look in ways {
            let is_known = self
                .live
                .looks
                .iter()
                .any(|known| (&known.name, &known.props, &known.text) == (&look.name, &look.props, &look.text));
            if self.live.looks.len() < MAX_LIVE_ELEMENTS && !is_known {
                look.line = (self.line_of)(element.span.start);
                self.live.looks.push(look);
            }
        }
    }

    /// Notes children that change with the state inside a component of ours that arranges what it holds.
    fn judge_children(&mut self, name: &str, element: &JSXElement<'_>) {
        let arranges = matches!(component::children_of(name), IslandChildren::Read | IslandChildren::Arranged);
        if !arranges || self.live.frozen.len() >= MAX_NOTES {
            return;
        }
        let mut finder = StateFinder { frames: &self.frames, is_found: false };
        element.children.iter().for_each(|child| finder.visit_jsx_child(child));
        if finder.is_found {
            let line = (self.line_of)(element.span.start);
            self.live.frozen.push((name.to_owned(), "children".to_owned(), line));
        }
    }

    /// Whether an expression chooses among what does not change: its items are what they were.
    fn is_selection(&self, expression: &Expression<'_>) -> bool {
        let Expression::CallExpression(call) = expression.without_parentheses() else { return false };
        match &call.callee {
            Expression::StaticMemberExpression(member)
                if matches!(
                    member.property.name.as_str(),
                    "filter" | "slice" | "sort" | "toSorted" | "reverse" | "toReversed"
                ) =>
            {
                !self.mentions(&member.object) || self.is_selection(&member.object)
            }
            Expression::Identifier(name) if name.name == "useMemo" => {
                match call.arguments.first().and_then(|argument| argument.as_expression()) {
                    Some(Expression::ArrowFunctionExpression(make)) => match &make.body {
                        ArrowFunctionBody::FunctionBody(body) => match body.statements.as_slice() {
                            [Statement::ReturnStatement(returned)] => {
                                returned.argument.as_ref().is_some_and(|value| self.is_selection(value))
                            }
                            _ => false,
                        },
                        body => body.as_expression().is_some_and(|value| self.is_selection(value)),
                    },
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// Notes a prop that changes with the state; words and addresses are put in their places all the same.
    fn judge(&mut self, name: &str, prop: &str, value: Option<&JSXAttributeValue<'_>>) {
        let is_handler = prop.strip_prefix("on").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        if is_handler
            || self.live.frozen.len() >= MAX_NOTES
            || matches!(
                prop,
                "title"
                    | "label"
                    | "description"
                    | "tip"
                    | "href"
                    | "cta"
                    | "name"
                    | "children"
                    | "filename"
                    | "caption"
            )
        {
            return;
        }
        let Some(JSXAttributeValue::ExpressionContainer(container)) = value else { return };
        if container.expression.as_expression().is_some_and(|expression| self.mentions(expression)) {
            let line = (self.line_of)(container.span.start);
            self.live.frozen.push((name.to_owned(), prop.to_owned(), line));
        }
    }

    fn inside(&mut self, start: u32, pattern: &[&BindingPattern<'_>], walk: impl FnOnce(&mut Self)) {
        self.frames.push(BTreeSet::new());
        if self.given.contains(&start) {
            pattern.iter().for_each(|pattern| self.bind(pattern));
        }
        walk(self);
        self.frames.pop();
    }
}

impl<'a> Visit<'a> for LiveVisitor<'_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let params: Vec<_> = function.params.items.iter().map(|param| &param.pattern).collect();
        self.inside(function.span.start, &params, |reader| walk::walk_function(reader, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        let params: Vec<_> = function.params.items.iter().map(|param| &param.pattern).collect();
        self.inside(function.span.start, &params, |reader| walk::walk_arrow_function_expression(reader, function));
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let Some(init) = &declarator.init {
            match (is_state(init), &declarator.id) {
                (true, BindingPattern::ArrayPattern(pair)) => {
                    if let Some(Some(value)) = pair.elements.first() {
                        self.bind(value);
                    }
                }
                (true, value) => self.bind(value),
                (false, value) if !is_function(init) && self.mentions(init) && !self.is_selection(init) => {
                    self.bind(value)
                }
                _ => {}
            }
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        match &call.callee {
            Expression::Identifier(name) if name.name == "fetch" && (self.is_free)("fetch") => {
                self.request("fetch", call.span.start)
            }
            Expression::StaticMemberExpression(member) => {
                let object =
                    if let Expression::Identifier(object) = &member.object { object.name.as_str() } else { "" };
                match (object, member.property.name.as_str()) {
                    ("window" | "globalThis" | "self", "fetch") => self.request("fetch", call.span.start),
                    ("navigator", "sendBeacon") => self.request("navigator.sendBeacon", call.span.start),
                    ("document", "createElement") if matches!(call.arguments.first().and_then(|tag| tag.as_expression()), Some(Expression::StringLiteral(tag)) if tag.value.eq_ignore_ascii_case("script")) =>
                    {
                        self.request("document.createElement(\"script\")", call.span.start);
                    }
                    _ => {}
                }
                if self.mentions(&member.object) && !self.is_selection(&member.object) {
                    let functions = call
                        .arguments
                        .iter()
                        .filter_map(|argument| argument.as_expression())
                        .filter(|one| is_function(one));
                    self.given.extend(functions.map(|one| one.span().start));
                }
            }
            _ => {}
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_new_expression(&mut self, expression: &NewExpression<'a>) {
        let name = match &expression.callee {
            Expression::Identifier(name) if (self.is_free)(&name.name) => name.name.as_str(),
            Expression::StaticMemberExpression(member) if matches!(&member.object, Expression::Identifier(object) if object.name == "window") => {
                member.property.name.as_str()
            }
            _ => "",
        };
        if matches!(name, "XMLHttpRequest" | "WebSocket" | "EventSource") {
            self.request(&format!("new {name}"), expression.span.start);
        }
        walk::walk_new_expression(self, expression);
    }

    fn visit_jsx_element(&mut self, element: &JSXElement<'a>) {
        if let JSXElementName::IdentifierReference(name) = &element.opening_element.name
            && (self.is_free)(&name.name)
        {
            self.element(&name.name, element);
        }
        walk::walk_jsx_element(self, element);
    }
}

/// Looks for names that change with the state.
struct StateFinder<'f> {
    frames: &'f [BTreeSet<String>],
    is_found: bool,
}

impl<'a> Visit<'a> for StateFinder<'_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.is_found |= self.frames.iter().any(|frame| frame.contains(name.name.as_str()));
    }
}

fn is_state(init: &Expression<'_>) -> bool {
    let Expression::CallExpression(call) = init else { return false };
    let name = match &call.callee {
        Expression::Identifier(name) => name.name.as_str(),
        Expression::StaticMemberExpression(member) => member.property.name.as_str(),
        _ => "",
    };
    matches!(name, "useState" | "useReducer")
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
}

/// The values that an attribute may have; nothing if they are not written out.
fn literal_values(value: Option<&JSXAttributeValue<'_>>) -> Option<Vec<LiteralProp>> {
    match value {
        None => Some(vec![LiteralProp::Bool(true)]),
        Some(JSXAttributeValue::StringLiteral(text)) if !text.value.contains('&') => {
            Some(vec![LiteralProp::Text(text.value.to_string())])
        }
        Some(JSXAttributeValue::ExpressionContainer(container)) => literals(container.expression.as_expression()?),
        _ => None,
    }
}

fn literals(expression: &Expression<'_>) -> Option<Vec<LiteralProp>> {
    Some(match expression.without_parentheses() {
        Expression::StringLiteral(text) => vec![LiteralProp::Text(text.value.to_string())],
        Expression::NumericLiteral(number) => vec![LiteralProp::Number(number.value)],
        Expression::BooleanLiteral(on) => vec![LiteralProp::Bool(on.value)],
        Expression::TemplateLiteral(text) if text.expressions.is_empty() => {
            vec![LiteralProp::Text(text.quasis.first()?.value.cooked?.to_string())]
        }
        Expression::ConditionalExpression(either) => {
            let mut both = literals(&either.consequent)?;
            both.extend(literals(&either.alternate)?);
            both
        }
        _ => return None,
    })
}

fn each_way(
    ways: Vec<LiveElement>,
    values: &[LiteralProp],
    set: impl Fn(&mut LiveElement, LiteralProp),
) -> Vec<LiveElement> {
    let all = ways.iter().flat_map(|look| {
        values.iter().map(|value| {
            let mut look = look.clone();
            set(&mut look, value.clone());
            look
        })
    });
    all.take(MAX_WAYS).collect()
}

/// Children: text that is written out, or whatever their own script draws.
fn with_children(mut ways: Vec<LiveElement>, children: &[JSXChild<'_>]) -> Option<Vec<LiveElement>> {
    let is_space = |child: &&JSXChild<'_>| matches!(child, JSXChild::Text(text) if text.value.trim().is_empty() && text.value.contains('\n'));
    let children: Vec<_> = children.iter().filter(|child| !is_space(child)).collect();
    for look in &mut ways {
        look.has_children = !children.is_empty();
    }
    let texts = match children.as_slice() {
        [JSXChild::Text(text)] if !text.value.contains('&') => vec![LiteralProp::Text(join_jsx_text(&text.value))],
        [JSXChild::ExpressionContainer(container)] => match &container.expression {
            JSXExpression::EmptyExpression(_) => return Some(ways),
            expression => expression.as_expression().and_then(literals).unwrap_or_default(),
        },
        _ => return Some(ways),
    };
    if texts.is_empty() || !texts.iter().all(|text| matches!(text, LiteralProp::Text(_))) {
        return Some(ways);
    }
    Some(each_way(ways, &texts, |look, text| {
        look.text = if let LiteralProp::Text(text) = text { Some(text) } else { None }
    }))
}

/// Text between tags as JSX reads it: lines without the space around them.
fn join_jsx_text(text: &str) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let last = lines.len() - 1;
    let lines = lines.iter().enumerate().map(|(at, line)| {
        let line = if at > 0 { line.trim_start() } else { line };
        if at < last { line.trim_end() } else { line }
    });
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::js::compile;

    fn live(source: &str) -> LiveModule {
        compile::module(source, |_| false).unwrap().live
    }

    #[test]
    fn calls_that_ask_the_network_are_found() {
        let found = live(
            "export const A = () => {\n useEffect(() => { fetch('/x'); window.fetch(y); new WebSocket(z); document.createElement('script') }, []);\n return <p/> }",
        );
        let names: Vec<&str> = found.requests.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["fetch", "new WebSocket", "document.createElement(\"script\")"]);
        assert!(found.requests.iter().all(|(_, line)| *line == 2));
        assert_eq!(
            live("const fetch = () => 1; export const A = () => <p>{fetch('/x')}{document.createElement('p')}</p>")
                .requests,
            []
        );
    }

    #[test]
    fn props_that_change_with_the_state_are_found() {
        let frozen = |body: &str| {
            live(&format!("export const A = ({{ own }}) => {{ const [n, set] = useState(1);\n {body} }}"))
                .frozen
                .into_iter()
                .map(|(name, prop, line)| format!("{name}.{prop}:{line}"))
                .collect::<Vec<_>>()
        };
        assert_eq!(frozen("return <Badge color={n}>x</Badge>"), ["Badge.color:2"]);
        assert_eq!(frozen("const color = pick(n); return <Badge color={color}>x</Badge>"), ["Badge.color:2"]);
        assert_eq!(frozen("return n.list.map((one) => <Icon icon={one.icon} />)"), ["Icon.icon:2"]);
        assert_eq!(frozen("return <Tabs><Tab title='x'>{n}</Tab></Tabs>"), ["Tabs.children:2"]);
        for found in [
            "own.filter((one) => one.n > n)",
            "useMemo(() => own.filter((one) => one.n > n).sort(), [n])",
            "useMemo(() => { return own.slice(n) }, [n])",
        ] {
            assert_eq!(
                frozen(&format!(
                    "const found = {found}; return found.map((one) => one.all.map((b) => <Badge color={{b.color || 'x'}} />))"
                )),
                [""; 0],
                "{found}"
            );
        }
        assert_eq!(frozen("return n.list.filter(Boolean).map((one) => <Icon icon={one.icon} />)"), ["Icon.icon:2"]);
        // words are changed, choices are noted as looks, what comes from outside stays
        assert!(frozen("return <Card title={`n ${n}`} href={n} onClick={() => set(n)} icon={n ? 'a' : 'b'} color={own}>x</Card>").is_empty());
    }

    #[test]
    fn elements_are_noted_as_they_are_written() {
        let looks = live("export const A = () => <div><Icon icon={on ? 'a' : \"b\"} size={2} /><CodeBlock>{`x`}</CodeBlock><Card title=\"T\" wide>\n  some\n  words <b>x</b>\n</Card><Card {...x} /></div>").looks;
        let shown: Vec<String> = looks
            .iter()
            .map(|look| {
                format!(
                    "{} {:?} {:?} {}",
                    look.name,
                    look.props.keys().collect::<Vec<_>>(),
                    look.text,
                    look.has_children
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                "Icon [\"icon\", \"size\"] None false",
                "Icon [\"icon\", \"size\"] None false",
                "CodeBlock [] Some(\"x\") true",
                "Card [\"title\", \"wide\"] None true",
            ]
        );
        assert_eq!(
            live("export const A = () => <Note>\n  one\n  two\n</Note>").looks[0].text.as_deref(),
            Some("one two")
        );
    }
}
