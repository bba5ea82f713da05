//! Values that many keys of the configuration and of front matter hold.

/// Something with a light and a dark form (equal if the author gave one).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pair {
    /// In light mode.
    pub light: String,
    /// In dark mode.
    pub dark: String,
}

/// An icon as docs.json writes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Icon {
    /// Name, path, URL or inline SVG.
    pub name: String,
    /// `iconType` / `style`: `solid`, `brands` …
    pub style: Option<String>,
    /// Library, if not the site's.
    pub library: Option<String>,
}
