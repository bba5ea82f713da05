//! The directory of a zip archive, read as strictly as it was written: entries lie one after the other from the first
//! byte on, the directory follows the last of them, the end record follows the directory, and nothing else is there. So
//! no two entries can share bytes, no byte is left unaccounted for, and no two readers can see different files.
//!
//! Whatever can be refused is refused before anything is inflated, and by sums over the directory alone.

use std::fs::File;

use crate::names::EntryNames;
use base::{BundlePath, limits, read_at};

use super::refusal::{EntryRefusal, NameFault, ReadError};
use super::{BundledFile, EntryMethod};

/// Sizes of records without their names, bytes.
const END: u64 = 22;
const END_64: u64 = 56;
const LOCATOR: u64 = 20;
const RECORD: usize = 46;
const LOCAL: u64 = 30;
/// A Zip64 field with the two sizes.
const SIZES_64: u64 = 20;
/// A number that stands elsewhere: in a Zip64 record.
const ELSEWHERE_16: u64 = u16::MAX as u64;
const ELSEWHERE: u64 = u32::MAX as u64;

/// The flag for names in UTF-8: the only one that bundles have.
const UTF8_NAME: u16 = 1 << 11;
const ENCRYPTED: u16 = 1;
const STREAMED: u16 = 1 << 3;

type DirectoryResult<T> = std::result::Result<T, ReadError>;

/// Where the directory lies.
struct DirectoryEnd {
    entries: u64,
    start: u64,
    length: u64,
}

/// Reads and checks everything but the contents of an archive's entries.
pub(super) fn read_archive_directory(file: &File, shown: &str) -> DirectoryResult<Vec<BundledFile>> {
    let length = file.metadata().map_err(ReadError::io(format!("cannot read `{shown}`")))?.len();
    let at = |start: u64, length: u64| -> DirectoryResult<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| ReadError::archive(EntryRefusal::Directory))?];
        read_at::read_exact_at(file, &mut bytes, start).map_err(ReadError::io(format!("cannot read `{shown}`")))?;
        Ok(bytes)
    };
    let end = find_end(length, &at)?;
    if end.entries > limits::BUNDLE_FILES {
        return Err(ReadError::archive(EntryRefusal::TooManyEntries {
            found: end.entries,
            limit: limits::BUNDLE_FILES,
        }));
    }
    if end.length > limits::BUNDLE_DIRECTORY_BYTES || end.length < end.entries * RECORD as u64 {
        return Err(ReadError::archive(EntryRefusal::Directory));
    }
    let bytes = at(end.start, end.length)?;
    let records = parse_directory(&bytes, &end, length)?;
    let mut names = EntryNames::empty();
    let mut entries: Vec<BundledFile> = Vec::with_capacity(records.len());
    for (index, record) in (0u32..).zip(&records) {
        let path = record.path()?;
        if let Err(other) = names.claim(&path, index) {
            let other = entries.get(other as usize).map_or("", |other| other.path.as_str());
            let refusal = if other == path.as_str() {
                EntryRefusal::Duplicate
            } else {
                EntryRefusal::Collision(other.to_owned())
            };
            return Err(ReadError::entry(path.as_str(), refusal));
        }
        entries.push(BundledFile {
            path,
            size: record.size,
            packed: record.packed,
            method: record.method,
            crc32: Some(record.crc),
            offset: record.data(),
        });
    }
    for record in &records {
        let local = at(record.offset, record.header())?;
        if !record.agrees(&local) {
            return Err(record.refused(EntryRefusal::LocalHeader));
        }
    }
    Ok(entries)
}

/// Finds the end record, which is the last thing in the file, and the Zip64 records before it if there are any.
fn find_end(length: u64, at: &impl Fn(u64, u64) -> DirectoryResult<Vec<u8>>) -> DirectoryResult<DirectoryEnd> {
    let Some(end_at) = length.checked_sub(END) else { return Err(ReadError::archive(EntryRefusal::NotAnArchive)) };
    let end = at(end_at, END)?;
    if !end.starts_with(b"PK\x05\x06") || u16_at(&end, 20) != 0 {
        let tail = length.min(END + u64::from(u16::MAX));
        let tail = at(length - tail, tail)?;
        let is_followed = memchr::memmem::find(&tail, b"PK\x05\x06").is_some();
        return Err(ReadError::archive(if is_followed {
            EntryRefusal::TrailingBytes
        } else {
            EntryRefusal::NotAnArchive
        }));
    }
    if u16_at(&end, 4) != 0 || u16_at(&end, 6) != 0 || u16_at(&end, 8) != u16_at(&end, 10) {
        return Err(ReadError::archive(EntryRefusal::SeveralDisks));
    }
    let short = [u64::from(u16_at(&end, 10)), u64::from(u32_at(&end, 12)), u64::from(u32_at(&end, 16))];
    let is_64 = short[0] == ELSEWHERE_16 || short[1] == ELSEWHERE || short[2] == ELSEWHERE;
    let ([entries, size, start], directory_end) = if is_64 { find_end_64(end_at, short, at)? } else { (short, end_at) };
    if start.checked_add(size) != Some(directory_end) {
        return Err(ReadError::archive(EntryRefusal::Directory));
    }
    Ok(DirectoryEnd { entries, start, length: size })
}

/// The numbers of the Zip64 end record, and where it begins.
fn find_end_64(
    end_at: u64,
    short: [u64; 3],
    at: &impl Fn(u64, u64) -> DirectoryResult<Vec<u8>>,
) -> DirectoryResult<([u64; 3], u64)> {
    let wrong = || ReadError::archive(EntryRefusal::Zip64);
    let locator_at = end_at.checked_sub(LOCATOR).ok_or_else(wrong)?;
    let record_at = locator_at.checked_sub(END_64).ok_or_else(wrong)?;
    let (locator, record) = (at(locator_at, LOCATOR)?, at(record_at, END_64)?);
    let is_located = locator.starts_with(b"PK\x06\x07")
        && u32_at(&locator, 4) == 0
        && u64_at(&locator, 8) == record_at
        && u32_at(&locator, 16) == 1;
    let is_record = record.starts_with(b"PK\x06\x06") && u64_at(&record, 4) == END_64 - 12 && u64_at(&record, 16) == 0;
    let long = [u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48)];
    let saturated = [ELSEWHERE_16, ELSEWHERE, ELSEWHERE];
    let agree = short.iter().zip(&long).zip(&saturated).all(|((short, long), limit)| short == limit || short == long);
    if is_located && is_record && agree && u64_at(&record, 24) == long[0] {
        Ok((long, record_at))
    } else {
        Err(wrong())
    }
}

/// An entry of the directory.
struct DirectoryRecord<'a> {
    /// Flags to length of the additional fields, as they also stand in the local header.
    common: &'a [u8],
    name: &'a [u8],
    flags: u16,
    method: EntryMethod,
    crc: u32,
    size: u64,
    packed: u64,
    /// Of the local header.
    offset: u64,
    /// The sizes stand in a Zip64 field.
    is_long: bool,
}

/// Splits the directory into records and checks every number in it.
fn parse_directory<'a>(
    mut bytes: &'a [u8],
    end: &DirectoryEnd,
    length: u64,
) -> DirectoryResult<Vec<DirectoryRecord<'a>>> {
    let mut records = Vec::with_capacity(usize::try_from(end.entries).unwrap_or_default());
    let (mut at, mut total) = (0u64, 0u64);
    for _ in 0..end.entries {
        let (record, rest) = DirectoryRecord::parse(bytes)?;
        bytes = rest;
        if record.offset != at {
            return Err(record.refused(if record.offset < at { EntryRefusal::Overlap } else { EntryRefusal::Gap }));
        }
        at = record
            .data()
            .checked_add(record.packed)
            .filter(|at| *at <= end.start)
            .ok_or_else(|| record.refused(EntryRefusal::Overlap))?;
        if record.size / limits::BUNDLE_ENTRY_RATIO > record.packed + record.overhead() {
            return Err(record.refused(EntryRefusal::Ratio { limit: limits::BUNDLE_ENTRY_RATIO }));
        }
        let too_large = || ReadError::archive(EntryRefusal::TooLarge { limit: limits::BUNDLE_BYTES });
        total = total.checked_add(record.size).filter(|total| *total <= limits::BUNDLE_BYTES).ok_or_else(too_large)?;
        records.push(record);
    }
    if !bytes.is_empty() {
        return Err(ReadError::archive(EntryRefusal::Directory));
    }
    if at != end.start {
        return Err(ReadError::archive(EntryRefusal::Gap));
    }
    if total / limits::BUNDLE_RATIO > length {
        return Err(ReadError::archive(EntryRefusal::Ratio { limit: limits::BUNDLE_RATIO }));
    }
    Ok(records)
}

impl<'a> DirectoryRecord<'a> {
    /// Takes one record off the front.
    fn parse(bytes: &'a [u8]) -> DirectoryResult<(Self, &'a [u8])> {
        let damaged = || ReadError::archive(EntryRefusal::Directory);
        let (fixed, rest) =
            bytes.split_at_checked(RECORD).filter(|(fixed, _)| fixed.starts_with(b"PK\x01\x02")).ok_or_else(damaged)?;
        let length = |at| usize::from(u16_at(fixed, at));
        let (name, rest) = rest.split_at_checked(length(28)).ok_or_else(damaged)?;
        let (extra, rest) = rest.split_at_checked(length(30)).ok_or_else(damaged)?;
        let refused = |refusal| ReadError::entry(String::from_utf8_lossy(name), refusal);
        let flags = u16_at(fixed, 8);
        let method = match u16_at(fixed, 10) {
            0 => EntryMethod::Stored,
            8 => EntryMethod::Deflated,
            other => return Err(refused(EntryRefusal::Method(other))),
        };
        let refusal = match flags {
            flags if flags & ENCRYPTED != 0 => Some(EntryRefusal::Encrypted),
            flags if flags & STREAMED != 0 => Some(EntryRefusal::Streamed),
            flags if flags & !UTF8_NAME != 0 => Some(EntryRefusal::Flags),
            _ if length(32) != 0 => Some(EntryRefusal::Comment),
            _ if length(34) != 0 => Some(EntryRefusal::SeveralDisks),
            _ => attributes_refusal(u32_at(fixed, 38)),
        };
        if let Some(refusal) = refusal {
            return Err(refused(refusal));
        }
        let mut numbers = [u64::from(u32_at(fixed, 24)), u64::from(u32_at(fixed, 20)), u64::from(u32_at(fixed, 42))];
        let is_long = numbers[0] == ELSEWHERE || numbers[1] == ELSEWHERE;
        fill_from_extra(extra, &mut numbers).map_err(refused)?;
        let [size, packed, offset] = numbers;
        if method == EntryMethod::Stored && size != packed {
            return Err(refused(EntryRefusal::Sizes));
        }
        let common = &fixed[8..30];
        Ok((Self { common, name, flags, method, crc: u32_at(fixed, 16), size, packed, offset, is_long }, rest))
    }

    fn refused(&self, refusal: EntryRefusal) -> ReadError {
        ReadError::entry(String::from_utf8_lossy(self.name), refusal)
    }

    /// Bytes of the local header.
    fn header(&self) -> u64 {
        LOCAL + self.name.len() as u64 + if self.is_long { SIZES_64 } else { 0 }
    }

    /// Bytes that the entry takes in the archive beside its content.
    fn overhead(&self) -> u64 {
        self.header() + (RECORD + self.name.len()) as u64
    }

    /// Where the content begins.
    fn data(&self) -> u64 {
        self.offset.saturating_add(self.header())
    }

    /// The name, if it is safe.
    fn path(&self) -> DirectoryResult<BundlePath> {
        let refused = |refusal| self.refused(refusal);
        let name = std::str::from_utf8(self.name).map_err(|_| refused(EntryRefusal::NameEncoding))?;
        if !name.is_ascii() && self.flags & UTF8_NAME == 0 {
            return Err(refused(EntryRefusal::NameEncoding));
        }
        BundlePath::parse(name).ok_or_else(|| match name.strip_suffix('/') {
            Some(folder) if BundlePath::parse(folder).is_some() => refused(EntryRefusal::Folder),
            _ => refused(EntryRefusal::Name(NameFault::of(name))),
        })
    }

    /// Whether the header beside the content says the same as the directory.
    fn agrees(&self, local: &[u8]) -> bool {
        let (Some(fixed), Some(rest)) = (local.get(..LOCAL as usize), local.get(LOCAL as usize..)) else {
            return false;
        };
        let Some((name, extra)) = rest.split_at_checked(self.name.len()) else { return false };
        let sizes: &[u8] = &if self.is_long {
            [&[1, 0, 16, 0][..], &self.size.to_le_bytes(), &self.packed.to_le_bytes()].concat()
        } else {
            Vec::new()
        };
        let extra_length = usize::from(u16_at(fixed, 28));
        fixed.starts_with(b"PK\x03\x04")
            && fixed[6..28] == *self.common
            && extra_length == extra.len()
            && name == self.name
            && extra == sizes
    }
}

/// What of a system's attributes says that an entry is no plain file. The lower half is of DOS, the upper of Unix.
fn attributes_refusal(attributes: u32) -> Option<EntryRefusal> {
    let mode = attributes >> 16;
    match mode & 0o170_000 {
        _ if attributes & 0x10 != 0 => Some(EntryRefusal::Folder),
        _ if attributes & 0x08 != 0 => Some(EntryRefusal::Special),
        0 | 0o100_000 if mode & 0o7000 == 0 => None,
        0o120_000 => Some(EntryRefusal::SymbolicLink),
        0o040_000 => Some(EntryRefusal::Folder),
        _ => Some(EntryRefusal::Special),
    }
}

/// Takes numbers that had no room in a record from its Zip64 field, the only field that may be there.
fn fill_from_extra(extra: &[u8], numbers: &mut [u64; 3]) -> std::result::Result<(), EntryRefusal> {
    const UNICODE_PATH: u16 = 0x7075;
    let is_long = numbers[0] == ELSEWHERE || numbers[1] == ELSEWHERE;
    // the two sizes stand there together
    let missing = if is_long { 2 } else { 0 } + usize::from(numbers[2] == ELSEWHERE);
    let mut rest = extra;
    while let Some((head, tail)) = rest.split_at_checked(4) {
        match u16_at(head, 0) {
            1 => {}
            UNICODE_PATH => return Err(EntryRefusal::SecondName),
            other => return Err(EntryRefusal::Field(other)),
        }
        rest = tail.get(usize::from(u16_at(head, 2))..).ok_or(EntryRefusal::Directory)?;
    }
    let expected = if missing == 0 { 0 } else { 4 + 8 * missing };
    if extra.len() != expected || (is_long && (numbers[0] != ELSEWHERE || numbers[1] != ELSEWHERE)) {
        return Err(EntryRefusal::Zip64);
    }
    if missing > 0 && usize::from(u16_at(extra, 2)) != 8 * missing {
        return Err(EntryRefusal::Zip64);
    }
    let mut values = extra.get(4..).unwrap_or_default().chunks_exact(8).map(|value| u64_at(value, 0));
    for number in numbers.iter_mut().filter(|number| **number == ELSEWHERE) {
        *number = values.next().ok_or(EntryRefusal::Zip64)?;
    }
    Ok(())
}

/// Numbers are little-endian; what lies beyond the end is zero.
fn u16_at(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_le_bytes)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes)
}
