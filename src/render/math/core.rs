//! MathML as browsers draw it (MathML Core): what KaTeX writes in terms that they have left out becomes letters, spaces
//! and classes of the style sheet (`math.css`), and what says nothing is left out. Every node becomes one node, so that
//! scripts keep their bases.

use super::letters::styled;
use super::table;
use super::tree::{MathElement, MathNode};

/// The sign between a function and its argument.
const APPLIED: &str = "\u{2061}";
/// The space beside a function's name.
const THIN: &str = "0.1667em";

/// Characters that KaTeX writes for spaces, and their widths.
const SPACES: [(&str, &str); 8] = [
    ("\u{200a}", "0.0556em"),
    ("\u{2009}", THIN),
    ("\u{2005}", "0.2222em"),
    ("\u{2005}\u{200a}", "0.2778em"),
    ("\u{200a}\u{2063}", "-0.0556em"),
    ("\u{2009}\u{2063}", "-0.1667em"),
    ("\u{205f}\u{2063}", "-0.2222em"),
    ("\u{2005}\u{2063}", "-0.2778em"),
];

/// The display style that surely holds at a place, if the size is also that of the formula.
pub(super) type Style = Option<bool>;

/// A formula as KaTeX writes it, for browsers.
pub(super) fn for_browsers(mut root: MathElement, display: bool) -> MathElement {
    root.attributes.clear();
    if display {
        root.attributes.push(("display", "block".into()));
    }
    root.children = layout_math_row(root.children, Some(display));
    unwrap_row(&mut root);
    root
}

/// An element whose content is a row needs no element for it.
pub(super) fn unwrap_row(element: &mut MathElement) {
    if let [MathNode::Element(row)] = element.children.as_mut_slice()
        && row.name == "mrow"
        && row.attributes.is_empty()
    {
        element.children = std::mem::take(&mut row.children);
    }
}

/// The children of a row, each for browsers.
fn layout_math_row(children: Vec<MathNode>, style: Style) -> Vec<MathNode> {
    let children = children.into_iter().map(|child| for_browser(child, style)).collect();
    function_spaces(joined_letters(children))
}

/// A node for browsers.
pub(super) fn for_browser(node: MathNode, style: Style) -> MathNode {
    let MathNode::Element(mut element) = node else { return node };
    if element.name != "mrow" {
        element.take("class"); // KaTeX's style sheet is not ours
    }
    if element.name == "mtable" {
        return table::for_browser(element, style);
    }
    let inside = match element.name {
        "mrow" | "mpadded" | "mphantom" | "menclose" | "mtd" => style,
        "mstyle" => style_inside(&mut element, style),
        _ => None,
    };
    let children = std::mem::take(&mut element.children);
    element.children = match element.name {
        "mrow" | "mpadded" | "mphantom" | "menclose" | "mtd" | "mstyle" | "msqrt" => layout_math_row(children, inside),
        _ => children.into_iter().map(|child| for_browser(child, inside)).collect(),
    };
    let element = match element.name {
        "mi" | "mn" | "mo" | "ms" | "mtext" => style_token(element),
        "menclose" => enclosed(element),
        "mpadded" => padded(element),
        "mspace" => space(element),
        "mover" | "munder" => accented(element),
        _ => element,
    };
    alone(element)
}

/// A row of one is that one.
fn alone(mut element: MathElement) -> MathNode {
    if element.name == "mrow" && element.attributes.is_empty() && element.children.len() == 1 {
        return element.children.swap_remove(0);
    }
    MathNode::Element(element)
}

/// Sets a style's element to a row if it says what holds anyway; gives what holds inside.
fn style_inside(element: &mut MathElement, style: Style) -> Style {
    let inside = match (element.attribute("scriptlevel"), element.attribute("displaystyle")) {
        (Some("0"), Some(display)) => Some(display == "true"),
        (None, None) => style,
        _ => None,
    };
    if inside.is_some() && inside == style {
        element.take("scriptlevel");
        element.take("displaystyle");
        if element.attributes.is_empty() {
            element.name = "mrow";
        }
    }
    inside
}

/// A space of a width.
fn space_of(width: &str) -> MathNode {
    MathNode::Element(space(MathElement::new("mspace", Vec::new()).with("width", width.to_owned())))
}

/// A space: browsers know none of negative width, and a rule has the color of the text.
fn space(mut element: MathElement) -> MathElement {
    if element.attribute("mathbackground") == Some("black") {
        element.take("mathbackground");
        element.add_class("math-rule");
    }
    if let Some(length) = element.attribute("width").filter(|width| width.starts_with('-')).and_then(parse_css_length) {
        let margin = format!("margin-inline-start:{length}");
        element.take("width");
        element = element.with("style", margin);
    }
    element
}

/// A length as it may stand in a style: a number and a unit.
fn parse_css_length(text: &str) -> Option<&str> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'));
    (unit.len() < text.len() && matches!(unit, "em" | "ex" | "pt" | "px")).then_some(text)
}

/// A token: its style as letters or a class. One that holds elements is no token for HTML.
fn style_token(mut element: MathElement) -> MathElement {
    if element.children.iter().any(|child| child.as_element().is_some()) {
        return unwrapped(element);
    }
    let text = element.text();
    let style = element.take("mathvariant");
    // as a delimiter a bar is as high as what it encloses
    if element.attribute("fence") == Some("true")
        && element.attribute("stretchy").is_none()
        && matches!(text.as_str(), "|" | "‖" | "∣" | "∥" | "/" | "\\")
    {
        element.attributes.push(("stretchy", "true".into()));
    }
    match (element.name, style.as_deref()) {
        ("mtext", None) => match SPACES.iter().find(|(space, _)| *space == text) {
            Some((_, width)) => return space(MathElement::new("mspace", Vec::new()).with("width", *width)),
            None => return element,
        },
        (_, None) => return element,
        ("mtext", Some(style)) => {
            let class = [
                ("bold", "math-bold"),
                ("italic", "math-italic"),
                ("monospace", "math-mono"),
                ("sans-serif", "math-sans"),
            ];
            for (_, class) in class.into_iter().filter(|(part, _)| style.contains(part)) {
                element.add_class(class);
            }
        }
        // a single letter is slanted, a longer name is not
        ("mi", Some("normal")) if is_one_letter(&text) => element.attributes.push(("mathvariant", "normal".into())),
        ("mi", Some("italic")) if is_one_letter(&text) => {}
        (_, Some(style)) => {
            element.children = vec![MathNode::Text(text.chars().map(|c| styled(c, style).unwrap_or(c)).collect())]
        }
    }
    element
}

fn is_one_letter(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// What stands in a token that holds elements, with the spaces around it.
fn unwrapped(mut element: MathElement) -> MathElement {
    if let [MathNode::Element(inner)] = element.children.as_mut_slice()
        && inner.is_token()
    {
        if element.name == "mo" {
            element.children = std::mem::take(&mut inner.children);
            return element;
        }
        return std::mem::take(inner);
    }
    let mut children = Vec::with_capacity(element.children.len() + 2);
    let spaces = ["lspace", "rspace"]
        .map(|side| element.take(side).filter(|width| parse_css_length(width).is_some() && !width.starts_with("0em")));
    let [before, after] = spaces.map(|width| width.map(|width| space_of(&width)));
    children.extend(before);
    for child in element.children {
        children.push(match child {
            MathNode::Text(text) => MathNode::Element(MathElement::new("mtext", vec![MathNode::Text(text)])),
            child => child,
        });
    }
    children.extend(after);
    MathElement::new("mrow", children)
}

/// Frames and strokes: a row with a class for each of them.
fn enclosed(mut element: MathElement) -> MathElement {
    element.name = "mrow";
    let notation = element.take("notation").unwrap_or_default();
    // KaTeX names the sides of a table the other way round
    let is_table = element.children.iter().any(|child| child.named("mtable").is_some());
    for part in notation.split_ascii_whitespace() {
        let classes = match part {
            "box" => "math-box",
            "updiagonalstrike" => "math-up",
            "downdiagonalstrike" => "math-down",
            "horizontalstrike" => "math-struck",
            "top" if is_table => "math-line-left",
            "bottom" if is_table => "math-line-right",
            "left" if is_table => "math-line-top",
            "right" if is_table => "math-line-bottom",
            "actuarial" => "math-line-top math-line-right",
            "phasorangle" => {
                element
                    .children
                    .insert(0, MathNode::Element(MathElement::new("mo", vec![MathNode::Text("∠".to_owned())])));
                "math-line-bottom"
            }
            _ => continue,
        };
        element.add_class(classes);
    }
    element
}

/// Padding: browsers know no widths relative to the content.
fn padded(mut element: MathElement) -> MathElement {
    if let Some(frame) =
        element.take("style").filter(|style| style.starts_with("border: ") && style.chars().all(is_plain_letter))
    {
        element = element.with("style", frame);
    }
    let is_filled = element.attribute("mathbackground").is_some() || element.attribute("style").is_some();
    let (width, left) = (element.take("width"), element.take("lspace"));
    match (width.as_deref(), left.as_deref()) {
        (Some(width), _) if width.starts_with('+') && is_filled => {
            for measure in ["height", "depth", "voffset"] {
                element.take(measure);
            }
            element.name = "mrow";
            element.add_class("math-filled");
        }
        // as much on either side
        (Some(width), Some(left)) if width.starts_with('+') => {
            element.name = "mrow";
            element.children.insert(0, space_of(left));
            element.children.push(space_of(left));
        }
        (Some(width), left) => {
            if let Some(class) = left.and_then(|left| {
                [("-1width", "math-before"), ("-0.5width", "math-centred")]
                    .into_iter()
                    .find(|(known, _)| *known == left)
            }) {
                let mut inner = MathElement::new("mrow", std::mem::take(&mut element.children));
                inner.add_class(class.1);
                element.children.push(MathNode::Element(inner));
            }
            element.attributes.push(("width", width.to_owned().into()));
        }
        (None, _) => {}
    }
    if element.name == "mpadded" && element.attributes.is_empty() {
        element.name = "mrow";
    }
    element
}

fn is_plain_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ' ' | ':' | '.' | '#' | '-')
}

/// Accents have characters of their own, and those that stretch others again.
fn accented(mut element: MathElement) -> MathElement {
    if let [_, MathNode::Element(accent)] = element.children.as_mut_slice()
        && accent.name == "mo"
    {
        let is_long = accent.attribute("stretchy") == Some("true");
        let mark = match (accent.text().as_str(), is_long) {
            ("^", true) => "\u{302}",
            ("~", true) => "\u{303}",
            ("^", false) => "\u{2c6}",
            ("~", false) => "\u{2dc}",
            _ => return element,
        };
        accent.children = vec![MathNode::Text(mark.to_owned())];
    }
    element
}

/// Upright letters side by side are one name.
fn joined_letters(children: Vec<MathNode>) -> Vec<MathNode> {
    let mut out: Vec<MathNode> = Vec::with_capacity(children.len());
    let mut name = String::new();
    for child in children {
        if let Some(letter) = upright_letter(&child) {
            name.push_str(&letter);
        } else {
            push_name(&mut out, &mut name);
            out.push(child);
        }
    }
    push_name(&mut out, &mut name);
    out
}

fn upright_letter(node: &MathNode) -> Option<String> {
    let element = node.named("mi").filter(|element| element.attribute("mathvariant") == Some("normal"))?;
    Some(element.text()).filter(|text| text.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

fn push_name(out: &mut Vec<MathNode>, name: &mut String) {
    if name.is_empty() {
        return;
    }
    let mut element = MathElement::new("mi", Vec::new());
    if name.len() == 1 {
        element.attributes.push(("mathvariant", "normal".into()));
    }
    element.children.push(MathNode::Text(std::mem::take(name)));
    out.push(MathNode::Element(element));
}

/// TeX's thin space on both sides of a function, where what stands there is no operator: `2 sin x`.
fn function_spaces(children: Vec<MathNode>) -> Vec<MathNode> {
    let mut out: Vec<MathNode> = Vec::with_capacity(children.len());
    let mut after_function = false;
    let mut children = children.into_iter().peekable();
    while let Some(child) = children.next() {
        if is_applied(&child) {
            out.push(child);
            after_function = true;
            continue;
        }
        let is_function = ends_applied(&child) || children.peek().is_some_and(is_applied);
        let follows = out.last().is_some_and(|last| {
            is_ordinary(last) || last.named("mo").is_some_and(|mo| matches!(mo.text().as_str(), ")" | "]"))
        });
        if after_function && is_ordinary(&child) || is_function && follows {
            out.push(space_of(THIN));
        }
        after_function = ends_applied(&child);
        out.push(child);
    }
    out
}

fn is_applied(node: &MathNode) -> bool {
    node.named("mo").is_some_and(|mo| mo.text() == APPLIED)
}

/// A function with limits or an exponent.
fn ends_applied(node: &MathNode) -> bool {
    let Some(element) = node.as_element() else { return false };
    let base = element.children.first().and_then(|base| base.named("mrow"));
    matches!(element.name, "munder" | "mover" | "munderover" | "msub" | "msup" | "msubsup")
        && base.and_then(|base| base.children.last()).is_some_and(is_applied)
}

/// What TeX calls an ordinary atom.
fn is_ordinary(node: &MathNode) -> bool {
    node.as_element().is_some_and(|element| match element.name {
        "mi" | "mn" | "mfrac" | "msqrt" | "mroot" | "mover" | "munder" | "munderover" => true,
        "msub" | "msup" | "msubsup" => element.children.first().is_none_or(|base| base.named("mo").is_none()),
        _ => false,
    })
}
