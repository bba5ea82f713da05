//! Readers of values that many keys hold: colors and icons.

use super::color::{self, color_hint};
use super::fields::{FieldPath, ObjectFields, UnreadKeys};
use super::problems::LoadProblems;
use super::read_log::Asked;
use super::values::{Icon, Pair};

/// `#rgb` or `#rrggbb`.
pub fn read_hex_color(field: &FieldPath<'_>, problems: &mut LoadProblems) -> Option<String> {
    const EXPECTED: &str = "a color such as `#16A34A` or `#fff`";
    field.note(|| Asked::Color);
    let text = field.json.as_str().map(str::trim);
    let found = text.filter(|text| color::is_hex(text));
    if found.is_none() {
        match text.and_then(color_hint) {
            Some(hint) => field.wrong_with(EXPECTED, hint, problems),
            None => field.wrong(EXPECTED, problems),
        }
    }
    found.map(str::to_owned)
}

/// A pair of colors: `{light, dark}` or one for both.
pub fn hex_pair(field: &FieldPath<'_>, kind: &'static str, problems: &mut LoadProblems) -> Option<Pair> {
    if field.json.as_object().is_none() {
        let both = read_hex_color(field, problems)?;
        return Some(Pair { light: both.clone(), dark: both });
    }
    let mut fields = field.object(problems)?;
    let [light, dark] = ["light", "dark"]
        .map(|key| fields.take(key))
        .map(|field| field.and_then(|field| read_hex_color(&field, problems)));
    fields.finish(kind, UnreadKeys::Refuse, problems);
    (light.is_some() || dark.is_some())
        .then(|| Pair { light: light.unwrap_or_default(), dark: dark.unwrap_or_default() })
}

/// An `icon`: a name, path, URL or SVG, or `{name, style?, library?}`; `style` is that of a separate `iconType`.
pub fn read_icon(fields: &mut ObjectFields<'_>, problems: &mut LoadProblems) -> Option<Icon> {
    let style = fields.text("iconType", problems).filter(|style| !style.is_empty());
    let field = fields.take("icon")?;
    if let Some(name) = field.as_str() {
        let name = name.trim().to_owned();
        return (!name.is_empty()).then_some(Icon { name, style, library: None });
    }
    let mut fields = field.object(problems)?;
    let icon = Icon {
        name: fields.text("name", problems).unwrap_or_default(),
        style: fields.text("style", problems).or(style),
        library: fields.text("library", problems),
    };
    fields.finish("an icon", UnreadKeys::Warn, problems);
    (!icon.name.is_empty()).then_some(icon)
}
