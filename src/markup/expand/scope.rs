//! What the names of a file stand for: its imports and its exports.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::component::is_known_component;
use crate::esm::Import;
use crate::expr::{Function, PageExpr};
use crate::foreign::is_foreign_component;
use crate::js::compile;
use crate::tree::PropValue;
use base::diagnostic::list_in_backticks;
use base::extension::has_extension;
use base::limits::IMPORT_DEPTH;
use base::spelling::nearest_word;
use base::{FileId, Place, Problem};

use super::{Env, Expander, ExpansionScope};

/// What the names of modules begin with that scripts import which were made of components of other tools: `page`, the
/// path of the page's file; `components`, the built-in ones; all others are what the project knows under this name.
pub(super) const OWN_MODULES: &str = "offprint:";
/// Most names that a hint lists.
const MAX_HINT_NAMES: usize = 8;

impl Expander<'_> {
    pub(super) fn scope_of(
        &mut self,
        file: FileId,
        imports: &[Import],
        declared: &[(String, PageExpr)],
    ) -> ExpansionScope {
        if let Some(scope) = self.scopes.get(&file) {
            return scope.clone();
        }
        self.scopes.insert(file, ExpansionScope::default()); // an import cycle sees nothing
        if self.imports >= IMPORT_DEPTH {
            return ExpansionScope::default();
        }
        self.imports += 1;
        let scope = self.read_scope(file, imports, declared);
        self.imports -= 1;
        self.scopes.insert(file, scope.clone());
        scope
    }

    fn read_scope(&mut self, file: FileId, imports: &[Import], declared: &[(String, PageExpr)]) -> ExpansionScope {
        let mut names: FxHashMap<String, PropValue> = FxHashMap::default();
        for import in imports {
            match self.import(file, import) {
                Some(value) => drop(names.insert(import.local.clone(), value)),
                None => drop(self.missing.insert((file, import.local.clone()))),
            }
        }
        let partial = Env { file, scope: Arc::new(names), props: None, fills: Vec::new() };
        let mut env = partial;
        for (name, expr) in declared {
            let computed = |name: &str| match env.scope.get(name) {
                Some(PropValue::Function(function)) => matches!(**function, Function::Exported(..)),
                Some(_) => false,
                None => compile::is_of_browser(name),
            };
            let value = match expr.is_dynamic(&computed) {
                true => Some(PropValue::Function(Arc::new(Function::Exported(file, name.clone())))),
                false => self
                    .eval(expr, &env, Place { file, line: 0, column: 0 })
                    .map(|value| declared_as(value, file, name)),
            };
            if let Some(names) = Arc::get_mut(&mut env.scope) {
                names.insert(name.clone(), value.unwrap_or(PropValue::Undefined));
            }
        }
        env.scope
    }

    fn import(&mut self, from: FileId, import: &Import) -> Option<PropValue> {
        let (path, exported) = (import.from.as_str(), import.exported.as_str());
        if path.starts_with(OWN_MODULES) {
            return Some(PropValue::Undefined);
        }
        let Some(target) = self.modules.resolve(from, path) else {
            let local = path.starts_with(['.', '/']) || path.starts_with("@/") || path.starts_with("@site/");
            if local || !is_provided(path, exported) {
                let (message, hint) = if local {
                    (
                        format!("the imported file `{path}` does not exist"),
                        "write a path from the root of the source (`/snippets/x.mdx`) or relative to this file, with the extension",
                    )
                } else {
                    (
                        format!("`{path}` is a package; only files of the source can be imported"),
                        "copy the code that is needed into `snippets/`",
                    )
                };
                self.report(path, Problem::new("import-missing", message, place_of(import, from)).hint(hint));
            }
            return None;
        };
        let file = self.modules.path(target);
        if !is_module(file) && !self.modules.runs(target) {
            return self.import_data(from, file, import);
        }
        let markdown = self.modules.is_markdown(target);
        if markdown && exported == "default" {
            return Some(PropValue::Function(Arc::new(Function::Snippet(target))));
        }
        let document = self.modules.document(target)?;
        let scope = self.scope_of(target, &document.module.imports, &document.module.declared);
        let exports = |name: &str| matches!(self.modules.script(target).as_deref(), Some(Ok(module)) if module.names.iter().any(|known| known == name));
        let value = scope.get(exported).cloned().or_else(|| {
            // a script's only export also answers to `default`
            (exported == "default")
                .then(|| document.module.declared.first())
                .flatten()
                .and_then(|(name, _)| scope.get(name).cloned())
        });
        let value = match value {
            Some(value) => value,
            // what `export *` gives on is known where it runs
            None if exported == "*" || exports(exported) || !document.module.stars.is_empty() => {
                PropValue::Function(Arc::new(Function::Exported(target, exported.to_owned())))
            }
            None => {
                self.not_exported(from, target, import);
                return None;
            }
        };
        match &value {
            PropValue::Function(function) if markdown && matches!(**function, Function::Named(_)) => {
                Some(PropValue::Function(Arc::new(Function::Snippet(target))))
            }
            _ => Some(value),
        }
    }

    /// A page imports a name that is not there. Scripts say so themselves when they are run.
    fn not_exported(&mut self, from: FileId, target: FileId, import: &Import) {
        if !self.modules.is_markdown(from) || import.exported.starts_with("type ") {
            return;
        }
        let Some(script) = self.modules.script(target) else { return };
        let Ok(module) = &*script else { return };
        let name = import.exported.as_str();
        let known: Vec<&str> = module.names.iter().map(String::as_str).filter(|known| *known != "default").collect();
        let message = match name {
            "default" => format!("`{}` has no default export; nothing is shown for `{}`", import.from, import.local),
            _ => format!("`{}` does not export `{name}`; nothing is shown in its place", import.from),
        };
        let hint = match (
            nearest_word(if name == "default" { &import.local } else { name }, known.iter().copied()),
            known.as_slice(),
        ) {
            (Some(near), _) => format!("did you mean `import {{ {near} }}`?"),
            (None, []) => "it exports nothing; declare it there with `export const …`".to_owned(),
            (None, known) => format!("it exports {}", list_in_backticks(known.iter().copied().take(MAX_HINT_NAMES))),
        };
        let place = place_of(import, from);
        self.reported_names.insert((from, import.local.clone()));
        self.report(&format!("{} {name}", import.from), Problem::new("import-name", message, place).hint(hint));
    }

    /// What an imported file is that is no module: a picture is its path, of anything else nothing is known.
    fn import_data(&mut self, from: FileId, file: &str, import: &Import) -> Option<PropValue> {
        if is_media(file) {
            return Some(PropValue::String(format!("/{file}")));
        }
        self.reported_names.insert((from, import.local.clone()));
        let (code, message) = if has_extension(file, &["astro", "vue", "svelte"]) {
            let message = format!("the component `{}` does not run; what stands inside it is shown", import.from);
            ("component-framework", message)
        } else {
            let message = format!("`{}` cannot be imported: it is not Markdown, a script or a picture", import.from);
            ("import-kind", message)
        };
        let hint = "export its content from a .jsx or .mdx file, and import that file".to_owned();
        self.report(&import.from, Problem::new(code, message, import.place).hint(hint));
        None
    }

    pub(super) fn lookup(&mut self, name: &str, env: &Env) -> Option<PropValue> {
        if let Some(value) = env.props.as_ref().and_then(|props| props.get(name)).or_else(|| env.scope.get(name)) {
            return Some(value.clone());
        }
        self.declares(env.file, name)
            .then(|| PropValue::Function(Arc::new(Function::Exported(env.file, name.to_owned()))))
    }
}

/// A value under the name that a module declares it by, by which scripts know it too.
fn declared_as(value: PropValue, file: FileId, name: &str) -> PropValue {
    match &value {
        PropValue::Function(function) => match &**function {
            Function::Static(nodes, None) => {
                PropValue::Function(Arc::new(Function::Static(nodes.clone(), Some((file, name.to_owned())))))
            }
            _ => value,
        },
        _ => value,
    }
}

/// Where an import of a file is reported: one that is made up stands nowhere.
fn place_of(import: &Import, from: FileId) -> Place {
    if import.place.line == 0 { Place { file: from, line: 1, column: 1 } } else { import.place }
}

/// Whether a file can export something.
pub(super) fn is_module(path: &str) -> bool {
    has_extension(path, &["mdx", "md", "jsx", "tsx", "js", "ts", "mjs", "mts", "cjs", "cts"])
}

/// Whether a file is shown rather than read.
pub(super) fn is_media(path: &str) -> bool {
    has_extension(
        path,
        &[
            "png", "jpg", "jpeg", "gif", "webp", "avif", "svg", "ico", "bmp", "mp4", "webm", "mov", "mp3", "wav",
            "ogg", "pdf",
        ],
    )
}

/// Whether a package needs no file: React, and what other documentation frameworks export if a built-in component
/// stands in for it.
fn is_provided(package: &str, exported: &str) -> bool {
    const FRAMEWORKS: [&str; 8] = [
        "@astrojs/starlight/",
        "@astro-community/astro-embed-youtube",
        "@docusaurus/",
        "astro:assets",
        "fumadocs-ui/",
        "nextra-theme-docs",
        "nextra/",
        "starlight-package-managers",
    ];
    package == "react"
        || package.starts_with("@mintlify/")
        || package.starts_with("@theme/")
        || FRAMEWORKS.iter().any(|framework| package.starts_with(framework))
            && (is_known_component(exported) || is_foreign_component(exported))
}
