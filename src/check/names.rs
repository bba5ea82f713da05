//! The names of a bundle's files, and what an address in one of them means.

use percent_encoding::percent_decode_str;
use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;

/// All names, sorted; a file is its index.
#[derive(Debug)]
pub(crate) struct FileNames {
    sorted: Vec<String>,
    exact: FxHashMap<String, u32>,
    /// By the name without case and Unicode form.
    folded: FxHashMap<String, u32>,
}

/// Where an address inside the bundle leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LinkPlace {
    /// A file.
    File(u32),
    /// Only if names that differ by case or Unicode form are the same: the file that is meant.
    Folded(u32),
    /// A folder that has a start page: that page.
    Folder(u32),
    /// A file, if `.html` were added.
    Extensionless(u32),
    /// Above the bundle.
    Above,
    /// Nothing.
    Missing,
}

impl FileNames {
    pub(crate) fn new(mut names: Vec<String>) -> Self {
        names.sort_unstable();
        let exact = names.iter().zip(0..).map(|(name, index)| (name.clone(), index)).collect();
        let folded = names.iter().zip(0..).map(|(name, index)| (fold(name), index)).collect();
        Self { sorted: names, exact, folded }
    }

    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.sorted.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn name(&self, file: u32) -> &str {
        self.sorted.get(file as usize).map_or("", String::as_str)
    }

    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        self.exact.get(name).copied()
    }

    /// What a path (percent-encoded, without query and fragment) means in a file. One that begins with `/` counts from
    /// the root of the bundle.
    pub(crate) fn resolve(&self, from: &str, path: &str) -> LinkPlace {
        let path = percent_decode_str(path).decode_utf8_lossy();
        let folders = if path.starts_with('/') { "" } else { from.rsplit_once('/').map_or("", |(folders, _)| folders) };
        let mut parts: Vec<&str> = folders.split('/').filter(|part| !part.is_empty()).collect();
        let mut is_folder = false;
        for part in path.split('/') {
            is_folder = matches!(part, "" | "." | "..");
            match part {
                "" | "." => {}
                ".." => {
                    if parts.pop().is_none() && !path.starts_with('/') {
                        return LinkPlace::Above;
                    }
                }
                part => parts.push(part),
            }
        }
        let name = parts.join("/");
        if is_folder || name.is_empty() {
            let start = if name.is_empty() { "index.html".to_owned() } else { format!("{name}/index.html") };
            return self.find(&start).map_or(LinkPlace::Missing, LinkPlace::Folder);
        }
        if let Some(file) = self.find(&name) {
            return LinkPlace::File(file);
        }
        if let Some(file) = self.folded.get(&fold(&name)) {
            return LinkPlace::Folded(*file);
        }
        if let Some(file) = self.find(&format!("{name}/index.html")) {
            return LinkPlace::Folder(file);
        }
        self.find(&format!("{name}.html")).map_or(LinkPlace::Missing, LinkPlace::Extensionless)
    }
}

fn fold(name: &str) -> String {
    if name.is_ascii() { name.to_ascii_lowercase() } else { name.nfkc().collect::<String>().to_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(from: &str, path: &str, expect: LinkPlace) {
        let names = ["index.html", "a/index.html", "a/b.html", "a/Ü c.png"].map(str::to_owned).to_vec();
        assert_eq!(FileNames::new(names).resolve(from, path), expect, "{from} -> {path}");
    }

    #[test]
    fn addresses_name_files() {
        // sorted: a/b.html a/index.html a/Ü c.png index.html
        check("index.html", "a/b.html", LinkPlace::File(0));
        check("a/b.html", "../index.html", LinkPlace::File(3));
        check("a/b.html", "%C3%9C%20c.png", LinkPlace::File(2));
        check("a/b.html", "u%CC%88%20c.png", LinkPlace::Folded(2));
        check("a/b.html", "B.html", LinkPlace::Folded(0));
        check("index.html", "a/", LinkPlace::Folder(1));
        check("index.html", "a", LinkPlace::Folder(1));
        check("index.html", "a/b", LinkPlace::Extensionless(0));
        check("a/b.html", "../../x", LinkPlace::Above);
        check("a/b.html", "/a/b.html", LinkPlace::File(0));
        check("a/b.html", "c.html", LinkPlace::Missing);
        check("a/b.html", "./", LinkPlace::Folder(1));
    }
}
