//! The audit log: who did what to which resource, from where, when, and how it ended. One JSON object a line, apart from
//! the log for operators, since others read it and it is kept for longer.
//!
//! No line holds a key, a body, a query or a path as a client has written it: resources are named once they have been
//! found.

use std::fmt;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::store::Time;

/// Opens what lines are written to; again after each [`AuditWriter::reopen`].
pub type AuditOpener = Box<dyn Fn() -> io::Result<Box<dyn Write + Send>> + Send + Sync>;

/// Writes the audit log.
pub struct AuditWriter {
    open: AuditOpener,
    out: Mutex<Box<dyn Write + Send>>,
    /// Whether requests that only read are part of it.
    reads: bool,
}

impl fmt::Debug for AuditWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Audit {{ reads: {} }}", self.reads)
    }
}

/// A request that was answered.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AuditEntry<'a> {
    /// Its id, as in the log of the service.
    pub request: &'a str,
    /// The address of the client.
    pub client: &'a str,
    /// Whose key it had; `None`: none that is valid.
    pub organization: Option<&'a str>,
    /// The id of that key.
    pub key: Option<&'a str>,
    /// What was done.
    pub method: &'a str,
    /// To what, with names for parameters.
    pub route: &'a str,
    /// The resource that was named, or that has come to be.
    pub resource: Option<&'a str>,
    /// How it ended: the status of the answer.
    pub status: u16,
    /// And its code, if it is an error.
    pub error: Option<&'a str>,
}

impl AuditWriter {
    /// Begins to write.
    ///
    /// # Errors
    /// What lines are written to cannot be opened.
    pub fn start(open: AuditOpener, reads: bool) -> io::Result<Self> {
        let out = Mutex::new(open()?);
        Ok(Self { open, out, reads })
    }

    /// Opens what lines are written to again: the file may have been put away.
    pub fn reopen(&self) {
        match (self.open)() {
            Ok(out) => *self.out.lock().unwrap_or_else(PoisonError::into_inner) = out,
            Err(error) => report_audit_failure(&error),
        }
    }

    /// Whether requests of a method are part of it even if they are answered well.
    pub fn has_reads(&self) -> bool {
        self.reads
    }

    /// Writes a line. What cannot be written is told in the log of the service, and the request is answered all the
    /// same.
    pub fn write(&self, entry: &AuditEntry<'_>) {
        #[derive(Serialize)]
        struct AuditLine<'a> {
            time: String,
            #[serde(flatten)]
            entry: &'a AuditEntry<'a>,
        }
        let mut line = serde_json::to_vec(&AuditLine { time: Time::now().to_string(), entry }).unwrap_or_default();
        line.push(b'\n');
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        // one write for a line: lines of several processes do not mix
        if let Err(error) = out.write_all(&line).and_then(|()| out.flush()) {
            report_audit_failure(&error);
        }
    }
}

fn report_audit_failure(error: &io::Error) {
    metrics::counter!("offprint_audit_failures_total").increment(1);
    tracing::error!(%error, "the audit log cannot be written");
}
