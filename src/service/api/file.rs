//! An archive as an answer: whole, in part, or not at all because the reader has it (contract, E-LNK-5 and E-LNK-6).

use std::io::SeekFrom;
use std::path::Path;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::stream;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _};

use base::hex::from_hex;
use http::range::{self, ByteRange};
use http::validator::has_version;

use super::error_response::{ErrorCode, ErrorResponse};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 64 << 10;
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");

/// An archive.
pub(super) struct ArchiveFile<'a> {
    /// SHA-256, hexadecimal.
    pub(super) sha256: &'a str,
    /// Bytes.
    pub(super) size: u64,
    /// What a browser saves it as: letters, digits, `.`, `_`, `-`.
    pub(super) name: &'a str,
}

/// Answers with an archive that is a file here.
pub(super) async fn answer_with_archive(
    path: &Path,
    archive: &ArchiveFile<'_>,
    headers: &HeaderMap,
) -> Result<Response, ErrorResponse> {
    let tag = format!("\"{}\"", archive.sha256);
    if has_version(headers, &tag) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        common(response.headers_mut(), &tag);
        return Ok(response);
    }
    let (status, first, length) = match range::of_request(headers, &tag, archive.size) {
        ByteRange::Whole => (StatusCode::OK, 0, archive.size),
        ByteRange::Part(first, end) => (StatusCode::PARTIAL_CONTENT, first, end - first),
        ByteRange::Unsatisfiable => {
            let error = ErrorResponse::new(ErrorCode::RangeNotSatisfiable, "the range is not within the archive");
            return Err(error.with(header::CONTENT_RANGE, header_value(format!("bytes */{}", archive.size))));
        }
    };
    // one that is not there is told below
    if tokio::fs::metadata(path).await.is_ok_and(|about| about.len() != archive.size) {
        tracing::error!(bundle = archive.sha256, "a bundle in the storage does not have its size");
        return Err(ErrorResponse::unavailable("the bundle is damaged in the storage"));
    }
    let mut response = Response::new(stream_file_part(path, first, length).await?);
    *response.status_mut() = status;
    let out = response.headers_mut();
    common(out, &tag);
    out.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/zip"));
    out.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    out.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    out.insert(header::CONTENT_DISPOSITION, header_value(format!("attachment; filename=\"{}\"", archive.name)));
    out.insert(
        REPR_DIGEST,
        header_value(format!("sha-256=:{}:", STANDARD.encode(from_hex(archive.sha256).unwrap_or_default()))),
    );
    if status == StatusCode::PARTIAL_CONTENT {
        out.insert(
            header::CONTENT_RANGE,
            header_value(format!("bytes {first}-{}/{}", first + length - 1, archive.size)),
        );
    }
    Ok(response)
}

fn common(headers: &mut HeaderMap, tag: &str) {
    headers.insert(header::ETAG, header_value(tag.to_owned()));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}

/// All of these are made of digests, numbers and checked names.
fn header_value(text: String) -> HeaderValue {
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static(""))
}

/// A part of a file, read while it is sent. The file is open before the answer begins: what is removed meanwhile is
/// sent all the same.
async fn stream_file_part(path: &Path, first: u64, length: u64) -> Result<Body, ErrorResponse> {
    let mut file = File::open(path).await.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ErrorResponse::bundle_gone(),
        _ => ErrorResponse::internal(error),
    })?;
    file.seek(SeekFrom::Start(first)).await.map_err(ErrorResponse::internal)?;
    let pieces = stream::try_unfold(file.take(length), |mut rest| async move {
        let mut piece = Vec::with_capacity(PIECE_BYTES.min(usize::try_from(rest.limit()).unwrap_or(PIECE_BYTES)));
        while piece.len() < piece.capacity() && rest.read_buf(&mut piece).await? > 0 {}
        if piece.is_empty() && rest.limit() > 0 {
            // the file has become shorter: the connection must break, or the reader would wait
            return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof));
        }
        Ok::<_, std::io::Error>((!piece.is_empty()).then(|| (Bytes::from(piece), rest)))
    });
    Ok(Body::from_stream(pieces))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn parts_are_those_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.zip");
        let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
        std::fs::write(&path, &bytes).unwrap();
        for (first, length) in [(0, 200_000), (1, 65_536), (199_999, 1), (70_000, 65_537)] {
            let body = stream_file_part(&path, first as u64, length as u64).await.unwrap();
            assert_eq!(axum::body::to_bytes(body, 1 << 20).await.unwrap(), bytes[first..first + length]);
        }
        let longer = stream_file_part(&path, 199_000, 2_000).await.unwrap();
        assert!(axum::body::to_bytes(longer, 1 << 20).await.is_err());
    }
}
