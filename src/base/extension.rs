//! What follows the last dot of a file's name.

/// The extension as it is written; empty if there is none. Dots in the names of folders do not count.
pub fn file_extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Whether the extension is one of these, whatever its case.
pub fn has_extension(path: &str, extensions: &[&str]) -> bool {
    let extension = file_extension(path);
    extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
}

/// Whether a path is that of a page: Markdown or MDX.
pub fn is_markdown(path: &str) -> bool {
    has_extension(path, &["md", "mdx"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_name_of_the_file_has_one() {
        for (path, expect) in [("a/b.MD", "MD"), ("a.b/c", ""), ("c", ""), ("a.tar.gz", "gz"), (".env", "env")] {
            assert_eq!(file_extension(path), expect, "{path}");
        }
        assert!(
            has_extension("a/b.MD", &["mdx", "md"])
                && !has_extension("md", &["md"])
                && !has_extension("a.md/b", &["md"])
        );
    }
}
