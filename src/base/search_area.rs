//! Where pages stand: the versions and sections by which readers narrow a question.
//!
//! Pages that stand in the same place form an area. The theme finds them in the navigation, the search index lists them.

/// The areas of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Areas {
    /// Names of versions, in the order of the navigation. Empty where there are fewer than two.
    pub versions: Vec<String>,
    /// The version that readers are in on pages without one.
    pub default_version: u32,
    /// Names of tabs or products, in the order of the navigation. Empty where there are fewer than two.
    pub sections: Vec<String>,
    /// By number.
    pub areas: Vec<Area>,
}

/// What the pages of an area have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Area {
    /// Index into [`Areas::sections`].
    pub section: Option<u32>,
    /// Index into [`Areas::versions`]; none for pages of all or of several versions.
    pub version: Option<u32>,
    /// The versions whose readers find these pages, in order; empty for all.
    pub shown_in: Vec<u32>,
}

/// The part of an index that a question goes to. Everything by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchScope {
    /// Pages that the readers of this version find.
    pub version: Option<u32>,
    /// Pages of this section.
    pub section: Option<u32>,
}

impl Area {
    /// Whether a question of this scope goes to the pages of the area.
    pub fn is_in(&self, scope: SearchScope) -> bool {
        scope.version.is_none_or(|version| self.shown_in.is_empty() || self.shown_in.contains(&version))
            && scope.section.is_none_or(|section| self.section == Some(section))
    }
}

impl Areas {
    /// Whether there is anything to narrow a question by.
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty() && self.sections.is_empty()
    }
}
