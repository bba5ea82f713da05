//! The HTTP service as clients meet it: the real program, real connections, real children. The names of the tests begin
//! with the rows of the contract that they are about.

mod agent_kills;
mod agents;
mod audit;
mod authentication;
mod backup;
mod bucket;
mod client;
mod cluster;
mod console;
mod conventions;
mod exports;
mod fairness;
mod features;
mod first_starts;
mod hostile;
mod idempotency;
mod kill;
mod killed_key;
mod links;
mod lists;
mod logs;
mod memory;
mod operations;
mod order;
mod outages;
mod paths;
mod preview_access;
mod previews;
mod proxy;
mod refusals;
mod server;
mod sources;
#[cfg(target_os = "linux")]
mod space;
mod speed;
mod storage;
mod tenants;
mod traces;
mod webhooks;
