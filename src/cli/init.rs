//! `offprint init`: a small site to begin with.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::schema::SchemaName;
use super::{Exit, harmless, tell, tell_error};

pub(super) const ABOUT: &str = "\
Write a small documentation site to begin with.

Writes docs.json, index.mdx and writing.mdx into a folder, which is created if it does not exist, and the schema of docs.json, \
by which editors complete and check it without a network. Nothing is overwritten: if the folder holds one of these files, or a \
mint.json, nothing is written.";

pub(super) const NOTES: &str = "\
Examples:
  offprint init       in this folder
  offprint init docs  in the folder docs
  offprint init docs && offprint dev docs --open

Exit codes:
  0    the site is written
  2    nothing was written: a file is there already, or the folder cannot be
       written";

/// The files: name and content. The configuration has a place for the name of the site.
const FILES: [(&str, &str); 3] = [
    ("docs.json", templates::text("init/docs.json")),
    ("index.mdx", templates::text("init/index.mdx")),
    ("writing.mdx", templates::text("init/writing.mdx")),
];
/// Where `$schema` of the configuration leads. Folders with a dot are no part of a site.
const SCHEMA_FILE: &str = ".offprint/docs.schema.json";
/// Files that show that the folder is a site already.
const OTHERS: [&str; 2] = ["mint.json", "index.md"];
const NAME: &str = "{{name}}";

/// `offprint init`.
#[derive(Debug, clap::Args)]
pub(super) struct InitArgs {
    /// The folder to write into; created if it does not exist
    #[arg(default_value = ".", value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the site and says what to do next.
pub(super) fn run_init(arguments: &InitArgs) -> Exit {
    let folder = arguments.folder.as_path();
    match write_starter(folder) {
        Ok(()) => {
            let shown = harmless(&folder.display().to_string());
            let source = if shown == "." { String::new() } else { format!(" {shown}") };
            let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
            tell(format_args!(
                "Wrote {} to {shown}\n\nNext:\n  offprint dev{source} --open      shows the site while you write\n  offprint export{source}          writes it as one archive",
                names.join(", ")
            ));
            Exit::Done
        }
        Err(message) => {
            tell_error(harmless(&message));
            Exit::Unusable
        }
    }
}

/// Writes all files, or none.
fn write_starter(folder: &Path) -> Result<(), String> {
    let shown = folder.display();
    fs::create_dir_all(folder).map_err(|error| format!("cannot create the folder `{shown}`: {error}"))?;
    let names = FILES.iter().map(|(name, _)| *name).chain(OTHERS).chain([SCHEMA_FILE]);
    let present: Vec<String> =
        names.filter(|name| fs::symlink_metadata(folder.join(name)).is_ok()).map(|name| format!("`{name}`")).collect();
    if !present.is_empty() {
        return Err(format!(
            "`{shown}` has {} already; nothing was written. Name another folder: `offprint init DIR`",
            present.join(", ")
        ));
    }
    let name = site_name(folder);
    let mut written = Vec::new();
    let files = FILES.map(|(file, text)| (file, text.replace(NAME, &name)));
    for (file, text) in files.into_iter().chain([(SCHEMA_FILE, format!("{:#}\n", SchemaName::DocsJson.schema()))]) {
        let path = folder.join(file);
        if let Err(error) = create_file(&path, &text, &mut written) {
            // what this run created is removed, so that it can be repeated
            written.iter().for_each(|path| drop(fs::remove_file(path)));
            return Err(format!("cannot write `{}`: {error}", path.display()));
        }
    }
    Ok(())
}

fn create_file(path: &Path, text: &str, written: &mut Vec<PathBuf>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create_new(path)?;
    written.push(path.to_owned());
    file.write_all(text.as_bytes())
}

/// The name of a site after its folder, as it stands inside a JSON string: `my-product` is "My product", and folders
/// that say only that they hold documentation give none.
fn site_name(folder: &Path) -> String {
    let folder = fs::canonicalize(folder).unwrap_or_default();
    let of = |path: &Path| {
        path.file_name().and_then(|name| name.to_str()).unwrap_or_default().replace(['-', '_'], " ").trim().to_owned()
    };
    let is_general =
        |name: &str| ["", "docs", "doc", "documentation", "site", "website"].contains(&name.to_lowercase().as_str());
    let own = of(&folder);
    let name = if is_general(&own) { folder.parent().map(of).unwrap_or_default() } else { own };
    let name = if is_general(&name) { "Documentation".to_owned() } else { name };
    let mut letters = name.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let json = serde_json::Value::String(capital).to_string();
    json.trim_start_matches('"').strip_suffix('"').unwrap_or_default().to_owned()
}
