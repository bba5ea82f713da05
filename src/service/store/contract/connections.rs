//! Connections to a database that has to be trusted, and that asks for a password.

use super::*;

/// Why a database is not used.
async fn refused(url: &str) -> String {
    Ledger::connect(url).await.err().expect("it is refused").to_string()
}

#[tokio::test]
async fn connections_are_encrypted_verified_and_by_password() {
    let server = postgres::encrypted("a secret/word");
    let (port, certificate) = (server.port, server.certificate());
    let url = |password: &str, query: &str| format!("postgres://us:{password}@127.0.0.1:{port}/postgres?{query}");
    let trusted = format!("sslmode=verify-full&sslrootcert={}", certificate.display());
    let ledger = Ledger::connect(&url("a%20secret%2Fword", &trusted)).await.unwrap();
    let job = start(&ledger, "acme").await;
    assert_eq!(read(&ledger, &job).await, job);
    // it stands for an address, not for a name
    let other = url("a%20secret%2Fword", &trusted).replace("127.0.0.1", "localhost");
    for (url, cause) in [
        (url("another%20one", &trusted), "password authentication failed"),
        (url("a%20secret%2Fword", "sslmode=disable"), "no encryption"),
        (url("a%20secret%2Fword", "sslmode=require"), "invalid peer certificate"),
        (url("a%20secret%2Fword", "sslmode=require&sslrootcert=/etc/hostname"), "has no certificates"),
        (other, "invalid peer certificate"),
    ] {
        let message = refused(&url).await;
        assert!(message.contains(cause), "{message}");
        assert!(!message.contains("secret") && !message.contains("another"), "{message}");
    }
}
