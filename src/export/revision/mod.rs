//! Which commit a source is, and whether its files are still those of the commit. Read from the repository's own files:
//! no program is run, so nothing that a repository configures (hooks, filters, monitors) comes to life.

mod index;
mod object;
mod origin;

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::base::limits;
use crate::frame::theme;
use crate::output::bundle::Revision;
use crate::source::site::tree::SourceTree;

/// Folders that are looked at on the way up to the one with the repository.
const LEVELS: usize = 64;
/// References that name references.
const SYMBOLIC: usize = 5;

/// A name of a git object, SHA-1. Repositories of the newer kind, SHA-256, have a commit, but their files are not
/// compared.
type Id = [u8; 20];

/// The revision of the source, if it lies in a git work tree. `except` is a file of the source that does not count: the
/// bundle itself.
///
/// What cannot be shown to be as committed counts as changed.
pub(super) fn find_revision(files: &SourceTree, except: &Path) -> Option<Revision> {
    let root = fs::canonicalize(files.folder()?).ok()?;
    let (work_tree, repository) =
        root.ancestors().take(LEVELS).find_map(|folder| Some((folder, Repository::open(&folder.join(".git"))?)))?;
    let commit = repository.head()?;
    let below = root.strip_prefix(work_tree).ok()?;
    let prefix: Vec<&str> = below.components().map(|part| part.as_os_str().to_str()).collect::<Option<_>>()?;
    let prefix = prefix.iter().map(|part| format!("{part}/")).collect::<String>();
    let is_clean = is_clean(&repository, &commit, files, &root, &prefix, except).unwrap_or(false);
    Some(Revision { commit, dirty: !is_clean })
}

/// The repository that the source lies in, if it comes from a public host.
pub(super) fn repository(files: &SourceTree) -> Option<theme::Repository> {
    let root = fs::canonicalize(files.folder()?).ok()?;
    let (work_tree, repository) =
        root.ancestors().take(LEVELS).find_map(|folder| Some((folder, Repository::open(&folder.join(".git"))?)))?;
    let (web, branch) = origin::public_origin(&repository)?;
    let folder = root.strip_prefix(work_tree).ok()?.to_str()?.replace('\\', "/");
    Some(theme::Repository { web, branch, folder: if folder.is_empty() { folder } else { folder + "/" } })
}

/// Whether index, commit and files agree; nothing if that cannot be found out.
fn is_clean(
    repository: &Repository,
    commit: &str,
    files: &SourceTree,
    root: &Path,
    prefix: &str,
    except: &Path,
) -> Option<bool> {
    let index = index::Index::read(&repository.own.join("index"))?;
    let committed = object::tree_of_commit(&repository.common.join("objects"), &id(commit)?)?;
    // git takes in nothing of this name: in an additional work tree or a submodule it is a file
    let is_git = |path: &str| path.split('/').any(|part| part.eq_ignore_ascii_case(".git"));
    let counts = |path: &str| !is_git(path) && fs::canonicalize(root.join(path)).is_ok_and(|file| file != except);
    Some(index.tree()? == committed && index.agrees(files, root, prefix, &counts))
}

/// A repository's folders: of one work tree, and what all its work trees share.
struct Repository {
    own: PathBuf,
    common: PathBuf,
}

impl Repository {
    /// `.git` is a folder or, in additional work trees, a file that names one.
    fn open(git: &Path) -> Option<Self> {
        let own = if git.is_dir() {
            git.to_owned()
        } else {
            let named = small_file(git)?;
            git.parent()?.join(named.strip_prefix("gitdir:")?.trim())
        };
        let common = small_file(&own.join("commondir")).map_or_else(|| own.clone(), |named| own.join(named.trim()));
        own.join("HEAD").is_file().then_some(Self { own, common })
    }

    /// The commit that is checked out, hexadecimal.
    fn head(&self) -> Option<String> {
        let mut text = small_file(&self.own.join("HEAD"))?;
        for _ in 0..SYMBOLIC {
            let Some(name) = text.trim().strip_prefix("ref:").map(|name| name.trim().to_owned()) else { break };
            text = self.reference(&name)?;
        }
        let commit = text.trim();
        let is_name =
            matches!(commit.len(), 40 | 64) && commit.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_name.then(|| commit.to_owned())
    }

    fn reference(&self, name: &str) -> Option<String> {
        let is_inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !name.starts_with("refs/") || !is_inside {
            return None;
        }
        let loose = small_file(&self.own.join(name)).or_else(|| small_file(&self.common.join(name)));
        loose.or_else(|| {
            let packed = self.common.join("packed-refs");
            let text = fs::metadata(&packed)
                .ok()
                .filter(|file| file.len() <= limits::CONFIG_BYTES)
                .and_then(|_| fs::read_to_string(&packed).ok())?;
            text.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' ').map(str::to_owned))
        })
    }
}

/// The text of a file that holds one line.
fn small_file(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if metadata.is_file() && metadata.len() <= 4096 { fs::read_to_string(path).ok() } else { None }
}

/// The object that 40 hexadecimal digits name.
fn id(text: &str) -> Option<Id> {
    let mut out = [0; 20];
    if text.len() != 40 {
        return None;
    }
    for (byte, pair) in out.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(out)
}

/// The name of an object with this content.
fn hash(kind: &str, content: &[u8]) -> Id {
    use aws_lc_rs::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY};

    let mut context = Context::new(&SHA1_FOR_LEGACY_USE_ONLY);
    context.update(format!("{kind} {}\0", content.len()).as_bytes());
    context.update(content);
    context.finish().as_ref().try_into().unwrap_or_default()
}

#[cfg(all(test, unix))]
mod tests;
