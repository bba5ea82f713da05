//! The database of the contract, and what is true of it alone: several processes share it.

use std::sync::OnceLock;

#[path = "../../../../tests/shared/postgres.rs"]
#[expect(dead_code, reason = "others use the rest of it")]
mod server;

use server::Postgres;

/// The server of all tests of this process: it need not outlive a crash of the machine.
fn shared() -> &'static Postgres {
    static SERVER: OnceLock<Postgres> = OnceLock::new();
    SERVER.get_or_init(|| Postgres::start(&["fsync=off", "synchronous_commit=off"]))
}

/// The address of tables of their own.
pub(super) fn url(name: &str) -> String {
    shared().url(&name.rsplit("contract::").next().unwrap_or(name).replace("::", "_"))
}

/// Runs statements.
pub(super) fn sql(statements: &str) {
    shared().sql(statements);
}

/// A server that takes encrypted connections alone.
pub(super) fn encrypted(password: &str) -> Postgres {
    Postgres::encrypted(password)
}

/// A server that keeps what it says.
pub(super) fn durable() -> Postgres {
    Postgres::start(&[])
}
