//! A text of VitePress as Markdown: values take the place of `{{ … }}`, templates and scripts of Vue go, boxes get the
//! titles that they have there, `[[toc]]` becomes a list.

use crate::web;
use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;
use base::emoji::replace_emoji_names;
use base::html::escape_html_text;
use base::html::tag::{MarkupToken, TagAttribute, read_html_token};
use base::lines::{PlacedLines, Verbatim, outside_code};
use base::{Place, Problem};
use load::tool::RenderedText;
use site::heading_ids::vue_slug;
use site::include::{SiteFiles, expand_includes};

use super::components::Components;
use super::config::VitePressConfig;
use super::preserved::Preserved;
use super::tabs::write_plugin_tabs;
use super::values::BoundValues;
use super::{
    fence, repeat,
    team::{self, write_team_members},
};

/// Components that need nothing to run, or that this program has too.
const KNOWN: [&str; 9] = [
    "Badge",
    "ClientOnly",
    "Content",
    "Suspense",
    "Teleport",
    "Transition",
    "TransitionGroup",
    "KeepAlive",
    "Component",
];

/// The lines of a page; `None` if nothing in them has to change.
pub(super) fn rewrite_vitepress_text(
    options: &VitePressConfig,
    text: &RenderedText<'_>,
    problems: &mut Vec<Problem>,
) -> Option<PlacedLines> {
    let marks = ["{{", ":::", "[[", "<", "{."];
    if !marks.iter().any(|mark| text.body.contains(mark)) {
        return None;
    }
    let lines: PlacedLines = text
        .body
        .split('\n')
        .zip(text.start.line..)
        .map(|(line, number)| (line.to_owned(), Place { line: number, ..text.start }))
        .collect();
    Some(rewrite_vitepress_lines(options, text, lines, problems))
}

/// Puts the files that lines include into their places: what is written in them means what it means on the page.
fn with_included(text: &RenderedText<'_>, lines: PlacedLines, problems: &mut Vec<Problem>) -> PlacedLines {
    let files = SiteFiles { tree: &text.site.tree, folders: &[] };
    expand_includes(text.body, Some(lines), text.start, &files, problems).unwrap_or_default()
}

/// The same for lines that have been written already.
pub(super) fn rewrite_vitepress_lines(
    options: &VitePressConfig,
    text: &RenderedText<'_>,
    lines: PlacedLines,
    problems: &mut Vec<Problem>,
) -> PlacedLines {
    let mut lines = with_included(text, lines, problems);
    let scripts = take_scripts(&mut lines);
    let mut page = VitePressPage { options, text, values: None, scripts, problems, reported: Vec::new() };
    if team::is_in(text.body) {
        write_team_members(&mut lines, page.values());
    }
    page.write_components(&mut lines);
    page.write_loops(&mut lines);
    write_alerts(options, text.slug, &mut lines);
    write_plugin_tabs(&mut lines);
    page.lines(&mut lines);
    page.tell_components(&lines);
    write_contents(&mut lines);
    lines
}

/// Takes the scripts and styles of components away, which are no part of what readers see; gives the scripts.
fn take_scripts(lines: &mut PlacedLines) -> Vec<String> {
    let mut scripts = Vec::new();
    let mut verbatim = Verbatim::default();
    let mut open: Option<(&'static str, String)> = None;
    for (line, _) in lines.iter_mut() {
        if open.is_none() {
            if verbatim.takes(line.trim_start_matches([' ', '>'])) {
                continue;
            }
            let start = ["script", "style"].into_iter().find(|name| {
                line.strip_prefix('<')
                    .and_then(|rest| rest.strip_prefix(name))
                    .is_some_and(|rest| rest.starts_with([' ', '>']))
            });
            let Some(name) = start else { continue };
            // a script of the browser stays, to be told of
            if name == "script" && line.contains(" src=") {
                continue;
            }
            open = Some((name, String::new()));
        }
        if let Some((name, inside)) = &mut open {
            inside.push_str(line);
            inside.push('\n');
            let ends = line.contains(&format!("</{name}>"));
            line.clear();
            if ends && let Some((name, inside)) = open.take() {
                scripts.extend((name == "script").then_some(inside));
            }
        }
    }
    scripts
}

struct VitePressPage<'a, 'p> {
    options: &'a VitePressConfig,
    text: &'a RenderedText<'a>,
    /// Read when the first is needed.
    values: Option<BoundValues>,
    scripts: Vec<String>,
    problems: &'p mut Vec<Problem>,
    /// What has been reported.
    reported: Vec<String>,
}

/// An open container: its colons, and whether its lines go.
struct VitePressContainer {
    colons: usize,
    closing: Closing,
}

enum Closing {
    Retained,
    Dropped,
    /// As dropped; what is inside has no values.
    Verbatim,
    Component,
}

impl VitePressPage<'_, '_> {
    fn tell(&mut self, about: &str, problem: Problem) {
        if !self.reported.iter().any(|known| known == about) {
            self.reported.push(about.to_owned());
            self.problems.push(problem);
        }
    }

    fn lines(&mut self, lines: &mut PlacedLines) {
        let mut verbatim = Verbatim::default();
        let mut open: Vec<VitePressContainer> = Vec::new();
        let mut preserved = Preserved::default();
        let mut is_template = false;
        for (line, place) in lines.iter_mut() {
            let was_code = verbatim.is_in_fence();
            if verbatim.takes(line.trim_start_matches([' ', '>'])) {
                self.code(line, *place, was_code, &mut is_template);
                if !was_code && let Some(changed) = fence::in_order(line) {
                    *line = changed;
                }
                continue;
            }
            if let Some(changed) = self.container(line, &mut open) {
                *line = changed;
                continue;
            }
            let own_id = heading_id(line);
            let is_verbatim = open.iter().any(|container| matches!(container.closing, Closing::Verbatim));
            if (line.contains("{{") || preserved.concerns(line)) && !is_verbatim {
                *line = self.with_values(line, *place, &mut preserved);
            }
            if let Some(id) = own_id {
                *line = format!("{} {{#{id}}}", line.trim_end());
            }
            if line.contains('<') && (line.contains(" @") || line.contains(" #") || line.contains(" v-slot:")) {
                *line = outside_code(line, without_directives);
            }
            if line.contains("<template") || line.contains("</template") {
                *line = outside_code(line, |part| part.replace("<template", "<div").replace("</template", "</div"));
            }
            if !self.options.base.is_empty() {
                let base = format!("/{}/", self.options.base);
                *line = outside_code(line, |part| {
                    part.replace(&format!("]({base}"), "](/").replace(&format!("=\"{base}"), "=\"/")
                });
            }
            if line.contains("{.") || line.contains("{:") {
                *line = outside_code(line, without_classes);
            }
        }
    }

    /// A line that opens or closes a box, as it is written for the rules of Markdown.
    fn container(&self, line: &str, open: &mut Vec<VitePressContainer>) -> Option<String> {
        let trimmed = line.trim_start_matches([' ', '>']);
        let lead = line.slice(..line.len() - trimmed.len());
        let rest = trimmed.trim_start_matches(':');
        let colons = trimmed.len() - rest.len();
        if colons < 3 {
            return None;
        }
        let rest = rest.trim();
        if rest.is_empty() {
            let at = open.iter().rposition(|container| container.colons == colons)?;
            let container = open.drain(at..).next()?;
            return match container.closing {
                Closing::Retained => None,
                Closing::Dropped | Closing::Verbatim => Some(lead.to_owned()),
                Closing::Component => Some(format!("{lead}{}", closing_component_line())),
            };
        }
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_')).unwrap_or(rest.len());
        let (name, title) = (rest.slice(..end).to_lowercase(), rest.slice(end..).trim());
        let (title, is_open) = match title.split_once('{') {
            Some((title, options)) if options.ends_with('}') => (title.trim(), options.contains("open")),
            _ => (title, false),
        };
        let label = |key: &str, own: &str| self.options.label(self.text.slug, key).unwrap_or(own).to_owned();
        let (component, own) = match name.as_str() {
            "raw" | "v-pre" => {
                let closing = if name == "raw" { Closing::Dropped } else { Closing::Verbatim };
                open.push(VitePressContainer { colons, closing });
                return Some(lead.to_owned());
            }
            "code-group" | "" => {
                open.push(VitePressContainer { colons, closing: Closing::Retained });
                return None;
            }
            "tip" => ("Tip", label("tipLabel", "TIP")),
            "info" => ("Info", label("infoLabel", "INFO")),
            "note" => ("Note", label("noteLabel", "NOTE")),
            "important" => ("Info", label("importantLabel", "IMPORTANT")),
            "warning" => ("Warning", label("warningLabel", "WARNING")),
            "caution" => ("Danger", label("cautionLabel", "CAUTION")),
            "danger" => ("Danger", label("dangerLabel", "DANGER")),
            "details" => ("Accordion", label("detailsLabel", "Details")),
            name => ("Note", name.to_uppercase()),
        };
        open.push(VitePressContainer { colons, closing: Closing::Component });
        let title = if title.is_empty() { own.as_str() } else { title };
        let mut props = vec![("title", title)];
        if is_open && component == "Accordion" {
            props.push(("defaultOpen", "true"));
        }
        Some(format!("{lead}{}", component_line::opening(component, &props)))
    }

    fn values(&mut self) -> &BoundValues {
        self.values.get_or_insert_with(|| BoundValues::of_page(self.options, self.text, &self.scripts))
    }

    /// A line of a block of code. In blocks of `vue` templates (`js-vue`), values take the place of `{{ … }}`.
    fn code(&mut self, line: &mut String, place: Place, is_inside: bool, is_template: &mut bool) {
        if is_inside {
            if *is_template && line.contains("{{") {
                *line = self.with_values_in_code(line, place);
            }
            return;
        }
        *is_template = false;
        let lead = line.len() - line.trim_start_matches([' ', '>']).len();
        let marks = line.slice(lead..).len() - line.slice(lead..).trim_start_matches(['`', '~']).len();
        let info = line.slice(lead + marks..);
        let end = info.find(|c: char| c.is_whitespace() || matches!(c, '{' | '[' | ':')).unwrap_or(info.len());
        if marks >= 3
            && let Some(language) = info.slice(..end).strip_suffix("-vue")
        {
            *is_template = true;
            *line = format!("{}{language}{}", line.slice(..lead + marks), info.slice(end..));
        }
    }

    /// A line with values in the place of `{{ … }}`; what is not known stands there as its words.
    fn with_values(&mut self, line: &str, place: Place, preserved: &mut Preserved) -> String {
        let mut unknown = None;
        let values = self.values();
        let mut change = |part: &str| fill_template(values, part, false, &mut unknown);
        let out = outside_code(line, |part| preserved.change_outside(part, &mut change));
        self.tell_unknown(unknown, place);
        out
    }

    /// The same in code.
    fn with_values_in_code(&mut self, line: &str, place: Place) -> String {
        let mut unknown = None;
        let out = fill_template(self.values(), line, true, &mut unknown);
        self.tell_unknown(unknown, place);
        out
    }

    fn tell_unknown(&mut self, expression: Option<String>, place: Place) {
        let Some(expression) = expression else { return };
        let problem = Problem::new(
            "template-expression",
            format!("`{{{{ {expression} }}}}` has no value without running the page; its words are shown"),
            place,
        )
        .hint("write the value on the page, or put it into the front matter");
        self.tell("{{", problem);
    }

    /// Writes what the templates of the project's own components say in the places of their tags.
    fn write_components(&mut self, lines: &mut PlacedLines) {
        let mut components = Components::of_page(self.options, self.text, &self.scripts);
        if components.is_empty() {
            return;
        }
        let mut verbatim = Verbatim::default();
        let mut out = PlacedLines::with_capacity(lines.len());
        for (line, place) in std::mem::take(lines) {
            if verbatim.takes(line.trim_start_matches([' ', '>'])) || !line.contains('<') {
                out.push((line, place));
                continue;
            }
            let mut partial = None;
            let mut is_block = false;
            let written = outside_code(&line, |part| {
                let mut written = String::with_capacity(part.len());
                let mut rest = part;
                while let Some(at) = rest.find('<') {
                    written.push_str(rest.slice(..at));
                    rest = rest.slice(at..);
                    let Some((shown, after)) = components.shown(rest) else {
                        written.push('<');
                        rest = rest.slice(1..);
                        continue;
                    };
                    if shown.is_partial {
                        let end =
                            rest.slice(1..).find(|c: char| !c.is_ascii_alphanumeric()).map_or(rest.len(), |at| at + 1);
                        partial = partial.take().or_else(|| Some(rest.slice(1..end).to_owned()));
                    }
                    is_block |=
                        written.trim().is_empty() && after.trim().is_empty() && shown.html.trim().contains('\n');
                    written.push_str(&if is_block { shown.html } else { join_lines(&shown.html) });
                    rest = after;
                }
                written.push_str(rest);
                written
            });
            if let Some(name) = partial {
                let problem = Problem::new(
                    "unknown-component",
                    format!("`{name}` is a component of Vue, which is not run; the words of its template are shown"),
                    place,
                )
                .hint("write what else it shows on the page");
                self.tell(&name, problem);
            }
            let mut written = written;
            // anchors are made of what the author has written
            if written != line
                && let Some(id) = plain_title(&line).and_then(slug_of)
            {
                written = format!("{} {{#{id}}}", written.trim_end());
            }
            if is_block {
                // an empty line would end the block of HTML
                let inside = written.lines().map(str::trim).filter(|line| !line.is_empty());
                let all = ["", "<div>"].into_iter().chain(inside).chain(["</div>", ""]);
                out.extend(all.map(|line| (line.to_owned(), place)));
            } else {
                out.push((written, place));
            }
        }
        *lines = out;
    }

    /// Writes elements that Vue repeats for data once for each entry. Where the data is not known, what they show is made
    /// where the page runs: they are taken away.
    fn write_loops(&mut self, lines: &mut PlacedLines) {
        let mut verbatim = Verbatim::default();
        let mut at = 0;
        while at < lines.len() {
            let (line, place) = &lines[at];
            let place = *place;
            if verbatim.takes(line.trim_start_matches([' ', '>'])) {
                at += 1;
                continue;
            }
            let Some((before, name)) = loop_of(line) else {
                at += 1;
                continue;
            };
            let before = before.to_owned();
            let mut depth = 0_i32;
            let mut end = at;
            for (number, (line, _)) in lines[at..].iter().enumerate() {
                let line = if number == 0 { line.slice(before.len()..) } else { line };
                depth += count_tags(line, &format!("<{name}")) - count_tags(line, &format!("</{name}"));
                if depth <= 0 || line.contains("/>") && depth <= 1 && end == at {
                    break;
                }
                end += 1;
            }
            // an empty line would end the block of HTML around it
            let last = end.min(lines.len() - 1);
            let whole: Vec<&str> = lines[at..=last].iter().map(|(line, _)| line.slice(before.len()..).trim()).collect();
            let whole = whole.join("\n");
            if let Some((written, rest)) = repeat::expand_repeated_element(&whole, self.values()) {
                let written = format!("{before}{written}{rest}");
                let inside = written.lines().map(str::trim).filter(|line| !line.is_empty());
                let inside: PlacedLines = inside.map(|line| (line.to_owned(), place)).collect();
                let count = inside.len();
                lines.splice(at..=last, inside);
                at += count;
                continue;
            }
            for (line, _) in &mut lines[at..=last] {
                "<!-- -->".clone_into(line);
            }
            lines[at].0.insert_str(0, &before);
            let problem = Problem::new(
                "template-expression",
                "what `v-for` repeats is left out: its data is only known where the page runs",
                place,
            )
            .hint("write the entries on the page");
            self.tell("v-for", problem);
            at = end + 1;
        }
    }

    /// Says once for each component of Vue that it is not run.
    fn tell_components(&mut self, lines: &PlacedLines) {
        let mut verbatim = Verbatim::default();
        for (line, place) in lines {
            if verbatim.takes(line.trim_start_matches([' ', '>'])) || !line.contains('<') {
                continue;
            }
            let mut found = Vec::new();
            let _ = outside_code(line, |part| {
                for after in part.split('<').skip(1) {
                    let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
                    let name = after.slice(..end);
                    let is_component = name.starts_with(|c: char| c.is_ascii_uppercase())
                        && name.bytes().any(|byte| byte.is_ascii_lowercase());
                    let is_tag = after.slice(end..).starts_with([' ', '/', '>']) || after.len() == end;
                    if is_component && is_tag && !KNOWN.contains(&name) {
                        found.push(name.to_owned());
                    }
                }
                part.to_owned()
            });
            for name in found {
                let is_used = self.text.body.contains(&format!("</{name}>")) || self.is_alone(&name);
                if is_used {
                    let problem = Problem::new(
                        "unknown-component",
                        format!("`{name}` is a component of Vue, which is not run"),
                        *place,
                    )
                    .hint("write what it shows on the page; its content is shown without it");
                    self.tell(&name, problem);
                }
            }
        }
    }

    /// Whether a tag of a name closes itself somewhere.
    fn is_alone(&self, name: &str) -> bool {
        self.text.body.match_indices(&format!("<{name}")).any(|(at, _)| {
            self.text.body.slice(at..).find('>').is_some_and(|end| self.text.body.slice(at..at + end).ends_with('/'))
        })
    }
}

/// Tags without attributes that Vue alone knows and that make them no tags of Markdown: `@click="…"`, `#default`.
fn without_directives(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(at) = rest.find('<') {
        out.push_str(rest.slice(..at));
        rest = rest.slice(at..);
        let is_directive = |attribute: &TagAttribute<'_>| {
            attribute.name.starts_with(['@', '#']) || attribute.name.starts_with("v-slot:")
        };
        let Some((MarkupToken::Start(tag), after)) = read_html_token(rest) else {
            out.push('<');
            rest = rest.slice(1..);
            continue;
        };
        if !tag.attributes().any(|attribute| is_directive(&attribute)) {
            out.push_str(rest.slice(..rest.len() - after.len()));
            rest = after;
            continue;
        }
        out.push('<');
        out.push_str(tag.name);
        for attribute in tag.attributes().filter(|attribute| !is_directive(attribute)) {
            match attribute.value {
                Some(value) => {
                    let quote = if value.contains('"') { '\'' } else { '"' };
                    out.push_str(&format!(" {}={quote}{value}{quote}", attribute.name));
                }
                None => out.push_str(&format!(" {}", attribute.name)),
            }
        }
        out.push_str(if tag.is_self_closing() { " />" } else { ">" });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A text in one line.
fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The anchor of a heading whose words are not those that it is made of: values and the names of emoji.
fn heading_id(line: &str) -> Option<String> {
    let title = plain_title(line)?;
    if !title.contains("{{") && replace_emoji_names(title) == title {
        return None;
    }
    let parts = title.split(':');
    let mut words = String::new();
    let mut before = "";
    for part in parts {
        // the name of an emoji is between two colons
        let is_name = matches!(replace_emoji_names(&format!(":{part}:")), std::borrow::Cow::Owned(_));
        if !is_name {
            words.push_str(before);
            words.push_str(part);
        }
        before = if is_name { "" } else { ":" };
    }
    slug_of(&words)
}

/// The words of a heading without an anchor of its own.
fn plain_title(line: &str) -> Option<&str> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line.slice(level..).strip_prefix(' ').filter(|_| (1..=6).contains(&level))?.trim();
    (!(title.ends_with('}') && title.contains("{#"))).then_some(title)
}

fn slug_of(title: &str) -> Option<String> {
    Some(vue_slug(&web::plain_label(&title.replace('`', "")))).filter(|id| !id.is_empty())
}

/// Alerts as GitHub has them, with the titles of VitePress: `> [!NOTE] Title`.
fn write_alerts(options: &VitePressConfig, slug: &str, lines: &mut PlacedLines) {
    if !lines.iter().any(|(line, _)| line.contains("[!")) {
        return;
    }
    let mut out = PlacedLines::with_capacity(lines.len());
    let mut verbatim = Verbatim::default();
    let mut rest = std::mem::take(lines).into_iter().peekable();
    while let Some((line, place)) = rest.next() {
        if verbatim.takes(line.trim_start_matches([' ', '>'])) {
            out.push((line, place));
            continue;
        }
        let Some((component, title)) = alert(options, slug, &line) else {
            out.push((line, place));
            continue;
        };
        let lead = line.slice(..line.len() - line.trim_start().len()).to_owned();
        out.push((String::new(), place));
        out.push((format!("{lead}{}", component_line::opening(component, &[("title", &title)])), place));
        while let Some((line, place)) = rest.next_if(|(line, _)| line.trim_start().starts_with('>')) {
            let inside = line.trim_start().strip_prefix('>').unwrap_or_default();
            out.push((format!("{lead}{}", inside.strip_prefix(' ').unwrap_or(inside)), place));
        }
        out.push((format!("{lead}{}", closing_component_line()), place));
        out.push((String::new(), place));
    }
    *lines = out;
}

/// The component and the title of an alert.
fn alert(options: &VitePressConfig, slug: &str, line: &str) -> Option<(&'static str, String)> {
    let inside = line.trim_start().strip_prefix('>')?.trim_start().strip_prefix("[!")?;
    let (kind, title) = inside.split_once(']')?;
    let kind = kind.to_lowercase();
    let component = match kind.as_str() {
        "note" => "Note",
        "tip" => "Tip",
        "important" => "Info",
        "warning" => "Warning",
        "caution" => "Danger",
        _ => return None,
    };
    let label = options.label(slug, &format!("{kind}Label"));
    let own = label.map_or_else(|| kind.to_uppercase(), str::to_owned);
    Some((component, if title.trim().is_empty() { own } else { title.trim().to_owned() }))
}

/// What stands before the first tag of a line that Vue repeats, and the name of the tag. None in code.
fn loop_of(line: &str) -> Option<(&str, &str)> {
    let directive = line.find(" v-for=")?;
    let start = line.slice(..directive).rfind('<')?;
    let (before, tag) = line.split_at_checked(start)?;
    let rest = tag.slice(1..);
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))?;
    let is_open = !tag.slice(..directive - start).contains('>');
    let is_text = before.matches('`').count().is_multiple_of(2);
    (end > 0 && is_open && is_text).then(|| (before, rest.slice(..end)))
}

fn count_tags(line: &str, tag: &str) -> i32 {
    let is_whole =
        |at: usize| !line.slice(at + tag.len()..).starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-');
    i32::try_from(line.match_indices(tag).filter(|(at, _)| is_whole(*at)).count()).unwrap_or(i32::MAX)
}

/// Without `{.class}` and `{:target=…}` at the end of what they are said of.
fn without_classes(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(open) = rest.find("{.").into_iter().chain(rest.find("{:")).min() {
        let Some(close) = rest.slice(open..).find('}') else { break };
        let inside = rest.slice(open + 1..open + close);
        let is_attributes =
            inside.split_whitespace().all(|word| word.starts_with(['.', '#', ':']) || word.contains('='));
        if !is_attributes {
            out.push_str(rest.slice(..=open));
            rest = rest.slice(open + 1..);
            continue;
        }
        out.push_str(rest.slice(..open).trim_end());
        rest = rest.slice(open + close + 1..);
    }
    out.push_str(rest);
    out
}

/// Writes the headings of the second and third level in the place of `[[toc]]`.
fn write_contents(lines: &mut PlacedLines) {
    let is_mark = |line: &str| line.trim().eq_ignore_ascii_case("[[toc]]");
    if !lines.iter().any(|(line, _)| is_mark(line)) {
        return;
    }
    let mut verbatim = Verbatim::default();
    let mut entries: Vec<String> = Vec::new();
    let mut slugs: Vec<String> = Vec::new();
    let mut marks: Vec<usize> = Vec::new();
    for (at, (line, _)) in lines.iter().enumerate() {
        if verbatim.takes(line.trim_start_matches([' ', '>'])) {
            continue;
        }
        if is_mark(line) {
            marks.push(at);
        }
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let Some(title) = line.slice(level..).strip_prefix(' ').filter(|_| (1..=6).contains(&level)) else { continue };
        let title = title.trim().trim_end_matches('#').trim();
        let (title, own) = match title.strip_suffix('}').and_then(|rest| rest.rsplit_once("{#")) {
            Some((title, id)) => (title.trim(), Some(id)),
            None => (title, None),
        };
        // a badge in it is none of its words
        let title = if title.contains('<') { web::plain_label(title) } else { title.to_owned() };
        let slug = own.map_or_else(|| vue_slug(&title.replace('`', "")), str::to_owned);
        let number = slugs.iter().filter(|known| **known == slug).count();
        slugs.push(slug.clone());
        let slug = if number == 0 { slug } else { format!("{slug}-{number}") };
        if level == 2 || level == 3 {
            entries.push(format!("{}- [{title}](#{slug})", " ".repeat(2 * (level - 2))));
        }
    }
    for at in marks.into_iter().rev() {
        let place = lines[at].1;
        let list = entries.iter().map(|entry| (entry.clone(), place));
        lines.splice(at..=at, list.chain([(String::new(), place)]));
    }
}

/// A text with values in the place of `{{ … }}`, and the first expression without one: its words stay, in code as they
/// are written.
fn fill_template(values: &BoundValues, text: &str, is_code: bool, unknown: &mut Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{{") {
        let Some(end) = template_end(after) else { break };
        let expression = after.slice(..end).trim();
        out.push_str(before);
        match (values.text_of(expression), is_code) {
            (Some(value), true) => out.push_str(&value),
            (Some(value), false) => out.push_str(&escape_html_text(&value)),
            (None, _) => {
                unknown.get_or_insert_with(|| expression.to_owned());
                match is_code {
                    true => out.push_str(&format!("{{{{{}}}}}", after.slice(..end))),
                    false => out.push_str(&escape_html_text(expression)),
                }
            }
        }
        rest = after.slice(end + 2..);
    }
    out.push_str(rest);
    out
}

/// Where the `}}` stands that ends an expression: none in a string or an object of it.
fn template_end(text: &str) -> Option<usize> {
    let (mut open, mut quote) = (0_usize, None);
    let exact = text.char_indices().find_map(|(at, c)| {
        match c {
            c if quote == Some(c) => quote = None,
            '"' | '\'' | '`' if quote.is_none() => quote = Some(c),
            '{' if quote.is_none() => open += 1,
            '}' if quote.is_none() && open > 0 => open -= 1,
            '}' if quote.is_none() && text.slice(at..).starts_with("}}") => return Some(at),
            _ => {}
        }
        None
    });
    exact.or_else(|| text.find("}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_of_vue_go() {
        for (text, expect) in [
            ("a <b @click=\"c++\">d</b>", "a <b>d</b>"),
            ("<x #default :y='z \"1\"' v-slot:a=\"{ b }\" c />", "<x :y='z \"1\"' c />"),
            ("a < b @c <d e=\"f\">", "a < b @c <d e=\"f\">"),
            ("<a href=\"#x\"> #1", "<a href=\"#x\"> #1"),
        ] {
            assert_eq!(without_directives(text), expect);
        }
    }
}
