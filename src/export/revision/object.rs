//! Git's objects: which tree a commit has. A commit lies in a file of its own or in a pack.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::ZlibDecoder;

use super::{Id, id};
use crate::base::hex::hex;

/// `tree `, 40 digits.
const FRONT: usize = 45;

/// The tree of a commit; nothing if the commit is not there or is packed as a difference from another object.
pub(super) fn tree_of_commit(objects: &Path, commit: &Id) -> Option<Id> {
    let front = loose(objects, commit).or_else(|| packed(&objects.join("pack"), commit))?;
    id(std::str::from_utf8(front.strip_prefix(b"tree ")?).ok()?)
}

/// The front of a commit that has a file of its own.
fn loose(objects: &Path, commit: &Id) -> Option<Vec<u8>> {
    let name = hex(commit);
    let file = File::open(objects.join(&name[..2]).join(&name[2..])).ok()?;
    let mut bytes = [0; FRONT + 32];
    let mut done = 0;
    let mut content = ZlibDecoder::new(file);
    while let Ok(read @ 1..) = content.read(&mut bytes[done..]) {
        done += read;
    }
    let body = bytes[..done].strip_prefix(b"commit ")?;
    body.get(memchr::memchr(0, body)? + 1..)?.get(..FRONT).map(<[u8]>::to_vec)
}

/// The front of a commit that lies in a pack.
fn packed(folder: &Path, commit: &Id) -> Option<Vec<u8>> {
    let mut indexes: Vec<_> = fs::read_dir(folder)
        .ok()?
        .flatten()
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "idx"))
        .collect();
    indexes.sort();
    indexes.iter().find_map(|index| {
        let offset = offset(&mut File::open(index).ok()?, commit)?;
        at_offset(&index.with_extension("pack"), offset)
    })
}

/// Where in its pack an object begins, by an index of version 2.
fn offset(index: &mut File, wanted: &Id) -> Option<u64> {
    if read_at::<8>(index, 0)? != *b"\xfftOc\0\0\0\x02" {
        return None;
    }
    let number = |index: &mut File, at: u64| read_at::<4>(index, at).map(u32::from_be_bytes);
    let first = u64::from(wanted[0]);
    let mut low = if first == 0 { 0 } else { u64::from(number(index, 8 + 4 * (first - 1))?) };
    let mut high = u64::from(number(index, 8 + 4 * first)?);
    let count = u64::from(number(index, 8 + 4 * 255)?);
    let names = 8 + 4 * 256;
    while low < high {
        let middle = low + (high - low) / 2;
        match read_at::<20>(index, names + 20 * middle)?.cmp(wanted) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let short = number(index, names + 24 * count + 4 * middle)?;
                let far = names + 28 * count + 8 * u64::from(short & 0x7fff_ffff);
                return if short >> 31 == 0 {
                    Some(short.into())
                } else {
                    read_at::<8>(index, far).map(u64::from_be_bytes)
                };
            }
        }
    }
    None
}

/// The front of a commit at a place of a pack.
fn at_offset(pack: &Path, offset: u64) -> Option<Vec<u8>> {
    const COMMIT: u8 = 1;
    let mut file = File::open(pack).ok()?;
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut byte = [0; 1];
    file.read_exact(&mut byte).ok()?;
    if byte[0] >> 4 & 7 != COMMIT {
        return None;
    }
    while byte[0] & 0x80 != 0 {
        file.read_exact(&mut byte).ok()?;
    }
    let mut front = vec![0; FRONT];
    ZlibDecoder::new(file).read_exact(&mut front).ok()?;
    Some(front)
}

fn read_at<const N: usize>(file: &mut File, at: u64) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at)).ok()?;
    file.read_exact(&mut bytes).ok()?;
    Some(bytes)
}
