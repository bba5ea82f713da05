//! Archives that are made to harm whoever opens them, each with the reason for which it is refused.

use std::io::Write as _;

use flate2::{Compression, Crc, write::DeflateEncoder};
use sha2::{Digest, Sha256};

/// All of them: what is wrong, the archive, the reason.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    [names(), kinds(), contradictions(), bombs(), contents()].concat()
}

/// An entry, every number of it as it will stand in the archive.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) name: Vec<u8>,
    pub(crate) local_name: Option<Vec<u8>>,
    pub(crate) data: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) crc: u32,
    pub(crate) size: u32,
    pub(crate) packed: u32,
    pub(crate) attributes: u32,
    pub(crate) extra: Vec<u8>,
    pub(crate) local_extra: Vec<u8>,
    pub(crate) comment: Vec<u8>,
    pub(crate) disk: u16,
    /// Instead of the true one.
    pub(crate) offset: Option<u32>,
    /// No header and data of its own: it refers to those of another one.
    pub(crate) is_shadow: bool,
}

const PLAIN: u32 = 0o100_644 << 16;
const UTF8: u16 = 1 << 11;

fn crc(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = DeflateEncoder::new(Vec::new(), Compression::best());
    out.write_all(bytes).expect("memory");
    out.finish().expect("memory")
}

pub(crate) fn stored(name: impl AsRef<[u8]>, content: &[u8]) -> File {
    let name = name.as_ref().to_vec();
    let flags = if name.is_ascii() { 0 } else { UTF8 };
    let length = content.len() as u32;
    File {
        name,
        local_name: None,
        data: content.to_vec(),
        method: 0,
        flags,
        crc: crc(content),
        size: length,
        packed: length,
        attributes: PLAIN,
        extra: Vec::new(),
        local_extra: Vec::new(),
        comment: Vec::new(),
        disk: 0,
        offset: None,
        is_shadow: false,
    }
}

pub(crate) fn deflated(name: &str, content: &[u8]) -> File {
    let data = deflate(content);
    File { method: 8, packed: data.len() as u32, data, ..stored(name, content) }
}

pub(crate) fn named(name: impl AsRef<[u8]>) -> Vec<u8> {
    zip(&[stored("index.html", b"fine"), stored(name, b"x")])
}

fn with(change: impl FnOnce(&mut File)) -> Vec<u8> {
    let mut file = stored("a.html", b"content");
    change(&mut file);
    zip(&[stored("index.html", b"fine"), file])
}

pub(crate) fn field(id: u16, content: &[u8]) -> Vec<u8> {
    [&id.to_le_bytes()[..], &(content.len() as u16).to_le_bytes(), content].concat()
}

/// Puts an archive together.
pub(crate) fn zip(files: &[File]) -> Vec<u8> {
    zip_with(files, |local| local)
}

/// Puts an archive together, with changed local headers.
fn zip_with(files: &[File], change: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let offset = file.offset.unwrap_or(out.len() as u32);
        let common = |name: &[u8], extra: &[u8]| {
            let mut common = [20u16, file.flags, file.method, 0, 0x21]
                .iter()
                .flat_map(|number| number.to_le_bytes())
                .collect::<Vec<u8>>();
            common.extend([file.crc, file.packed, file.size].iter().flat_map(|number| number.to_le_bytes()));
            common.extend([name.len() as u16, extra.len() as u16].iter().flat_map(|number| number.to_le_bytes()));
            common
        };
        if !file.is_shadow {
            let name = file.local_name.as_ref().unwrap_or(&file.name);
            out.extend(change([b"PK\x03\x04", &common(name, &file.local_extra)[..], name, &file.local_extra].concat()));
            out.extend(&file.data);
        }
        directory.extend(b"PK\x01\x02");
        directory.extend((3u16 << 8 | 20).to_le_bytes());
        directory.extend(common(&file.name, &file.extra));
        directory.extend([file.comment.len() as u16, file.disk, 0].iter().flat_map(|number| number.to_le_bytes()));
        directory.extend(file.attributes.to_le_bytes());
        directory.extend(offset.to_le_bytes());
        directory.extend([&file.name[..], &file.extra, &file.comment].concat());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(end(files.len() as u16, directory.len() as u32, start));
    out
}

pub(crate) fn end(count: u16, length: u32, start: u32) -> Vec<u8> {
    let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
    end.extend([count, count].iter().flat_map(|number| number.to_le_bytes()));
    end.extend([length, start].iter().flat_map(|number| number.to_le_bytes()));
    end.extend([0, 0]);
    end
}

/// Replaces the end record by Zip64 records with these numbers.
pub(crate) fn with_end_64(mut archive: Vec<u8>, entries: u64, length: u64, start: u64) -> Vec<u8> {
    archive.truncate(archive.len() - 22);
    let at = archive.len() as u64;
    archive.extend(b"PK\x06\x06");
    archive.extend(44u64.to_le_bytes());
    archive.extend([45, 3, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    archive.extend([entries, entries, length, start].iter().flat_map(|number| number.to_le_bytes()));
    archive.extend(b"PK\x06\x07\0\0\0\0");
    archive.extend(at.to_le_bytes());
    archive.extend(1u32.to_le_bytes());
    archive.extend(end(u16::MAX, u32::MAX, u32::MAX));
    archive
}

/// A bundle with a manifest of what the files say they are, in which only the contents can be wrong.
pub(crate) fn bundle(file: File, content: &[u8]) -> Vec<u8> {
    let digest: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
    let manifest = format!(
        "{{\"formatVersion\":1,\"pageCount\":1,\"files\":{{\"{}\":{{\"size\":{},\"sha256\":\"{digest}\"}}}}}}",
        String::from_utf8_lossy(&file.name),
        file.size
    );
    zip(&[file, stored("_offprint/manifest.json", manifest.as_bytes())])
}

/// Entries that all refer to one file.
pub(crate) fn overlapping(entries: usize, kernel: &File) -> Vec<u8> {
    let bare = File { data: Vec::new(), offset: Some(0), is_shadow: true, ..kernel.clone() };
    let shadow = |n: usize| File { name: format!("{n}").into_bytes(), ..bare.clone() };
    zip(&std::iter::once(kernel.clone()).chain((1..entries).map(shadow)).collect::<Vec<_>>())
}

/// A file of zeros.
pub(crate) fn zeros(bytes: usize) -> File {
    deflated("0", &vec![0; bytes])
}

/// A file that nothing makes smaller.
pub(crate) fn noise(bytes: u32) -> File {
    stored("0", &(0..bytes).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>())
}

/// Fifield's better form: every entry's content begins with the local headers of all that follow, as stored blocks of
/// its deflate stream, and ends in the one kernel.
pub(crate) fn quoting(entries: usize) -> Vec<u8> {
    let kernel = deflate(&vec![0; 200_000]);
    let header = |name: &str, packed: u32, size: u32| {
        let mut header = b"PK\x03\x04\x14\0\0\0\x08\0\0\0\x21\0\0\0\0\0".to_vec();
        header.extend([packed, size].iter().flat_map(|number| number.to_le_bytes()));
        header.extend([name.len() as u16, 0].iter().flat_map(|number| number.to_le_bytes()));
        header.extend(name.as_bytes());
        header
    };
    let (mut tail, mut size, mut sizes) = (kernel, 200_000u32, Vec::new());
    for n in (0..entries).rev() {
        let own = header(&format!("{n:05}"), tail.len() as u32, size);
        sizes.push((tail.len() as u32, size));
        let mut quoted = vec![0];
        quoted.extend((own.len() as u16).to_le_bytes());
        quoted.extend((!(own.len() as u16)).to_le_bytes());
        size += own.len() as u32;
        tail = if n == 0 { [own, tail].concat() } else { [quoted, own, tail].concat() };
    }
    let mut out = tail;
    let (mut directory, mut at) = (Vec::new(), 0u32);
    for (n, (packed, size)) in sizes.iter().rev().enumerate() {
        let name = format!("{n:05}");
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&header(&name, *packed, *size)[4..30]);
        directory.extend([0; 6]);
        directory.extend(PLAIN.to_le_bytes());
        directory.extend(at.to_le_bytes());
        directory.extend(name.as_bytes());
        at += 30 + 5 + 5;
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(end(entries as u16, directory.len() as u32, start));
    out
}

fn names() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    vec![
        ("up", named("../x"), "name-traversal"),
        ("up and down", named("a/../../x"), "name-traversal"),
        ("here", named("./a"), "name-traversal"),
        ("empty segment", named("a//b"), "name-traversal"),
        ("absolute", named("/etc/passwd"), "name-absolute"),
        ("drive", named("C:\\x"), "name-absolute"),
        ("drive with a slash", named("C:/x"), "name-absolute"),
        ("server", named("\\\\server\\share\\x"), "name-absolute"),
        ("backslash", named("a\\..\\b"), "name-backslash"),
        ("empty", named(""), "name-empty"),
        ("zero byte", named("a\0.html"), "name-character"),
        ("line end", named("a\nb"), "name-character"),
        ("stream of a file", named("ab:c"), "name-character"),
        ("wildcard", named("a*"), "name-character"),
        ("device", named("con"), "name-device"),
        ("device with extension", named("a/NUL.html"), "name-device"),
        ("dot at the end", named("a./b"), "name-ending"),
        ("space at the end", named("a "), "name-ending"),
        ("decomposed", named("e\u{301}.html"), "name-form"),
        ("long", named("x".repeat(300)), "name-too-long"),
        ("longer than anything", named("x".repeat(60_000)), "name-too-long"),
        ("not UTF-8", named(b"a\xff\xfe"), "name-encoding"),
        ("UTF-8 that is not marked", with(|file| file.name = "ü".into()), "name-encoding"),
        ("the same twice", named("index.html"), "duplicate"),
        ("the same but for case", named("INDEX.html"), "collision"),
        ("the same but for form", zip(&[stored("ﬁle", b""), stored("file", b"")]), "collision"),
        ("file and folder", named("index.html/a"), "collision"),
        ("folder and file", zip(&[stored("a/b", b""), stored("A", b"")]), "collision"),
    ]
}

fn kinds() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let mode = |mode: u32| with(move |file| file.attributes = mode << 16);
    vec![
        (
            "symbolic link",
            with(|file| (file.attributes, file.data) = (0o120_777 << 16, b"/etc/pw".to_vec())),
            "symbolic-link",
        ),
        ("folder", named("dir/"), "folder"),
        ("folder of DOS", with(|file| file.attributes = 0x10), "folder"),
        ("folder of Unix", mode(0o040_755), "folder"),
        ("volume", with(|file| file.attributes = 8), "special-file"),
        ("device", mode(0o020_644), "special-file"),
        ("block device", mode(0o060_644), "special-file"),
        ("pipe", mode(0o010_644), "special-file"),
        ("socket", mode(0o140_644), "special-file"),
        ("set user id", mode(0o104_755), "special-file"),
        ("second name", with(|file| file.extra = field(0x7075, b"\x01\0\0\0\0../x")), "second-name"),
        ("hard link", with(|file| file.extra = field(0x000d, b"\0\0\0\0\0\0\0\0\0\0\0\0index.html")), "field"),
        ("comment", with(|file| file.comment = b"x".to_vec()), "comment"),
        ("encrypted", with(|file| file.flags = 1), "encrypted"),
        ("sizes after the content", with(|file| file.flags = 8), "streamed"),
        ("patch", with(|file| file.flags = 32), "flags"),
        ("bzip2", with(|file| file.method = 12), "method"),
        ("AES", with(|file| file.method = 99), "method"),
        ("another disk", with(|file| file.disk = 1), "several-disks"),
    ]
}

fn contradictions() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let local = |at: usize, byte: u8| {
        zip_with(&[stored("a.html", b"content")], move |mut header| {
            header[at] ^= byte;
            header
        })
    };
    let cut = |bytes: Vec<u8>, cut: usize| bytes[..bytes.len() - cut].to_vec();
    let fine = || named("a.html");
    let (length, start) = (2 * 46 + 10 + 6, 2 * 30 + 10 + 6 + 4 + 1);
    vec![
        ("other name beside the content", with(|file| file.local_name = Some(b"b.html".to_vec())), "local-header"),
        ("other magic", local(0, 1), "local-header"),
        ("other flags", local(6, 1), "local-header"),
        ("other method", local(8, 8), "local-header"),
        ("other checksum", local(14, 1), "local-header"),
        ("other size", local(22, 1), "local-header"),
        ("field beside the content only", with(|file| file.local_extra = field(0x7075, b"../x")), "gap"),
        ("two sizes", with(|file| file.packed = 3), "sizes"),
        ("size that stands nowhere", with(|file| (file.size, file.packed) = (u32::MAX, u32::MAX)), "zip64"),
        (
            "overflowing size",
            with(|file| (file.size, file.packed, file.extra) = (u32::MAX, u32::MAX, field(1, &[0xff; 16]))),
            "overlap",
        ),
        ("content beyond the end", with(|file| file.offset = Some(50_000)), "gap"),
        ("bytes before the archive", [b"#!/bin/sh\n".to_vec(), fine()].concat(), "directory"),
        ("bytes after the archive", [fine(), b"x".to_vec()].concat(), "trailing-bytes"),
        ("two archives", [fine(), fine()].concat(), "directory"),
        ("comment of the archive", [cut(fine(), 2), b"\x01\0x".to_vec()].concat(), "trailing-bytes"),
        ("cut", cut(fine(), 1), "trailing-bytes"),
        ("half", cut(fine(), 60), "not-an-archive"),
        ("nothing", Vec::new(), "not-an-archive"),
        ("fewer entries than there are", [cut(fine(), 22), end(1, length, start)].concat(), "directory"),
        ("more entries than there are", [cut(fine(), 22), end(3, length, start)].concat(), "directory"),
        ("directory elsewhere", [cut(fine(), 22), end(2, length, start - 1)].concat(), "directory"),
        ("Zip64 without its records", [cut(fine(), 22), end(u16::MAX, length, start)].concat(), "zip64"),
        ("overflowing directory", with_end_64(fine(), 2, u64::MAX, 2), "directory"),
        ("too many entries", with_end_64(fine(), 300_000, length.into(), start.into()), "too-many-files"),
        ("hidden bytes", zip_with(&[stored("a.html", b"x")], |header| [b"hidden", &header[..]].concat()), "gap"),
    ]
}

fn bombs() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let small = |n: usize| deflated(&format!("{n}"), &[[b'a'; 6000].to_vec(), b"xyz".to_vec()].concat().repeat(6));
    vec![
        ("two names for one file", overlapping(2, &noise(50)), "overlap"),
        ("many names for one file", overlapping(60_000, &noise(1 << 20)), "overlap"),
        ("many names for one file of zeros", overlapping(250, &zeros(21 << 20)), "ratio"),
        ("quoted headers", quoting(1000), "overlap"),
        ("one file of zeros", zip(&[zeros(8 << 20)]), "ratio"),
        ("many small files of zeros", zip(&(0..2000).map(small).collect::<Vec<_>>()), "ratio"),
    ]
}

/// Archives whose directory is in order, and whose contents are not what it says.
fn contents() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let text = b"<p>content</p>".repeat(50);
    let page = || deflated("a.html", &text);
    let short = File { size: 10, ..deflated("a.html", &vec![0; 8 << 20]) };
    vec![
        ("inflates to more than it says", bundle(short, b"x"), "length"),
        ("inflates to less than it says", bundle(File { size: 701, ..page() }, b"x"), "length"),
        ("noise", bundle(File { data: vec![0xff; 60], packed: 60, ..page() }, b"x"), "deflate"),
        (
            "bytes after the stream",
            bundle(File { data: [page().data, vec![0; 9]].concat(), packed: page().packed + 9, ..page() }, &text),
            "deflate",
        ),
        ("checksum", bundle(File { crc: 7, ..page() }, &text), "checksum"),
        ("checksum of a stored file", bundle(File { crc: 7, ..stored("a.html", &text) }, &text), "checksum"),
        ("digest", bundle(page(), b"something else"), "digest"),
    ]
}
