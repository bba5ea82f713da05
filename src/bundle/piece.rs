//! Texts that stand in several files of a bundle: each is compressed once.

use libdeflater::Crc;
use sha2::{Digest, Sha256};

use base::BundlePath;
use base::refs::Outside;

use super::manifest::Record;
use super::zip::Packed;
use super::{
    Body, Format, Origin, Packer, Prepared,
    deflate::{self, deflate_part},
};

/// A text that stands in several files.
#[derive(Debug, Default)]
pub struct Shared {
    text: String,
    /// For an archive: a stream that another can follow.
    deflated: Vec<u8>,
}

/// What a file of plain text or Markdown is put together from.
#[derive(Clone, Copy, Debug)]
pub enum Piece<'a> {
    /// Words of this file alone.
    Own(&'a str),
    /// A text that stands in others too.
    Shared(&'a Shared),
}

impl Piece<'_> {
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
    pub fn share(self, text: String) -> Shared {
        let mut deflated = Vec::new();
        if self.format == Format::Zip {
            deflate_part(text.as_bytes(), &mut deflated);
        }
        Shared { text, deflated }
    }

    /// Prepares a file of plain text or Markdown, which refers to nothing that a browser would load.
    pub fn prepare_pieces(self, path: BundlePath, pieces: &[Piece<'_>]) -> Prepared {
        let text = || pieces.iter().map(Piece::text).collect::<String>().into_bytes();
        let mut sha = Sha256::new();
        pieces.iter().for_each(|piece| sha.update(piece.text()));
        let size = pieces.iter().map(|piece| piece.text().len() as u64).sum();
        let record = Record { size, sha256: sha.finalize().into(), path };
        let body = match self.format {
            Format::Zip => {
                Body::Packed(join_pieces(pieces, size).unwrap_or_else(|| Packed::new(record.path.as_str(), text())))
            }
            Format::Dir => Body::Plain(text()),
        };
        Prepared { record, origin: Origin::Exporter, outside: Outside::default(), problem: None, body }
    }
}

/// A file of pieces, `size` bytes together. `None`: that is no smaller than it is, or too small to be believed; as a
/// whole it may do.
fn join_pieces(pieces: &[Piece<'_>], size: u64) -> Option<Packed> {
    let mut crc = Crc::new();
    let mut data = Vec::with_capacity(pieces.iter().map(Piece::room).sum::<usize>() + deflate::END.len());
    for piece in pieces {
        crc.update(piece.text().as_bytes());
        piece.deflate(&mut data);
    }
    data.extend(deflate::END);
    Packed::of_deflated(data, crc.sum(), size)
}
