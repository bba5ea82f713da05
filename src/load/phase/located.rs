//! The tool of the source is known: what does its configuration say?

use crate::tool::{Located, Project, ToolInput};
use crate::{LoadError, LoadOptions};
use base::FileId;
use base::isolate::LEFT_OUT;
use site::config::Config;
use site::docs_json::{self, read_docs_json};
use site::json::Json;
use site::problems::LoadProblems;
use site::refs::{self, resolve_json_refs};
use site::tree::SourceTree;
use site::{ConfigKind, mint_json};

use super::configured::ConfiguredSource;
use super::settings::SourceSettings;

/// A source whose tool is known.
pub(crate) struct LocatedSource {
    pub(super) tree: SourceTree,
    pub(super) problems: LoadProblems,
    pub(super) tool: Located,
    pub(super) kind: ConfigKind,
    /// `docs.json` or `mint.json`.
    pub(super) config_file: Option<FileId>,
}

impl LocatedSource {
    /// Reads the configuration: that of another tool as its project, and the own format.
    pub(crate) fn configure(self, options: &LoadOptions<'_>) -> Result<ConfiguredSource, LoadError> {
        let Self { mut tree, mut problems, tool, kind, config_file } = self;
        let name = config_file.map_or_else(|| tool.config.clone(), |file| tree.path(file).to_owned());
        let is_plain = kind == ConfigKind::Plain;
        let project = is_plain.then(|| open_project(&tree, &tool, options, &mut problems)).flatten();
        if let Some(project) = &project {
            tree.show(&project.layout().shown);
        }
        let read_json = |file| problems.guarded(&name, LEFT_OUT, |found| config_json(file, kind, &tree, found));
        let json = config_file.and_then(read_json).transpose()?;
        let read_config = |json| problems.guarded(&name, "it sets nothing", |found| read_docs_json(json, found));
        let config = json.as_ref().and_then(read_config).unwrap_or_else(plain_config);
        let settings = SourceSettings { tool, project, kind, config_file, config_name: name, json, config };
        Ok(ConfiguredSource { tree, problems, settings })
    }
}

/// What another tool makes of its source.
fn open_project(
    tree: &SourceTree,
    tool: &Located,
    options: &LoadOptions<'_>,
    problems: &mut LoadProblems,
) -> Option<Box<dyn Project>> {
    let opening = ToolInput { tree, config: &tool.config, evaluate: options.evaluate };
    let open = |found: &mut LoadProblems| tool.tool.open(&opening, found);
    problems.guarded(&tool.config, "the folder is read as plain Markdown", open).flatten()
}

fn config_json(
    file: FileId,
    kind: ConfigKind,
    tree: &SourceTree,
    problems: &mut LoadProblems,
) -> Result<Json, LoadError> {
    let json = refs::read_json(file, tree, problems).map_err(LoadError::Config)?;
    let json = resolve_json_refs(json, tree.path(file), tree, problems);
    Ok(if kind == ConfigKind::Mint { mint_json::upgrade(&json) } else { json })
}

fn plain_config() -> Config {
    Config { name: "Documentation".to_owned(), colors: docs_json::default_colors(), ..Config::default() }
}
