//! `contextual` of docs.json, or of the front matter of a page: what readers can do with a page.

use super::fields::{FieldPath, UnreadKeys};
use super::json::parse_json;
use super::problems::LoadProblems;
use super::read_values::read_icon;
use super::values::Icon;

/// The menu of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contextual {
    /// In the order of the menu; the first one is the default action. Names without a form in a bundle are left out.
    pub options: Vec<PageOption>,
    /// `display: toc`: in the contents column.
    pub in_contents: bool,
}

/// An option of the menu.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageOption {
    /// One that the format names.
    BuiltIn(BuiltIn),
    /// One of the author's own.
    Custom(Box<CustomOption>),
}

/// The options that the format names and that have a form in a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the format")]
pub enum BuiltIn {
    Copy,
    View,
    Assistant,
    DownloadPdf,
    DownloadSpec,
    ChatGpt,
    Claude,
    Perplexity,
    Grok,
    AiStudio,
    Mcp,
    AddMcp,
    Cursor,
    VsCode,
}

/// An option of the author's own: a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomOption {
    /// Its label.
    pub title: String,
    /// Below the label.
    pub description: Option<String>,
    /// Before the label.
    pub icon: Option<Icon>,
    /// Where it leads. May hold `$page`, `$path` and `$mcp`.
    pub href: String,
    /// Parameters of the address, not encoded; values may hold the same.
    pub query: Vec<(String, String)>,
}

/// All names, with what they mean; `None` for those that need a program of a vendor and have no documented address.
const NAMES: [(&str, Option<BuiltIn>); 18] = [
    ("copy", Some(BuiltIn::Copy)),
    ("view", Some(BuiltIn::View)),
    ("assistant", Some(BuiltIn::Assistant)),
    ("download-pdf", Some(BuiltIn::DownloadPdf)),
    ("download-spec", Some(BuiltIn::DownloadSpec)),
    ("chatgpt", Some(BuiltIn::ChatGpt)),
    ("claude", Some(BuiltIn::Claude)),
    ("perplexity", Some(BuiltIn::Perplexity)),
    ("grok", Some(BuiltIn::Grok)),
    ("aistudio", Some(BuiltIn::AiStudio)),
    ("devin", None),
    ("devin-desktop", None),
    ("windsurf", None),
    ("mcp", Some(BuiltIn::Mcp)),
    ("add-mcp", Some(BuiltIn::AddMcp)),
    ("cursor", Some(BuiltIn::Cursor)),
    ("vscode", Some(BuiltIn::VsCode)),
    ("devin-mcp", None),
];

impl Contextual {
    /// Whether the menu has one of the options that the format names.
    pub fn has(&self, built_in: BuiltIn) -> bool {
        self.options.iter().any(|option| matches!(option, PageOption::BuiltIn(option) if *option == built_in))
    }
}

/// Reads `contextual`.
pub fn contextual(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Contextual {
    const DISPLAYS: [(&str, bool); 2] = [("header", false), ("toc", true)];
    let Some(mut fields) = field.object(problems) else { return Contextual::default() };
    let mut known: Vec<&str> = Vec::new();
    let mut options = Vec::new();
    for option in fields.list("options", problems) {
        if let Some(name) = option.as_str() {
            option.doubt_unless(&NAMES.map(|(name, _)| name), problems);
            if known.contains(&name) {
                option.doubt("an option that is not listed yet", problems);
                continue;
            }
            known.push(name);
            let meaning = NAMES.iter().find(|(own, _)| *own == name).and_then(|(_, meaning)| *meaning);
            options.extend(meaning.map(PageOption::BuiltIn));
        } else if option.json.as_object().is_none() {
            option.wrong("the name of an option or an object", problems);
        } else {
            options.extend(custom(&option, problems).map(|option| PageOption::Custom(Box::new(option))));
        }
    }
    let in_contents = fields.choice("display", &DISPLAYS, problems).unwrap_or(false);
    fields.finish("`contextual`", UnreadKeys::Warn, problems);
    Contextual { options, in_contents }
}

fn custom(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<CustomOption> {
    let mut fields = field.object(problems)?;
    let title = fields.text("title", problems).filter(|title| !title.is_empty());
    let description = fields.text("description", problems).filter(|description| !description.is_empty());
    let icon = read_icon(&mut fields, problems);
    let (href, query) = fields.take("href").map(|href| read_option_address(&href, problems)).unwrap_or_default();
    fields.finish("an option of `contextual`", UnreadKeys::Warn, problems);
    match (title, href) {
        (Some(title), Some(href)) => Some(CustomOption { title, description, icon, href, query }),
        _ => {
            field.wrong("an option with `title` and `href`", problems);
            None
        }
    }
}

/// `href` of an option: an address, or `{base, query: [{key, value}]}`.
fn read_option_address(field: &FieldPath<'_>, problems: &mut LoadProblems) -> (Option<String>, Vec<(String, String)>) {
    let given = |text: Option<String>| text.filter(|text| !text.is_empty());
    if field.json.as_object().is_none() {
        return (given(field.text(problems)), Vec::new());
    }
    let Some(mut fields) = field.object(problems) else { return (None, Vec::new()) };
    let base = given(fields.text("base", problems));
    let mut query = Vec::new();
    for parameter in fields.list("query", problems) {
        let Some(mut fields) = parameter.object(problems) else { continue };
        let (key, value) = (given(fields.text("key", problems)), fields.text("value", problems));
        fields.finish("a parameter of `href`", UnreadKeys::Warn, problems);
        match (key, value) {
            (Some(key), Some(value)) => query.push((key, value)),
            _ => parameter.wrong("a parameter with `key` and `value`", problems),
        }
    }
    fields.finish("an `href` of `contextual`", UnreadKeys::Warn, problems);
    (base, query)
}

/// Reads `contextual` of a page; `None` if anything is wrong with it: the page then has the menu of the site.
pub fn read_page_contextual(written: &serde_json::Value) -> Option<Contextual> {
    let text = written.to_string();
    let mut problems = LoadProblems::default();
    let source = problems.add_source("", text.clone());
    let parsed = parse_json(&text, source).ok()?;
    let read = contextual(&FieldPath { path: "contextual".to_owned(), json: &parsed.json, log: None }, &mut problems);
    problems.finish().is_empty().then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<PageOption>> {
        read_page_contextual(&serde_json::from_str(text).unwrap()).map(|read| read.options)
    }

    #[test]
    fn options_keep_their_order_and_those_without_a_form_go() {
        let expect = [BuiltIn::View, BuiltIn::Copy, BuiltIn::VsCode].map(PageOption::BuiltIn);
        assert_eq!(names(r#"{"options": ["view", "devin", "copy", "vscode", "windsurf"]}"#), Some(expect.to_vec()));
        assert_eq!(names(r#"{"options": []}"#), Some(Vec::new()));
    }

    #[test]
    fn options_of_the_author_are_links() {
        let read = names(
            r#"{"options": [{"title": "Ask", "description": "D", "href": {"base": "https://x.example", "query": [{"key": "q", "value": "$page"}]}}]}"#,
        );
        let option = CustomOption {
            title: "Ask".to_owned(),
            description: Some("D".to_owned()),
            icon: None,
            href: "https://x.example".to_owned(),
            query: vec![("q".to_owned(), "$page".to_owned())],
        };
        assert_eq!(read, Some(vec![PageOption::Custom(Box::new(option))]));
    }

    #[test]
    fn what_is_wrong_on_a_page_is_not_used() {
        for wrong in [
            r#"["copy"]"#,
            r#"{"options": ["cpoy"]}"#,
            r#"{"options": [{"title": "x"}]}"#,
            r#"{"options": ["copy"], "display": "left"}"#,
        ] {
            assert_eq!(names(wrong), None, "{wrong}");
        }
    }
}
