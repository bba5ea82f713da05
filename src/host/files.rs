//! Files with certificates and secrets. They are read again on request, and by themselves when they have
//! changed: not every operator can send a signal.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwapOption;
use rustls::ServerConfig;

use super::credentials::{Readers, Token};
use super::fingerprint::Fingerprint;
use super::{HostOptions, tls::read_tls_config};

/// What was read.
pub(super) struct Files {
    /// The certificates for connections, if these are encrypted.
    pub(super) certificates: ArcSwapOption<ServerConfig>,
    /// The token of operators of the server.
    pub(super) token: ArcSwapOption<Token>,
    /// Readers, by site.
    pub(super) readers: Vec<ArcSwapOption<Readers>>,
    known: Mutex<Vec<Known>>,
}

/// Files that are read together.
struct Known {
    what: What,
    paths: Vec<PathBuf>,
    /// How they looked when they were read last.
    fingerprints: Vec<Option<Fingerprint>>,
}

#[derive(Clone, Copy)]
enum What {
    /// Chain and key.
    Certificates,
    Token,
    /// Of this site.
    Readers(usize),
}

impl Files {
    pub(super) fn new(options: &HostOptions) -> Self {
        let one = |what, path: &Path| Known { what, paths: vec![path.to_owned()], fingerprints: Vec::new() };
        let tls = options.tls.as_ref().map(|(chain, key)| Known {
            what: What::Certificates,
            paths: vec![chain.clone(), key.clone()],
            fingerprints: Vec::new(),
        });
        let token = options.token.as_deref().map(|path| one(What::Token, path));
        let readers = options
            .sites
            .iter()
            .enumerate()
            .filter_map(|(index, site)| Some(one(What::Readers(index), site.readers.as_deref()?)));
        Self {
            certificates: ArcSwapOption::empty(),
            token: ArcSwapOption::empty(),
            readers: options.sites.iter().map(|_| ArcSwapOption::empty()).collect(),
            known: Mutex::new(tls.into_iter().chain(token).chain(readers).collect()),
        }
    }

    /// Reads all of them, or only what has changed; gives what is wrong. What cannot be read keeps its meaning.
    pub(super) fn read(&self, all: bool) -> Vec<String> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut wrong = Vec::new();
        for files in known.iter_mut() {
            let fingerprints: Vec<_> = files.paths.iter().map(|path| Fingerprint::at(path)).collect();
            if all || fingerprints != files.fingerprints {
                files.fingerprints = fingerprints;
                wrong.extend(self.read_one(files.what, &files.paths).err());
            }
        }
        wrong
    }

    fn read_one(&self, what: What, paths: &[PathBuf]) -> Result<(), String> {
        match (what, paths) {
            (What::Certificates, [chain, key]) => self.certificates.store(Some(read_tls_config(chain, key)?)),
            (What::Token, [path]) => self.token.store(Some(Arc::new(Token::read(path)?))),
            (What::Readers(index), [path]) => {
                let read = Readers::read(path)?;
                if let Some(readers) = self.readers.get(index) {
                    readers.store(Some(Arc::new(read)));
                }
            }
            _ => {}
        }
        Ok(())
    }
}
