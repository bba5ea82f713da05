//! `_offprint/manifest.json`: what a bundle is, what it was made from and with, and for every other file in it size and
//! SHA-256 (contract E-ARC-3). The manifest's own signature, which is made last, is not listed.

use std::fmt;
use std::io::{self, Write};

use serde::de::{self, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use base::hex::{from_hex, to_hex};
use base::{BundlePath, limits};

/// What the manifest says beside the list of files.
#[derive(Clone, Debug, Default)]
pub struct ManifestHeader {
    /// Host name the site was exported for.
    pub domain: Option<String>,
    /// Label of the edition.
    pub version: Option<String>,
    /// Pages in the bundle.
    pub page_count: u64,
    /// Where it is going to be served.
    pub deployment: BundleDeployment,
    /// What it contains; reduced to what the deployment allows.
    pub features: ManifestFeatures,
    /// The revision of the source, if it has one.
    pub source: Option<Revision>,
    /// When it was exported, RFC 3339 in UTC, if that was given: the clock is not read.
    pub exported_at: Option<String>,
    /// Options that shape the bytes, by name.
    pub options: serde_json::Map<String, serde_json::Value>,
    /// Servers that the playground may ask: scheme, host and port of each, sorted.
    pub playground_servers: Vec<String>,
}

/// A revision of a source that is kept with git.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// The commit's name, hexadecimal.
    pub commit: String,
    /// Whether the files of the source differ from those of the commit.
    pub dirty: bool,
}

/// The program that made a bundle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestTool {
    /// `offprint`.
    pub name: String,
    /// Its version.
    pub version: String,
}

impl ManifestTool {
    /// This program.
    pub(super) fn current() -> Self {
        Self { name: "offprint".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

/// How the bundle is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BundleDeployment {
    /// By the service.
    #[default]
    Cloud,
    /// By the organization itself.
    ClientHosted,
    /// Without a way to any other network.
    AirGapped,
}

/// What a bundle contains beside its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ManifestFeatures {
    /// Search by a service.
    pub search: bool,
    /// Assistant.
    pub assistant: bool,
    /// Analytics.
    pub analytics: bool,
    /// API playground that sends requests.
    pub playground: bool,
    /// Search index inside the bundle.
    pub offline_search: bool,
}

impl ManifestFeatures {
    /// What of these a deployment allows (contract S-FEA): without a network there is no service to call.
    #[must_use]
    pub fn within(self, deployment: BundleDeployment) -> Self {
        match deployment {
            BundleDeployment::Cloud | BundleDeployment::ClientHosted => self,
            BundleDeployment::AirGapped => Self { search: false, assistant: false, analytics: false, ..self },
        }
    }
}

/// A file of the bundle as the manifest lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestRecord {
    /// Its name.
    pub path: BundlePath,
    /// Its bytes.
    pub size: u64,
    /// SHA-256 of its content.
    pub sha256: [u8; 32],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ManifestHead<'a> {
    format_version: u32,
    domain: Option<&'a str>,
    version: Option<&'a str>,
    page_count: u64,
    deployment: BundleDeployment,
    features: ManifestFeatures,
    tool: ManifestTool,
    source: Option<&'a Revision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exported_at: Option<&'a str>,
    options: &'a serde_json::Map<String, serde_json::Value>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    playground_servers: &'a [String],
}

/// A manifest that was read.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Manifest {
    /// 1: the only one there is.
    pub format_version: u32,
    /// Host name the site was exported for.
    pub domain: Option<String>,
    /// Label of the edition.
    pub version: Option<String>,
    /// Pages in the bundle.
    pub page_count: u64,
    /// Where it is going to be served.
    #[serde(default)]
    pub deployment: BundleDeployment,
    /// What it contains.
    #[serde(default)]
    pub features: ManifestFeatures,
    /// What made it; bundles of the first versions do not say.
    pub tool: Option<ManifestTool>,
    /// The revision of its source.
    pub source: Option<Revision>,
    /// When it was exported.
    pub exported_at: Option<String>,
    /// Options that shaped its bytes.
    #[serde(default)]
    pub options: serde_json::Map<String, serde_json::Value>,
    /// Servers that the playground may ask: scheme, host and port of each.
    #[serde(default)]
    pub playground_servers: Vec<String>,
    /// Every file but the manifest and its signature, sorted by name, each once.
    #[serde(deserialize_with = "records")]
    pub files: Vec<ManifestRecord>,
    /// SHA-256 of the manifest itself.
    #[serde(skip)]
    pub sha256: [u8; 32],
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    /// A sentence: it is no JSON, lacks something, lists a name that is unsafe or twice, or is of a format that is not
    /// known.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct ManifestVersion {
            format_version: u64,
        }
        // what another format looks like is not known, so its number comes first
        let version: ManifestVersion = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if version.format_version != 1 {
            return Err(format!(
                "its format is {}, and this version of offprint supports format 1",
                version.format_version
            ));
        }
        let mut manifest: Self = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        manifest.sha256 = Sha256::digest(bytes).into();
        Ok(manifest)
    }

    /// What it says of a file.
    pub fn find(&self, name: &str) -> Option<&ManifestRecord> {
        let found = self.files.binary_search_by(|record| record.path.as_str().cmp(name)).ok()?;
        self.files.get(found)
    }
}

/// Reads `files`: names to sizes and digests.
fn records<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ManifestRecord>, D::Error> {
    #[derive(Deserialize)]
    struct Said {
        size: u64,
        sha256: String,
    }
    struct ManifestFiles;
    impl<'de> Visitor<'de> for ManifestFiles {
        type Value = Vec<ManifestRecord>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object with the files' names")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut records: Vec<ManifestRecord> = Vec::new();
            while let Some((name, said)) = map.next_entry::<String, Said>()? {
                if records.len() as u64 >= limits::BUNDLE_FILES {
                    return Err(de::Error::custom("it lists too many files"));
                }
                let path = BundlePath::parse(&name).ok_or_else(|| {
                    de::Error::custom(format!("it lists `{name}`, which is not a valid name in a bundle"))
                })?;
                let sha256 = from_hex(&said.sha256)
                    .ok_or_else(|| de::Error::custom(format!("the digest of `{name}` is not a SHA-256")))?;
                records.push(ManifestRecord { path, size: said.size, sha256 });
            }
            if !records.is_sorted_by(|a, b| a.path < b.path) {
                records.sort_by(|a, b| a.path.cmp(&b.path));
                if let Some(twice) = records.windows(2).find(|pair| pair[0].path == pair[1].path) {
                    return Err(de::Error::custom(format!("it lists `{}` twice", twice[0].path)));
                }
            }
            Ok(records)
        }
    }
    deserializer.deserialize_map(ManifestFiles)
}

/// Writes the manifest of sorted records, file by file, one line for each. Returns its bytes.
pub(super) fn write_manifest(
    out: &mut impl Write,
    about: &ManifestHeader,
    records: &[ManifestRecord],
) -> io::Result<u64> {
    let mut out = CountingWriter { out: io::BufWriter::new(out), bytes: 0 };
    let head = ManifestHead {
        format_version: 1,
        domain: about.domain.as_deref(),
        version: about.version.as_deref(),
        page_count: about.page_count,
        deployment: about.deployment,
        features: about.features.within(about.deployment),
        tool: ManifestTool::current(),
        source: about.source.as_ref(),
        exported_at: about.exported_at.as_deref(),
        options: &about.options,
        playground_servers: &about.playground_servers,
    };
    let head = serde_json::to_string(&head)?;
    out.write_all(head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
    out.write_all(b",\"files\":{")?;
    for (index, record) in records.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut out, record.path.as_str())?;
        write!(out, ":{{\"size\":{},\"sha256\":\"", record.size)?;
        out.write_all(to_hex(&record.sha256).as_bytes())?;
        out.write_all(b"\"}")?;
    }
    out.write_all(b"\n}}\n")?;
    out.flush()?;
    Ok(out.bytes)
}

struct CountingWriter<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for CountingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(path: &str, size: u64, digit: u8) -> ManifestRecord {
        ManifestRecord { path: BundlePath::sanitize(path), size, sha256: [digit; 32] }
    }

    #[track_caller]
    fn check(about: &ManifestHeader, records: &[ManifestRecord], expect: &str) {
        let mut out = Vec::new();
        let bytes = write_manifest(&mut out, about, records).unwrap();
        assert_eq!(bytes, out.len() as u64);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, expect);
        let read = Manifest::parse(text.as_bytes()).unwrap();
        assert_eq!(
            (&read.files[..], &read.domain, &read.source, &read.exported_at),
            (records, &about.domain, &about.source, &about.exported_at)
        );
        assert!(records.iter().all(|record| read.find(record.path.as_str()) == Some(record)));
    }

    #[test]
    fn the_shape_is_that_of_the_contract() {
        let about = ManifestHeader {
            domain: Some("docs.example.com".into()),
            version: Some("v2".into()),
            page_count: 1,
            ..ManifestHeader::default()
        };
        let about = ManifestHeader {
            source: Some(Revision { commit: "ab12".into(), dirty: false }),
            exported_at: Some("2026-11-20T10:00:00Z".into()),
            options: [("highlight".to_owned(), true.into())].into_iter().collect(),
            ..about
        };
        check(
            &about,
            &[record("a\u{e4}'b.html", 3, 0xa1), record("z.css", 0, 0)],
            &format!(
                "{{\"formatVersion\":1,\"domain\":\"docs.example.com\",\"version\":\"v2\",\"pageCount\":1,\"deployment\":\"cloud\",\
                 \"features\":{{\"search\":false,\"assistant\":false,\"analytics\":false,\"playground\":false,\"offlineSearch\":false}},\
                 \"tool\":{{\"name\":\"offprint\",\"version\":\"{}\"}},\"source\":{{\"commit\":\"ab12\",\"dirty\":false}},\
                 \"exportedAt\":\"2026-11-20T10:00:00Z\",\"options\":{{\"highlight\":true}},\"files\":{{\n\"aä'b.html\":{{\"size\":3,\"sha256\":\"{}\"}},\n\"z.css\":{{\"size\":0,\"sha256\":\"{}\"}}\n}}}}\n",
                env!("CARGO_PKG_VERSION"),
                "a1".repeat(32),
                "00".repeat(32)
            ),
        );
    }

    #[test]
    fn nothing_known_is_null() {
        check(
            &ManifestHeader { deployment: BundleDeployment::ClientHosted, ..ManifestHeader::default() },
            &[],
            &format!(
                "{{\"formatVersion\":1,\"domain\":null,\"version\":null,\"pageCount\":0,\"deployment\":\"client-hosted\",\
             \"features\":{{\"search\":false,\"assistant\":false,\"analytics\":false,\"playground\":false,\"offlineSearch\":false}},\
             \"tool\":{{\"name\":\"offprint\",\"version\":\"{}\"}},\"source\":null,\"options\":{{}},\"files\":{{\n}}}}\n",
                env!("CARGO_PKG_VERSION")
            ),
        );
    }

    #[track_caller]
    fn refuses(text: &str, expect: &str) {
        let message = Manifest::parse(text.as_bytes()).unwrap_err();
        assert!(message.contains(expect), "{message}");
    }

    #[test]
    fn other_formats_unsafe_names_and_repetitions_are_refused() {
        let with = |files: &str| format!("{{\"formatVersion\":1,\"pageCount\":0,\"files\":{{{files}}}}}");
        let digest = "0".repeat(64);
        refuses("", "EOF");
        refuses("[]", "");
        refuses("{\"formatVersion\":2}", "its format is 2");
        refuses("{\"formatVersion\":1}", "pageCount");
        refuses(&with(&format!("\"../x\":{{\"size\":1,\"sha256\":\"{digest}\"}}")), "not a valid name");
        refuses(&with("\"x\":{\"size\":1,\"sha256\":\"00\"}"), "not a SHA-256");
        refuses(&with(&format!("\"x\":{{\"size\":-1,\"sha256\":\"{digest}\"}}")), "invalid value");
        let one = format!("\"x\":{{\"size\":1,\"sha256\":\"{digest}\"}}");
        refuses(&with(&format!("{one},{one}")), "twice");
        assert_eq!(Manifest::parse(with(&one).as_bytes()).unwrap().files.len(), 1);
    }

    #[test]
    fn without_a_network_no_service_is_promised() {
        let all =
            ManifestFeatures { search: true, assistant: true, analytics: true, playground: true, offline_search: true };
        let left = ManifestFeatures { playground: true, offline_search: true, ..ManifestFeatures::default() };
        assert_eq!(all.within(BundleDeployment::AirGapped), left);
        assert_eq!(all.within(BundleDeployment::Cloud), all);
    }
}
