//! Jekyll, whose pages are Liquid templates, which are not read.

use load::tool::{FolderView, Tool};

/// Jekyll.
#[derive(Debug)]
pub(super) struct Jekyll;

/// Keys that its configurations have.
const KEYS: [&str; 9] =
    ["theme", "remote_theme", "plugins", "gems", "collections", "permalink", "kramdown", "markdown", "baseurl"];

impl Tool for Jekyll {
    fn name(&self) -> &'static str {
        "jekyll"
    }

    fn title(&self) -> &'static str {
        "Jekyll"
    }

    fn detect(&self, folder: &FolderView<'_>) -> Option<String> {
        let is_key = |line: &str| line.split_once(':').is_some_and(|(key, _)| KEYS.contains(&key));
        let is_beside = |config: &str| {
            let (beside, _) = config.rsplit_once('/').map_or(("", config), |(beside, name)| (beside, name));
            let path = |name: &str| if beside.is_empty() { name.to_owned() } else { format!("{beside}/{name}") };
            let gems = folder.text(&path("Gemfile")).unwrap_or_default();
            folder.has_folder(&path("_layouts")) || gems.contains("jekyll") || gems.contains("github-pages")
        };
        ["_config.yml", "_config.yaml", "docs/_config.yml", "site/_config.yml", "website/_config.yml"]
            .into_iter()
            .find(|path| folder.text(path).is_some_and(|text| text.lines().any(is_key) || is_beside(path)))
            .map(str::to_owned)
    }

    fn refusal(&self) -> Option<&'static str> {
        Some(
            "this is a Jekyll site, whose Liquid templates are not run; `--from plain` exports its Markdown files as they are",
        )
    }
}
