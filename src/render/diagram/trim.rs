//! What the engine writes, made fit to stand in a page: its own ids, no scripts or loads, no rules, markers or
//! attributes that nothing uses, short numbers. That is a third of what comes in.

use std::fmt::Write as _;

use rustc_hash::FxHashSet;

use crate::icon::xml::{XmlToken, attributes_of, decode_xml, next_token};
use base::cut::SliceText as _;
use base::html::{self, decode_character_references, push_html_text};

use super::css;
use super::path::{short_numbers, straightened};

/// A drawing in its final form.
#[derive(Debug)]
pub(super) struct Trimmed {
    /// What stands inside `<svg>`.
    pub(super) body: String,
    /// `viewBox`: left, top, width, height.
    pub(super) view: [f64; 4],
    /// Title and description that the author gave (`accTitle`, `accDescr`).
    pub(super) described: Vec<String>,
    /// Classes of the root that rules name.
    pub(super) class: String,
    /// Its labels, in order, each once.
    pub(super) labels: Vec<String>,
}

/// What we draw differently: round corners, quiet lifelines, labels that lines do not run through.
const OWN_RULES: &str = "#d .node>rect,#d .actor{rx:6px}#d .cluster rect{rx:8px}#d .note{rx:4px}#d .edgeLabel rect{opacity:1}\
    #d .actor-line{stroke:var(--op-line-strong);stroke-width:1px}\
    #d .slice{fill:var(--op-page);font-size:14px}#d .pieTitleText{font-size:19px}#d .legend text{font-size:14px}#d .pieCircle{opacity:1;stroke:var(--op-page)}#d .sequenceNumber{fill:var(--op-page)}#d .packetByte{fill:var(--op-muted)}\
    #d .grid .tick line{stroke:var(--op-line)}\
    #d .sections .cluster rect,#d .journey-section,#d .task{fill:var(--op-sunken);stroke:var(--op-line-strong)}\
    #d .messageText{paint-order:stroke;stroke:var(--op-page);stroke-width:4px;stroke-linejoin:round}";

/// Deepest nesting of groups in a drawing.
const MAX_DRAWING_DEPTH: usize = 256;
/// Labels kept for the text alternative.
const LABELS: usize = 24;

/// Elements that are left out with all that is in them.
const REFUSED: [&str; 9] =
    ["script", "foreignObject", "iframe", "image", "animate", "set", "metadata", "object", "embed"];
/// Elements that only serve others: left out if none refers to them.
const SERVANTS: [&str; 8] =
    ["symbol", "marker", "filter", "linearGradient", "radialGradient", "pattern", "clipPath", "mask"];

/// Trims a drawing whose root has the id `root`. `link` says where a link of the drawing leads; `None` makes it text.
pub(super) fn trim_drawing(svg: &str, root: &str, link: &mut dyn FnMut(&str) -> Option<String>) -> Option<Trimmed> {
    let mut used = DrawnParts::read(svg)?;
    used.style.push_str(&OWN_RULES.replace("#d", &format!("#{root}")));
    let style = css::prune(&used.style, root, &used.classes, &used.tags);
    let mut references = used.references;
    references.extend(css::url_references(&style).map(str::to_owned));
    let mut writer = SvgTrimmer {
        out: String::with_capacity(svg.len() / 2),
        root,
        references: &references,
        known: &css::classes(&used.style),
        link,
        pending: Vec::new(),
        skipped: 0,
        links: Vec::new(),
        spans: Vec::new(),
        colors: Vec::new(),
        edge: None,
        outline: None,
        text: String::new(),
        collects: None,
        result: Trimmed {
            body: String::new(),
            view: [0.0; 4],
            described: Vec::new(),
            class: String::new(),
            labels: Vec::new(),
        },
    };
    writer.run(svg)?;
    let mut trimmed = writer.result;
    trimmed.body = if style.is_empty() { writer.out } else { format!("<style>{style}</style>{}", writer.out) };
    Some(trimmed)
}

/// What a drawing makes use of.
#[derive(Default)]
struct DrawnParts<'a> {
    classes: FxHashSet<&'a str>,
    tags: FxHashSet<&'a str>,
    /// Ids that attributes refer to.
    references: FxHashSet<String>,
    style: String,
}

impl<'a> DrawnParts<'a> {
    fn read(svg: &'a str) -> Option<Self> {
        let mut used = Self::default();
        let mut rest = svg;
        let mut in_style = false;
        while let Some((before, token, after)) = next_token(rest)? {
            if in_style {
                used.style.push_str(before);
            }
            if let XmlToken::Open { name, attributes, empty } = &token {
                in_style = *name == "style" && !empty;
                used.tags.insert(name);
                for (name, value) in raw_attributes(attributes) {
                    match name {
                        "class" => used.classes.extend(value.split_ascii_whitespace()),
                        "href" | "xlink:href" => used.references.extend(value.strip_prefix('#').map(str::to_owned)),
                        _ => used.references.extend(css::url_references(value).map(str::to_owned)),
                    }
                }
            } else {
                in_style = false;
            }
            rest = after;
        }
        Some(used)
    }
}

/// Attributes as written, undecoded; what is not `name="value"` ends the list.
fn raw_attributes(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let (name, after) = rest.split_once('=')?;
        let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = after.slice(1..).split_once(quote)?;
        rest = after.trim_start();
        Some((name.trim(), value))
    })
}

/// What is being collected as text.
#[derive(Clone, Copy, PartialEq)]
enum Collects {
    Label,
    Description,
}

/// A shape's outline: the engine draws it twice, once for its ground and once, by many short strokes, for its line.
struct ShapeOutline {
    depth: usize,
    /// The closed path and the color of the ground, until the line comes.
    ground: Option<(String, String)>,
}

struct SvgTrimmer<'a, 'l> {
    out: String,
    root: &'a str,
    references: &'a FxHashSet<String>,
    /// Classes that the engine's own rules name.
    known: &'a FxHashSet<&'a str>,
    link: &'l mut dyn FnMut(&str) -> Option<String>,
    /// Open tags of containers not written yet: those that stay empty never are. (Name, markup.)
    pending: Vec<(String, String)>,
    /// Depth inside an element that is left out.
    skipped: usize,
    /// For each open `<a>`: whether it was written.
    links: Vec<bool>,
    /// For each open `<tspan>`: whether it was written.
    spans: Vec<bool>,
    /// Text colors that groups set, with the depth of the group.
    colors: Vec<(String, usize)>,
    /// Depth of the outermost label of an edge that is open.
    edge: Option<usize>,
    /// The open outline.
    outline: Option<ShapeOutline>,
    text: String,
    collects: Option<(Collects, usize)>,
    result: Trimmed,
}

impl SvgTrimmer<'_, '_> {
    fn run(&mut self, svg: &str) -> Option<()> {
        let mut open: Vec<&str> = Vec::new();
        let mut rest = svg;
        while let Some((before, token, after)) = next_token(rest)? {
            self.characters(before, &open)?;
            rest = after;
            match token {
                XmlToken::Other => {}
                XmlToken::Open { name, attributes, empty } => {
                    self.open(name, attributes, empty, open.len())?;
                    if !empty {
                        open.push(name);
                        (open.len() <= MAX_DRAWING_DEPTH).then_some(())?;
                    }
                }
                XmlToken::Close(name) => {
                    (open.pop()? == name).then_some(())?;
                    self.close(name, open.len());
                }
            }
        }
        open.is_empty().then_some(())
    }

    fn characters(&mut self, text: &str, open: &[&str]) -> Option<()> {
        if self.skipped > 0 && self.collects.is_none() || open.len() < 2 {
            return Some(());
        }
        let text = decode_xml(text)?;
        // the engine leaves some character references of labels (`#quot;`) as they are
        let text = decode_character_references(&text);
        if self.collects.is_some() {
            self.text.push_str(&text);
        }
        if self.skipped == 0
            && matches!(*open.last()?, "text" | "tspan" | "textPath" | "title" | "desc" | "a")
            && !text.is_empty()
        {
            self.flush();
            push_html_text(&mut self.out, &text);
        }
        Some(())
    }

    fn open(&mut self, name: &str, attributes: &str, empty: bool, depth: usize) -> Option<()> {
        if self.skipped > 0 {
            self.skipped += usize::from(!empty);
            return Some(());
        }
        let attributes = attributes_of(attributes)?;
        let value = |key: &str| attributes.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_ref());
        if depth == 0 {
            let mut numbers = value("viewBox")?.split_ascii_whitespace().map(str::parse);
            self.result.class = self.known_classes(value("class").unwrap_or_default());
            for slot in &mut self.result.view {
                *slot = numbers.next()?.ok().filter(|number: &f64| number.is_finite())?;
            }
            return Some(());
        }
        self.observe(name, &value, empty, depth);
        if self.leaves_out(name, &value, depth) {
            self.skipped = usize::from(!empty);
            return Some(());
        }
        let mut tag = format!("<{name}");
        let ground = self.outline.as_mut().filter(|_| name == "path").and_then(|outline| outline.ground.take());
        for (attribute, value) in &attributes {
            match (&ground, *attribute) {
                (Some((path, _)), "d") => {
                    let _ = write!(tag, " d=\"{path}\"");
                }
                (Some((_, color)), "fill") => self.attribute(&mut tag, name, "fill", color),
                _ => self.attribute(&mut tag, name, attribute, value),
            }
        }
        if let ("text", Some((color, _))) = (name, self.colors.last()) {
            tag.push_str(" style=\"fill:");
            html::push_attr(&mut tag, color);
            tag.push('"');
        }
        if name == "a" && !empty {
            let target = value("href").or(value("xlink:href")).map(str::trim).filter(|target| !target.is_empty());
            let target = target.and_then(|target| (self.link)(target));
            self.links.push(target.is_some());
            match target {
                Some(target) => {
                    tag.push_str(" href=\"");
                    html::push_attr(&mut tag, &target);
                    tag.push('"');
                }
                // it may hold the place of what is in it
                None => tag.replace_range(1..2, "g"),
            }
        }
        if name == "tspan" && !empty {
            // spans that say nothing of their text are only text
            self.spans.push(tag != "<tspan");
            if tag == "<tspan" {
                return Some(());
            }
        }
        tag.push_str(if empty { "/>" } else { ">" });
        match name {
            "g" | "a" | "defs" | "text" | "tspan" if empty => {}
            "g" | "defs" | "text" | "tspan" => self.pending.push((name.to_owned(), tag)),
            _ => {
                self.flush();
                self.out.push_str(&tag);
            }
        }
        Some(())
    }

    /// Keeps track of where the writer is: texts to collect, colors of labels, outlines.
    fn observe<'v>(&mut self, name: &str, value: &impl Fn(&str) -> Option<&'v str>, empty: bool, depth: usize) {
        if name == "tspan" && !self.text.is_empty() && !self.text.ends_with(' ') && value("x").is_some() {
            // a new line of a label
            self.text.push(' ');
        }
        if empty {
            return;
        }
        let class = |target: &str| {
            value("class").is_some_and(|classes| classes.split_ascii_whitespace().any(|class| class == target))
        };
        match name {
            "text" if self.collects.is_none() && self.edge.is_none() => self.collects = Some((Collects::Label, depth)),
            "title" | "desc" if depth == 1 => self.collects = Some((Collects::Description, depth)),
            "g" => {
                if self.edge.is_none() && (class("edgeLabel") || class("edgeLabels")) {
                    self.edge = Some(depth);
                }
                if class("outer-path") {
                    self.outline = Some(ShapeOutline { depth, ground: None });
                }
                if let Some(color) = value("style").and_then(css::text_color) {
                    self.colors.push((color.to_owned(), depth));
                }
            }
            _ => {}
        }
    }

    /// Whether an element is left out with all that is in it: what acts or loads, what nothing uses, what cannot be
    /// seen.
    fn leaves_out<'v>(&mut self, name: &str, value: &impl Fn(&str) -> Option<&'v str>, depth: usize) -> bool {
        let unused = SERVANTS.contains(&name) && value("id").is_some_and(|id| !self.references.contains(id));
        let described = matches!(name, "title" | "desc") && depth == 1;
        let ground = name == "path" && self.keeps_ground(value);
        let invisible = name == "rect" && value("width").is_none();
        name == "style" || described || REFUSED.contains(&name) || unused || ground || invisible
    }

    /// Keeps the ground of an outline for its line, if it is made of straight pieces.
    fn keeps_ground<'v>(&mut self, value: &impl Fn(&str) -> Option<&'v str>) -> bool {
        let Some(outline) =
            self.outline.as_mut().filter(|outline| outline.ground.is_none() && value("stroke") == Some("none"))
        else {
            return false;
        };
        let color = value("fill").unwrap_or("none").to_owned();
        outline.ground = value("d").and_then(straightened).map(|path| (path, color));
        outline.ground.is_some()
    }

    fn close(&mut self, name: &str, depth: usize) {
        if let Some((what, at)) = self.collects
            && at == depth
        {
            self.collects = None;
            let text = std::mem::take(&mut self.text);
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let list = if what == Collects::Label { &mut self.result.labels } else { &mut self.result.described };
            if !text.is_empty() && list.len() < LABELS && !list.contains(&text) {
                list.push(text);
            }
        }
        if self.skipped > 0 {
            self.skipped -= 1;
            return;
        }
        self.colors.pop_if(|(_, at)| *at == depth);
        self.edge = self.edge.filter(|at| *at != depth);
        if let Some(ShapeOutline { ground: Some((path, color)), .. }) =
            self.outline.take_if(|outline| outline.depth == depth)
        {
            self.flush();
            let _ = write!(self.out, "<path d=\"{path}\" fill=\"");
            html::push_attr(&mut self.out, &color);
            self.out.push_str("\"/>");
        }
        let name = if name == "a" && self.links.pop() == Some(false) { "g" } else { name };
        let unwritten = match name {
            "tspan" => self.spans.pop() == Some(false),
            _ => depth == 0,
        };
        if unwritten {
            return;
        }
        if self.pending.last().is_some_and(|(pending, _)| pending == name) {
            self.pending.pop();
            return;
        }
        let _ = write!(self.out, "</{name}>");
    }

    fn flush(&mut self) {
        for (_, tag) in self.pending.drain(..) {
            self.out.push_str(&tag);
        }
    }

    fn attribute(&self, tag: &mut String, element: &str, name: &str, value: &str) {
        let value = match name {
            "id" if self.references.contains(value) => self.id(value),
            "id"
            | "name"
            | "title"
            | "xmlns"
            | "xmlns:xlink"
            | "role"
            | "aria-roledescription"
            | "aria-labelledby"
            | "aria-describedby"
            | "target" => return,
            "href" | "xlink:href" => match value.strip_prefix('#').filter(|_| element != "a") {
                Some(target) => format!("#{}", self.id(target)),
                None => return,
            },
            "class" => self.known_classes(value),
            // the color that a label's group sets stands on its texts
            "style" if element == "text" && !self.colors.is_empty() => return,
            "style" => css::declarations(value, self.root),
            _ if name.starts_with("data-") || name.starts_with("on") => return,
            _ if value.contains("url(") => css::rename_references(value, |target| self.id(target)),
            "font-style" | "font-weight" if element == "tspan" && value == "normal" => return,
            "font-family" => return,
            "d" | "x" | "y" | "x1" | "x2" | "y1" | "y2" | "cx" | "cy" | "r" | "rx" | "ry" | "dx" | "dy" | "width"
            | "height" | "points" | "transform" | "viewBox" | "refX" | "refY" => short_numbers(value),
            _ => value.to_owned(),
        };
        if value.is_empty() && matches!(name, "class" | "style" | "transform") {
            return;
        }
        let name = if name == "xlink:href" { "href" } else { name };
        let _ = write!(tag, " {name}=\"");
        html::push_attr(tag, &value);
        tag.push('"');
    }

    /// The classes that rules name, each once.
    fn known_classes(&self, value: &str) -> String {
        let mut classes: Vec<&str> = Vec::new();
        for class in value.split_ascii_whitespace() {
            if self.known.contains(class) && !classes.contains(&class) {
                classes.push(class);
            }
        }
        classes.join(" ")
    }

    /// An id of the drawing, under the root's.
    fn id(&self, id: &str) -> String {
        if id.starts_with(self.root) { id.to_owned() } else { format!("{}-{id}", self.root) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trimmed(body: &str) -> Option<Trimmed> {
        let svg = format!("<svg id=\"d\" viewBox=\"0 -1.5 10 20\" role=\"x\">{body}</svg>");
        trim_drawing(&svg, "d", &mut |href| (href != "javascript:x").then(|| format!("../{href}")))
    }

    #[track_caller]
    fn check(body: &str, expect: &str) {
        assert_eq!(trimmed(body).map(|trimmed| trimmed.body).as_deref(), Some(expect), "{body}");
    }

    #[test]
    fn what_nothing_refers_to_is_left_out() {
        check("<defs><marker id=\"d-a\"><path d=\"M0\"/></marker></defs><g/><g><g></g></g>", "");
        check(
            "<defs><marker id=\"a\"><path d=\"M0\"/></marker></defs><path id=\"e\" marker-end=\"url(#a)\"/>",
            "<defs><marker id=\"d-a\"><path d=\"M0\"/></marker></defs><path marker-end=\"url(#d-a)\"/>",
        );
        check("<symbol id=\"s\"/><use href=\"#s\"/>", "<symbol id=\"d-s\"/><use href=\"#d-s\"/>");
    }

    #[test]
    fn what_acts_or_loads_is_left_out() {
        check("<script>alert(1)</script><foreignObject><div>x</div></foreignObject><image href=\"x\"/>", "");
        check("<rect onclick=\"x\" data-id=\"a\" name=\"b\" width=\"3\"/>", "<rect width=\"3\"/>");
        check("<a xlink:href=\"javascript:x\" target=\"_blank\"><rect width=\"1\"/></a>", "<g><rect width=\"1\"/></g>");
        check("<a xlink:href=\"x.html?a&amp;b\"><circle/></a>", "<a href=\"../x.html?a&amp;b\"><circle/></a>");
    }

    #[test]
    fn labels_and_descriptions_are_collected() {
        let trimmed = trimmed(
            "<title id=\"t\">A &amp; B</title><desc>More</desc><text><tspan x=\"0\">one</tspan><tspan x=\"0\">two</tspan></text><text>one two</text><text> x </text>",
        )
        .expect("well-formed");
        assert_eq!(trimmed.described, ["A & B", "More"]);
        assert_eq!(trimmed.labels, ["one two", "x"]);
        assert_eq!(trimmed.view, [0.0, -1.5, 10.0, 20.0]);
        assert!(trimmed.body.starts_with("<text><tspan x=\"0\">one</tspan>"), "{}", trimmed.body);
    }

    #[test]
    fn text_takes_the_color_its_author_gave() {
        check(
            "<g class=\"x\" style=\"color:#fff !important\"><text y=\"1\"><tspan font-weight=\"normal\">a</tspan></text></g><text>b</text>",
            "<g style=\"color:#fff !important\"><text y=\"1\" style=\"fill:#fff\">a</text></g><text>b</text>",
        );
    }

    #[test]
    fn outlines_are_drawn_once_and_by_lines() {
        let outline =
            |body: &str| format!("<style>.outer-path{{a:b}}</style><g class=\"outer-path\">{body}</g><path d=\"M9\"/>");
        let ground = "<path stroke=\"none\" fill=\"red\" d=\"M0 0 C1 0, 2 0, 3 0 C3 0, 3 0, 3 0 C3 1, 3 2, 3 4\"/>";
        check(
            &outline(&format!("{ground}<path d=\"M0 0 C1 1\" fill=\"none\" stroke=\"blue\"/>")),
            &outline("<path d=\"M0 0L3 0L3 4Z\" fill=\"red\" stroke=\"blue\"/>"),
        );
        check(&outline(ground), &outline("<path d=\"M0 0L3 0L3 4Z\" fill=\"red\"/>"));
        let curved = outline("<path stroke=\"none\" d=\"M0 0 C0 5, 5 5, 5 0\"/><path fill=\"none\" d=\"M0 0\"/>");
        check(&curved, &curved);
    }

    #[test]
    fn broken_markup_is_refused() {
        for body in ["<g>", "</g>", "<g></svg>", "<g a=\"", "&nbsp;<text>&nbsp;</text>"] {
            assert!(trimmed(body).is_none(), "{body}");
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_is_refused_or_well_formed(body in "(<(g|text|a|title|marker|style|script)( (id|href|class|onload)=\"[a-z#]{0,3}\")?/?>|</(g|text|a|script)>|[a-z&;]){0,14}") {
            if let Some(trimmed) = trimmed(&body) {
                let again = format!("<svg viewBox=\"0 0 1 1\">{}</svg>", trimmed.body);
                proptest::prop_assert!(trim_drawing(&again, "d", &mut |href| Some(href.to_owned())).is_some(), "{}", again);
                proptest::prop_assert!(!trimmed.body.contains("<script") && !trimmed.body.contains("onload"), "{}", trimmed.body);
            }
        }
    }
}
