//! Secrets that all processes of a service have in common: the first one makes them.

use super::super::rows::{Transaction, load_row, row_key};
use super::StoreError;
use base::hex::{from_hex, to_hex};

/// The secret of a name; `candidate` if there is none yet.
pub(super) fn secret_of_name(
    rows: &mut Transaction<'_>,
    name: &str,
    candidate: &[u8; 32],
) -> Result<[u8; 32], StoreError> {
    let at = row_key("secret", &[name]);
    match load_row::<String>(rows, &at)? {
        Some(hex) => {
            from_hex(&hex).ok_or_else(|| StoreError::Unavailable(format!("the secret `{name}` cannot be read")))
        }
        None => {
            rows.put(at, &to_hex(candidate))?;
            Ok(*candidate)
        }
    }
}
