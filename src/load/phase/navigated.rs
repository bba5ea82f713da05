//! The navigation is known: what follows from it for the site and its pages?

use crate::loaded_site::Site;
use crate::{Loaded, unconfigured, unread};
use base::{Diagnostic, PageId};
use nav::Navigation;
use nav::visibility::mark_visibility;
use site::json::JsonSpot;
use site::problems::LoadProblems;

/// A site with its navigation.
pub(crate) struct NavigatedSite {
    pub(super) site: Site,
    pub(super) navigation: Navigation,
    pub(super) problems: LoadProblems,
    /// Where a configuration begins that has no navigation.
    pub(super) unwritten: Option<JsonSpot>,
}

impl NavigatedSite {
    /// Tells pages where they show, names a site without a name, and says what was not read.
    pub(crate) fn complete(self) -> Loaded {
        let Self { mut site, navigation, mut problems, unwritten } = self;
        mark_pages(&mut site, &navigation);
        mark_visibility(&site.config, &mut site.pages, &navigation);
        unconfigured::name_plain_site(&mut site, &navigation);
        site.first_pages = unconfigured::first_pages(&site, &navigation);
        if let Some(at) = unwritten {
            let message = "`navigation` is missing; it is generated from the folders";
            problems.at(at, Diagnostic::error("config-missing-key", message).hint("list the pages in `navigation`"));
        }
        problems.found.extend(unread::find_pointers(&site));
        problems.found.extend(unread::unread_documents(&site));
        Loaded { site, navigation, diagnostics: problems.finish() }
    }
}

fn mark_pages(site: &mut Site, navigation: &Navigation) {
    let hidden = navigation.hidden_pages();
    for (index, page) in site.pages.iter_mut().enumerate() {
        let id = PageId(u32::try_from(index).unwrap_or(u32::MAX));
        page.in_navigation = navigation.place_of(id).is_some();
        page.hidden |= page.meta.hidden == Some(true) || hidden.contains(&id);
    }
}
