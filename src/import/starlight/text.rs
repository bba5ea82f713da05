//! A text of Starlight as Markdown or MDX of this program: boxes, options of code, names of folders, addresses.

use serde_json::Value;

use crate::imports::{self, parse_import};
use base::component_line::{self, closing_component_line};
use base::cut::SliceText as _;
use base::extension::is_markdown;
use base::lines::{PlacedLines, fence_of};
use base::{Place, Problem};
use load::Site;
use load::tool::RenderedText;
use site::front_matter::split_front_matter;
use site::page::Dialect;
use site::yaml::parse_yaml;

use super::component;
use super::config::{StarlightConfig, StarlightLocale};
use super::fence::rewrite_code_fence;

/// Titles of boxes: of notes, tips, warnings and dangers.
const TITLES: [(&str, [&str; 4]); 14] = [
    ("de", ["Hinweis", "Tipp", "Achtung", "Gefahr"]),
    ("es", ["Nota", "Consejo", "Precaución", "Peligro"]),
    ("fr", ["Note", "Astuce", "Attention", "Danger"]),
    ("it", ["Nota", "Consiglio", "Attenzione", "Pericolo"]),
    ("ja", ["ノート", "ヒント", "注意", "危険"]),
    ("ko", ["참고", "팁", "주의", "위험"]),
    ("nl", ["Opmerking", "Tip", "Opgepast", "Gevaar"]),
    ("pl", ["Notatka", "Wskazówka", "Uwaga", "Ważne"]),
    ("pt", ["Nota", "Dica", "Cuidado", "Perigo"]),
    ("ru", ["Заметка", "Совет", "Осторожно", "Опасно"]),
    ("tr", ["Not", "İpucu", "Dikkat", "Tehlike"]),
    ("uk", ["Заувага", "Порада", "Обережно", "Небезпечно"]),
    ("zh-tw", ["注意", "提示", "警告", "危險"]),
    ("zh", ["注意", "提示", "警告", "危险"]),
];

/// The lines of a page; `None` if nothing in them has to change.
pub(super) fn rewrite_starlight_text(
    options: &StarlightConfig,
    text: &RenderedText<'_>,
    _problems: &mut Vec<Problem>,
) -> Option<PlacedLines> {
    let is_likely =
        ["```", "~~~", ":::", "](", "import ", "=\"/", "frontmatter"].iter().any(|mark| text.body.contains(mark));
    if !is_likely {
        return None;
    }
    let is_mdx = text.site.find_page(text.slug).is_some_and(|id| text.site.page(id).dialect == Dialect::Mdx);
    let mut writer = StarlightWriter {
        options,
        site: text.site,
        path: text.site.tree.path(text.file),
        locale: options.locale_of(text.slug),
        is_mdx,
        open: Vec::new(),
        out: Vec::new(),
    };
    let lines: Vec<&str> = text.body.split('\n').collect();
    let place = |at: usize| Place { line: text.start.line + u32::try_from(at).unwrap_or(u32::MAX), ..text.start };
    let mut at = 0;
    while at < lines.len() {
        if let Some(open) = StarlightFence::of_line(lines[at]) {
            let end = (at + 1..lines.len()).find(|end| open.ends_at(lines[*end])).unwrap_or(lines.len());
            writer.fence(&open, &lines[at..end.min(lines.len())], lines.get(end).copied(), at, &place);
            at = end + 1;
            continue;
        }
        writer.line(lines[at], place(at));
        at += 1;
    }
    let is_own = writer.out.iter().any(|(line, _)| line.contains("export const frontmatter"));
    if is_mdx && text.body.contains("frontmatter") && !is_own {
        let value = front_matter_value(text.whole);
        writer.out.push((format!("\nexport const frontmatter = {value};"), place(lines.len().saturating_sub(1))));
    }
    Some(writer.out)
}

/// The front matter of a text, as its pages see it.
fn front_matter_value(whole: &str) -> Value {
    let entries = parse_yaml(split_front_matter(whole).block, true).unwrap_or_default();
    Value::Object(entries.iter().map(|entry| (entry.key.clone(), entry.value.to_json())).collect())
}

/// The line that opens a code block.
struct StarlightFence<'l> {
    /// What stands before the marks.
    lead: &'l str,
    marks: &'l str,
    info: &'l str,
}

impl<'l> StarlightFence<'l> {
    fn of_line(line: &'l str) -> Option<Self> {
        let mut rest = line.trim_start_matches([' ', '\t', '>']);
        // an item of a list may begin with a block
        while let Some(inner) = rest.strip_prefix(['-', '*', '+']).filter(|inner| inner.starts_with(' ')) {
            rest = inner.trim_start();
        }
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if digits > 0
            && let Some(inner) = rest.slice(digits..).strip_prefix(". ")
        {
            rest = inner.trim_start();
        }
        let (_, width, info) = fence_of(rest)?;
        Some(Self { lead: line.slice(..line.len() - rest.len()), marks: rest.slice(..width), info })
    }

    fn ends_at(&self, line: &str) -> bool {
        let text = line.trim_start_matches([' ', '\t', '>']).trim_end();
        let mark = self.marks.chars().next().unwrap_or('`');
        text.len() >= self.marks.len() && text.chars().all(|c| c == mark)
    }

    /// Where the code of a line begins.
    fn cut(&self, line: &str) -> usize {
        let allowed = line.len() - line.trim_start_matches([' ', '\t', '>']).len();
        allowed.min(self.lead.len())
    }
}

/// An open box: its colons and its component.
struct OpenBox {
    colons: usize,
    component: &'static str,
}

struct StarlightWriter<'a> {
    options: &'a StarlightConfig,
    site: &'a Site,
    path: &'a str,
    locale: &'a StarlightLocale,
    is_mdx: bool,
    open: Vec<OpenBox>,
    out: PlacedLines,
}

impl StarlightWriter<'_> {
    /// Writes a block; lines that leave it stand empty behind it, so that all others keep theirs.
    fn fence(
        &mut self,
        open: &StarlightFence<'_>,
        lines: &[&str],
        close: Option<&str>,
        at: usize,
        place: &dyn Fn(usize) -> Place,
    ) {
        let code: Vec<String> = lines[1..].iter().map(|line| line.slice(open.cut(line)..).to_owned()).collect();
        let count = code.len();
        let (info, code) = rewrite_code_fence(open.info, code);
        let removed = count - code.len();
        self.out.push((format!("{}{}{info}", open.lead, open.marks), place(at)));
        let prefix = |number: usize| lines.get(number).map_or("", |line| line.slice(..open.cut(line)));
        for (number, line) in code.into_iter().enumerate() {
            let from = number + 1 + removed;
            self.out.push((format!("{}{line}", prefix(from)), place(at + from)));
        }
        if let Some(close) = close {
            self.out.push((close.to_owned(), place(at + lines.len())));
        }
        for _ in 0..removed {
            self.out.push((String::new(), place(at + lines.len())));
        }
    }

    fn line(&mut self, line: &str, place: Place) {
        let changed = self.directive(line).or_else(|| self.import(line)).unwrap_or_else(|| self.addresses(line));
        self.out.push((changed, place));
    }

    /// A line that opens or closes a box: `:::tip[Title]{icon="…"}`.
    fn directive(&mut self, line: &str) -> Option<String> {
        let text = line.trim_start();
        let lead = line.slice(..line.len() - text.len());
        let rest = text.trim_start_matches(':').trim_end();
        let colons = text.trim_end().len() - rest.len();
        if colons < 3 {
            return None;
        }
        if rest.is_empty() {
            let at = self.open.iter().rposition(|open| open.colons == colons)?;
            let open = self.open.drain(at..).next()?;
            let end = if self.is_mdx { format!("</{}>", open.component) } else { closing_component_line() };
            return Some(format!("{lead}{end}"));
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (component, number) = match rest.slice(..end) {
            "note" => ("Note", 0),
            "tip" => ("Tip", 1),
            "caution" => ("Warning", 2),
            "danger" => ("Danger", 3),
            _ => return None,
        };
        let title = rest.slice(end..).strip_prefix('[').and_then(|rest| Some(rest.slice(..rest.rfind(']')?)));
        let title = title.map_or_else(|| self.title(number), str::to_owned);
        self.open.push(OpenBox { colons, component });
        Some(if self.is_mdx {
            let title = title.replace('&', "&amp;").replace('"', "&quot;");
            format!("{lead}<{component} title=\"{title}\">")
        } else {
            format!("{lead}{}", component_line::opening(component, &[("title", &title)]))
        })
    }

    /// The title of a box without one.
    fn title(&self, number: usize) -> String {
        box_title(self.locale, number)
    }

    /// An import by the name of a folder, or without the ending of its file; data stands in its place.
    fn import(&mut self, line: &str) -> Option<String> {
        if !self.is_mdx || !line.contains("from ") && !line.starts_with("import ") {
            return None;
        }
        let is_statement = line.starts_with("import ") || line.starts_with("export ") || line.starts_with('}');
        let quote = line.find(['"', '\'']).filter(|_| is_statement)?;
        let path = line.slice(quote + 1..).split(['"', '\'']).next()?;
        if let Some(data) = component::inline_data_import(self.options, self.site, self.path, line) {
            return Some(data);
        }
        let found = component::find_import_file(self.options, self.site, self.path, path);
        if let Some(part) = found.as_deref().filter(|path| is_markdown(path))
            && let Some(import) = parse_import(line)
        {
            return Some(self.part_import(&import.names, part));
        }
        let resolved = found.or_else(|| self.options.resolved(path))?;
        Some(format!("{}{resolved}{}", line.slice(..=quote), line.slice(quote + 1 + path.len()..)))
    }

    /// An import of a part of pages, which gives its content under two names, and its front matter.
    fn part_import(&self, names: &[(&str, &str)], part: &str) -> String {
        let statements = names.iter().map(|(exported, local)| match *exported {
            "default" | "Content" => imports::written(&[("default", local)], part),
            "frontmatter" => {
                let path = part.trim_start_matches('/');
                let text = self.site.tree.find_any(path).and_then(|file| self.site.tree.text(file));
                format!("export const {local} = {};", front_matter_value(&text.unwrap_or_default()))
            }
            _ => imports::written(&[(exported, local)], part),
        });
        statements.collect::<Vec<_>>().join(" ")
    }

    /// Links and pictures without the base of the site and the names of folders.
    fn addresses(&self, line: &str) -> String {
        let mut out = line.to_owned();
        if !self.options.base.is_empty() && line.contains(&self.options.base) {
            let base = format!("/{}/", self.options.base);
            for before in ["](", "=\"", "='"] {
                out = out.replace(&format!("{before}{base}"), &format!("{before}/"));
            }
        }
        for (name, _) in &self.options.names {
            let start = format!("]({name}");
            while let Some(at) = out.find(&start) {
                let path = out.slice(at + 2..).split([')', ' ']).next().unwrap_or_default().to_owned();
                let Some(resolved) = self.options.resolved(&path) else { break };
                out.replace_range(at + 2..at + 2 + path.len(), &resolved);
            }
        }
        out
    }
}

/// The title of a box of a language: notes, tips, warnings and dangers.
fn box_title(locale: &StarlightLocale, number: usize) -> String {
    const KEYS: [&str; 4] = ["aside.note", "aside.tip", "aside.caution", "aside.danger"];
    const ENGLISH: [&str; 4] = ["Note", "Tip", "Caution", "Danger"];
    if let Some((_, own)) = locale.words.iter().find(|(key, _)| key == KEYS[number]) {
        return own.clone();
    }
    let code = locale.code.to_lowercase();
    let is_of = |known: &str| code == known || code.split('-').next() == Some(known);
    let known = TITLES.iter().find(|(known, _)| is_of(known)).map_or(ENGLISH, |(_, titles)| *titles);
    known[number].to_owned()
}
