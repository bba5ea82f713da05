//! What bytes from elsewhere are, by their own marks. A server's word counts only for text, which has no marks, and
//! never turns a web page into something else.

use base::LoadKind;
use base::cut::cut;

/// A type that pages may load. Anything else is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AssetType {
    /// The media type, as the lock file writes it.
    pub(crate) name: &'static str,
    /// The extension in the bundle.
    pub(crate) extension: &'static str,
}

macro_rules! types {
    ($($constant:ident $name:literal $extension:literal)*) => {
        $(const $constant: AssetType = AssetType { name: $name, extension: $extension };)*
    };
}

types! {
    PNG "image/png" "png"
    JPEG "image/jpeg" "jpg"
    GIF "image/gif" "gif"
    WEBP "image/webp" "webp"
    AVIF "image/avif" "avif"
    BMP "image/bmp" "bmp"
    ICO "image/vnd.microsoft.icon" "ico"
    WOFF "font/woff" "woff"
    WOFF2 "font/woff2" "woff2"
    TTF "font/ttf" "ttf"
    OTF "font/otf" "otf"
    MP4 "video/mp4" "mp4"
    MOV "video/quicktime" "mov"
    WEBM "video/webm" "webm"
    OGG "video/ogg" "ogg"
    M4A "audio/mp4" "m4a"
    MP3 "audio/mpeg" "mp3"
    WAV "audio/wav" "wav"
    FLAC "audio/flac" "flac"
}

/// Drawings; cleaned before they are written.
pub(crate) const SVG: AssetType = AssetType { name: "image/svg+xml", extension: "svg" };
/// API descriptions, recognized by their content.
pub(crate) const JSON: AssetType = AssetType { name: "application/json", extension: "json" };
pub(crate) const YAML: AssetType = AssetType { name: "application/yaml", extension: "yaml" };
/// Style sheets; rewritten before they are written.
pub(crate) const CSS: AssetType = AssetType { name: "text/css", extension: "css" };

impl AssetType {
    /// Whether a page can use it as this kind of load.
    pub(crate) fn serves(self, load: LoadKind) -> bool {
        let is = |start: &str| self.name.starts_with(start);
        match load {
            LoadKind::Picture => is("image/"),
            LoadKind::Film => is("video/"),
            // Ogg, WebM and MP4 hold sound alone as well
            LoadKind::Sound => is("audio/") || is("video/"),
            LoadKind::Font => is("font/"),
            LoadKind::Sheet => self == CSS,
            LoadKind::Style => is("image/") || is("font/"),
            LoadKind::Description => self == JSON || self == YAML,
        }
    }
}

/// What a load is called in messages.
pub(crate) fn called(load: LoadKind) -> &'static str {
    match load {
        LoadKind::Picture => "a picture",
        LoadKind::Film => "a film",
        LoadKind::Sound => "a sound",
        LoadKind::Font => "a font",
        LoadKind::Sheet => "a style sheet",
        LoadKind::Style => "a picture or font",
        LoadKind::Description => "a description of OpenAPI 3 or AsyncAPI",
    }
}

/// The type of some bytes; `declared` is the server's `Content-Type`, or what the lock file says. `None`: nothing that
/// pages load.
pub(crate) fn sniff_type(bytes: &[u8], declared: &str) -> Option<AssetType> {
    let declared = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    by_mark(bytes).or_else(|| sniff_text(bytes, &declared))
}

fn by_mark(bytes: &[u8]) -> Option<AssetType> {
    let marks: [(&[u8], AssetType); 14] = [
        (b"\x89PNG\r\n\x1a\n", PNG),
        (b"\xff\xd8\xff", JPEG),
        (b"GIF87a", GIF),
        (b"GIF89a", GIF),
        (b"wOFF", WOFF),
        (b"wOF2", WOFF2),
        (b"\0\x01\0\0", TTF),
        (b"true", TTF),
        (b"OTTO", OTF),
        (b"\0\0\x01\0", ICO),
        (b"OggS", OGG),
        (b"ID3", MP3),
        (b"fLaC", FLAC),
        (b"\x1aE\xdf\xa3", WEBM),
    ];
    if let Some((_, found)) = marks.iter().find(|(mark, _)| bytes.starts_with(mark)) {
        return Some(*found);
    }
    match bytes {
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(WEBP),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'A', b'V', b'E', ..] => Some(WAV),
        [_, _, _, _, b'f', b't', b'y', b'p', brand @ ..] => container(brand.get(..4)?),
        // the header is 14 bytes, the size of the next one says which version follows
        [b'B', b'M', ..]
            if bytes.len() > 26
                && matches!(bytes[14], 12 | 40 | 52 | 56 | 64 | 108 | 124)
                && bytes[15..18] == [0, 0, 0] =>
        {
            Some(BMP)
        }
        // a frame of MPEG sound: eleven bits of synchronisation, a valid layer, bit rate and sampling rate
        [0xff, b, c, ..] if b & 0xe0 == 0xe0 && b & 0x06 != 0 && c & 0xf0 != 0xf0 && c & 0x0c != 0x0c => Some(MP3),
        _ => None,
    }
}

/// The file types of ISO media that browsers play or show.
fn container(brand: &[u8]) -> Option<AssetType> {
    match brand {
        b"avif" | b"avis" => Some(AVIF),
        b"M4A " | b"M4B " => Some(M4A),
        b"qt  " => Some(MOV),
        b"heic" | b"heix" | b"mif1" | b"msf1" | b"hevc" | b"crx " => None,
        _ => Some(MP4),
    }
}

/// Drawings and style sheets: text, whose kind the server has to name.
fn sniff_text(bytes: &[u8], declared: &str) -> Option<AssetType> {
    let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}').trim_start();
    // hosts of source code give drawings as plain text
    let may_be_drawing = matches!(
        declared,
        "image/svg+xml" | "image/svg" | "text/xml" | "application/xml" | "text/plain" | "application/octet-stream" | ""
    );
    if may_be_drawing && root_is_svg(text) {
        return Some(SVG);
    }
    let is_sheet = declared == "text/css" && !text.starts_with('<') && !text.contains('\0');
    is_sheet.then_some(CSS)
}

/// Whether the first element of an XML text is `<svg>`.
fn root_is_svg(mut text: &str) -> bool {
    // declarations, comments and a document type may come first
    for _ in 0..32 {
        let end = match text {
            _ if text.starts_with("<?") => text.find("?>").map(|at| at + 2),
            _ if text.starts_with("<!--") => text.find("-->").map(|at| at + 3),
            _ if text.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype")) => doctype_end(text),
            _ => {
                let name = text.strip_prefix('<').unwrap_or_default();
                let name = name.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next().unwrap_or_default();
                return name == "svg" || name == "svg:svg";
            }
        };
        let Some(end) = end else { return false };
        text = cut(text, end).1.trim_start();
    }
    false
}

fn doctype_end(text: &str) -> Option<usize> {
    let end = text.find('>')?;
    match cut(text, end).0.find('[') {
        Some(_) => text
            .find("]>")
            .map(|at| at + 2)
            .or_else(|| text.find(']').and_then(|at| cut(text, at).1.find('>').map(|end| at + end + 1))),
        None => Some(end + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], declared: &str, expect: Option<AssetType>) {
        assert_eq!(sniff_type(bytes, declared), expect, "{declared}");
    }

    #[test]
    fn bytes_say_what_they_are() {
        check(b"\x89PNG\r\n\x1a\nrest", "text/html", Some(PNG));
        check(b"\xff\xd8\xff\xe0", "image/png", Some(JPEG));
        check(b"RIFF\0\0\0\0WEBPVP8 ", "", Some(WEBP));
        check(b"\0\0\0\x1cftypavif", "", Some(AVIF));
        check(b"\0\0\0\x1cftypisom", "", Some(MP4));
        check(b"\0\0\0\x1cftypheic", "", None);
        check(b"wOF2x", "font/woff2", Some(WOFF2));
        check(b"\xff\xfb\x90\x44", "", Some(MP3));
        check(b"BM", "image/bmp", None);
    }

    #[test]
    fn text_needs_a_name() {
        check(b"<svg xmlns='x'/>", "image/svg+xml; charset=utf-8", Some(SVG));
        check(
            b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- a --><!DOCTYPE svg [<!ENTITY a 'b'>]>\n<svg/>",
            "text/plain",
            Some(SVG),
        );
        check(b"<svg/>", "text/html", None);
        check(b"<svgx/>", "image/svg+xml", None);
        check(b"<html><svg/></html>", "image/svg+xml", None);
        check(b"<!doctype html><p>not found", "image/png", None);
        check(b"a { b: c }", "text/css", Some(CSS));
        check(b"a { b: c }", "text/plain", None);
        check(b"<p>", "text/css", None);
        check(b"", "image/png", None);
        check(b"", "text/css", Some(CSS));
        for declared in ["image/png", "font/woff2", "video/mp4", "application/javascript", "application/pdf"] {
            check(b"alert(1)", declared, None);
            check(b"%PDF-1.7", declared, None);
            check(b"PK\x03\x04", declared, None);
            check(b"\x7fELF", declared, None);
        }
    }

    #[test]
    fn types_serve_their_loads() {
        assert!(
            PNG.serves(LoadKind::Picture)
                && SVG.serves(LoadKind::Style)
                && WOFF2.serves(LoadKind::Style)
                && OGG.serves(LoadKind::Sound)
        );
        assert!(
            !MP4.serves(LoadKind::Picture)
                && !CSS.serves(LoadKind::Picture)
                && !CSS.serves(LoadKind::Style)
                && !PNG.serves(LoadKind::Sheet)
                && !SVG.serves(LoadKind::Film)
        );
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_end(bytes in proptest::collection::vec(proptest::num::u8::ANY, 0..60), declared in "(text/css|image/svg.xml|.{0,8})") {
            let _ = sniff_type(&bytes, &declared);
        }
        #[test]
        fn any_text_ends(text in "(<\\?|<!--|-->|<!DOCTYPE |\\[|\\]>|>|<svg|é| ){0,12}") {
            let _ = sniff_type(text.as_bytes(), "image/svg+xml");
        }
    }
}
