//! The search indexes of a site: one for each language, whose areas say which versions and sections its pages stand in.
//!
//! Versions are distinguished by their labels, wherever in the navigation they stand: tabs with versions of their own
//! share those of the same label. Readers of a version find its pages, those of no version, and the default version of
//! what has no version of that label.

use rustc_hash::FxHashMap;

use super::fragment::clean_fragment;
use super::source::ChromeInput;
use super::structure::Structure;
use base::PageId;
use base::search_area::{Area, Areas};
use nav::{NavNode, NodeId, NodeKind};

/// Where search finds a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchSpot {
    /// The number of its index.
    pub index: u32,
    /// Its area there.
    pub area: u32,
}

/// The indexes of a site.
#[derive(Debug, Default)]
pub(super) struct Indexes {
    /// The areas of each index.
    pub(super) areas: Vec<Areas>,
    /// By page; none for those that are not to be found.
    spots: Vec<Option<SearchSpot>>,
    /// By branch: its index, and the version that its readers are in.
    branches: Vec<Option<(u32, Option<u32>)>>,
}

/// Names by number, each once, in the order in which they came.
#[derive(Default)]
struct NumberedNames {
    list: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

impl NumberedNames {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.list.len()).unwrap_or(u32::MAX);
        self.list.push(name.to_owned());
        self.numbers.insert(name.to_owned(), number);
        number
    }
}

/// What a node stands in.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct NodeAreas {
    section: Option<u32>,
    version: Option<u32>,
    /// Index into [`NodePlaces::masks`].
    mask: u32,
}

/// What every node of the navigation stands in.
struct NodePlaces {
    versions: NumberedNames,
    sections: NumberedNames,
    /// Sets of versions whose readers find a page: by number of the version. The first is that of all.
    masks: Vec<Vec<bool>>,
    mask_numbers: FxHashMap<Vec<bool>, u32>,
    /// What each node stands in.
    standings: Vec<NodeAreas>,
    /// The versions of pages that stand in several places.
    several: FxHashMap<PageId, Vec<NodeAreas>>,
}

impl NodePlaces {
    fn new(source: &ChromeInput<'_>) -> Self {
        let nodes = &source.navigation.nodes;
        let mut versions = NumberedNames::default();
        let mut sections = NumberedNames::default();
        // the versions that stand beside each other, by the node around them
        let mut beside: FxHashMap<NodeId, Vec<u32>> = FxHashMap::default();
        for node in nodes.iter().filter(|node| node.kind == NodeKind::Version) {
            beside.entry(node.parent).or_default().push(versions.number(&area_label(node)));
        }
        let all = vec![true; versions.list.len()];
        let mut places = Self {
            versions,
            masks: vec![all.clone()],
            mask_numbers: FxHashMap::from_iter([(all, 0)]),
            standings: Vec::with_capacity(nodes.len()),
            sections: NumberedNames::default(),
            several: FxHashMap::default(),
        };
        for node in nodes {
            let mut standing = places.standings.get(node.parent.0 as usize).copied().unwrap_or_default();
            match node.kind {
                NodeKind::Version => {
                    let own = places.versions.number(&area_label(node));
                    let siblings = beside.get(&node.parent).map_or(&[][..], Vec::as_slice);
                    let mask = places.masks[standing.mask as usize].iter().zip(0..).map(|(above, version)| {
                        *above && if siblings.contains(&version) { version == own } else { node.default }
                    });
                    let mask = mask.collect();
                    standing.mask = places.mask(mask);
                    standing.version = Some(own);
                }
                NodeKind::Tab | NodeKind::Product | NodeKind::Dropdown | NodeKind::Anchor
                    if standing.section.is_none() =>
                {
                    standing.section = Some(sections.number(&area_label(node)))
                }
                _ => {}
            }
            places.standings.push(standing);
        }
        places.sections = sections;
        if places.versions.list.len() > 1 {
            places.find_several(nodes);
        }
        places
    }

    /// The pages that stand in several versions.
    fn find_several(&mut self, nodes: &[NavNode]) {
        let mut first: FxHashMap<PageId, NodeAreas> = FxHashMap::default();
        for (node, standing) in nodes.iter().zip(&self.standings) {
            let (NodeKind::Page | NodeKind::Group, Some(page)) = (node.kind, node.page) else { continue };
            let before = *first.entry(page).or_insert(*standing);
            if (before.version, before.mask) != (standing.version, standing.mask) {
                self.several.entry(page).or_insert_with(|| vec![before]).push(*standing);
            }
        }
    }

    fn mask(&mut self, mask: Vec<bool>) -> u32 {
        let next = u32::try_from(self.masks.len()).unwrap_or(u32::MAX);
        *self.mask_numbers.entry(mask).or_insert_with_key(|mask| {
            self.masks.push(mask.clone());
            next
        })
    }

    /// What a node stands in, or the site as a whole.
    fn of(&self, node: Option<NodeId>) -> NodeAreas {
        node.and_then(|node| self.standings.get(node.0 as usize)).copied().unwrap_or_default()
    }

    /// What a page stands in, all its places together.
    fn of_page(&mut self, page: PageId, first: Option<NodeId>) -> NodeAreas {
        let standing = self.of(first);
        let Some(several) = self.several.get(&page) else { return standing };
        let mask = (0..self.versions.list.len())
            .map(|version| several.iter().any(|place| self.masks[place.mask as usize][version]))
            .collect();
        let version = standing.version.filter(|version| several.iter().all(|place| place.version == Some(*version)));
        NodeAreas { version, mask: self.mask(mask), ..standing }
    }
}

/// What readers call a division.
fn area_label(node: &NavNode) -> String {
    clean_fragment(if node.label.is_empty() { &node.key } else { &node.label }).into_owned()
}

impl Indexes {
    /// Finds them; none where search finds no page.
    pub(super) fn new(source: &ChromeInput<'_>, structure: &Structure) -> Self {
        let searchable: Vec<PageId> = (0..)
            .map(PageId)
            .zip(&source.options.searchable)
            .filter(|(_, searchable)| **searchable)
            .map(|(page, _)| page)
            .collect();
        let branch_of = |page: &PageId| structure.spots.get(page.0 as usize).map(|spot| spot.branch);
        let mut has_pages = vec![false; structure.branches.len()];
        searchable.iter().filter_map(branch_of).for_each(|branch| has_pages[branch as usize] = true);
        let mut languages = NumberedNames::default();
        let keys: Vec<&str> = structure.branches.iter().map(|branch| branch_language(source, &branch.chain)).collect();
        keys.iter().zip(&has_pages).filter(|(_, has)| **has).for_each(|(key, _)| {
            languages.number(key);
        });

        let mut places = NodePlaces::new(source);
        let mut standings: Vec<Vec<(PageId, NodeAreas)>> = vec![Vec::new(); languages.list.len()];
        for page in searchable {
            let Some(branch) = branch_of(&page) else { continue };
            let around = || structure.branches[branch as usize].chain.last().copied();
            let standing = places.of_page(page, source.navigation.place_of(page).or_else(around));
            standings[languages.number(keys[branch as usize]) as usize].push((page, standing));
        }
        let mut out =
            Self { areas: Vec::new(), spots: vec![None; source.options.searchable.len()], branches: Vec::new() };
        let mut versions = Vec::new();
        for (index, pages) in (0..).zip(&standings) {
            let index_areas = IndexAreas::new(source, &places, pages);
            for ((page, _), area) in pages.iter().zip(&index_areas.pages) {
                out.spots[page.0 as usize] = Some(SearchSpot { index, area: *area });
            }
            out.areas.push(index_areas.areas);
            versions.push(index_areas.versions);
        }
        out.branches = structure
            .branches
            .iter()
            .zip(&keys)
            .map(|(branch, key)| {
                let index = *languages.numbers.get(*key)?;
                let version = places.of(branch.chain.last().copied()).version;
                Some((index, version.and_then(|version| position(&versions[index as usize], version))))
            })
            .collect();
        out
    }

    /// Where a page is found.
    pub(super) fn of_page(&self, page: PageId) -> Option<SearchSpot> {
        self.spots.get(page.0 as usize).copied().flatten()
    }

    /// The index of a branch, and the version that its readers are in.
    pub(super) fn of_branch(&self, branch: usize) -> Option<(u32, Option<u32>)> {
        self.branches.get(branch).copied().flatten()
    }
}

/// The areas of one index.
struct IndexAreas {
    areas: Areas,
    /// The versions and their numbers among those of the site.
    versions: Vec<u32>,
    /// The areas of the pages.
    pages: Vec<u32>,
}

impl IndexAreas {
    fn new(source: &ChromeInput<'_>, places: &NodePlaces, pages: &[(PageId, NodeAreas)]) -> Self {
        let several = pages.iter().filter_map(|(page, _)| places.several.get(page)).flatten();
        let versions =
            used(pages.iter().map(|(_, standing)| standing).chain(several).filter_map(|standing| standing.version));
        let sections = used(pages.iter().filter_map(|(_, standing)| standing.section));
        let named = |names: &NumberedNames, numbers: &[u32]| {
            numbers.iter().map(|number| names.list[*number as usize].clone()).collect()
        };
        let mut areas = Areas {
            versions: named(&places.versions, &versions),
            sections: named(&places.sections, &sections),
            ..Areas::default()
        };
        let mut numbers: FxHashMap<NodeAreas, u32> = FxHashMap::default();
        let mut area_of = |standing: &NodeAreas| {
            *numbers.entry(*standing).or_insert_with(|| {
                let mask = &places.masks[standing.mask as usize];
                let shown_in: Vec<u32> =
                    (0..).zip(&versions).filter(|(_, version)| mask[**version as usize]).map(|(at, _)| at).collect();
                let area = Area {
                    section: standing.section.and_then(|section| position(&sections, section)),
                    version: standing.version.and_then(|version| position(&versions, version)),
                    shown_in: if shown_in.len() == versions.len() { Vec::new() } else { shown_in },
                };
                let known = areas.areas.iter().position(|known| *known == area);
                let number = known.unwrap_or_else(|| {
                    areas.areas.push(area);
                    areas.areas.len() - 1
                });
                u32::try_from(number).unwrap_or(0)
            })
        };
        let pages = pages.iter().map(|(_, standing)| area_of(standing)).collect();
        let nodes = source
            .navigation
            .nodes
            .iter()
            .zip(&places.standings)
            .filter(|(node, _)| node.kind == NodeKind::Version && node.default);
        areas.default_version =
            nodes.filter_map(|(_, standing)| position(&versions, standing.version?)).next().unwrap_or(0);
        Self { areas, versions, pages }
    }
}

/// Numbers in order, each once; none where there is nothing to choose from.
fn used(numbers: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut out: Vec<u32> = numbers.collect();
    out.sort_unstable();
    out.dedup();
    if out.len() > 1 { out } else { Vec::new() }
}

fn position(numbers: &[u32], number: u32) -> Option<u32> {
    numbers.binary_search(&number).ok().and_then(|at| u32::try_from(at).ok())
}

/// The language of a branch by its chain; what stands in none is in that of the start page.
fn branch_language<'s>(source: &'s ChromeInput<'_>, chain: &[NodeId]) -> &'s str {
    let key = |id: NodeId| source.node(id).key.as_str();
    let own = chain.iter().copied().find(|id| source.node(*id).kind == NodeKind::Language);
    let nodes = || source.navigation.nodes.iter().filter(|node| node.kind == NodeKind::Language);
    own.map(key)
        .or_else(|| nodes().find(|node| node.default).or_else(|| nodes().next()).map(|node| node.key.as_str()))
        .unwrap_or_default()
}
