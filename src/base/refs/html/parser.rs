//! Pages read by lol_html, which follows the tree as far as it decides what a tag means.

use std::cell::RefCell;
use std::ops::Range;

use lol_html::html_content::TextType;
use lol_html::{Settings, element, text};

use super::super::tag::{RefAttribute, RefTag, attribute_name};
use super::super::{AddressCoding, Visitor, address, css::scan_css, element as meaning};
use crate::html::read_html;

/// The text of a `<style>` or `<noscript>`.
struct RawElement {
    place: Range<usize>,
    is_noscript: bool,
    /// With character references.
    is_coded: bool,
}

/// Reads a page; `false` if even this parser cannot determine what a browser would make of it.
pub(super) fn parse_html_refs<V: Visitor>(html: &[u8], depth: usize, visitor: &mut V) -> bool {
    let texts: RefCell<Vec<RawElement>> = RefCell::default();
    let visitor = RefCell::new(visitor);
    let elements = element!("*", |element| {
        let attributes: Vec<RefAttribute<'_>> = element
            .attributes()
            .iter()
            .filter_map(|attribute| {
                let name = attribute_name(html.get(attribute.name_source_location()?.bytes())?)?;
                let value =
                    attribute.value_source_location().and_then(|place| html.get(place.bytes())).unwrap_or_default();
                Some((name, value))
            })
            .collect();
        let name = element.tag_name();
        if !attributes.is_empty() {
            let tag = RefTag {
                name: name.as_bytes(),
                attributes: &attributes,
                at: element.source_location().bytes().start,
                coding: AddressCoding::Markup,
            };
            meaning::visit(&tag, depth, &mut **visitor.borrow_mut());
        }
        if name == "style" || name == "noscript" {
            texts.borrow_mut().push(RawElement { place: 0..0, is_noscript: name == "noscript", is_coded: false });
        }
        Ok(())
    });
    let inside = text!("style, noscript", |chunk| {
        let place = chunk.source_location().bytes();
        if let Some(text) = texts.borrow_mut().last_mut()
            && !place.is_empty()
        {
            text.place = if text.place.end == 0 { place } else { text.place.start..place.end };
            // in a drawing a style sheet is text like any other
            text.is_coded |= !matches!(chunk.text_type(), TextType::RawText);
        }
        Ok(())
    });
    let settings = Settings::new().append_element_content_handler(elements).append_element_content_handler(inside);
    let whole = read_html(html, settings);
    let visitor = visitor.into_inner();
    for RawElement { place, is_noscript, is_coded } in texts.into_inner() {
        let Some(content) = html.get(place.clone()) else { continue };
        if is_noscript {
            super::read_within(content, place.start, depth + 1, visitor);
        } else if is_coded {
            scan_css(&address::decode_markup(content), AddressCoding::Plain, place.start, visitor);
        } else {
            scan_css(content, AddressCoding::Plain, place.start, visitor);
        }
    }
    whole
}
