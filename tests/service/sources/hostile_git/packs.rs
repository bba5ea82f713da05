//! Packs by hand: whole ones, and those that no program writes.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gix::ObjectId;
use gix::objs::Kind;

/// Numbers of the kinds of entries.
pub(super) const BLOB: u8 = 3;
const OFFSET_DELTA: u8 = 6;
const REFERENCE_DELTA: u8 = 7;

/// A pack that grows, and the commit that it is about.
pub(super) struct Pack {
    entries: Vec<Vec<u8>>,
    pub(super) head: ObjectId,
}

fn id(kind: Kind, content: &[u8]) -> ObjectId {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, kind, content).unwrap()
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// The head of an entry: its kind, and the size that it claims.
fn head(kind: u8, size: u64) -> Vec<u8> {
    let mut bytes = vec![kind << 4 | (size & 15) as u8];
    let mut rest = size >> 4;
    while rest > 0 {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.push((rest & 0x7f) as u8);
        rest >>= 7;
    }
    bytes
}

/// A size as deltas write it.
fn varint(mut size: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while size > 0x7f {
        bytes.push((size & 0x7f) as u8 | 0x80);
        size >>= 7;
    }
    bytes.push(size as u8);
    bytes
}

/// A delta that writes the first 64 KB of its base so many times.
pub(super) fn copies(base_bytes: u64, times: u64) -> Vec<u8> {
    let mut delta = varint(base_bytes);
    delta.extend(varint(times * 0x10000));
    // a copy from the start, of the length that stands for 64 KB
    delta.resize(delta.len() + times as usize, 0x80);
    delta
}

impl Pack {
    /// Nothing but what is added.
    pub(super) fn empty() -> Self {
        Self { entries: Vec::new(), head: ObjectId::null(gix::hash::Kind::Sha1) }
    }

    /// A commit of a site with one page.
    pub(super) fn site() -> Self {
        let mut pack = Self::empty();
        let page = pack.blob(b"# Home\n\nWords.\n");
        let tree = pack.tree(&[("100644", "index.md", page)]);
        pack.commit(tree);
        pack
    }

    pub(super) fn object(&mut self, kind: Kind, content: &[u8]) -> ObjectId {
        let number = match kind {
            Kind::Commit => 1,
            Kind::Tree => 2,
            Kind::Blob => BLOB,
            Kind::Tag => 4,
        };
        self.entry(number, content.len() as u64, content);
        id(kind, content)
    }

    /// An entry that claims a size.
    pub(super) fn entry(&mut self, kind: u8, claimed: u64, content: &[u8]) {
        self.entries.push([head(kind, claimed), deflated(content)].concat());
    }

    pub(super) fn blob(&mut self, content: &[u8]) -> ObjectId {
        self.object(Kind::Blob, content)
    }

    pub(super) fn tree(&mut self, entries: &[(&str, &str, ObjectId)]) -> ObjectId {
        let mut content = Vec::new();
        for (mode, name, id) in entries {
            content.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            content.extend_from_slice(id.as_slice());
        }
        self.object(Kind::Tree, &content)
    }

    /// Makes a commit of a tree the one that the pack is about.
    pub(super) fn commit(&mut self, tree: ObjectId) {
        let content = format!("tree {tree}\nauthor A <a@b.c> 1 +0000\ncommitter A <a@b.c> 1 +0000\n\nOne\n");
        self.head = self.object(Kind::Commit, content.as_bytes());
    }

    /// A delta against the entry before it.
    pub(super) fn delta(&mut self, delta: &[u8]) {
        let distance = self.entries.last().map_or(0, |entry| entry.len() as u64);
        self.delta_at(distance, delta);
    }

    /// A delta against what lies so many bytes before it.
    pub(super) fn delta_at(&mut self, distance: u64, delta: &[u8]) {
        let mut back = vec![(distance & 0x7f) as u8];
        let mut rest = distance >> 7;
        while rest > 0 {
            rest -= 1;
            back.insert(0, (rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        self.entries.push([head(OFFSET_DELTA, delta.len() as u64), back, deflated(delta)].concat());
    }

    /// A delta against an object by its name.
    pub(super) fn delta_of(&mut self, base: ObjectId, delta: &[u8]) {
        self.entries
            .push([head(REFERENCE_DELTA, delta.len() as u64), base.as_slice().to_vec(), deflated(delta)].concat());
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        self.bytes_that_claim(self.entries.len() as u32)
    }

    /// The same with another number of entries in its head.
    pub(super) fn bytes_that_claim(&self, entries: u32) -> Vec<u8> {
        let mut bytes = [b"PACK".as_slice(), &2_u32.to_be_bytes(), &entries.to_be_bytes()].concat();
        bytes.extend(self.entries.iter().flatten());
        let mut hasher = gix::hash::hasher(gix::hash::Kind::Sha1);
        hasher.update(&bytes);
        bytes.extend_from_slice(hasher.try_finalize().unwrap().as_slice());
        bytes
    }
}
