//! Hugo: `hugo.toml` (or `config.toml`, as YAML and JSON too) above `content`.

use super::{Tool, View};

/// Hugo.
#[derive(Debug)]
pub(super) struct Hugo;

/// Where projects lie in a repository.
const FOLDERS: [&str; 5] = ["", "site/", "docs/", "website/", "exampleSite/"];
const ENDINGS: [&str; 4] = [".toml", ".yaml", ".yml", ".json"];

impl Tool for Hugo {
    fn name(&self) -> &'static str {
        "hugo"
    }

    fn title(&self) -> &'static str {
        "Hugo"
    }

    fn detect(&self, folder: &View<'_>) -> Option<String> {
        let in_parts = ["", "site/", "docs/", "website/", "exampleSite/"].map(|at| format!("{at}config/_default/"));
        let in_parts: Vec<&str> = in_parts.iter().map(String::as_str).collect();
        let has_content = |path: &String| folder.has_folder(&format!("{}content", in_front(path)));
        folder
            .first_of(&FOLDERS, "hugo", &ENDINGS)
            .or_else(|| folder.first_of(&in_parts, "hugo", &ENDINGS))
            .or_else(|| folder.first_of(&FOLDERS, "config", &ENDINGS).filter(has_content))
            .or_else(|| folder.first_of(&in_parts, "config", &ENDINGS).filter(has_content))
    }

    fn stands_for(&self, _project: &View<'_>, config: &str, folder: &str) -> bool {
        folder == format!("{}content", in_front(&config.to_owned()))
    }
}

/// The folder of a project, with its slash.
fn in_front(config: &String) -> &str {
    let folder = config.rsplit_once('/').map_or("", |(folder, _)| folder);
    let folder = folder.strip_suffix("config/_default").unwrap_or(folder);
    &config[..folder.len() + usize::from(!folder.is_empty() && !folder.ends_with('/'))]
}
