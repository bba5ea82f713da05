//! The areas of an index, written and read. Its start lists the areas, and runs of pages of the same one: pages come in
//! the order of their addresses, so runs are long.

use base::search_area::{Area, Areas};

use super::pack::{Input, pack_number};

/// Appends areas, with those of pages as runs: area and number of pages.
pub(super) fn push_areas(out: &mut Vec<u8>, areas: &Areas, runs: &[(u32, u32)]) {
    let count = |out: &mut Vec<u8>, length: usize| pack_number(out, u32::try_from(length).unwrap_or(u32::MAX));
    for names in [&areas.versions, &areas.sections] {
        count(out, names.len());
        for name in names {
            count(out, name.len());
            out.extend_from_slice(name.as_bytes());
        }
    }
    pack_number(out, areas.default_version);
    if areas.is_empty() {
        return;
    }
    count(out, areas.areas.len());
    for area in &areas.areas {
        pack_number(out, area.section.map_or(0, |section| section + 1));
        pack_number(out, area.version.map_or(0, |version| version + 1));
        count(out, area.shown_in.len());
        area.shown_in.iter().for_each(|version| pack_number(out, *version));
    }
    count(out, runs.len());
    for (area, pages) in runs {
        pack_number(out, *area);
        pack_number(out, *pages);
    }
}

/// Reads what [`push_areas`] wrote.
pub(super) fn read_areas(input: &mut Input<'_>) -> (Areas, Vec<(u32, u32)>) {
    let mut out = Areas {
        versions: area_names(input),
        sections: area_names(input),
        default_version: input.number(),
        areas: Vec::new(),
    };
    let mut runs = Vec::new();
    if out.is_empty() {
        return (out, runs);
    }
    let optional = |number: u32| number.checked_sub(1);
    let mut count = input.number();
    while count > 0 && !input.is_empty() {
        let mut area =
            Area { section: optional(input.number()), version: optional(input.number()), shown_in: Vec::new() };
        let mut shown = input.number();
        while shown > 0 && !input.is_empty() {
            area.shown_in.push(input.number());
            shown -= 1;
        }
        out.areas.push(area);
        count -= 1;
    }
    let mut count = input.number();
    while count > 0 && !input.is_empty() {
        runs.push((input.number(), input.number()));
        count -= 1;
    }
    (out, runs)
}

fn area_names(input: &mut Input<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut count = input.number();
    while count > 0 && !input.is_empty() {
        let length = input.number() as usize;
        out.push(String::from_utf8_lossy(input.take(length)).into_owned());
        count -= 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::search_area::SearchScope;

    #[test]
    fn areas_come_back() {
        let areas = Areas {
            versions: vec!["1".to_owned(), "zwei".to_owned()],
            default_version: 1,
            sections: vec!["Guides ü".to_owned(), "API".to_owned()],
            areas: vec![Area::default(), Area { section: Some(1), version: Some(0), shown_in: vec![0] }],
        };
        let mut out = Vec::new();
        push_areas(&mut out, &areas, &[(0, 300), (1, 2)]);
        let mut input = Input::new(&out);
        assert_eq!(read_areas(&mut input), (areas, vec![(0, 300), (1, 2)]));
        assert!(input.is_empty());
    }

    #[test]
    fn an_index_without_areas_says_so_in_three_bytes() {
        let mut out = Vec::new();
        push_areas(&mut out, &Areas::default(), &[(0, 300)]);
        assert_eq!(out, [0, 0, 0]);
        assert_eq!(read_areas(&mut Input::new(&out)), (Areas::default(), Vec::new()));
    }

    #[test]
    fn pages_of_no_version_are_in_all() {
        let one = SearchScope { version: Some(0), section: None };
        assert!(Area::default().is_in(one));
        assert!(!Area { shown_in: vec![1], ..Area::default() }.is_in(one));
        assert!(Area { shown_in: vec![1], ..Area::default() }.is_in(SearchScope::default()));
        assert!(!Area::default().is_in(SearchScope { version: None, section: Some(0) }));
    }
}
