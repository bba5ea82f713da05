//! Ids in paths.

use super::error_response::ErrorResponse;

/// An id of a kind: `prefix` and 32 lower-case hexadecimal digits. Nothing else is looked up in the store.
pub(super) fn job_id<'a>(text: &'a str, prefix: &str) -> Result<&'a str, ErrorResponse> {
    let digits = text
        .strip_prefix(prefix)
        .filter(|digits| digits.len() == 32 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')));
    digits.map(|_| text).ok_or_else(ErrorResponse::not_found)
}
