//! The shortcodes of Hugo and its documentation themes: Docsy, Book, Hextra, Relearn, Geekdoc and their relatives.

use base::{FileId, Place};

use super::output::dedented;
use super::pages::Kinds;
use super::shortcode::ShortcodeCall;
use super::text::component_of;
use super::write::HugoWriter;
use super::{
    data,
    remarshal::{self, parse_remarshal_data, remarshal_json},
};

/// Boxes whose kind is their name.
const BOXES: [&str; 12] =
    ["note", "tip", "warning", "caution", "info", "important", "danger", "error", "success", "hint", "notice", "alert"];
/// What shows a picture or a film.
const PICTURES: [&str; 7] = ["figure", "img", "image", "imgproc", "picture", "youtube", "vimeo"];
/// What only says how its inside looks.
const WRAPPERS: [&str; 26] = [
    "steps",
    "step",
    "center",
    "lead",
    "columns",
    "column",
    "col",
    "row",
    "grid",
    "div",
    "span",
    "section",
    "block",
    "blocks/cover",
    "blocks/lead",
    "blocks/section",
    "blocks/link-down",
    "cover",
    "tabset",
    "include-wrapper",
    "markdown",
    "md",
    "content",
    "wrapper",
    "text",
    "chapter",
];

impl HugoWriter<'_> {
    /// Writes a shortcode.
    #[allow(clippy::too_many_lines, reason = "a table: one arm for each shortcode")]
    pub(super) fn call(&mut self, call: &ShortcodeCall<'_>) {
        let name = call.name.to_lowercase();
        let place = self.place_at(call.at);
        match name.as_str() {
            "ref" | "relref" => {
                let target = call.value("path", 0).map(|path| self.target(path)).unwrap_or_default();
                self.words(&target, place);
            }
            "param" | "_param" | "siteparam" => {
                let value = call.value("name", 0).and_then(|name| self.parameter(name)).unwrap_or_default();
                self.words(&value, place);
            }
            "alert" | "callout" | "admonition" | "notice" | "hint" | "pageinfo" => self.callout(&name, call),
            name if BOXES.contains(&name) && call.inside.is_some() => self.callout(name, call),
            "tabs" | "tabpane" | "tabs-pane" => self.tabs(call),
            "tab" => self.around("Tabs", &[], call),
            "details" | "expand" | "collapse" | "accordion" | "accordion-item" | "accordionitem" | "toggle"
            | "spoiler" => {
                let title = call.any(&["summary", "title", "name", "header"]).or_else(|| call.positional(0));
                let title = title.unwrap_or("Details").to_owned();
                self.around("Accordion", &[("title", &title)], call);
            }
            "highlight" => {
                let (info, text) = (self.highlight_info(call), self.code_inside(call));
                self.code(&info, &text, place);
            }
            "code-toggle" => self.code_toggle(call),
            "mermaid" => {
                let text = self.code_inside(call);
                self.code("mermaid", &text, place);
            }
            "math" | "katex" | "latex" if call.inside.is_some() => {
                let text = format!("$${}$$", call.text.trim().trim_matches('$'));
                self.words(&text, place);
            }
            "figure" | "img" | "image" | "imgproc" | "picture" => self.figure(call),
            "readfile" | "include" | "include-code" | "readfilerel" => {
                // a project's own may look in other places
                if self.included(call).is_some() || !self.by_template(call) {
                    self.include(call);
                }
            }
            "conditional-text" => {
                let is_listed = |names: &str| {
                    let condition = self.parameter("buildcondition").unwrap_or_default();
                    names.split([',', ' ']).any(|name| !condition.is_empty() && name.trim() == condition)
                };
                let is_in = call.any(&["include-if"]).is_none_or(is_listed);
                if is_in && !call.any(&["exclude-if"]).is_some_and(is_listed) {
                    self.spaced_inside(call);
                }
            }
            // a block of code with its language
            "text" if call.inside.is_some() && call.positional(0).is_some() => {
                let lang = call.positional(0).unwrap_or_default().to_owned();
                let text = self.code_inside(call);
                self.code(&lang, &dedented(&text), place);
            }
            "glossary_tooltip" => self.tooltip(call),
            "comment" | "todo" | "_comment" => {}
            "new-in" | "deprecated-in" => {
                let version = call.positional(0).unwrap_or_default().trim_start_matches('v').to_owned();
                let what = if name == "new-in" { "New in" } else { "Deprecated in" };
                let text = format!("**{what} v{version}**");
                self.words(&text, place);
                self.spaced_inside(call);
            }
            "cards" | "cardpane" | "card-grid" => self.around("CardGroup", &[], call),
            "card" | "feature" | "feature-card" | "blocks/feature" | "hextra/feature-card" | "link-card" => {
                self.card(call)
            }
            "filetree/container" | "filetree" => self.around("Tree", &[], call),
            "filetree/folder" => {
                let name = call.value("name", 0).unwrap_or_default().to_owned();
                self.around("Tree.Folder", &[("name", &name)], call);
            }
            "filetree/file" => {
                let name = call.value("name", 0).unwrap_or_default().to_owned();
                self.around("Tree.File", &[("name", &name)], call);
            }
            _ if self.by_template(call) => {}
            "button" | "btn" | "link" | "hextra/hero-button" => self.button(call),
            "children" | "section" | "children-cards" if call.inside.is_none() => self.children(call),
            "list-pages-in-section" | "render-list-of-pages-in-section" | "render-table-of-pages-in-section"
                if self.listed(call) => {}
            "glossary_definition" if self.definition(call) => {}
            "boilerplate" | "common" | "partial" if self.included(call).is_some() => self.include(call),
            "code_sample" | "codenew" | "code" if call.named("file").is_some() => self.example(call),
            "heading" => {
                let key = format!("{}_heading", call.positional(0).unwrap_or_default());
                let words = data::word(&self.settings.words, &key).unwrap_or_default().to_owned();
                self.words(&words, place);
            }
            "kbd" => {
                let keys = call.value("name", 0).map_or(call.text, |keys| keys).trim().to_owned();
                self.words(&format!("<kbd>{keys}</kbd>"), place);
            }
            "badge" | "label" => {
                let named = ["title", "content", "text", "value"].iter().filter_map(|name| call.named(name));
                let mut words: Vec<&str> = named.collect();
                words.extend(call.positional(0).filter(|_| words.is_empty()));
                let space = if words.is_empty() || call.text.is_empty() { "" } else { " " };
                self.words(&format!("{}{space}", words.join(" ")), place);
                self.inside_of(call);
            }
            "icon" | "fa" | "fontawesome" | "br" | "toc" | "toc-tree" | "clear" | "qr" => self.inside_of(call),
            "youtube" | "vimeo" | "gist" | "x" | "tweet" | "instagram" | "youtubelite" | "iframe" | "swaggerui"
            | "swagger" | "openapi" | "redoc" | "pdf" => self.elsewhere(&name, call),
            "term" | "abbr" if call.inside.is_none() => {
                let words = call.value("name", 0).unwrap_or_default().to_owned();
                self.words(&words, place);
            }
            "email" => {
                let words = match (call.named("user"), call.named("domain")) {
                    (Some(user), Some(domain)) => format!("{user}@{domain}"),
                    _ => call.positional(0).unwrap_or_default().to_owned(),
                };
                self.words(&words, place);
            }
            "attachments" | "resources" => self.beside(call),
            name if WRAPPERS.contains(&name) || name.starts_with("hextra/") => {
                let title = call.any(&["title"]).map(str::to_owned);
                if let Some(title) = title.filter(|_| name.starts_with("blocks/")) {
                    self.words(&format!("\n\n## {title}\n\n"), place);
                }
                self.spaced_inside(call);
            }
            _ => {
                let (name, what) =
                    (call.name.to_owned(), if call.inside.is_some() { "its inside is kept" } else { "it is left out" });
                let message = format!("the shortcode `{name}` is not known here; {what}");
                self.tell("shortcode-unknown", &name, message, "write what it shows on the page", call.at);
                self.words_of(call);
                self.spaced_inside(call);
            }
        }
    }

    /// The words among the arguments of a shortcode that is not known.
    fn words_of(&mut self, call: &ShortcodeCall<'_>) {
        const NAMES: [&str; 7] = ["title", "header", "heading", "subheader", "subtitle", "caption", "description"];
        let place = self.place_at(call.at);
        let words: Vec<&str> = NAMES.iter().filter_map(|name| call.named(name)).collect();
        if words.is_empty() {
            return;
        }
        let words = words.join(" – ").replace('\n', " ");
        let words = if call.text.contains('\n') {
            format!("\n\n**{}**\n\n", words.replace("**", ""))
        } else {
            format!("{words} ")
        };
        self.words(&words, place);
    }

    /// The files beside a page, as links.
    fn beside(&mut self, call: &ShortcodeCall<'_>) {
        const MAX_FILES: usize = 200;
        let place = self.place_at(call.at);
        let site = self.text.site;
        let own = site::tree::folder(site.tree.path(self.text.file));
        let start = if own.is_empty() { 0 } else { own.len() + 1 };
        let is_resource = |path: &&str| !path.contains('/') && !base::extension::is_markdown(path);
        let names = site.tree.below(own).take_while(|_| self.spend(1)).filter(|(_, file)| !file.ignored);
        let names = names.filter_map(|(_, file)| file.path.get(start..)).filter(is_resource).take(MAX_FILES);
        let mut lines: Vec<(String, Place)> =
            call.named("title").map(|title| (title.to_owned(), place)).into_iter().collect();
        lines.push((String::new(), place));
        lines.extend(names.map(|name| (format!("- [{}](<{name}>)", name.replace(['[', ']'], "")), place)));
        self.words("\n\n", place);
        self.push_lines(lines);
        self.words("\n\n", place);
    }

    /// Keeps an inside; one of several lines stands apart.
    fn spaced_inside(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        if !call.text.contains('\n') || self.is_inline() {
            return self.inside_of(call);
        }
        let mut inner = self.inner_lines(|it| it.inside_of(call));
        // what parts the columns of Book
        inner.iter_mut().filter(|(line, _)| line.trim() == "<--->").for_each(|(line, _)| line.clear());
        self.words("\n", place);
        self.push_lines(inner);
        self.words("\n\n", place);
    }

    fn callout(&mut self, name: &str, call: &ShortcodeCall<'_>) {
        let kind = call.any(&["type", "color", "context", "style", "level"]);
        let first = call.positional(0).filter(|_| !matches!(name, "pageinfo"));
        let kind = match name {
            "alert" | "callout" | "admonition" | "notice" | "hint" | "pageinfo" => kind.or(first).unwrap_or("info"),
            name => name,
        };
        let (component, own) = component_of(kind);
        let title = call.any(&["title", "header"]).or_else(|| call.positional(1)).unwrap_or(own).to_owned();
        if call.inside.is_some() {
            return self.around(component, &[("title", &title)], call);
        }
        let text = call.any(&["text", "content"]).or(first).unwrap_or_default().to_owned();
        let place = self.place_at(call.at);
        self.component(component, &[("title", &title)], vec![(text, place)], place);
    }

    /// Tabs: what stands inside are the tabs.
    fn tabs(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let names: Vec<String> = call
            .named("items")
            .map(|items| items.split(',').map(|item| item.trim().to_owned()).collect())
            .unwrap_or_else(|| {
                let unnamed = call.arguments.iter().filter(|(name, _)| name.is_empty());
                unnamed.map(|(_, value)| value.clone()).collect()
            });
        let pane_lang = call.any(&["lang"]).map(str::to_owned);
        let lang_is_title = call.named("langEqualsHeader").is_some_and(|value| value != "false");
        let pane_is_text = call.named("text").map(|text| text != "false");
        let mut inner = Vec::new();
        for (number, tab) in call.calls().enumerate() {
            let title =
                tab.any(&["header", "name", "title", "tabName"]).or_else(|| tab.positional(0)).map(str::to_owned);
            let title = title
                .or_else(|| names.get(number).cloned())
                .or_else(|| self.attribute_of_template(tab, "title"))
                .or_else(|| tab.named("lang").map(str::to_owned))
                .unwrap_or_else(|| format!("{}", number + 1));
            let is_text = tab.named("text").map(|text| text != "false").or(pane_is_text);
            let lang = tab.any(&["lang", "codelang"]).map(str::to_owned).or_else(|| pane_lang.clone());
            let lang = lang.or_else(|| lang_is_title.then(|| title.to_lowercase()));
            // Docsy's tabs hold code unless they say otherwise
            let is_pane = call.name.eq_ignore_ascii_case("tabpane");
            // words and files that shortcodes put into code are code; what has an inside of its own is more
            let is_more = |call: &ShortcodeCall<'_>| {
                call.inside.is_some() || PICTURES.iter().any(|name| call.name.eq_ignore_ascii_case(name))
            };
            let has_more = tab.is_markdown || tab.text.contains("```") || tab.calls().any(is_more);
            let is_code = is_pane && is_text != Some(true) && !has_more;
            let at = self.place_at(tab.at);
            let lines = self.inner_lines(|it| {
                let body = it.inner_lines(|it| match is_code {
                    true => {
                        // one that is only a label has none
                        let text = it.code_inside(tab);
                        if !text.trim().is_empty() {
                            it.code(lang.as_deref().unwrap_or_default(), &text, at);
                        }
                    }
                    false => it.tab_inside(tab),
                });
                it.component("Tab", &[("title", &title)], body, at);
            });
            inner.extend(lines);
            inner.push((String::new(), at));
        }
        self.component("Tabs", &[], inner, place);
    }

    /// What a tab holds: its inside, or the file that it names.
    fn tab_inside(&mut self, tab: &ShortcodeCall<'_>) {
        match tab.named("include").and_then(|path| self.find_file(path)).filter(|_| tab.pieces().is_empty()) {
            Some(file) => self.file(file),
            None => self.inside_of(tab),
        }
    }

    /// A file of the examples, as code.
    fn example(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let path = call.named("file").unwrap_or_default().to_owned();
        let file = self.find_file(&format!("examples/{path}")).or_else(|| self.find_file(&path));
        let Some(text) = file.and_then(|file| self.text.site.tree.text(file)) else {
            let message = format!("`{path}` is not a file of the documentation; its content is left out");
            let hint = "correct the path, or write the text on the page";
            return self.tell("include-unread", &path, message, hint, call.at);
        };
        let own = path.rsplit('.').next().unwrap_or_default();
        let lang = call.any(&["language", "lang"]).unwrap_or(own).to_owned();
        self.code(&format!("{lang} title=\"{}\"", path.replace('"', "'")), text.trim_end(), place);
    }

    /// The pages of the section whose page this is.
    fn children(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let lines = self.list_of_section(call.named("description").is_some_and(|value| value != "false"), place);
        self.words("\n", place);
        self.push_lines(lines);
        self.words("\n\n", place);
    }

    /// The lines of a section that has no page of its own.
    pub(super) fn section(mut self) -> Vec<(String, Place)> {
        let place = self.place_at(0);
        let lines = self.list_of_section(true, place);
        self.push_lines(lines);
        self.finish()
    }

    fn list_of_section(&self, has_words: bool, place: Place) -> Vec<(String, Place)> {
        let site = self.text.site;
        let Some(section) = self.text.slug.strip_suffix("index").filter(|_| self.spend(site.pages.len() / 8)) else {
            return Vec::new();
        };
        let below = |slug: &str| {
            let rest = slug.strip_prefix(section)?;
            let name = rest.strip_suffix("/index").unwrap_or(rest);
            (!name.is_empty() && name != "index" && !name.contains('/')).then_some(())
        };
        let mut found: Vec<(f64, &str, &str, String)> = Vec::new();
        for page in site.pages.iter().filter(|page| page.file.is_some() && !page.hidden) {
            if below(&page.slug).is_none() {
                continue;
            }
            let weight = page.meta.position;
            let words = page.meta.description.as_ref().map(|words| words.source().trim().to_owned());
            found.push((weight.unwrap_or(f64::INFINITY), page.shown_title(), &page.slug, words.unwrap_or_default()));
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(b.1)));
        let mut lines = vec![(String::new(), place)];
        for (_, title, slug, words) in found {
            let title = title.replace(['[', ']'], "");
            lines.push((format!("- [{title}](/{})", slug.strip_suffix("index").unwrap_or(slug)), place));
            if has_words && !words.is_empty() {
                lines.extend([(String::new(), place), (format!("  {}", words.replace('\n', " ")), place)]);
            }
        }
        lines.push((String::new(), place));
        lines
    }

    /// The pages of a section with what they are about, as Hugo's own documentation lists them.
    fn listed(&mut self, call: &ShortcodeCall<'_>) -> bool {
        let place = self.place_at(call.at);
        let Some(section) = call.named("path").and_then(|path| self.find_content(path)) else { return false };
        let names = call.named("filter").and_then(|name| self.settings.data.get("page_filters")?.get(name));
        let names: Option<Vec<&str>> =
            names.and_then(|names| names.as_array()).map(|all| all.iter().filter_map(|one| one.as_str()).collect());
        let is_excluding = call.named("filterType").is_some_and(|kind| kind == "exclude");
        let prefix = call.named("titlePrefix").unwrap_or_default();
        let mut lines = Vec::new();
        for page in self.pages_below(section, Kinds::All) {
            let field = |name: &str| self.page_field(page, name, &[]).map(|value| value.text()).unwrap_or_default();
            let path = field("Path");
            let is_named = names.as_ref().is_none_or(|names| names.contains(&path.as_str()) != is_excluding);
            if is_named {
                lines.push((String::new(), place));
                lines.push((format!("[{prefix}{}](<{}>)", field("LinkTitle"), field("RelPermalink")), place));
                lines.push((format!(": {}", field("Description").replace('\n', " ")), place));
            }
        }
        self.words("\n\n", place);
        self.push_lines(lines);
        self.words("\n\n", place);
        true
    }

    /// A configuration in its three forms, or as it is written where it cannot be read.
    fn code_toggle(&mut self, call: &ShortcodeCall<'_>) {
        let text = call.text.trim();
        let place = self.place_at(call.at);
        let at = |path: &str| path.split('.').try_fold(self.settings.data.get("docs")?, |value, key| value.get(key));
        let keys = call.named("config").map(|path| format!("config.{path}"));
        let data = match keys.as_deref().or_else(|| call.named("datakey")) {
            Some(path) => at(path).and_then(|value| remarshal::of_json(value, 0)),
            None => parse_remarshal_data(text),
        };
        let skips = call.named("skipheader").is_some_and(|value| value == "true");
        let data = match (data, call.named("config").filter(|_| !skips)) {
            (Some(data), Some(path)) => Some(
                path.rsplit('.')
                    .fold(data, |inner, key| remarshal::RemarshalData::Map([(key.to_owned(), inner)].into())),
            ),
            (data, _) => data,
        };
        if let Some(data) = data {
            let own = call.named("file").or_else(|| call.named("config").map(|_| "hugo"));
            let file = own.or_else(|| call.named("datakey")).unwrap_or_default().to_owned();
            let is_front = call.named("fm").is_some_and(|value| value == "true");
            return self.three_forms(&data, &file, is_front, place);
        }
        let lang = match text {
            _ if text.starts_with("+++") || text.lines().any(|line| line.contains(" = ")) => "toml",
            _ if text.starts_with('{') => "json",
            _ => "yaml",
        };
        let file = call.any(&["file"]).map(|file| format!(" title=\"{file}.{lang}\"")).unwrap_or_default();
        self.code(&format!("{lang}{file}"), text, place);
    }

    fn three_forms(&mut self, data: &remarshal::RemarshalData, file: &str, is_front: bool, place: Place) {
        let inner = self.inner_lines(|it| {
            for (lang, marks, text) in [
                ("yaml", "---", remarshal::yaml(data)),
                ("toml", "+++", remarshal::toml(data)),
                ("json", "", remarshal_json(data)),
            ] {
                let title = match file {
                    "" => lang.to_owned(),
                    file if is_front => format!("{file} ({lang})"),
                    file => format!("{file}.{lang}"),
                };
                let text = match is_front && !marks.is_empty() {
                    true => format!("{marks}\n{text}{marks}"),
                    false => text,
                };
                it.code(&format!("{lang} title=\"{}\"", title.replace('"', "'")), &text, place);
                it.words("\n", place);
            }
        });
        self.component("CodeGroup", &[], inner, place);
    }

    fn figure(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let source = call.any(&["src", "link"]).filter(|_| call.named("src").is_some()).or_else(|| call.positional(0));
        let Some(source) = source.map(str::to_owned) else {
            return self.spaced_inside(call);
        };
        let source = self.picture(&source);
        let caption = call.any(&["caption"]).map(str::to_owned).unwrap_or_default();
        let title = call.any(&["title"]).map(str::to_owned).unwrap_or_default();
        let alt = call
            .any(&["alt"])
            .map(str::to_owned)
            .unwrap_or_else(|| if caption.is_empty() { title.clone() } else { caption.clone() });
        let alt = alt.replace(['[', ']', '\n'], " ");
        let mut size = String::new();
        for name in ["width", "height"] {
            let value = call.named(name).map(|value| value.trim_end_matches("px")).unwrap_or_default();
            if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
                size.push_str(&format!(" {name}=\"{value}\""));
            }
        }
        let picture = if size.is_empty() {
            format!("![{alt}](<{source}>)")
        } else {
            format!("<img src=\"{}\" alt=\"{}\"{size}>", source.replace('"', "%22"), alt.replace('"', "&quot;"))
        };
        let link = call.named("link").filter(|_| call.named("src").is_some()).map(str::to_owned);
        let picture = link.map_or(picture.clone(), |link| format!("[{picture}](<{link}>)"));
        let mut inner = self.inner_lines(|it| it.inside_of(call));
        let words: Vec<String> = [title, caption].into_iter().filter(|words| !words.is_empty()).collect();
        if words.is_empty() && inner.is_empty() {
            return self.words(&picture, place);
        }
        let caption = words.join(" ");
        let mut lines = vec![(picture, place)];
        if !inner.is_empty() {
            lines.push((String::new(), place));
            lines.append(&mut inner);
        }
        self.component("Frame", &[("caption", &caption)], lines, place);
    }

    /// The address of a picture: a file of the page's folder or of `assets` has a pattern for a name in places.
    fn picture(&self, source: &str) -> String {
        if source.contains("://") || source.starts_with(['/', '.']) {
            return source.to_owned();
        }
        let site = self.text.site;
        let folder = site::tree::folder(site.tree.path(self.text.file));
        let pattern = source.trim_matches('*');
        let beside = site.tree.below(folder).map(|(_, file)| file).take_while(|_| self.spend(1));
        let mut beside = beside.filter(|file| site::tree::folder(&file.path) == folder);
        let mut own = || beside.find(|file| file.path.rsplit('/').next().is_some_and(|name| name.contains(pattern)));
        if site.tree.find(&format!("{folder}/{source}")).is_some() {
            return source.to_owned();
        }
        own().and_then(|file| file.path.rsplit('/').next()).map_or_else(|| source.to_owned(), str::to_owned)
    }

    /// The file that a shortcode includes: where it says, or in the folders that projects have for such files.
    fn included(&self, call: &ShortcodeCall<'_>) -> Option<FileId> {
        const FOLDERS: [&str; 4] = ["/includes/", "/_includes/", "/boilerplates/", "/_common/"];
        let path = call.any(&["file", "path", "src", "page"]).or_else(|| call.positional(0))?;
        let name = path.trim_start_matches('/');
        self.find_file(path).or_else(|| FOLDERS.iter().find_map(|folder| self.find_content(&format!("{folder}{name}"))))
    }

    fn include(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let Some(path) = call.any(&["file", "path", "src", "page"]).or_else(|| call.positional(0)).map(str::to_owned)
        else {
            return self.spaced_inside(call);
        };
        let Some(file) = self.included(call).filter(|_| !self.is_deep()) else {
            let message = format!("`{path}` is not a file of the documentation; its content is left out");
            return self.tell(
                "include-unread",
                &path,
                message,
                "correct the path, or write the text on the page",
                call.at,
            );
        };
        let is_code = call.named("code").is_some_and(|code| code == "true") || call.name == "include-code";
        if is_code {
            let text = self.text.site.tree.text(file).unwrap_or_default();
            let lang = call.any(&["lang", "language"]).unwrap_or_default().to_owned();
            return self.code(&lang, &text, place);
        }
        self.file(file);
    }

    fn card(&mut self, call: &ShortcodeCall<'_>) {
        let title = call.any(&["header", "title"]).map(|title| title.replace("**", "")).unwrap_or_default();
        let link = call.any(&["link", "href", "url"]).map(str::to_owned).unwrap_or_default();
        let subtitle = call.any(&["subtitle", "description"]).map(str::to_owned);
        let footer = call.any(&["footer"]).map(str::to_owned);
        let place = self.place_at(call.at);
        let is_code = call.named("code").is_some_and(|code| code == "true");
        let lang = call.any(&["lang"]).unwrap_or_default().to_owned();
        let mut inner = self.inner_lines(|it| match is_code {
            true => {
                let text = it.code_inside(call);
                it.code(&lang, &text, place);
            }
            false => it.inside_of(call),
        });
        let apart = |words: String| [(String::new(), place), (words, place)];
        // Docsy's have a header and a title
        if let Some(second) = call.named("header").and_then(|_| call.named("title")) {
            inner.splice(..0, [(format!("**{}**", second.replace("**", "")), place), (String::new(), place)]);
        }
        if let Some(subtitle) = subtitle {
            inner.splice(..0, [(subtitle, place), (String::new(), place)]);
        }
        inner.extend(footer.into_iter().flat_map(apart));
        self.component("Card", &[("title", &title), ("href", &link)], inner, place);
    }

    fn button(&mut self, call: &ShortcodeCall<'_>) {
        let place = self.place_at(call.at);
        let to_page = call.any(&["relref", "ref"]).map(|path| self.target(path));
        let target = to_page
            .or_else(|| call.any(&["href", "link", "url", "to"]).or_else(|| call.positional(0)).map(str::to_owned));
        let label = call.any(&["text", "label", "title", "name"]).or_else(|| call.positional(1)).map(str::to_owned);
        let inner = self.inner_lines(|it| it.inside_of(call));
        let words: Vec<&str> = inner.iter().map(|(line, _)| line.trim()).filter(|line| !line.is_empty()).collect();
        let label = if words.is_empty() { label.unwrap_or_default() } else { words.join(" ") };
        match target {
            Some(target) if !label.is_empty() => self.words(&format!("[{label}](<{target}>)"), place),
            Some(target) => self.words(&format!("[{target}](<{target}>)"), place),
            None => self.words(&label, place),
        }
    }

    /// What another server shows is a link.
    fn elsewhere(&mut self, name: &str, call: &ShortcodeCall<'_>) {
        let id = call.any(&["id", "src", "url"]).or_else(|| call.positional(0)).unwrap_or_default().to_owned();
        let place: Place = self.place_at(call.at);
        let address = match name {
            "youtube" | "youtubelite" => format!("https://www.youtube.com/watch?v={id}"),
            "vimeo" => format!("https://vimeo.com/{id}"),
            "gist" => format!("https://gist.github.com/{id}/{}", call.positional(1).unwrap_or_default()),
            "x" | "tweet" => {
                let user = call.named("user").unwrap_or("i").to_owned();
                format!("https://x.com/{user}/status/{id}")
            }
            "instagram" => format!("https://www.instagram.com/p/{id}/"),
            _ => id,
        };
        let address = address.trim_end_matches('/').to_owned();
        let title = call.any(&["title"]).map_or_else(|| address.clone(), str::to_owned);
        if !address.is_empty() {
            self.words(&format!("[{title}](<{address}>)"), place);
        }
    }
}
