//! The shape of the file: tables and keys, nothing checked but their types.

use schemars::JsonSchema;
use serde::Deserialize;
use toml::value::Datetime;

use super::place::At;

type ConfigString = Option<At<String>>;
type Texts = Option<At<Vec<String>>>;
type Number = Option<At<u64>>;
/// A text, or where one is: see `secret`.
type SecretSetting = Option<At<toml::Value>>;

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
#[schemars(rename = "File")]
pub(super) struct ServiceFile {
    pub(super) server: ServerTable,
    pub(super) previews: Previews,
    pub(super) bundles: Bundles,
    pub(super) store: Store,
    pub(super) storage: StorageTable,
    pub(super) git: Git,
    pub(super) limits: LimitsTable,
    pub(super) agent: AgentTable,
    pub(super) webhooks: WebhooksTable,
    pub(super) audit: AuditTable,
    pub(super) console: Console,
    pub(super) organizations: Vec<OrganizationTable>,
    pub(super) projects: Vec<ProjectTable>,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ServerTable {
    pub(super) listen: ConfigString,
    pub(super) public_url: ConfigString,
    pub(super) preview_url: ConfigString,
    pub(super) data_dir: ConfigString,
    pub(super) trusted_proxies: Texts,
    pub(super) metrics_listen: ConfigString,
    pub(super) workers: Number,
    pub(super) isolation: ConfigString,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Previews {
    pub(super) access: ConfigString,
    pub(super) readers: ConfigString,
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
    pub(super) signing_key: SecretSetting,
    #[schemars(with = "Option<Vec<SecretForm>>")]
    pub(super) previous_signing_keys: Option<At<Vec<toml::Value>>>,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) minisign_key: SecretSetting,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) minisign_password: SecretSetting,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Store {
    pub(super) url: ConfigString,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct StorageTable {
    pub(super) url: ConfigString,
    pub(super) cache_bytes: Number,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Git {
    pub(super) allow_protocols: Texts,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LimitsTable {
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
pub(super) struct AgentTable {
    pub(super) command: Texts,
    pub(super) model: ConfigString,
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
pub(super) struct AuditTable {
    pub(super) log: ConfigString,
    pub(super) reads: Option<bool>,
}

/// How webhooks are delivered.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct WebhooksTable {
    pub(super) allow_private: Texts,
    pub(super) timeout_seconds: Number,
    pub(super) first_retry_seconds: Number,
    pub(super) give_up_after_seconds: Number,
    pub(super) disable_after_seconds: Number,
}

/// A receiver of an organization.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WebhookTable {
    pub(super) id: At<String>,
    #[schemars(with = "SecretForm")]
    pub(super) url: At<toml::Value>,
    #[schemars(with = "SecretForm")]
    pub(super) secret: At<toml::Value>,
    #[schemars(with = "Option<SecretForm>")]
    pub(super) previous_secret: SecretSetting,
    pub(super) events: Texts,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OrganizationTable {
    pub(super) id: At<String>,
    #[serde(default)]
    pub(super) plan: PlanTable,
    #[serde(default)]
    pub(super) limits: OrganizationLimits,
    #[serde(default)]
    pub(super) keys: Vec<KeyTable>,
    #[serde(default)]
    pub(super) webhooks: Vec<WebhookTable>,
    /// For projects that name none.
    pub(super) search_endpoint: ConfigString,
    pub(super) assistant_endpoint: ConfigString,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct PlanTable {
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
pub(super) struct KeyTable {
    pub(super) id: At<String>,
    pub(super) hash: At<String>,
    pub(super) scopes: Texts,
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub(super) expires_at: Option<At<Datetime>>,
    pub(super) allow_ips: Texts,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ProjectTable {
    pub(super) id: At<String>,
    pub(super) organization: At<String>,
    pub(super) domain: At<String>,
    pub(super) source: At<SourceTable>,
    pub(super) deployment: ConfigString,
    pub(super) groups: Texts,
    #[serde(default)]
    pub(super) features: FeaturesTable,
    pub(super) search_endpoint: ConfigString,
    pub(super) assistant_endpoint: ConfigString,
    pub(super) optimize_png: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceTable {
    pub(super) git: ConfigString,
    pub(super) path: ConfigString,
    pub(super) archive_url: ConfigString,
    pub(super) branch: ConfigString,
    pub(super) subdir: ConfigString,
    pub(super) from: ConfigString,
}

#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FeaturesTable {
    pub(super) search: Option<At<bool>>,
    pub(super) assistant: Option<At<bool>>,
    pub(super) analytics: Option<At<bool>>,
    pub(super) playground: Option<At<bool>>,
    pub(super) offline_search: Option<At<bool>>,
}
