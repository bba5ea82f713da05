//! Zensical, which reads the pages of MkDocs: its configuration is `zensical.toml` (or YAML), whose settings stand below
//! `[project]`, and what that does not say is as in Material.

use site::yaml::{Yaml, YamlMembers};

/// Names of configurations.
pub(super) const CONFIGS: [&str; 3] = ["zensical.toml", "zensical.yml", "zensical.yaml"];
/// Deepest configuration.
const MAX_CONFIG_DEPTH: usize = 24;
/// Families of extensions whose members are tables of their own.
const FAMILIES: [&str; 3] = ["pymdownx", "zensical", "markdown"];
/// The extensions of a project that names none.
const EXTENSIONS: [&str; 21] = [
    "abbr",
    "admonition",
    "attr_list",
    "def_list",
    "footnotes",
    "md_in_html",
    "toc",
    "pymdownx.arithmatex",
    "pymdownx.betterem",
    "pymdownx.caret",
    "pymdownx.details",
    "pymdownx.emoji",
    "pymdownx.highlight",
    "pymdownx.inlinehilite",
    "pymdownx.keys",
    "pymdownx.magiclink",
    "pymdownx.mark",
    "pymdownx.smartsymbols",
    "pymdownx.superfences",
    "pymdownx.tasklist",
    "pymdownx.tilde",
];

/// Whether a path is that of such a configuration.
pub(super) fn is_config(path: &str) -> bool {
    CONFIGS.contains(&path.rsplit('/').next().unwrap_or(path))
}

/// Reads TOML as keys and values, with the line and message of what could not be read.
pub(super) fn parse_zensical_toml(text: &str) -> (YamlMembers, Vec<(u32, String)>) {
    let table = match text.parse::<toml::Table>() {
        Ok(table) => table,
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start).min(text.len());
            let line = text.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count();
            return (YamlMembers::new(), vec![(u32::try_from(line + 1).unwrap_or(1), error.message().to_owned())]);
        }
    };
    let project = table.get("project").and_then(toml::Value::as_table).unwrap_or(&table);
    let Yaml::Map(mut members) = yaml_of(&toml::Value::Table(project.clone()), 0) else { return Default::default() };
    if let Some((_, Yaml::Map(extensions))) = members.iter_mut().find(|(key, _)| key == "markdown_extensions") {
        *extensions = flattened(std::mem::take(extensions));
    }
    (members, Vec::new())
}

fn yaml_of(value: &toml::Value, depth: usize) -> Yaml {
    match value {
        _ if depth > MAX_CONFIG_DEPTH => Yaml::Null,
        toml::Value::String(text) => Yaml::Text(text.clone()),
        toml::Value::Array(all) => Yaml::List(all.iter().map(|one| yaml_of(one, depth + 1)).collect()),
        toml::Value::Table(all) => {
            Yaml::Map(all.iter().map(|(key, one)| (key.clone(), yaml_of(one, depth + 1))).collect())
        }
        other => Yaml::Text(other.to_string()),
    }
}

/// `[markdown_extensions.pymdownx.keys]` is the extension `pymdownx.keys`.
fn flattened(extensions: YamlMembers) -> YamlMembers {
    let mut out = YamlMembers::new();
    for (name, value) in extensions {
        match value {
            Yaml::Map(members) if FAMILIES.contains(&name.as_str()) => {
                out.extend(members.into_iter().map(|(member, value)| (format!("{name}.{member}"), value)));
            }
            value => out.push((name, value)),
        }
    }
    out
}

/// Enters what a configuration does not say.
pub(super) fn complete(members: &mut YamlMembers) {
    if !members.iter().any(|(key, _)| key == "markdown_extensions") {
        let tabbed = [("alternate_style", "true"), ("combine_header_slug", "true")];
        let tabbed = tabbed.map(|(key, value)| (key.to_owned(), Yaml::Text(value.to_owned())));
        let mut all: YamlMembers = EXTENSIONS.iter().map(|name| ((*name).to_owned(), Yaml::Null)).collect();
        all.push(("pymdownx.tabbed".to_owned(), Yaml::Map(tabbed.into())));
        members.push(("markdown_extensions".to_owned(), Yaml::Map(all)));
    }
    let name = ("name".to_owned(), Yaml::Text("material".to_owned()));
    match members.iter_mut().find(|(key, _)| key == "theme") {
        Some((_, Yaml::Map(theme))) if !theme.iter().any(|(key, _)| key == "name") => theme.push(name),
        Some(_) => {}
        None => members.push(("theme".to_owned(), Yaml::Map(vec![name]))),
    }
}

#[cfg(test)]
mod tests {
    use super::super::config::{yaml_at_path, yaml_text};
    use super::*;

    #[test]
    fn settings_stand_below_project() {
        let (mut members, mistakes) = parse_zensical_toml(
            "[project]\nsite_name = \"S\"\nnav = [{\"Home\" = \"index.md\"}, {\"G\" = [\"a.md\"]}]\n\
             [project.theme]\nfeatures = [\"navigation.tabs\"]\n\
             [project.markdown_extensions.pymdownx.tabbed]\nalternate_style = true\n\
             [project.markdown_extensions.toc]\npermalink = true\n",
        );
        assert_eq!(mistakes, []);
        complete(&mut members);
        let all = Yaml::Map(members);
        assert_eq!(yaml_at_path(&all, &["site_name"]).and_then(yaml_text).as_deref(), Some("S"));
        assert_eq!(yaml_at_path(&all, &["theme", "name"]).and_then(yaml_text).as_deref(), Some("material"));
        let Some(Yaml::Map(extensions)) = yaml_at_path(&all, &["markdown_extensions"]) else { panic!() };
        let names: Vec<&str> = extensions.iter().map(|(name, _)| name.as_str()).collect();
        assert!(names.contains(&"pymdownx.tabbed") && names.contains(&"toc") && names.len() == 2, "{names:?}");
        assert!(matches!(yaml_at_path(&all, &["nav"]), Some(Yaml::List(nav)) if nav.len() == 2));
    }

    #[test]
    fn extensions_have_defaults() {
        let (mut members, _) = parse_zensical_toml("[project]\nsite_name = \"S\"\n");
        complete(&mut members);
        let all = Yaml::Map(members);
        assert!(yaml_at_path(&all, &["markdown_extensions", "pymdownx.keys"]).is_some());
        let (broken, mistakes) = parse_zensical_toml("[project]\nsite_name = \n");
        assert_eq!((broken.len(), mistakes.len(), mistakes[0].0), (0, 1, 2));
    }
}
