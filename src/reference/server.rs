//! Servers of an API.

use serde_json::Value;

use render::playground::{PlaygroundServer, PlaygroundVariable};

use super::document::{DescriptionDocument, ResolvedObject};
use super::operation_source::OperationSource;

/// A server.
#[derive(Clone, Debug)]
pub(crate) struct ApiServer<'a> {
    /// As described, with `{variables}`.
    pub(crate) url: String,
    pub(crate) description: Option<&'a str>,
    pub(crate) variables: Vec<Variable<'a>>,
}

/// A variable in the address of a server.
#[derive(Clone, Debug)]
pub(crate) struct Variable<'a> {
    pub(crate) name: &'a str,
    pub(crate) default: String,
    /// Empty: any value.
    pub(crate) values: Vec<&'a str>,
    pub(crate) description: Option<&'a str>,
}

impl ApiServer<'_> {
    /// The same, as a console asks it.
    pub(crate) fn in_console(&self) -> PlaygroundServer {
        let variable = |variable: &Variable<'_>| PlaygroundVariable {
            name: variable.name.to_owned(),
            default: variable.default.clone(),
            values: variable.values.iter().map(|value| (*value).to_owned()).collect(),
        };
        PlaygroundServer { url: self.url.clone(), variables: self.variables.iter().map(variable).collect() }
    }

    /// Its address with the defaults of its variables.
    pub(crate) fn filled(&self) -> String {
        self.variables
            .iter()
            .fold(self.url.clone(), |url, variable| url.replace(&format!("{{{}}}", variable.name), &variable.default))
    }
}

/// The servers of an operation: its own, those of its path, or those of the description. Whether they are the latter.
pub(crate) fn read_servers<'a>(
    document: DescriptionDocument<'a>,
    source: &OperationSource<'a>,
) -> (Vec<ApiServer<'a>>, bool) {
    let is_list = |value: &&'a Value| value.as_array().is_some_and(|list| !list.is_empty());
    let general = document.get("servers").filter(is_list);
    let own = source.about.get("servers").filter(is_list).or_else(|| source.item.get("servers").filter(is_list));
    let list = own.or(general).and_then(Value::as_array).into_iter().flatten();
    let servers: Vec<ApiServer<'a>> = list.filter_map(|value| read_server(document, &document.object(value))).collect();
    let urls = |value: Option<&'a Value>| -> Vec<Option<&'a str>> {
        value.and_then(Value::as_array).into_iter().flatten().map(|it| it.get("url").and_then(Value::as_str)).collect()
    };
    let is_default = own.is_none() || urls(own) == urls(general);
    (servers, is_default)
}

pub(crate) fn read_server<'a>(document: DescriptionDocument<'a>, server: &ResolvedObject<'a>) -> Option<ApiServer<'a>> {
    let url = server.text("url")?.to_owned();
    Some(ApiServer { url, description: server.text("description"), variables: read_variables(document, server) })
}

/// The variables of a server.
pub(crate) fn read_variables<'a>(document: DescriptionDocument<'a>, server: &ResolvedObject<'a>) -> Vec<Variable<'a>> {
    let variable = |(name, it): (&'a str, ResolvedObject<'a>)| Variable {
        name,
        default: it.get("default").map(super::limits::value_text).unwrap_or_default(),
        values: it.list("enum").iter().filter_map(Value::as_str).collect(),
        description: it.text("description"),
    };
    document.objects(server.get("variables")).map(variable).collect()
}
