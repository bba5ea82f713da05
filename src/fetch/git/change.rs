//! Which files differ between two commits: by the names of their objects, without reading any.

use super::CommitChanges;

/// Most files that are named of each kind.
pub(super) const LISTED: usize = 1_000;

/// What is new in `new`, is another object there, or is gone. Both are sorted by path.
pub(super) fn between(old: &[(String, gix::ObjectId)], new: &[(String, gix::ObjectId)]) -> CommitChanges {
    let mut changed = CommitChanges::default();
    let add = |list: &mut Vec<String>, path: &str| {
        if list.len() < LISTED {
            list.push(path.to_owned());
        }
    };
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (old.peek(), new.peek()) {
            (None, None) => return changed,
            (Some((gone, _)), known) if known.is_none_or(|(path, _)| gone < path) => {
                add(&mut changed.removed, gone);
                old.next();
            }
            (known, Some((path, id))) => {
                match known {
                    Some((same, before)) if same == path => {
                        if before != id {
                            add(&mut changed.modified, path);
                        }
                        old.next();
                    }
                    _ => add(&mut changed.added, path),
                }
                new.next();
            }
            (Some(_), None) => return changed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_added_changed_and_removed() {
        let list = |files: &[(&str, u8)]| -> Vec<(String, gix::ObjectId)> {
            files.iter().map(|(path, id)| ((*path).to_owned(), gix::ObjectId::Sha1([*id; 20]))).collect()
        };
        let changed =
            between(&list(&[("a", 1), ("b", 1), ("d", 1), ("e", 1)]), &list(&[("b", 2), ("c", 1), ("d", 1), ("f", 9)]));
        assert_eq!(
            changed,
            CommitChanges {
                added: vec!["c".into(), "f".into()],
                modified: vec!["b".into()],
                removed: vec!["a".into(), "e".into()]
            }
        );
        assert_eq!(between(&list(&[("a", 1)]), &list(&[("a", 1)])), CommitChanges::default());
        assert_eq!(between(&[], &list(&[("a", 1)])).added, ["a"]);
        assert_eq!(between(&list(&[("a", 1)]), &[]).removed, ["a"]);
    }
}
