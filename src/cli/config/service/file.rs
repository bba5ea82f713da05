//! The shape of the file: tables and keys, nothing checked but their types.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::value::Datetime;

use super::place::At;

type Text = Option<At<String>>;
type Texts = Option<At<Vec<String>>>;
type Number = Option<At<u64>>;
/// A text, or where one is: see `secret`.
type Secret = Option<At<toml::Value>>;

/// A text, or where it is.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "the shape of a secret, for the schema alone")]
enum SecretForm {
    Text(String),
    /// A variable of the environment.
    Variable {
        env: String,
    },
    /// A file, from the folder of the configuration.
    File {
        file: String,
    },
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct File {
    pub(super) server: Server,
    pub(super) previews: Previews,
    pub(super) bundles: Bundles,
    pub(super) store: Store,
    pub(super) storage: Storage,
    pub(super) git: Git,
    pub(super) limits: Limits,
    pub(super) agent: Agent,
    pub(super) webhooks: Webhooks,
    pub(super) audit: Audit,
    pub(super) console: Console,
    pub(super) organizations: Vec<Organization>,
    pub(super) projects: Vec<Project>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Server {
    pub(super) listen: Text,
    pub(super) public_url: Text,
    pub(super) preview_url: Text,
    pub(super) data_dir: Text,
    pub(super) trusted_proxies: Texts,
    pub(super) metrics_listen: Text,
    pub(super) workers: Number,
    pub(super) isolation: Text,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Previews {
    pub(super) access: Text,
    pub(super) readers: Text,
    pub(super) password_failures: Number,
    pub(super) lock_seconds: Number,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Bundles {
    pub(super) link_ttl_seconds: Number,
    pub(super) retention_seconds: Number,
    pub(super) keep_last: Number,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) signing_key: Secret,
    #[schemars(with = "Option<Vec<SecretForm>>")]
    pub(super) previous_signing_keys: Option<At<Vec<toml::Value>>>,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) minisign_key: Secret,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) minisign_password: Secret,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Store {
    pub(super) url: Text,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Storage {
    pub(super) url: Text,
    pub(super) cache_bytes: Number,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Git {
    pub(super) allow_protocols: Texts,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) previews_per_minute: Number,
    pub(super) exports_running: Number,
    pub(super) exports_queued: Number,
    pub(super) agent_calls_per_hour: Number,
    pub(super) bundle_links_per_minute: Number,
    pub(super) auth_failures_per_minute: Number,
    pub(super) job_seconds: Number,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Agent {
    pub(super) command: Texts,
    pub(super) model: Text,
    pub(super) timeout_seconds: Number,
    pub(super) archive_after_seconds: Number,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Console {
    pub(super) enabled: bool,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Audit {
    pub(super) log: Text,
    pub(super) reads: Option<bool>,
}

/// How webhooks are delivered.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Webhooks {
    pub(super) allow_private: Texts,
    pub(super) timeout_seconds: Number,
    pub(super) first_retry_seconds: Number,
    pub(super) give_up_after_seconds: Number,
    pub(super) disable_after_seconds: Number,
}

/// A receiver of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Webhook {
    pub(super) id: At<String>,
    #[schemars(with = "SecretForm")]
    pub(super) url: At<toml::Value>,
    #[schemars(with = "SecretForm")]
    pub(super) secret: At<toml::Value>,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) previous_secret: Secret,
    pub(super) events: Texts,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Organization {
    pub(super) id: At<String>,
    #[serde(default)]
    pub(super) plan: Plan,
    #[serde(default)]
    pub(super) limits: OrganizationLimits,
    #[serde(default)]
    pub(super) keys: Vec<Key>,
    #[serde(default)]
    pub(super) webhooks: Vec<Webhook>,
    /// For projects that name none.
    pub(super) search_endpoint: Text,
    pub(super) assistant_endpoint: Text,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Plan {
    pub(super) static_export: bool,
    pub(super) preview: bool,
    pub(super) agent: bool,
}

/// Those of `[limits]` and `[bundles]` that an organization may have of its own.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct OrganizationLimits {
    pub(super) previews_per_minute: Number,
    pub(super) exports_running: Number,
    pub(super) exports_queued: Number,
    pub(super) agent_calls_per_hour: Number,
    pub(super) bundle_links_per_minute: Number,
    pub(super) link_ttl_seconds: Number,
    pub(super) retention_seconds: Number,
    pub(super) keep_last: Number,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Key {
    pub(super) id: At<String>,
    pub(super) hash: At<String>,
    pub(super) scopes: Texts,
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub(super) expires_at: Option<At<Datetime>>,
    pub(super) allow_ips: Texts,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Project {
    pub(super) id: At<String>,
    pub(super) organization: At<String>,
    pub(super) domain: At<String>,
    pub(super) source: At<SourceTable>,
    pub(super) deployment: Text,
    pub(super) groups: Texts,
    #[serde(default)]
    pub(super) features: Features,
    pub(super) search_endpoint: Text,
    pub(super) assistant_endpoint: Text,
    pub(super) optimize_png: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceTable {
    pub(super) git: Text,
    pub(super) path: Text,
    pub(super) archive_url: Text,
    pub(super) branch: Text,
    pub(super) subdir: Text,
    pub(super) from: Text,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Features {
    pub(super) search: Option<At<bool>>,
    pub(super) assistant: Option<At<bool>>,
    pub(super) analytics: Option<At<bool>>,
    pub(super) playground: Option<At<bool>>,
    pub(super) offline_search: Option<At<bool>>,
}
