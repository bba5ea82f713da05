//! Whose files a generated site is made of: the same words, code, tables, links and pictures in the form that another
//! program reads, so that programs can be compared on equal content.

use std::fmt::Write as _;

/// The program that the site is written for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BenchLayout {
    /// `docs.json` and MDX, for this program.
    #[default]
    Offprint,
    /// A `content` folder whose sections are `_index.md`, and links to files.
    Hugo,
    /// The same, with links that begin with `@`.
    Zola,
    /// A `src` folder with a `SUMMARY.md` (written with the site), titles as headings and relative addresses.
    MdBook,
    /// A `docs` folder with titles as headings too, and links to files.
    VitePress,
}

impl BenchLayout {
    /// The folder of the pages.
    pub(super) fn content(self) -> &'static str {
        match self {
            Self::Offprint => "",
            Self::Hugo | Self::Zola => "content",
            Self::MdBook => "src",
            Self::VitePress => "docs",
        }
    }

    /// The folder of the pictures.
    pub(super) fn pictures(self) -> &'static str {
        match self {
            Self::Offprint => "images",
            Self::Hugo | Self::Zola => "static/images",
            Self::MdBook => "src/images",
            Self::VitePress => "docs/public/images",
        }
    }

    /// The file of the page at `path`, within [`Self::content`].
    pub(super) fn file(self, path: &str) -> String {
        let sections = matches!(self, Self::Hugo | Self::Zola);
        match path.strip_suffix("index").filter(|folder| sections && (folder.is_empty() || folder.ends_with('/'))) {
            Some(folder) => format!("{folder}_index.md"),
            None => format!("{path}.{}", if self == Self::Offprint { "mdx" } else { "md" }),
        }
    }

    /// The address of the page `to` in a link on the page `from`.
    pub(super) fn link(self, from: &str, to: &str) -> String {
        match self {
            Self::Offprint => format!("/{to}"),
            Self::Hugo | Self::VitePress => format!("/{}", self.file(to)),
            Self::Zola => format!("@/{}", self.file(to)),
            Self::MdBook => up(from) + &self.file(to),
        }
    }

    /// The address of a picture on the page `from`.
    pub(super) fn picture(self, from: &str, name: &str) -> String {
        let to_root = if self == Self::MdBook { up(from) } else { "/".to_owned() };
        format!("{to_root}images/{name}")
    }

    /// What stands before the text of the page at `path`: front matter, or a heading where the program needs it in the
    /// text.
    pub(super) fn head(self, path: &str, title: &str, description: &str, weight: u32) -> String {
        let mut out = String::new();
        if self != Self::MdBook {
            let _ = write!(out, "---\ntitle: \"{title}\"\ndescription: \"{description}\"\n");
            if matches!(self, Self::Hugo | Self::Zola) {
                let _ = writeln!(out, "weight: {weight}");
            }
            if self == Self::Zola && self.file(path).ends_with("_index.md") {
                out.push_str("sort_by: weight\n");
            }
            out.push_str("---\n\n");
        }
        if matches!(self, Self::MdBook | Self::VitePress) {
            let _ = write!(out, "# {title}\n\n");
        }
        out
    }
}

/// From the folder of a page to the root.
fn up(from: &str) -> String {
    "../".repeat(from.matches('/').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_program_gets_files_and_links_as_it_reads_them() {
        let (from, to, section) =
            ("group-00/section-000/page-01", "group-01/section-010/page-02", "group-01/section-010/index");
        let seen = |layout: BenchLayout| {
            [
                layout.file(from),
                layout.file(section),
                layout.link(from, to),
                layout.link("group-00/index", section),
                layout.picture(from, "a.png"),
            ]
        };
        assert_eq!(
            seen(BenchLayout::Offprint),
            [
                "group-00/section-000/page-01.mdx",
                "group-01/section-010/index.mdx",
                "/group-01/section-010/page-02",
                "/group-01/section-010/index",
                "/images/a.png"
            ]
        );
        assert_eq!(
            seen(BenchLayout::Hugo),
            [
                "group-00/section-000/page-01.md",
                "group-01/section-010/_index.md",
                "/group-01/section-010/page-02.md",
                "/group-01/section-010/_index.md",
                "/images/a.png"
            ]
        );
        assert_eq!(
            seen(BenchLayout::Zola)[2..],
            ["@/group-01/section-010/page-02.md", "@/group-01/section-010/_index.md", "/images/a.png"]
        );
        assert_eq!(
            seen(BenchLayout::MdBook)[2..],
            ["../../group-01/section-010/page-02.md", "../group-01/section-010/index.md", "../../images/a.png"]
        );
        assert_eq!(
            seen(BenchLayout::VitePress)[1..4],
            ["group-01/section-010/index.md", "/group-01/section-010/page-02.md", "/group-01/section-010/index.md"]
        );
    }

    #[test]
    fn titles_stand_where_each_program_looks() {
        let head = |layout: BenchLayout| layout.head("group-00/index", "T", "D", 3);
        assert_eq!(head(BenchLayout::Offprint), "---\ntitle: \"T\"\ndescription: \"D\"\n---\n\n");
        assert_eq!(head(BenchLayout::Hugo), "---\ntitle: \"T\"\ndescription: \"D\"\nweight: 3\n---\n\n");
        assert_eq!(
            head(BenchLayout::Zola),
            "---\ntitle: \"T\"\ndescription: \"D\"\nweight: 3\nsort_by: weight\n---\n\n"
        );
        assert_eq!(head(BenchLayout::MdBook), "# T\n\n");
        assert!(head(BenchLayout::VitePress).ends_with("---\n\n# T\n\n"));
    }
}
