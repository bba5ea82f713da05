//! The model of a site, its descriptions, and how it is loaded.

pub use crate::base::contents::{Contents, Files, Held};
pub use crate::import::find_source_root;
pub use crate::load::inventory::{is_as_loaded, resolve_import};
pub use crate::load::remote::{RemoteFile, RemoteFiles};
pub use crate::load::{LoadError, LoadOptions, Loaded, Site, list_folder, load_site, load_tree, written};
pub use crate::site::folders::folders_to_watch;
pub use crate::site::page::{Dialect, Endpoint, FrontMatter, PageEntry, Preface, Visibility};
pub use crate::site::tree::{SourceFile, SourceTree};
pub use crate::site::{
    Config, ConfigKind, address, canonical, config, contextual, front_matter, hero, include, page, problems, tree,
    values,
};
pub use crate::spec::{self, Descriptions, restricted};

/// Which files are pages.
pub mod inventory {
    pub use crate::load::inventory::is_text_path;
    pub use crate::site::page::unnumbered;
}

/// The tools whose repositories are read.
pub mod tool {
    pub use crate::base::lookup::Lookup;
    pub use crate::import::web::icon_name;
    pub use crate::import::{TOOLS, project_root, root_within, tool_by_name, tool_names};
    pub use crate::load::tool::{Dashes, Evaluate, Layout, Located, Mount, PageText, Project, Script, Tool};
    pub use crate::site::heading_ids::{HeadingIds, docsify_slug, vue_slug};
    pub use crate::site::python_slug::{PythonCase, PythonSlug};
    pub use crate::site::text_problem::TextProblem;
}
