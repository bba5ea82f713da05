//! Packs of repositories, as a server may send them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gix::ObjectId;
use gix::objs::{Kind, compute_hash};
use gix::odb::pack;
use offprint::base::limits;
use offprint::fetch::git::{FetchedCommit, FetchedFolder};
use offprint::site::tree::SourceTree;
use tempfile::TempDir;

/// Most bytes of one object, as for a fetch.
const MAX_OBJECT_BYTES: usize = 512 << 20;
/// Most bytes of what the records' own deltas make.
const MAX_APPLIED_BYTES: usize = 4 << 20;
/// Most commits of a pack that are read.
const MAX_COMMITS: usize = 4;

/// A pack, or, for what does not begin as a pack does, the records of one: what a fetch takes in and an export reads of
/// it. A pack that is refused leaves no file; files have names that lead nowhere else, and the bytes of their objects.
pub(super) fn pack(bytes: &[u8]) {
    static REPOSITORY: LazyLock<(TempDir, gix::ThreadSafeRepository)> = LazyLock::new(|| {
        let folder = TempDir::with_prefix("offprint-fuzz-").expect("a temporary folder");
        let open = gix::open::Options::isolated().with(gix::sec::Trust::Full);
        let (kind, options) = (gix::create::Kind::Bare, gix::create::Options::default());
        let repository =
            gix::ThreadSafeRepository::init_opts(folder.path(), kind, options, open).expect("a repository");
        (folder, repository)
    });
    let (folder, repository) = &*REPOSITORY;
    let packs = folder.path().join("objects/pack");
    let pack = if bytes.starts_with(b"PACK") { sealed(bytes) } else { of_records(bytes) };
    if let Some(index) = receive(&pack, &packs, repository) {
        read_commits(folder.path(), &index);
        for file in fs::read_dir(&packs).expect("a folder").flatten() {
            fs::remove_file(file.path()).expect("a file of a pack");
        }
    }
    let left: Vec<PathBuf> = fs::read_dir(&packs).expect("a folder").flatten().map(|file| file.path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Takes a pack in, in the way in which a fetch does; gives its index, if it is one.
fn receive(pack: &[u8], folder: &Path, repository: &gix::ThreadSafeRepository) -> Option<PathBuf> {
    let options = pack::bundle::write::Options {
        thread_limit: Some(1),
        alloc_limit_bytes: Some(MAX_OBJECT_BYTES),
        ..pack::bundle::write::Options::default()
    };
    let outcome = pack::Bundle::write_to_directory(
        &mut &*pack,
        Some(folder),
        &mut gix::progress::Discard,
        &AtomicBool::new(false),
        Some(repository.to_thread_local().objects),
        gix::hash::Kind::Sha1,
        options,
    );
    outcome.ok()?.index_path
}

/// Reads the commits of a repository.
fn read_commits(folder: &Path, index: &Path) {
    let index = pack::index::File::at(index, gix::hash::Kind::Sha1).expect("the index that was just written");
    let ids: BTreeSet<ObjectId> = index.iter().map(|entry| entry.oid).collect();
    let open = gix::open::Options::isolated().with(gix::sec::Trust::Full);
    let objects = gix::ThreadSafeRepository::open_opts(folder, open).expect("a repository").to_thread_local();
    let is_commit = |id: &&ObjectId| objects.find_header(**id).is_ok_and(|about| about.kind() == Kind::Commit);
    let commits: Vec<&ObjectId> = ids.iter().filter(is_commit).take(MAX_COMMITS).collect();
    for (at, head) in commits.iter().enumerate() {
        let since = at.checked_sub(1).map(|before| commits[before].to_string());
        let fetched = serde_json::json!({ "head": head.to_string(), "reference": "main", "since": since });
        let fetched: FetchedFolder = serde_json::from_value(fetched).expect("what a fetch says");
        let repository = FetchedCommit::open(folder, &fetched).expect("a repository that can be opened");
        // says what is wrong, or what it is about
        let _ = repository.commit("");
        let Ok(files) = repository.files("") else { continue };
        let (tree, _) = SourceTree::of_stored(files);
        let mut paths = BTreeSet::new();
        for (id, file) in tree.iter() {
            let is_name = |name: &str| !matches!(name, "" | "." | "..") && !name.contains('\0');
            assert!(file.path.split('/').all(is_name) && paths.insert(&file.path), "{:?}", file.path);
            let Ok(content) = tree.read_at_most(id, limits::PAGE_BYTES) else { continue };
            assert_eq!(content.len() as u64, file.size, "{:?}", file.path);
            let blob = compute_hash(gix::hash::Kind::Sha1, Kind::Blob, &content).expect("a digest");
            assert!(ids.contains(&blob), "{:?} has bytes of no object", file.path);
        }
    }
}

/// A pack with the digest that it has to end in.
fn sealed(pack: &[u8]) -> Vec<u8> {
    let end = pack.len().saturating_sub(20);
    let mut digest = gix::hash::hasher(gix::hash::Kind::Sha1);
    digest.update(&pack[..end]);
    let digest = digest.try_finalize().expect("a digest");
    [&pack[..end], digest.as_slice()].concat()
}

/// An object of a pack.
struct Object {
    kind: u8,
    /// Its content; of a delta that does not fit, nothing.
    content: Vec<u8>,
    id: ObjectId,
    /// Where it stands in the pack.
    offset: usize,
}

/// Kinds of entries of a pack, as it has them.
const BLOB: u8 = 3;
const KINDS: [u8; 6] = [1, 2, BLOB, 4, OFFSET_DELTA, ID_DELTA];
const OFFSET_DELTA: u8 = 6;
const ID_DELTA: u8 = 7;
/// In a record, with the number of an earlier one behind them: its id, in bytes and in digits.
const ID: &[u8] = b"\xffID";
const DIGITS: &[u8] = b"\xffHX";

/// A pack of records: a kind, the length in two bytes, the content. Ids and offsets are filled in, and deltas packed, so
/// that small changes of a record get as far as what reads objects.
fn of_records(mut bytes: &[u8]) -> Vec<u8> {
    let (mut pack, mut objects) = (b"PACK\0\0\0\x02\0\0\0\0".to_vec(), Vec::<Object>::new());
    while let [kind, low, high, rest @ ..] = bytes {
        let length = usize::from(u16::from_le_bytes([*low, *high])).min(rest.len());
        let (body, rest) = rest.split_at(length);
        bytes = rest;
        let kind = KINDS[usize::from(*kind) % KINDS.len()];
        let offset = pack.len();
        let object = match kind {
            OFFSET_DELTA | ID_DELTA => {
                let Some((base, delta)) = body.split_first() else { continue };
                let Some(base) = objects.get(usize::from(*base) % objects.len().max(1)) else { continue };
                entry_head(&mut pack, kind, delta.len());
                if kind == ID_DELTA {
                    pack.extend_from_slice(base.id.as_slice());
                } else {
                    pack.extend(distance(offset - base.offset));
                }
                pack.extend(deflated(delta));
                object(base.kind, applied(&base.content, delta).unwrap_or_default(), offset)
            }
            kind => {
                let content = filled_in(body, &objects);
                entry_head(&mut pack, kind, content.len());
                pack.extend(deflated(&content));
                object(kind, content, offset)
            }
        };
        objects.push(object);
    }
    pack[8..12].copy_from_slice(&(objects.len() as u32).to_be_bytes());
    sealed(&[&pack[..], &[0; 20]].concat())
}

fn object(kind: u8, content: Vec<u8>, offset: usize) -> Object {
    let name = [Kind::Commit, Kind::Tree, Kind::Blob, Kind::Tag][usize::from(kind - 1)];
    let id = compute_hash(gix::hash::Kind::Sha1, name, &content).expect("a digest");
    Object { kind, content, id, offset }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut out = ZlibEncoder::new(Vec::new(), Compression::fast());
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

/// Kind and size before an entry.
fn entry_head(pack: &mut Vec<u8>, kind: u8, size: usize) {
    let mut byte = (kind << 4) | (size & 15) as u8;
    let mut size = size >> 4;
    while size > 0 {
        pack.push(byte | 0x80);
        byte = (size & 0x7f) as u8;
        size >>= 7;
    }
    pack.push(byte);
}

/// How far before an entry its base stands.
fn distance(mut bytes: usize) -> Vec<u8> {
    let mut out = vec![(bytes & 0x7f) as u8];
    while bytes >> 7 > 0 {
        bytes = (bytes >> 7) - 1;
        out.push(0x80 | (bytes & 0x7f) as u8);
    }
    out.reverse();
    out
}

/// A record with the ids of the objects that it names.
fn filled_in(body: &[u8], objects: &[Object]) -> Vec<u8> {
    let (mut out, mut rest) = (Vec::new(), body);
    while let Some(at) = memchr::memchr(ID[0], rest) {
        out.extend_from_slice(&rest[..at]);
        let object = rest.get(at + ID.len()).and_then(|number| objects.get(usize::from(*number)));
        match object {
            Some(object) if rest[at..].starts_with(ID) => out.extend_from_slice(object.id.as_slice()),
            Some(object) if rest[at..].starts_with(DIGITS) => out.extend_from_slice(object.id.to_string().as_bytes()),
            _ => {
                out.push(rest[at]);
                rest = &rest[at + 1..];
                continue;
            }
        }
        rest = &rest[at + ID.len() + 1..];
    }
    out.extend_from_slice(rest);
    out
}

/// What a delta makes of its base, if it fits and is not too large.
fn applied(base: &[u8], mut delta: &[u8]) -> Option<Vec<u8>> {
    let mut next = move || {
        let (byte, rest) = delta.split_first()?;
        delta = rest;
        Some(*byte)
    };
    let mut out = Vec::new();
    // the sizes of base and result
    for _ in 0..2 {
        while next()? & 0x80 != 0 {}
    }
    while let Some(code) = next() {
        if code & 0x80 == 0 {
            out.extend((0..code).map_while(|_| next()));
            continue;
        }
        let mut number = |bits: std::ops::Range<u32>| {
            let mut number = 0;
            for (place, _) in bits.enumerate().filter(|(_, bit)| code >> bit & 1 == 1) {
                number |= usize::from(next()?) << (8 * place);
            }
            Some(number)
        };
        let (from, size) = (number(0..4)?, number(4..7)?);
        let size = if size == 0 { 0x1_0000 } else { size };
        out.extend_from_slice(base.get(from..from + size).filter(|_| out.len() < MAX_APPLIED_BYTES)?);
    }
    Some(out)
}

/// Records of a repository with folders, links, deltas and a second commit; the same as a pack.
pub(super) fn packs() -> Vec<Vec<u8>> {
    let record = |kind: u8, body: &[u8]| [&[kind], &(body.len() as u16).to_le_bytes()[..], body].concat();
    let text = b"# Text\n\nWords of a page, and more of them, so that a delta is worth it.\n";
    let id = |number: u8| [ID, &[number]].concat();
    let entry =
        |mode: &str, name: &str, number: u8| [mode.as_bytes(), b" ", name.as_bytes(), b"\0", &id(number)].concat();
    let commit = |tree: u8, parent: Option<u8>| {
        let parent = parent.map(|number| [&b"parent "[..], DIGITS, &[number], b"\n"].concat()).unwrap_or_default();
        let who = "author A <a@b.c> 1700000000 +0000\ncommitter A <a@b.c> 1700000000 +0000\n\nOne change\n";
        [&b"tree "[..], DIGITS, &[tree], b"\n", &parent, who.as_bytes()].concat()
    };
    // the base as it is to its 40th byte, six new bytes, the rest
    let delta =
        [&[0, text.len() as u8, text.len() as u8 + 6, 0x90, 40, 6][..], b" more ", &[0x91, 40, text.len() as u8 - 40]]
            .concat();
    let whole = [
        record(2, text),
        record(4, &delta),
        record(1, &[entry("100644", "a.md", 0), entry("120000", "link", 0)].concat()),
        record(1, &[entry("100644", "docs.json", 0), entry("40000", "guides", 2), entry("160000", "sub", 2)].concat()),
        record(0, &commit(3, None)),
        record(1, &[entry("100755", "a.md", 1), entry("40000", "guides", 2)].concat()),
        record(0, &commit(5, Some(4))),
    ]
    .concat();
    let odd = [
        record(2, b""),
        record(
            1,
            &[entry("100644", "..", 0), entry("100644", "a/b", 0), entry("100644", "a", 0), entry("40000", "a", 0)]
                .concat(),
        ),
        record(0, &commit(1, None)),
        record(3, &[&b"object "[..], DIGITS, &[2], b"\ntype commit\ntag t\n\nx"].concat()),
        record(5, &[0, 0, 1, 1, b'x']),
    ]
    .concat();
    vec![of_records(&whole), of_records(&odd), whole, odd]
}
