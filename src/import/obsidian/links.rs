//! What stands in double brackets: links, and files that are shown in their place.

use base::cut::SliceText as _;
use base::html;

use super::heading_anchor;
use super::vault::Vault;

/// `[[target#fragment|alias]]`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct WikiLink<'t> {
    pub(super) target: &'t str,
    /// The words of a heading, or `^` and the name of a block.
    pub(super) fragment: Option<&'t str>,
    pub(super) alias: Option<&'t str>,
}

impl<'t> WikiLink<'t> {
    /// Reads what stands between the brackets.
    pub(super) fn parse(inside: &'t str) -> Self {
        let (whole, alias) = match inside.split_once('|') {
            // in a cell of a table the bar is escaped
            Some((whole, alias)) => (whole.strip_suffix('\\').unwrap_or(whole), Some(alias.trim())),
            None => (inside, None),
        };
        let (target, fragment) = match whole.split_once('#') {
            Some((target, fragment)) => (target.trim(), Some(fragment)),
            None => (whole.trim(), None),
        };
        // of headings in each other the last one is meant
        let fragment = fragment.and_then(|fragment| fragment.rsplit('#').next()).map(str::trim);
        Self { target, fragment, alias: alias.filter(|alias| !alias.is_empty()) }
    }

    /// What readers see of a link.
    fn label(&self) -> String {
        if let Some(alias) = self.alias {
            return alias.replace('[', "\\[").replace(']', "\\]");
        }
        let fragment = self.fragment.unwrap_or_default();
        let words = match (self.target, fragment) {
            ("", fragment) => fragment.to_owned(),
            (target, "") => target.to_owned(),
            (target, fragment) => format!("{target} > {fragment}"),
        };
        words.replace('\\', "\\\\").replace('*', "\\*").replace('_', "\\_").replace('[', "\\[").replace(']', "\\]")
    }

    /// What stands behind the address.
    fn anchor(&self) -> String {
        match self.fragment {
            None | Some("") => String::new(),
            Some(block) if block.starts_with('^') => format!("#{block}"),
            Some(words) => format!("#{}", heading_anchor(words)),
        }
    }
}

/// What a file is shown as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EmbedForm {
    Picture,
    Sound,
    Film,
    File,
}

fn shown_as(path: &str) -> EmbedForm {
    let ending = path.rsplit('.').next().unwrap_or_default().to_lowercase();
    match ending.as_str() {
        "png" | "jpg" | "jpeg" | "gif" | "bmp" | "svg" | "webp" | "avif" => EmbedForm::Picture,
        "mp3" | "wav" | "m4a" | "ogg" | "3gp" | "flac" => EmbedForm::Sound,
        "mp4" | "webm" | "ogv" | "mov" | "mkv" => EmbedForm::Film,
        _ => EmbedForm::File,
    }
}

/// A part of a line with its double brackets as Markdown. `from` is the file.
pub(super) fn rewrite_links(vault: &Vault, from: &str, part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find("[[") {
        let Some((inside, after)) = rest.slice(at + 2..).split_once("]]").filter(|(inside, _)| is_link(inside)) else {
            out.push_str(rest.slice(..at + 2));
            rest = rest.slice(at + 2..);
            continue;
        };
        let before = rest.slice(..at);
        let is_embed = before.ends_with('!') && !before.ends_with("\\!");
        out.push_str(if is_embed { before.slice(..before.len() - 1) } else { before });
        let link = WikiLink::parse(inside);
        out.push_str(&if is_embed { embedded_file(vault, from, &link) } else { linked(vault, from, &link) });
        rest = after;
    }
    out.push_str(rest);
    rewrite_sizes(&out)
}

/// Whether brackets hold the name of a note rather than a list of lists.
fn is_link(inside: &str) -> bool {
    !inside.trim().is_empty() && !inside.contains(['[', '\n'])
}

fn linked(vault: &Vault, from: &str, link: &WikiLink<'_>) -> String {
    let label = link.label();
    if link.target.is_empty() {
        return format!("[{label}]({})", link.anchor());
    }
    match vault.find(from, link.target) {
        Some(path) => format!("[{label}](</{path}{}>)", link.anchor()),
        // a note that is not written yet
        None => format!("[{label}](<{}>)", link.target.replace(['<', '>'], "")),
    }
}

/// A file in the place of its name; a note that stands in a sentence is a link.
fn embedded_file(vault: &Vault, from: &str, link: &WikiLink<'_>) -> String {
    let found = vault.find(from, link.target);
    let address = found.map_or_else(|| link.target.to_owned(), |path| format!("/{path}"));
    let own = link.target.rsplit('/').next().unwrap_or_default();
    match shown_as(&address) {
        EmbedForm::Picture => {
            let (alt, size) = alt_and_size(link.alias.unwrap_or_default());
            picture(&address, if alt.is_empty() { own } else { alt }, size)
        }
        EmbedForm::Sound => format!("<audio controls src=\"{}\"></audio>", html::attr(&address)),
        EmbedForm::Film => format!("<video controls src=\"{}\"></video>", html::attr(&address)),
        EmbedForm::File => linked(vault, from, link),
    }
}

/// A picture; Markdown has no way to say its size.
fn picture(address: &str, alt: &str, size: Option<(u32, Option<u32>)>) -> String {
    let Some((width, height)) = size else {
        return format!("![{}](<{address}>)", alt.replace('[', "\\[").replace(']', "\\]"));
    };
    let height = height.map(|height| format!(" height=\"{height}\"")).unwrap_or_default();
    format!("<img src=\"{}\" alt=\"{}\" width=\"{width}\"{height}>", html::attr(address), html::attr(alt))
}

/// `words|300x200`: the words of a picture, its width and its height.
fn alt_and_size(text: &str) -> (&str, Option<(u32, Option<u32>)>) {
    let (alt, last) = text.rsplit_once('|').unwrap_or(("", text));
    let (width, height) =
        last.trim().split_once('x').map_or((last.trim(), None), |(width, height)| (width, Some(height)));
    let number = |text: &str| text.parse::<u32>().ok();
    match (number(width), height.map(number)) {
        (Some(width), None) => (alt.trim(), Some((width, None))),
        (Some(width), Some(Some(height))) => (alt.trim(), Some((width, Some(height)))),
        _ => (text.trim(), None),
    }
}

/// `![alt|300](a.png)` as an element with that width.
fn rewrite_sizes(part: &str) -> String {
    if !part.contains("![") {
        return part.to_owned();
    }
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find("![") {
        out.push_str(rest.slice(..at));
        rest = rest.slice(at..);
        match sized_picture(rest) {
            Some((written, after)) => {
                out.push_str(&written);
                rest = after;
            }
            None => {
                out.push_str("![");
                rest = rest.slice(2..);
            }
        }
    }
    out + rest
}

fn sized_picture(text: &str) -> Option<(String, &str)> {
    let (alt, after) = text.slice(2..).split_once("](")?;
    let (target, after) = after.split_once(')')?;
    if alt.contains('[') || target.contains([' ', '(']) {
        return None;
    }
    let (alt, size) = alt_and_size(alt);
    Some((picture(target.trim_matches(['<', '>']), alt, Some(size?)), after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_nothing_keep_their_words() {
        let vault = Vault::default();
        for (text, expect) in [
            ("See [[Note one]].", "See [Note one](<Note one>)."),
            ("[[a/b_c|words]] and [[#A: b]]", "[words](<a/b_c>) and [A: b](#a-b)"),
            ("[[Note#One#Two]] [[#^x1]]", "[Note > Two](<Note>) [^x1](#^x1)"),
            ("| [[a\\|b]] |", "| [b](<a>) |"),
            ("[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]"),
            ("![[x.png|120]]", "<img src=\"x.png\" alt=\"x.png\" width=\"120\">"),
            ("![[x.png|A mast|120x80]]", "<img src=\"x.png\" alt=\"A mast\" width=\"120\" height=\"80\">"),
            ("![[x.png]] ![[x.png|A mast]]", "![x.png](<x.png>) ![A mast](<x.png>)"),
            ("![A|50](a%20b.png) ![B](c.png)", "<img src=\"a%20b.png\" alt=\"A\" width=\"50\"> ![B](c.png)"),
            ("![[s.mp3]]", "<audio controls src=\"s.mp3\"></audio>"),
            ("[[open", "[[open"),
        ] {
            assert_eq!(rewrite_links(&vault, "n.md", text), expect, "{text}");
        }
    }
}
