//! Processes that start at the same time on a database that has nothing yet.

use crate::service::bucket::Bucket;
use crate::service::client::ask;
use crate::service::server::{Server, folder_source, organization, site, wait};
use crate::shared::postgres::Postgres;

/// Databases that are begun, and processes that begin each.
const DATABASES: usize = 20;
const PROCESSES: usize = 4;

#[test]
fn processes_that_start_together_on_an_empty_database_all_live() {
    let database = Postgres::start(&["fsync=off"]);
    // what a database says of its transactions is not what the tables are made with
    database.sql("ALTER ROLE us SET default_transaction_isolation = 'serializable'");
    let folder = tempfile::tempdir().unwrap();
    let bucket = Bucket::start(&folder.path().join("store"));
    let configuration =
        format!("[storage]\nurl = \"s3://bundles\"\n\n{}", organization("acme", &folder_source(&site(folder.path()))));
    let store = bucket.variables();
    for round in 0..DATABASES {
        let url = database.url(&format!("first-{round}"));
        let mut variables: Vec<_> = store.iter().map(|(name, value)| (*name, value.as_str())).collect();
        variables.push(("OFFPRINT_STORE_URL", &url));
        let start = || {
            let own = tempfile::tempdir().unwrap();
            std::fs::write(own.path().join("offprint.toml"), &configuration).unwrap();
            Server::within(&[], own, &["--role", "api"], "warn", &variables)
        };
        let servers: Vec<Server> = std::thread::scope(|scope| {
            let starting: Vec<_> = (0..PROCESSES).map(|_| scope.spawn(start)).collect();
            starting.into_iter().map(|started| started.join().expect("it starts")).collect()
        });
        for server in &servers {
            assert!(server.is_running(), "{}", server.log());
            wait("it to be ready", || (server.send(&ask("GET", "/readyz")).status == 200).then_some(()));
        }
        assert_eq!(database.sql(&format!("SELECT count(*) FROM \"first-{round}\".offprint_schema")), "1");
        assert_eq!(database.sql(&format!("SELECT version FROM \"first-{round}\".offprint_schema")), "1");
    }
}
