//! What commands that make and read bundles have in common: keys, deltas, the form of an answer.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};

use crate::config;
use export::Trust;

/// Flags of `offprint export`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Trust")]
pub(super) struct TrustArgs {
    /// Sign the manifest with a secret key of minisign
    ///
    /// The signature is stored in the bundle as `_offprint/manifest.json.minisig`. The password of an encrypted key is
    /// read from `OFFPRINT_SIGN_PASSWORD`, or prompted for.
    #[arg(long, value_name = "KEYFILE")]
    pub(super) sign: Option<PathBuf>,
    /// Write only the files that differ from this earlier bundle; `offprint apply` combines the two
    #[arg(long, value_name = "BUNDLE")]
    pub(super) delta_from: Option<PathBuf>,
    /// Timestamp for the manifest and for scripts of pages: `2026-11-20T10:00:00Z` or seconds since 1970
    ///
    /// By default the manifest has no timestamp, and scripts see 2026-01-01. The clock is never read, so that the same
    /// source gives the same bytes.
    #[arg(long, value_name = "TIME", value_parser = config::timestamp)]
    pub(super) exported_at: Option<String>,
}

impl TrustArgs {
    /// Reads the key, asking for its password if it has one.
    pub(super) fn read(self) -> Result<Trust, String> {
        let ask = || rpassword::prompt_password("Password of the key: ").ok();
        let signer = self.sign.map(|path| config::signer(&path, ask)).transpose()?;
        Ok(Trust { signer: signer.map(Arc::new), delta_from: self.delta_from, exported_at: self.exported_at })
    }
}

/// `--format` of commands that answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum AnswerArg {
    /// Lines for people
    Text,
    /// One object for programs
    Json,
}
