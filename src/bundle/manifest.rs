//! `_offprint/manifest.json`: what a bundle is and, for every other file in it, size and SHA-256 (contract E-ARC-3).

use std::io::{self, Write};

use serde::Serialize;

use crate::base::BundlePath;

/// What the manifest says beside the list of files.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Host name the site was exported for.
    pub domain: Option<String>,
    /// Label of the edition.
    pub version: Option<String>,
    /// Pages in the bundle.
    pub page_count: u64,
    /// Where it is going to be served.
    pub deployment: Deployment,
    /// What it contains; reduced to what the deployment allows.
    pub features: Features,
}

/// How the bundle is served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deployment {
    /// By the service.
    #[default]
    Cloud,
    /// By the organisation itself.
    ClientHosted,
    /// Without a way to any other network.
    AirGapped,
}

/// What a bundle contains beside its pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Features {
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

impl Features {
    /// What of these a deployment allows (contract S-FEA): without a network there is no service to call.
    #[must_use]
    pub fn within(self, deployment: Deployment) -> Self {
        match deployment {
            Deployment::Cloud | Deployment::ClientHosted => self,
            Deployment::AirGapped => Self { search: false, assistant: false, analytics: false, ..self },
        }
    }
}

/// A file of the bundle as the manifest lists it.
#[derive(Clone, Debug)]
pub(super) struct Record {
    pub(super) path: BundlePath,
    pub(super) size: u64,
    pub(super) sha256: [u8; 32],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    format_version: u32,
    domain: Option<&'a str>,
    version: Option<&'a str>,
    page_count: u64,
    deployment: Deployment,
    features: Features,
}

/// Writes the manifest of sorted records, file by file: it never exists as a whole in memory. One line per file. Returns its bytes.
pub(super) fn write(out: &mut impl Write, about: &About, records: &[Record]) -> io::Result<u64> {
    let mut out = Counted { out: io::BufWriter::new(out), bytes: 0 };
    let head = Head {
        format_version: 1,
        domain: about.domain.as_deref(),
        version: about.version.as_deref(),
        page_count: about.page_count,
        deployment: about.deployment,
        features: about.features.within(about.deployment),
    };
    let head = serde_json::to_string(&head)?;
    out.write_all(head.strip_suffix('}').unwrap_or(&head).as_bytes())?;
    out.write_all(b",\"files\":{")?;
    for (index, record) in records.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut out, record.path.as_str())?;
        write!(out, ":{{\"size\":{},\"sha256\":\"", record.size)?;
        out.write_all(&hex(&record.sha256))?;
        out.write_all(b"\"}")?;
    }
    out.write_all(b"\n}}\n")?;
    out.flush()?;
    Ok(out.bytes)
}

/// Lower-case hexadecimal digits.
fn hex(bytes: &[u8; 32]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut out = [0; 64];
    for (pair, byte) in out.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    out
}

struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
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

    fn record(path: &str, size: u64, digit: u8) -> Record {
        Record { path: BundlePath::sanitize(path), size, sha256: [digit; 32] }
    }

    #[track_caller]
    fn check(about: &About, records: &[Record], expect: &str) {
        let mut out = Vec::new();
        let bytes = write(&mut out, about, records).unwrap();
        assert_eq!(bytes, out.len() as u64);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, expect);
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }

    #[test]
    fn the_shape_is_that_of_the_contract() {
        let about = About { domain: Some("docs.example.com".into()), version: Some("v2".into()), page_count: 1, ..About::default() };
        check(
            &about,
            &[record("a\u{e4}'b.html", 3, 0xa1), record("z.css", 0, 0)],
            &format!(
                "{{\"formatVersion\":1,\"domain\":\"docs.example.com\",\"version\":\"v2\",\"pageCount\":1,\"deployment\":\"cloud\",\
                 \"features\":{{\"search\":false,\"assistant\":false,\"analytics\":false,\"playground\":false,\"offlineSearch\":false}},\
                 \"files\":{{\n\"aä'b.html\":{{\"size\":3,\"sha256\":\"{}\"}},\n\"z.css\":{{\"size\":0,\"sha256\":\"{}\"}}\n}}}}\n",
                "a1".repeat(32),
                "00".repeat(32)
            ),
        );
    }

    #[test]
    fn nothing_known_is_null() {
        check(
            &About { deployment: Deployment::ClientHosted, ..About::default() },
            &[],
            "{\"formatVersion\":1,\"domain\":null,\"version\":null,\"pageCount\":0,\"deployment\":\"client-hosted\",\
             \"features\":{\"search\":false,\"assistant\":false,\"analytics\":false,\"playground\":false,\"offlineSearch\":false},\
             \"files\":{\n}}\n",
        );
    }

    #[test]
    fn without_a_network_no_service_is_promised() {
        let all = Features { search: true, assistant: true, analytics: true, playground: true, offline_search: true };
        let left = Features { playground: true, offline_search: true, ..Features::default() };
        assert_eq!(all.within(Deployment::AirGapped), left);
        assert_eq!(all.within(Deployment::Cloud), all);
    }
}
