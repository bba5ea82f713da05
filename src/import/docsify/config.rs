//! The options of Docsify: an object in a script of `index.html`.

use serde_json::Value;

use crate::attribute::find_attribute;
use crate::web;
use base::Diagnostic;
use base::cut::SliceText as _;
use base::html::tag::{MarkupToken, read_html_token};
use load::tool::ToolInput;
use load::tool::script::{ConfigScript, json_at_path, text_at};
use site::problems::LoadProblems;
use site::tree::{self, SourceTree};

/// Longest script of options: those of libraries are longer.
const MAX_SCRIPT_BYTES: usize = 64 << 10;

/// What `index.html` says, and the texts of the parts of the frame.
#[derive(Debug, Default)]
pub(super) struct DocsifyConfig {
    /// The options.
    pub(super) value: Value,
    /// The folder of the site.
    pub(super) folder: String,
    /// Title and description of `index.html`.
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// The icon of the site.
    pub(super) icon: Option<String>,
    /// The lists of entries, by the folders that have one: path and text.
    pub(super) sidebars: Vec<(String, String)>,
    /// Links of the top bar, as Markdown or as elements.
    pub(super) navbar: String,
    /// The path of the file that they stand in.
    navbar_file: Option<String>,
    /// The name of the lists of entries.
    sidebar_name: Option<String>,
    /// Addresses that files have beside their own: address, and path from the folder of the site.
    pub(super) aliases: Vec<(String, String)>,
    /// The text above the start page: its path, and what it says.
    pub(super) cover: Option<String>,
}

impl DocsifyConfig {
    pub(super) fn read(source: &ToolInput<'_>, problems: &mut LoadProblems) -> Self {
        let html = source.text(source.config).unwrap_or_default();
        let value = options(&html, source, problems);
        let mut config = Self { folder: source.folder().to_owned(), ..Self::default() };
        config.read_head(&html);
        let name = |key: &str, own: &str| match json_at_path(&value, &[key]) {
            Value::Bool(true) => Some(own.to_owned()),
            Value::String(name) if name.starts_with("http") => None,
            Value::String(name) => Some(name.trim_start_matches('/').to_owned()),
            Value::Array(_) | Value::Object(_) => Some(own.to_owned()),
            _ => None,
        };
        let with_ending = |name: String| if name.ends_with(".md") { name } else { format!("{name}.md") };
        let sidebar = name("loadSidebar", "_sidebar.md").map(with_ending);
        if let Some(sidebar) = sidebar {
            let files = source.tree.files.iter().map(|file| &file.path);
            let own = files.filter(|path| {
                let inside = config.inside(path);
                inside.is_some_and(|inside| inside == sidebar || inside.ends_with(&format!("/{sidebar}")))
            });
            config.sidebars = own.filter_map(|path| Some((path.clone(), source.text(path)?))).collect();
            config.sidebar_name = Some(sidebar);
            config.sidebars.sort_by_key(|(path, _)| (path.matches('/').count(), path.clone()));
        }
        if let Some(navbar) = name("loadNavbar", "_navbar.md").map(with_ending) {
            let path = config.path(&navbar);
            config.navbar = source.text(&path).unwrap_or_default();
            config.navbar_file = Some(path);
        } else if let Some((_, nav)) = html.split_once("<nav") {
            config.navbar = nav.split("</nav>").next().unwrap_or_default().to_owned();
        }
        config.cover = name("coverpage", "_coverpage.md")
            .map(with_ending)
            .map(|name| config.path(&name))
            .filter(|path| source.tree.find_any(path).is_some());
        config.aliases = aliases(&value);
        config.value = value;
        config
    }

    /// Title, description and icon.
    fn read_head(&mut self, html: &str) {
        let inside = |open: &str, close: &str| Some(html.split_once(open)?.1.split(close).next()?.trim().to_owned());
        self.title =
            inside("<title>", "</title>").map(|title| web::plain_label(&title)).filter(|title| !title.is_empty());
        for (at, _) in html.match_indices('<') {
            let Some((MarkupToken::Start(tag), _)) = read_html_token(html.slice(at..)) else { continue };
            let value = |name: &str| tag.attributes().find(|one| one.name == name).and_then(|one| one.value);
            if tag.name == "meta" && value("name") == Some("description") {
                self.description = value("content").map(str::to_owned).filter(|text| text != "Description");
            } else if tag.name == "link" && value("rel").is_some_and(|rel| rel.split(' ').any(|word| word == "icon")) {
                self.icon = value("href").map(str::to_owned);
            }
        }
    }

    /// The path of a file from the folder of the site.
    pub(super) fn inside<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.folder.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder)?.strip_prefix('/'),
        }
    }

    /// The path of a file of the site from the root of the source.
    pub(super) fn path(&self, inside: &str) -> String {
        if self.folder.is_empty() { inside.to_owned() } else { format!("{}/{inside}", self.folder) }
    }

    /// The file of the start page.
    pub(super) fn homepage(&self) -> &str {
        text_at(&self.value, &["homepage"]).filter(|name| !name.contains("://")).unwrap_or("README.md")
    }

    /// Whether a file is one of the frame, by its path from the root of the source and from the folder of the site.
    pub(super) fn is_part(&self, path: &str, inside: &str) -> bool {
        let is = |known: &Option<String>| known.as_deref() == Some(path);
        let is_sidebar = |name: &String| {
            inside.strip_suffix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        is(&self.cover) || is(&self.navbar_file) || self.sidebar_name.as_ref().is_some_and(is_sidebar)
    }

    /// The files of the frame.
    pub(super) fn parts(&self) -> impl Iterator<Item = &str> {
        let sidebars = self.sidebars.iter().map(|(path, _)| path);
        sidebars.chain(&self.cover).chain(&self.navbar_file).map(String::as_str)
    }

    /// The path of a picture in the source; addresses elsewhere stay.
    pub(super) fn picture(&self, path: &str, tree: &SourceTree) -> Option<String> {
        if path.contains("://") || path.starts_with("data:") {
            return Some(path.to_owned()).filter(|path| !path.starts_with("data:"));
        }
        let path = tree::join_document_path(&self.folder, path.trim_start_matches('/'))?;
        tree.find(&path).map(|_| format!("/{path}"))
    }
}

/// `alias: { '/changes': '/parts/changes.md' }`; those whose addresses are patterns are for parts of the frame.
fn aliases(value: &Value) -> Vec<(String, String)> {
    let all = json_at_path(value, &["alias"]).as_object().into_iter().flatten();
    let own = all.filter_map(|(route, file)| {
        let file = file.as_str().filter(|file| !file.contains("://") && !file.contains('$'))?;
        let is_plain = route.chars().all(|c| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.'))
            && !route.contains("..")
            && !route.ends_with('/');
        let route = route.trim_matches('/').trim_end_matches(".md");
        (is_plain && !route.is_empty()).then(|| (route.to_owned(), file.trim_start_matches('/').to_owned()))
    });
    own.collect()
}

/// The texts of the scripts of `index.html` that hold the options: those in it, and those that it loads from beside it.
fn scripts(html: &str, source: &ToolInput<'_>) -> String {
    let scripts = html.split("<script").skip(1).filter_map(|rest| {
        let (tag, inside) = rest.split_once('>')?;
        let inside = inside.split_once("</script>").map_or(inside, |(script, _)| script);
        let Some(file) = find_attribute(tag, "src").filter(|file| !file.contains("//")) else {
            return Some(inside.to_owned());
        };
        let path = tree::join_document_path(source.folder(), file.trim_start_matches('/').split('?').next()?)?;
        source.text(&path).filter(|text| text.len() <= MAX_SCRIPT_BYTES)
    });
    scripts.filter(|script| script.contains("$docsify")).collect::<Vec<_>>().join("\n;\n")
}

/// The options: the scripts of `index.html` are run with a window that has nothing.
fn options(html: &str, source: &ToolInput<'_>, problems: &mut LoadProblems) -> Value {
    const START: &str = "const window = {}; const document = {}; const location = {}; const navigator = {};\n";
    let Some(evaluate) = source.evaluate else { return Value::Null };
    // the tool was named, and there is no page that loads it
    if html.is_empty() {
        return frame();
    }
    let text = scripts(html, source);
    if text.is_empty() {
        return Value::Null;
    }
    let text = format!("{START}{text}\nexport default window.$docsify;\n");
    let path = "docsify-options.js";
    let read = |asked: &str| (asked == path).then(|| text.clone());
    let script = ConfigScript { path, read: &read, list: &|_| None };
    evaluate.evaluate(&script).unwrap_or_else(|why| {
        let message = format!("the options in `{}` cannot be evaluated: {why}", source.config);
        let hint = "write `window.$docsify` as plain values";
        problems.found.push(Diagnostic::new("config-script", message).at(source.config, 0, 0).hint(hint));
        frame()
    })
}

/// Options of which nothing is known: all parts of the frame that have a file.
fn frame() -> Value {
    serde_json::json!({ "loadSidebar": true, "loadNavbar": true, "coverpage": true })
}
