//! Access groups: who may see a page, or a part of an API description.

use serde_json::{Map, Value};

use base::cut::SliceText as _;
use site::meta::access_groups;
use site::yaml::Yaml;

/// The user groups whose readers a bundle is for.
#[derive(Clone, Copy, Debug)]
pub struct ReaderGroups<'a>(pub &'a [String]);

/// The group that stands for any.
const ANY: &str = "*";

impl ReaderGroups<'_> {
    /// Whether they see what has these access groups (as [`access_groups`] reads them): it has none, or one is theirs
    /// and none of those is excluded (`!name`). `*` is any group.
    pub fn may_see(self, groups: &[String]) -> bool {
        if groups.is_empty() {
            return true;
        }
        let (excludes, includes): (Vec<&str>, Vec<&str>) =
            groups.iter().map(String::as_str).partition(|group| group.starts_with('!'));
        let excluded = excludes.iter().any(|group| self.has(group.slice(1..)));
        let included = includes.is_empty() || includes.iter().any(|group| *group == ANY || self.has(group));
        let is_readable = !groups.iter().any(String::is_empty);
        !self.0.is_empty() && is_readable && included && !excluded
    }

    fn has(self, name: &str) -> bool {
        self.0.iter().any(|group| group == name)
    }

    /// What is left of the access groups of a part that they see: names of their own groups, or any. Other groups are
    /// not for them.
    pub fn own(self, groups: &[String]) -> Value {
        let own: Vec<&str> = groups.iter().map(String::as_str).filter(|group| self.has(group)).collect();
        if own.is_empty() { vec![ANY].into() } else { own.into() }
    }
}

/// The access groups of an object of a description.
pub fn groups_of(members: &Map<String, Value>) -> Vec<String> {
    members.get("x-mint").and_then(groups_in).map(list_access_groups).unwrap_or_default()
}

/// The member of `x-mint`, or of its `metadata`, that names groups, in any case.
pub fn groups_in(mint: &Value) -> Option<&Value> {
    mint.as_object()?.iter().find(|(key, _)| is_groups(key)).map(|(_, groups)| groups)
}

/// Whether a key names groups.
pub fn is_groups(key: &str) -> bool {
    key.eq_ignore_ascii_case("groups")
}

/// Access groups as an API description has them.
pub fn list_access_groups(groups: &Value) -> Vec<String> {
    access_groups(&Yaml::from(groups))
}
