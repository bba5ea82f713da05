//! Credentials that an operation asks for.

use std::sync::Arc;

use serde_json::{Value, json};

use base::refs::is_refused_address;

use super::document::{DescriptionDocument, ResolvedObject};
use super::facts::Schema;
use super::fields::{BodyFields, Direction, FieldId, ParameterFacts};
use super::operation_source::OperationSource;

/// Credentials that are sent together.
#[derive(Default)]
pub(crate) struct Requirement<'a> {
    pub(crate) credentials: Vec<SecurityCredential<'a>>,
}

/// A credential.
pub(crate) struct SecurityCredential<'a> {
    /// Its field.
    pub(crate) node: FieldId,
    /// Name of the scheme in the description.
    pub(crate) scheme_name: &'a str,
    /// The scheme as described.
    pub(crate) scheme: ResolvedObject<'a>,
    pub(crate) kind: CredentialKind,
    /// What has to be granted.
    pub(crate) scopes: Vec<&'a str>,
}

/// How a credential is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CredentialKind {
    Basic,
    Bearer,
    Digest,
    /// Another scheme of HTTP.
    Http,
    ApiKey,
    OAuth2,
    OpenIdConnect,
    MutualTls,
    /// A kind that only some protocols of events have.
    Other,
}

impl CredentialKind {
    /// The kind of a scheme.
    fn of(scheme: &ResolvedObject<'_>) -> Self {
        match scheme.text("type").unwrap_or_default() {
            "apiKey" | "httpApiKey" => Self::ApiKey,
            "oauth2" => Self::OAuth2,
            "openIdConnect" => Self::OpenIdConnect,
            "mutualTLS" => Self::MutualTls,
            "bearer" => Self::Bearer,
            "basic" => Self::Basic,
            "http" => match scheme.text("scheme").unwrap_or("bearer").to_ascii_lowercase().as_str() {
                "basic" => Self::Basic,
                "bearer" => Self::Bearer,
                "digest" => Self::Digest,
                _ => Self::Http,
            },
            _ => Self::Other,
        }
    }

    /// What scripts know it by.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Bearer => "bearer",
            Self::Digest => "digest",
            Self::Http => "http",
            Self::ApiKey => "apiKey",
            Self::OAuth2 => "oauth2",
            Self::OpenIdConnect => "openIdConnect",
            Self::MutualTls => "mutualTLS",
            Self::Other => "other",
        }
    }
}

/// The credentials of an operation, as alternatives: its own `security`, or that of the description.
pub(crate) fn read_security<'a>(
    document: DescriptionDocument<'a>,
    source: &OperationSource<'a>,
    fields: &mut BodyFields<'a, '_>,
) -> Vec<Requirement<'a>> {
    let general = if source.is_webhook() { None } else { document.get("security") };
    let list = source.about.get("security").filter(|value| value.is_array()).or(general);
    let mut root = None;
    let mut requirements = Vec::new();
    for requirement in list.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object) {
        let mut found = Requirement::default();
        for (name, scopes) in requirement {
            let schemes = document.get("components").and_then(|it| it.get("securitySchemes"));
            let scheme = schemes.and_then(|it| it.get(name)).map(|it| document.object(it)).unwrap_or_default();
            let root = *root.get_or_insert_with(|| fields.add_root(&Schema::default(), Direction::Request));
            let scopes = scopes.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            found.credentials.push(scheme_credential((name, scheme), scopes, root, fields));
        }
        requirements.push(found);
    }
    requirements
}

/// Adds the field of a scheme.
pub(crate) fn scheme_credential<'a>(
    (scheme_name, scheme): (&'a str, ResolvedObject<'a>),
    scopes: Vec<&'a str>,
    root: FieldId,
    fields: &mut BodyFields<'a, '_>,
) -> SecurityCredential<'a> {
    let document = fields.schemas().document();
    let kind = CredentialKind::of(&scheme);
    let (name, place) = match kind {
        CredentialKind::ApiKey => (scheme.text("name").unwrap_or(scheme_name), scheme.text("in").unwrap_or("header")),
        CredentialKind::MutualTls | CredentialKind::Other => (scheme_name, ""),
        _ => ("Authorization", "header"),
    };
    let node = fields.add_parameter(root, name, &Schema::default());
    let field = fields.node_mut(node);
    field.description = scheme.text("description");
    field.parameter = Some(Arc::new(ParameterFacts {
        place: Some(place).filter(|place| !place.is_empty()),
        scheme: Some(kind.name()),
        flows: flows_of(document, &scheme, &scopes),
        ..ParameterFacts::default()
    }));
    SecurityCredential { node, scheme_name, scheme, kind, scopes }
}

/// The ways of OAuth 2.0 and OpenID Connect to get a token, as the console reads them: JSON.
fn flows_of(document: DescriptionDocument<'_>, scheme: &ResolvedObject<'_>, scopes: &[&str]) -> Option<String> {
    let address = |holder: &ResolvedObject<'_>, key: &str| {
        holder.text(key).filter(|address| !is_refused_address(address)).map(str::to_owned)
    };
    let mut flows: Vec<Value> = Vec::new();
    if let Some(url) = address(scheme, "openIdConnectUrl") {
        let scopes: Vec<&str> = if scopes.is_empty() { vec!["openid"] } else { scopes.to_vec() };
        flows.push(json!({"flow": "authorizationCode", "openIdConnectUrl": url, "scopes": scopes}));
    }
    for (name, flow) in document.objects(scheme.get("flows")) {
        let mut said = json!({"flow": name, "scopes": scopes});
        for key in ["authorizationUrl", "tokenUrl", "deviceAuthorizationUrl"] {
            if let Some(url) = address(&flow, key) {
                said[key] = url.into();
            }
        }
        flows.push(said);
    }
    (!flows.is_empty()).then(|| Value::from(flows).to_string())
}
