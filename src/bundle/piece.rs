//! Texts that stand in several files of a bundle: each is compressed once.

use libdeflater::Crc;
use sha2::{Digest, Sha256};

use base::BundlePath;
use base::refs::Outside;

use super::manifest::ManifestRecord;
use super::zip::PackedFile;
use super::{
    BundleFormat, EntryBody, EntryOrigin, Packer, PreparedEntry,
    deflate::{self, deflate_part},
};

/// A text that stands in several files.
#[derive(Debug, Default)]
pub struct PieceText {
    text: String,
    /// For an archive: a stream that another can follow.
    deflated: Vec<u8>,
}

/// What a file of plain text or Markdown is put together from.
#[derive(Clone, Copy, Debug)]
pub enum TextPiece<'a> {
    /// Words of this file alone.
    Own(&'a str),
    /// A text that stands in others too.
    Shared(&'a PieceText),
}

impl TextPiece<'_> {
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Own(text) => text,
            Self::Shared(shared) => &shared.text,
        }
    }

    /// Bytes to set aside for it as a stream.
    fn room(&self) -> usize {
        match self {
            Self::Own(text) => text.len() + 16,
            Self::Shared(shared) => shared.deflated.len(),
        }
    }

    /// Appends the piece as a stream that another can follow.
    pub(super) fn deflate(&self, out: &mut Vec<u8>) {
        match self {
            Self::Own(text) => deflate_part(text.as_bytes(), out),
            Self::Shared(shared) => out.extend_from_slice(&shared.deflated),
        }
    }
}

impl Packer {
    /// Prepares a text for the files that it will stand in.
    pub fn share(self, text: String) -> PieceText {
        let mut deflated = Vec::new();
        if self.format == BundleFormat::Zip {
            deflate_part(text.as_bytes(), &mut deflated);
        }
        PieceText { text, deflated }
    }

    /// Prepares a file of plain text or Markdown, which refers to nothing that a browser would load.
    pub fn prepare_pieces(self, path: BundlePath, pieces: &[TextPiece<'_>]) -> PreparedEntry {
        let text = || pieces.iter().map(TextPiece::text).collect::<String>().into_bytes();
        let mut sha = Sha256::new();
        pieces.iter().for_each(|piece| sha.update(piece.text()));
        let size = pieces.iter().map(|piece| piece.text().len() as u64).sum();
        let record = ManifestRecord { size, sha256: sha.finalize().into(), path };
        let body = match self.format {
            BundleFormat::Zip => EntryBody::Packed(
                join_pieces(pieces, size).unwrap_or_else(|| PackedFile::new(record.path.as_str(), text())),
            ),
            BundleFormat::Dir => EntryBody::Plain(text()),
        };
        PreparedEntry { record, origin: EntryOrigin::Exporter, outside: Outside::default(), problem: None, body }
    }
}

/// A file of pieces, `size` bytes together. `None`: that is no smaller than it is, or too small to be believed; as a
/// whole it may do.
fn join_pieces(pieces: &[TextPiece<'_>], size: u64) -> Option<PackedFile> {
    let mut crc = Crc::new();
    let mut data = Vec::with_capacity(pieces.iter().map(TextPiece::room).sum::<usize>() + deflate::END.len());
    for piece in pieces {
        crc.update(piece.text().as_bytes());
        piece.deflate(&mut data);
    }
    data.extend(deflate::END);
    PackedFile::of_deflated(data, crc.sum(), size)
}
