//! The template of a component of Astro as JSX: slots become calls, directives what they mean, texts keep their spaces.

use crate::js_text::{PreviousToken, past_braces, past_token};
use base::cut::SliceText as _;
use base::html::is_void;

/// Elements and expressions in each other.
const MAX_ASTRO_DEPTH: usize = 48;

/// A template as the inside of an element of JSX; `None` if it cannot be read.
pub(super) fn as_jsx(template: &str) -> Option<String> {
    let mut writer =
        TemplateWriter { text: template, at: 0, open: Vec::new(), out: String::with_capacity(template.len() * 2) };
    while writer.at < template.len() {
        writer.children(0)?;
        // an end tag of nothing
        if writer.at < template.len() {
            writer.at = writer.after('>');
        }
    }
    Some(writer.out)
}

struct TemplateWriter<'t> {
    text: &'t str,
    at: usize,
    /// The names of the elements that are open.
    open: Vec<&'t str>,
    out: String,
}

/// What is known of the tag of an element.
#[derive(Default)]
struct TagHead {
    /// What stands for its children: `set:html`, `set:text`.
    html: Option<String>,
    text: Option<String>,
    /// The name of a slot, as an expression.
    name: Option<String>,
    /// For a slot: the slot that it is itself for.
    slot: Option<String>,
    is_raw: bool,
    is_closed: bool,
}

impl<'t> TemplateWriter<'t> {
    fn rest(&self) -> &'t str {
        self.text.slice(self.at..)
    }

    /// Past the next of a character.
    fn after(&self, mark: char) -> usize {
        self.rest().find(mark).map_or(self.text.len(), |length| self.at + length + mark.len_utf8())
    }

    /// Writes what stands up to the end tag of an element that is open, which is not passed.
    fn children(&mut self, depth: usize) -> Option<()> {
        if depth > MAX_ASTRO_DEPTH {
            return None;
        }
        while self.at < self.text.len() {
            let rest = self.rest();
            if let Some(tag) = rest.strip_prefix("</") {
                let name = leading_element_name(tag);
                if self.open.is_empty() || self.open.contains(&name) {
                    return Some(());
                }
                self.at = self.after('>');
            } else if rest.starts_with("<!--") {
                self.at = rest.find("-->").map_or(self.text.len(), |length| self.at + length + 3);
            } else if rest.starts_with("<!") {
                self.at = self.after('>');
            } else if starts_element(rest) {
                self.element(depth)?;
            } else if rest.starts_with('{') {
                self.at += 1;
                self.out.push('{');
                self.code(depth)?;
                self.out.push('}');
            } else {
                let first = rest.chars().next()?.len_utf8();
                let end = rest.slice(first..).find(['<', '{']).map_or(rest.len(), |length| first + length);
                push_jsx_text(rest.slice(..end), &mut self.out);
                self.at += end;
            }
        }
        Some(())
    }

    /// Writes an expression up to its brace, which is passed.
    fn code(&mut self, depth: usize) -> Option<()> {
        if depth > MAX_ASTRO_DEPTH {
            return None;
        }
        let mut before = PreviousToken::default();
        let mut braces = 0;
        loop {
            let rest = self.rest();
            if !before.is_operand && (starts_element(rest) || rest.starts_with("<!--")) {
                self.elements(depth)?;
                before.is_operand = true;
                continue;
            }
            match *rest.as_bytes().first()? {
                b'{' => braces += 1,
                b'}' if braces == 0 => {
                    self.at += 1;
                    return Some(());
                }
                b'}' => braces -= 1,
                _ => {}
            }
            let (end, next) = past_token(self.text, self.at, before)?;
            self.out.push_str(self.text.get(self.at..end)?);
            (self.at, before) = (end, next);
        }
    }

    /// Writes the elements that stand side by side in an expression.
    fn elements(&mut self, depth: usize) -> Option<()> {
        let start = self.out.len();
        let mut count = 0;
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            let blank = rest.len() - trimmed.len();
            if trimmed.starts_with("<!--") {
                self.at += blank + trimmed.find("-->").map_or(trimmed.len(), |length| length + 3);
            } else if starts_element(trimmed) {
                if blank > 0 && count > 0 {
                    self.out.push_str("{\" \"}");
                }
                self.at += blank;
                let before = self.out.len();
                self.element(depth)?;
                count += usize::from(self.out.len() > before);
            } else {
                break;
            }
        }
        let is_plain = count == 1 && !self.out.slice(start..).starts_with('{');
        if !is_plain {
            self.out.insert_str(start, "<>");
            self.out.push_str("</>");
        }
        Some(())
    }

    /// Writes an element and what is in it.
    fn element(&mut self, depth: usize) -> Option<()> {
        let name = leading_element_name(self.text.slice(self.at + 1..));
        self.at += 1 + name.len();
        let start = self.out.len();
        self.out.push('<');
        self.out.push_str(name);
        let head = self.attributes(name == "slot", depth)?;
        if matches!(name, "style" | "script") {
            self.out.truncate(start);
            if !head.is_closed {
                self.until_end(name);
            }
            return Some(());
        }
        if head.is_closed || is_void(name) {
            self.out.push_str(if name == "slot" || head.has_own_children() { ">" } else { "/>" });
        } else {
            self.out.push('>');
        }
        let inside = self.out.len();
        if !head.is_closed && !is_void(name) {
            if head.is_raw {
                let raw = self.until_end(name);
                self.out.push_str(&format!("{{{}}}", serde_json::Value::from(raw)));
            } else {
                self.open.push(name);
                self.children(depth + 1)?;
                self.open.pop();
                if self.rest().starts_with("</") && leading_element_name(self.rest().slice(2..)) == name {
                    self.at = self.after('>');
                }
            }
        }
        if name == "slot" {
            let fallback = self.out.split_off(inside);
            self.out.truncate(start);
            let given = head.name.as_deref().unwrap_or("\"default\"");
            let call = format!("{{$slot({given}, () => <>{fallback}</>)}}");
            match head.slot {
                Some(slot) => self.out.push_str(&format!("<$Part slot={slot}>{call}</$Part>")),
                None => self.out.push_str(&call),
            }
            return Some(());
        }
        if let Some(text) = &head.text {
            self.out.truncate(inside);
            self.out.push_str(&format!("{{{text}}}"));
        }
        if let Some(html) = &head.html {
            self.out.truncate(inside);
            self.out.push_str(&format!("{{$html({html})}}"));
        }
        if head.has_own_children() || !(head.is_closed || is_void(name)) {
            self.out.push_str(&format!("</{name}>"));
        }
        Some(())
    }

    /// What stands up to the end tag of an element, which is passed.
    fn until_end(&mut self, name: &str) -> &'t str {
        let rest = self.rest();
        let close = format!("</{name}");
        let end = rest.find(&close).unwrap_or(rest.len());
        self.at += end;
        self.at = self.after('>');
        rest.slice(..end)
    }

    /// Writes the attributes of a tag, and passes its end.
    fn attributes(&mut self, is_slot: bool, depth: usize) -> Option<TagHead> {
        let mut head = TagHead::default();
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("/>") {
                self.at += 2;
                head.is_closed = true;
                return Some(head);
            }
            match *trimmed.as_bytes().first()? {
                b'>' => {
                    self.at += 1;
                    return Some(head);
                }
                b'{' => {
                    let end = past_braces(self.text, self.at + 1)?;
                    let inner = self.text.get(self.at + 1..end - 1)?.trim();
                    if inner.starts_with("...") {
                        self.out.push_str(&format!(" {{{inner}}}"));
                    } else if is_jsx_attribute_name(inner) {
                        self.out.push_str(&format!(" {inner}={{{inner}}}"));
                    }
                    self.at = end;
                }
                b'/' => self.at += 1,
                _ => self.attribute(is_slot, &mut head, depth)?,
            }
        }
    }

    /// Writes one attribute with a name.
    fn attribute(&mut self, is_slot: bool, head: &mut TagHead, depth: usize) -> Option<()> {
        let rest = self.rest();
        let length = rest.find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '{')).unwrap_or(rest.len());
        let name = rest.slice(..length.max(rest.chars().next()?.len_utf8()));
        self.at += name.len();
        let mut value = "true".to_owned();
        if self.rest().trim_start().starts_with('=') {
            self.at += self.rest().len() - self.rest().trim_start().len() + 1;
            self.at += self.rest().len() - self.rest().trim_start().len();
            value = self.value(depth)?;
        }
        match name {
            "set:html" => head.html = Some(value),
            "set:text" => head.text = Some(value),
            "is:raw" => head.is_raw = true,
            "class:list" => self.out.push_str(&format!(" class={{$classes({value})}}")),
            "name" if is_slot => head.name = Some(value),
            "slot" if is_slot => head.slot = Some(format!("{{{value}}}")),
            name if is_jsx_attribute_name(name) => self.out.push_str(&format!(" {name}={{{value}}}")),
            _ => {}
        }
        Some(())
    }

    /// The value of an attribute as an expression.
    fn value(&mut self, depth: usize) -> Option<String> {
        let rest = self.rest();
        match *rest.as_bytes().first()? {
            quote @ (b'"' | b'\'') => {
                let end = rest.slice(1..).find(char::from(quote))?;
                self.at += end + 2;
                let text = rest.slice(1..=end).replace('"', "&quot;");
                // an element's attribute is where JSX reads references to characters
                Some(if text.contains('&') {
                    format!("(<i a=\"{text}\"/>).props.a")
                } else {
                    serde_json::Value::from(text).to_string()
                })
            }
            b'`' => {
                let (end, _) = past_token(self.text, self.at, PreviousToken::default())?;
                let text = self.text.get(self.at..end)?.to_owned();
                self.at = end;
                Some(text)
            }
            b'{' => {
                self.at += 1;
                let start = self.out.len();
                self.code(depth + 1)?;
                Some(self.out.split_off(start))
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '>').unwrap_or(rest.len());
                self.at += end;
                Some(serde_json::Value::from(rest.slice(..end)).to_string())
            }
        }
    }
}

impl TagHead {
    fn has_own_children(&self) -> bool {
        self.html.is_some() || self.text.is_some()
    }
}

/// Whether a text begins with the tag of an element, or of none: `<>`.
fn starts_element(text: &str) -> bool {
    text.strip_prefix('<').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '>'))
}

/// The name that a tag begins with.
fn leading_element_name(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ':')));
    text.slice(..end.unwrap_or(text.len()))
}

/// Whether JSX takes a name for that of an attribute.
fn is_jsx_attribute_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '$'))
}

/// Text of which JSX leaves no space out.
fn push_jsx_text(text: &str, out: &mut String) {
    let trimmed = text.trim();
    let space = "{\" \"}";
    if text.starts_with(char::is_whitespace) {
        out.push_str(space);
    }
    out.push_str(&trimmed.replace('}', "&#125;").replace('>', "&gt;").replace('<', "&lt;"));
    if !trimmed.is_empty() && text.ends_with(char::is_whitespace) {
        out.push_str(space);
    }
}

#[cfg(test)]
mod tests {
    use super::as_jsx;

    #[test]
    fn templates_are_jsx() {
        for (template, expect) in [
            ("<p class=\"a\">x > y</p>", "<p class={\"a\"}>x &gt; y</p>"),
            ("<b>a</b>\n<i>b</i>", "<b>a</b>{\" \"}<i>b</i>"),
            ("<slot />", "{$slot(\"default\", () => <></>)}"),
            ("<slot name='a'>b</slot>", "{$slot(\"a\", () => <>b</>)}"),
            ("<slot name=\"a\" slot=\"b\"/>", "<$Part slot={\"b\"}>{$slot(\"a\", () => <></>)}</$Part>"),
            ("<br><img src={a} {alt} {...rest}>", "<br/><img src={a} alt={alt} {...rest}/>"),
            ("<a href=`/${x}` @click=\"y\" client:load>z</a>", "<a href={`/${x}`}>z</a>"),
            ("<li class:list={['a', { b }]}></li>", "<li class={$classes(['a', { b }])}></li>"),
            ("<p set:html={a} /><p set:text=\"b\">c</p>", "<p>{$html(a)}</p><p>{\"b\"}</p>"),
            ("<style>a > b {}</style><script>if (a < b) {}</script>c", "c"),
            ("{a && <b/>}{a < b}", "{a && <b/>}{a < b}"),
            ("{a.map((b) => (<dt>{b}</dt> <dd/>))}", "{a.map((b) => (<><dt>{b}</dt>{\" \"}<dd/></>))}"),
            ("{x ? <A>}</A> : <slot />}", "{x ? <A>&#125;</A> : <>{$slot(\"default\", () => <></>)}</>}"),
            ("<!-- {a} --><code is:raw>{a}</code>", "<code>{\"{a}\"}</code>"),
            ("<p title=\"a &amp; b\">c", "<p title={(<i a=\"a &amp; b\"/>).props.a}>c</p>"),
            ("</p>a<ul><li>b</ul>c", "a<ul><li>b</li></ul>c"),
        ] {
            assert_eq!(as_jsx(template).as_deref(), Some(expect), "{template}");
        }
    }

    #[test]
    fn what_has_no_end_is_no_template() {
        for template in ["{a", "<a b={c", "<a b=\"c", "<a", "{`", "{'"] {
            assert_eq!(as_jsx(template), None, "{template}");
        }
        assert_eq!(as_jsx(&"<a>".repeat(1_000)), None);
        assert_eq!(as_jsx(&"{<a>".repeat(1_000)), None);
    }
}
