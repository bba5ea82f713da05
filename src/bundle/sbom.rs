//! `_offprint/sbom.cdx.json`: what of others a bundle holds, under which licenses, as CycloneDX 1.6. It names no moment
//! and its serial number is a digest of the rest, so equal bundles have equal lists.

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};
use url::Url;

use base::cut::SliceText as _;
use base::hex::to_hex;

use super::manifest::ManifestTool;

/// Where a bundle keeps the list.
pub const SBOM_PATH: &str = "_offprint/sbom.cdx.json";

/// Something of others in a bundle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SbomComponent {
    /// `library` for code and fonts, `data` for drawings and colors, `file` for a single file from elsewhere.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its version; may be empty.
    pub version: String,
    /// SPDX expression or identifier; empty if it is not known.
    pub license: String,
    /// What the origin states about the license, in any form: an address, an identifier, words; or empty.
    pub license_hint: String,
    /// Package URL; may be empty.
    pub purl: String,
    /// Where it comes from: its site, or the address that a file was loaded from; may be empty.
    pub url: String,
    /// In what form it is here, one sentence; may be empty.
    pub note: String,
    /// The files of the bundle that are of it, with their SHA-256.
    pub files: Vec<(String, [u8; 32])>,
}

/// The list as JSON. `subject`: the bundle's domain and version.
pub fn sbom_json(subject: (Option<&str>, Option<&str>), components: &[SbomComponent]) -> Vec<u8> {
    let tool = ManifestTool::current();
    let tool = json!({ "type": "application", "name": tool.name, "version": tool.version });
    let mut bundle = json!({ "type": "data", "bom-ref": "bundle", "name": subject.0.unwrap_or("documentation") });
    if let Some(version) = subject.1 {
        bundle["version"] = version.into();
    }
    let components: Vec<Value> =
        components.iter().enumerate().map(|(number, component)| component.json(number)).collect();
    let mut list = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": "",
        "version": 1,
        "metadata": { "tools": { "components": [tool] }, "component": bundle },
        "components": components,
    });
    let mut digest: [u8; 32] = Sha256::digest(list.to_string()).into();
    // version 8 of RFC 9562: a number made in one's own way
    digest[6] = digest[6] & 0x0f | 0x80;
    digest[8] = digest[8] & 0x3f | 0x80;
    let digits = to_hex(&digest);
    list["serialNumber"] = format!(
        "urn:uuid:{}-{}-{}-{}-{}",
        digits.slice(..8),
        digits.slice(8..12),
        digits.slice(12..16),
        digits.slice(16..20),
        digits.slice(20..32)
    )
    .into();
    let mut text = serde_json::to_vec_pretty(&list).unwrap_or_default();
    text.push(b'\n');
    text
}

impl SbomComponent {
    fn json(&self, number: usize) -> Value {
        let mut out = Map::new();
        let mut set = |name: &str, value: &str| {
            if !value.is_empty() {
                out.insert(name.to_owned(), value.into());
            }
        };
        set("type", self.kind);
        set("bom-ref", &format!("{number}-{}", self.name));
        set("name", &self.name);
        set("version", &self.version);
        set("description", &self.note);
        if self.kind == "file"
            && let [(_, sha256)] = &self.files[..]
        {
            out.insert("hashes".to_owned(), json!([{ "alg": "SHA-256", "content": to_hex(sha256) }]));
        }
        // identifiers are those of a list, which words of others may not be on
        let license = match (self.license.as_str(), self.license_hint.as_str()) {
            ("", "") => None,
            ("", address) if Url::parse(address).is_ok() => {
                Some(json!({ "license": { "name": address, "url": address } }))
            }
            ("", words) => Some(json!({ "license": { "name": words } })),
            (expression, _) if expression.contains(' ') => Some(json!({ "expression": expression })),
            (id, _) => Some(json!({ "license": { "id": id } })),
        };
        out.extend(license.map(|license| ("licenses".to_owned(), json!([license]))));
        if !self.purl.is_empty() {
            out.insert("purl".to_owned(), self.purl.as_str().into());
        }
        if !self.url.is_empty() {
            let kind = if self.kind == "file" { "distribution" } else { "website" };
            out.insert("externalReferences".to_owned(), json!([{ "type": kind, "url": self.url }]));
        }
        if !self.files.is_empty() {
            let file = |(name, sha256): &(String, [u8; 32])| json!({ "type": "file", "name": name, "hashes": [{ "alg": "SHA-256", "content": to_hex(sha256) }] });
            out.insert("components".to_owned(), self.files.iter().map(file).collect());
        }
        out.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_cyclonedx_and_depends_on_its_content_alone() {
        let font = SbomComponent {
            kind: "library",
            name: "Inter".into(),
            version: "5.3.0".into(),
            license: "OFL-1.1".into(),
            purl: "pkg:npm/x@1".into(),
            url: "https://example.com/".into(),
            files: vec![("_offprint/inter-1.woff2".into(), [0xab; 32])],
            ..SbomComponent::default()
        };
        let picture = SbomComponent {
            kind: "file",
            name: "a.png".into(),
            license_hint: "as the page says".into(),
            files: vec![("a.png".into(), [1; 32])],
            ..SbomComponent::default()
        };
        let both = SbomComponent {
            license: "ISC AND MIT".into(),
            kind: "data",
            name: "icons".into(),
            ..SbomComponent::default()
        };
        let list = [font, picture, both];
        let bytes = sbom_json((Some("docs.example.com"), None), &list);
        assert_eq!(bytes, sbom_json((Some("docs.example.com"), None), &list));
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let serial = value["serialNumber"].as_str().unwrap();
        assert_ne!(serial, serde_json::from_slice::<Value>(&sbom_json((None, None), &list)).unwrap()["serialNumber"]);
        let digits: Vec<usize> = serial.strip_prefix("urn:uuid:").unwrap().split('-').map(str::len).collect();
        assert_eq!((digits, &serial[23..24]), (vec![8, 4, 4, 4, 12], "8"));
        assert_eq!(value["components"][0]["licenses"], json!([{ "license": { "id": "OFL-1.1" } }]));
        assert_eq!(value["components"][0]["components"][0]["hashes"][0]["content"], "ab".repeat(32));
        assert_eq!(value["components"][1]["hashes"][0]["content"], "01".repeat(32));
        assert_eq!(value["components"][1]["licenses"], json!([{ "license": { "name": "as the page says" } }]));
        assert_eq!(value["components"][2]["licenses"], json!([{ "expression": "ISC AND MIT" }]));
        assert!(value["metadata"].get("timestamp").is_none());
    }
}
