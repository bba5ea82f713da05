//! The zip format, as much of it as a bundle needs: deflated or stored files, UTF-8 names, Zip64 only where it is
//! needed.
//!
//! Written by hand because the crate `zip` 9.8 takes nothing that something else has compressed: an entry comes from
//! its own compressor (`PreparedZipFile` is made only by its `ZipFileBuilder`) or from an archive that has it already
//! (`raw_copy_file` takes a `ZipFile`, which only a reader makes). Compression is one of the largest costs of a page, 600 µs
//! together: its HTML, 22 kB, costs 51 µs and its Markdown 27 µs with libdeflate at level 1 and its state kept per
//! thread. `zip` (zlib-rs, new state for every entry) needs 96 and 47 µs to make them 3 and 1 % larger, a tenth of an
//! export; in 62 and 27 µs it makes them 28 and 30 % larger.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use base::bundle_path::MANIFEST_PATH;
use base::extension::{file_extension, has_extension};

use super::deflate::{self, Effort, deflate_whole};
use super::reader::{self, BundleReader};

/// Files that hold deflated data as text: to deflate them again takes a tenth of the time of an index and saves a fifth
/// of it.
const DENSE: &str = "_offprint/search/";

/// Types that are compressed already; deflate would cost time and gain nothing.
const STORED: [&str; 28] = [
    "7z", "aac", "avif", "br", "bz2", "flac", "gif", "gz", "heic", "jpeg", "jpg", "jxl", "m4a", "m4v", "mkv", "mov",
    "mp3", "mp4", "ogg", "opus", "png", "tgz", "webm", "webp", "woff", "woff2", "xz", "zip",
];

/// The file as it stands in an archive.
#[derive(Debug)]
pub(super) struct PackedFile {
    data: EntryBytes,
    method: ZipMethod,
    crc: u32,
    size: u64,
}

/// Where the bytes are until they are written.
#[derive(Debug)]
enum EntryBytes {
    Memory(Vec<u8>),
    /// A file, from its start, and its length.
    Disk(File, u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ZipMethod {
    Stored = 0,
    Deflated = 8,
}

impl PackedFile {
    /// Packs a file. What deflate cannot make smaller is stored, and so is what it makes so small that readers would
    /// take it for a bomb.
    pub(super) fn new(path: &str, bytes: Vec<u8>) -> Self {
        let (crc, size) = (libdeflater::crc32(&bytes), bytes.len() as u64);
        match if is_stored(path) { None } else { deflate_whole(&bytes, effort(path)) } {
            Some(data) => Self { data: EntryBytes::Memory(data), method: ZipMethod::Deflated, crc, size },
            None => Self { data: EntryBytes::Memory(bytes), method: ZipMethod::Stored, crc, size },
        }
    }

    /// A file as it stands in another archive.
    pub(super) fn copied(archive: &BundleReader, entry: &reader::BundledFile) -> io::Result<Self> {
        let method = match entry.method() {
            reader::EntryMethod::Stored => ZipMethod::Stored,
            reader::EntryMethod::Deflated => ZipMethod::Deflated,
        };
        let (Some(crc), Some(mut raw)) = (entry.crc32(), archive.raw(entry)) else {
            return Err(io::ErrorKind::Unsupported.into());
        };
        let mut data =
            Vec::with_capacity(usize::try_from(entry.packed_size()).map_err(|_| io::ErrorKind::OutOfMemory)?);
        raw.read_to_end(&mut data)?;
        Ok(Self { data: EntryBytes::Memory(data), method, crc, size: entry.size() })
    }

    /// A file that was deflated elsewhere, if that is smaller than its `size` bytes and large enough to be believed.
    pub(super) fn of_deflated(data: Vec<u8>, crc: u32, size: u64) -> Option<Self> {
        deflate::is_worth_it(&data, size).then(|| Self {
            data: EntryBytes::Memory(data),
            method: ZipMethod::Deflated,
            crc,
            size,
        })
    }

    /// A file of streams that others can follow, with what ends them, that waits on the disk. `length`: its bytes
    /// there; `size`: those of what was deflated.
    pub(super) fn of_long(data: File, length: u64, crc: u32, size: u64) -> Self {
        Self { data: EntryBytes::Disk(data, length), method: ZipMethod::Deflated, crc, size }
    }

    /// Whether two files that are in memory have the same bytes.
    pub(super) fn has_data_of(&self, other: &Self) -> bool {
        matches!((&self.data, &other.data), (EntryBytes::Memory(one), EntryBytes::Memory(other)) if one == other)
    }

    /// Bytes in the archive, without headers.
    pub(super) fn len(&self) -> u64 {
        match &self.data {
            EntryBytes::Memory(bytes) => bytes.len() as u64,
            EntryBytes::Disk(_, length) => *length,
        }
    }

    fn write_to(&self, out: &mut impl Write) -> io::Result<()> {
        match &self.data {
            EntryBytes::Memory(bytes) => out.write_all(bytes),
            EntryBytes::Disk(file, length) => {
                let copied = io::copy(&mut file.take(*length), out)?;
                if copied == *length { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
            }
        }
    }
}

/// Quick where there is one of its kind for each page, and for the manifest.
fn effort(path: &str) -> Effort {
    let is_quick = path == MANIFEST_PATH || matches!(file_extension(path), "html" | "md");
    if is_quick { Effort::Quick } else { Effort::Small }
}

fn is_stored(path: &str) -> bool {
    path.starts_with(DENSE) || has_extension(path, &STORED)
}

/// Version of the format that a reader needs: 2.0 for deflate, 4.5 for Zip64.
const VERSION: u16 = 20;
const VERSION_64: u16 = 45;
/// Made on Unix, so that the attributes below count.
const UNIX: u16 = 3 << 8;
/// A regular file, `rw-r--r--`.
const ATTRIBUTES: u32 = 0o100_644 << 16;
/// 1 January 1980: no clock reaches the archive.
const DATE: u16 = 0x21;
const UTF8_NAME: u16 = 1 << 11;
/// A number that stands in a Zip64 field instead.
const ELSEWHERE: u32 = u32::MAX;

/// An archive in the making.
pub(super) struct ZipWriter<W> {
    out: W,
    at: u64,
    entries: u64,
    /// The central directory so far: 46 bytes and the name for each file.
    directory: Vec<u8>,
}

impl<W: Write> ZipWriter<W> {
    pub(super) fn new(out: W) -> Self {
        Self { out, at: 0, entries: 0, directory: Vec::new() }
    }

    /// The writer of an archive that [`ZipWriter::finish`] has written: what is added takes the place of its directory.
    pub(super) fn resume(mut out: W) -> io::Result<Self>
    where
        W: Read + Seek,
    {
        let other = || io::Error::new(io::ErrorKind::InvalidData, "the archive does not end as ours do");
        let length = out.seek(SeekFrom::End(0))?;
        let mut read = |from_end: u64, bytes: &mut [u8]| {
            out.seek(SeekFrom::Start(length.checked_sub(from_end).ok_or_else(other)?))?;
            out.read_exact(bytes)
        };
        let mut end = [0; 22];
        read(22, &mut end)?;
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |sum, byte| (sum << 8) | u64::from(*byte));
        let (mut entries, mut size, mut start) = (number(&end[10..12]), number(&end[12..16]), number(&end[16..20]));
        let mut behind = 22;
        if entries == u64::from(u16::MAX) || size.max(start) == u64::from(ELSEWHERE) {
            // the Zip64 record and what says where it is
            let mut long = [0; 76];
            behind += 76;
            read(behind, &mut long)?;
            (entries, size, start) = (number(&long[32..40]), number(&long[40..48]), number(&long[48..56]));
            if !long.starts_with(b"PK\x06\x06") {
                return Err(other());
            }
        }
        let is_ours = end.starts_with(b"PK\x05\x06")
            && start.checked_add(size).and_then(|end| end.checked_add(behind)) == Some(length);
        if !is_ours {
            return Err(other());
        }
        let mut directory = vec![0; usize::try_from(size).map_err(|_| other())?];
        read(size + behind, &mut directory)?;
        out.seek(SeekFrom::Start(start))?;
        Ok(Self { out, at: start, entries, directory })
    }

    /// Adds a file. Its name must not have been given before.
    pub(super) fn add(&mut self, path: &str, file: &PackedFile) -> io::Result<()> {
        let mut header = Vec::with_capacity(64 + path.len());
        let length = |bytes: usize| {
            u16::try_from(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidFilename, "the name is too long"))
        };
        let name_length = length(path.len())?;
        let is_long = file.size.max(file.len()) >= u64::from(ELSEWHERE);
        let extra = if is_long { extra(&[file.size, file.len()]) } else { Vec::new() };
        header.extend(b"PK\x03\x04");
        Self::push_common(&mut header, path, file, is_long);
        header.extend(name_length.to_le_bytes());
        header.extend(length(extra.len())?.to_le_bytes());
        header.extend(path.as_bytes());
        header.extend(&extra);
        self.out.write_all(&header)?;
        file.write_to(&mut self.out)?;

        let is_far = self.at >= u64::from(ELSEWHERE);
        let mut fields = if is_long { vec![file.size, file.len()] } else { Vec::new() };
        fields.extend(is_far.then_some(self.at));
        let extra = self::extra(&fields);
        let directory = &mut self.directory;
        directory.extend(b"PK\x01\x02");
        directory.extend((UNIX | VERSION).to_le_bytes());
        Self::push_common(directory, path, file, is_long || is_far);
        directory.extend(name_length.to_le_bytes());
        directory.extend(length(extra.len())?.to_le_bytes());
        // no comment, first disk, no internal attributes
        directory.extend([0; 6]);
        directory.extend(ATTRIBUTES.to_le_bytes());
        directory.extend(short(self.at).to_le_bytes());
        directory.extend(path.as_bytes());
        directory.extend(&extra);
        self.at += header.len() as u64 + file.len();
        self.entries += 1;
        Ok(())
    }

    /// What both headers of a file share: version to sizes. Sizes that do not fit stand in a Zip64 field, both of them.
    fn push_common(out: &mut Vec<u8>, path: &str, file: &PackedFile, is_64: bool) {
        let is_long = file.size.max(file.len()) >= u64::from(ELSEWHERE);
        let sizes = if is_long { [ELSEWHERE; 2] } else { [short(file.len()), short(file.size)] };
        out.extend(if is_64 { VERSION_64 } else { VERSION }.to_le_bytes());
        out.extend(if path.is_ascii() { 0 } else { UTF8_NAME }.to_le_bytes());
        out.extend((file.method as u16).to_le_bytes());
        out.extend([0; 2]);
        out.extend(DATE.to_le_bytes());
        out.extend(file.crc.to_le_bytes());
        sizes.iter().for_each(|size| out.extend(size.to_le_bytes()));
    }

    /// Writes the directory and gives the output back.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let (start, length) = (self.at, self.directory.len() as u64);
        self.out.write_all(&self.directory)?;
        let mut end = Vec::with_capacity(98);
        if self.entries >= u64::from(u16::MAX) || start.max(length) >= u64::from(ELSEWHERE) {
            end.extend(b"PK\x06\x06");
            end.extend(44u64.to_le_bytes());
            end.extend((UNIX | VERSION_64).to_le_bytes());
            end.extend(VERSION_64.to_le_bytes());
            end.extend([0; 8]);
            [self.entries, self.entries, length, start].iter().for_each(|number| end.extend(number.to_le_bytes()));
            end.extend(b"PK\x06\x07");
            end.extend([0; 4]);
            end.extend((start + length).to_le_bytes());
            end.extend(1u32.to_le_bytes());
        }
        let entries = u16::try_from(self.entries).unwrap_or(u16::MAX);
        end.extend(b"PK\x05\x06");
        end.extend([0; 4]);
        end.extend(entries.to_le_bytes());
        end.extend(entries.to_le_bytes());
        end.extend(short(length).to_le_bytes());
        end.extend(short(start).to_le_bytes());
        end.extend([0; 2]);
        self.out.write_all(&end)?;
        Ok(self.out)
    }
}

/// A number as the format had room for it at first.
fn short(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(ELSEWHERE)
}

/// The Zip64 field of a header; nothing if no number needs it.
fn extra(numbers: &[u64]) -> Vec<u8> {
    let mut out = Vec::new();
    if !numbers.is_empty() {
        out.extend(1u16.to_le_bytes());
        out.extend((8 * numbers.len() as u16).to_le_bytes());
        numbers.iter().for_each(|number| out.extend(number.to_le_bytes()));
    }
    out
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Read};

    use super::*;

    #[track_caller]
    fn check_stored(path: &str, expect: bool) {
        assert_eq!(is_stored(path), expect, "{path}");
    }

    #[test]
    fn compressed_types_are_stored() {
        check_stored("img/a.PNG", true);
        check_stored("fonts/inter.woff2", true);
        check_stored("png", false);
        check_stored("a.png.html", false);
        check_stored("a.svg", false);
    }

    #[test]
    fn the_list_is_sorted_and_lower_case() {
        assert!(
            STORED.is_sorted()
                && STORED.iter().all(|name| name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()))
        );
    }

    #[test]
    fn what_does_not_shrink_is_stored() {
        for (bytes, method) in [
            (vec![], ZipMethod::Stored),
            (b"x".to_vec(), ZipMethod::Stored),
            (b"<p>text</p>".repeat(90), ZipMethod::Deflated),
            (vec![0; 1 << 20], ZipMethod::Stored),
        ] {
            let packed = PackedFile::new("a.txt", bytes.clone());
            assert_eq!((packed.method, packed.size), (method, bytes.len() as u64));
            assert!(packed.len() < packed.size || matches!(&packed.data, EntryBytes::Memory(data) if *data == bytes));
        }
    }

    /// Writes files and reads them back with another implementation.
    #[track_caller]
    fn check(files: &[(&str, PackedFile, &[u8])], start: u64) {
        let mut writer = ZipWriter::new(Vec::new());
        for (path, packed, _) in files {
            writer.add(path, packed).unwrap();
        }
        assert_eq!(writer.at, writer.out.len() as u64);
        let bytes = writer.finish().unwrap();
        let mut archive = ::zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
        assert_eq!((archive.len(), archive.offset()), (files.len(), start));
        for (index, (path, _, content)) in files.iter().enumerate() {
            let mut file = archive.by_index(index).unwrap();
            assert_eq!(file.name().unwrap(), *path);
            let mut read = Vec::new();
            file.read_to_end(&mut read).unwrap();
            assert_eq!(read, *content);
        }
    }

    #[test]
    fn archives_can_be_read() {
        let text = "<p>text</p>".repeat(1000);
        check(&[], 0);
        check(
            &[
                ("a.html", PackedFile::new("a.html", text.clone().into_bytes()), text.as_bytes()),
                ("ü/日本.txt", PackedFile::new("", b"x".to_vec()), b"x"),
                ("empty", PackedFile::new("empty", Vec::new()), b""),
            ],
            0,
        );
    }

    #[test]
    fn names_that_do_not_fit_are_refused() {
        assert!(ZipWriter::new(Vec::new()).add(&"x".repeat(70_000), &PackedFile::new("x", Vec::new())).is_err());
    }

    #[test]
    fn far_and_large_files_use_zip64() {
        // the front is left out: headers only, as a reader of the directory sees them
        let mut writer = ZipWriter::new(Vec::new());
        writer.at = u64::from(u32::MAX) + 7;
        writer.add("far", &PackedFile::new("far", b"x".to_vec())).unwrap();
        let large =
            PackedFile { data: EntryBytes::Memory(Vec::new()), method: ZipMethod::Stored, crc: 0, size: 5 << 30 };
        writer.add("large", &large).unwrap();
        let far = &writer.directory[..46 + 3 + 12];
        assert_eq!((&far[6..8], &far[42..46], &far[46..49]), (&45u16.to_le_bytes()[..], &[0xff; 4][..], &b"far"[..]));
        assert_eq!(far[49..], [&[1, 0, 8, 0][..], &(u64::from(u32::MAX) + 7).to_le_bytes()].concat());
        let large = &writer.directory[far.len()..];
        assert_eq!((&large[20..28], &large[30..32]), (&[0xff; 8][..], &28u16.to_le_bytes()[..]));
        assert_eq!(large[51..63], [&[1, 0, 24, 0][..], &(5u64 << 30).to_le_bytes()].concat());
        let bytes = writer.finish().unwrap();
        assert_eq!(bytes[bytes.len() - 98..][..4], *b"PK\x06\x06");
    }
}
