//! What the page of an operation says, before it is written.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::document::{DescriptionDocument, ResolvedObject};
use super::facts::{Schema, Schemas};
use super::fields::{BodyFields, Direction, FieldId, ParameterFacts};
use super::given::read_examples;
use super::media::{Media, essence, read_media};
use super::operation_source::OperationSource;
use super::security::{Requirement, read_security};
use super::server::{ApiServer, read_servers};

/// Places of parameters, in the order of a page.
pub(crate) const PLACES: [&str; 4] = ["path", "query", "header", "cookie"];
/// The place of a parameter that is the whole query string.
pub(crate) const QUERY_STRING: &str = "querystring";
/// Methods of the path items of callbacks, in the order of a page.
const METHODS: [&str; 9] = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

/// What the page of an operation says.
pub(crate) struct OperationPage<'a, 's> {
    /// All its fields.
    pub(crate) fields: BodyFields<'a, 's>,
    /// Where it can be called.
    pub(crate) servers: Vec<ApiServer<'a>>,
    /// The servers are those of all operations of the description.
    pub(crate) has_default_servers: bool,
    /// Credentials: one of these.
    pub(crate) requirements: Vec<Requirement<'a>>,
    /// Parameters, body, responses.
    pub(crate) exchange: Exchange<'a>,
    /// Requests that the API sends.
    pub(crate) callbacks: Vec<Callback<'a>>,
}

/// A request and its responses.
#[derive(Default)]
pub(crate) struct Exchange<'a> {
    /// Place and root of the parameters there.
    pub(crate) parameters: Vec<(&'static str, FieldId)>,
    /// The parameters with the objects that describe them.
    pub(crate) described: Vec<Parameter<'a>>,
    /// The body of the request.
    pub(crate) body: Option<OperationBody<'a>>,
    /// The responses.
    pub(crate) responses: Vec<Response<'a>>,
}

/// A parameter as described.
pub(crate) struct Parameter<'a> {
    pub(crate) place: &'static str,
    pub(crate) node: FieldId,
    pub(crate) about: ResolvedObject<'a>,
}

/// The body of a request.
pub(crate) struct OperationBody<'a> {
    pub(crate) description: Option<&'a str>,
    pub(crate) is_required: bool,
    pub(crate) media: Vec<Media<'a>>,
}

/// A response.
pub(crate) struct Response<'a> {
    /// As described: `200`, `4XX`, `default`.
    pub(crate) status: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) media: Vec<Media<'a>>,
    /// Root of its headers.
    pub(crate) headers: Option<FieldId>,
    /// Name, operation that it leads to, description.
    pub(crate) links: Vec<ResponseLink<'a>>,
}

/// What a response leads to.
pub(crate) struct ResponseLink<'a> {
    pub(crate) name: &'a str,
    pub(crate) operation: Option<&'a str>,
    pub(crate) description: Option<&'a str>,
    /// Names and values of what is sent, with the body as the last one.
    pub(crate) values: Vec<(&'a str, &'a Value)>,
}

/// A request that the API sends.
pub(crate) struct Callback<'a> {
    pub(crate) name: &'a str,
    /// Upper case.
    pub(crate) method: String,
    /// Where it is sent: an expression or address.
    pub(crate) address: &'a str,
    pub(crate) description: Option<&'a str>,
    pub(crate) exchange: Exchange<'a>,
}

/// Reads an operation.
pub(crate) fn read_operation<'a, 's>(schemas: &'s Schemas<'a>, source: &OperationSource<'a>) -> OperationPage<'a, 's> {
    let document = schemas.document();
    let mut fields = BodyFields::new(schemas);
    let requirements = read_security(document, source, &mut fields);
    let exchange = read_exchange(document, &source.about, &source.item, &mut fields);
    let callbacks = read_callbacks(document, &source.about, &mut fields);
    fields.expand();
    let exchanges = std::iter::once(&exchange).chain(callbacks.iter().map(|callback| &callback.exchange));
    for media in exchanges.flat_map(|exchange| &exchange.body).flat_map(|body| &body.media) {
        media.mark_parts(document, &mut fields);
    }
    let (servers, has_default_servers) = match source.is_webhook() {
        true => (Vec::new(), true),
        false => read_servers(document, source),
    };
    OperationPage { fields, servers, has_default_servers, requirements, exchange, callbacks }
}

fn read_exchange<'a>(
    document: DescriptionDocument<'a>,
    about: &ResolvedObject<'a>,
    item: &ResolvedObject<'a>,
    fields: &mut BodyFields<'a, '_>,
) -> Exchange<'a> {
    let mut exchange = Exchange::default();
    read_parameters(document, about, item, fields, &mut exchange);
    exchange.body = about.get("requestBody").map(|value| document.object(value)).map(|body| OperationBody {
        description: body.text("description"),
        is_required: body.flag("required"),
        media: read_media(document, &body, Direction::Request, fields),
    });
    exchange.body.take_if(|body| body.description.is_none() && body.media.is_empty());
    for (status, response) in document.objects(about.get("responses")) {
        let headers = read_headers(document, &response, fields);
        exchange.responses.push(Response {
            status,
            // `summary` is what OpenAPI 3.2 calls a response by
            description: response.text("description").or_else(|| response.text("summary")),
            media: read_media(document, &response, Direction::Response, fields),
            headers,
            links: document
                .objects(response.get("links"))
                .map(|(name, link)| ResponseLink {
                    name,
                    operation: link.text("operationId").or_else(|| link.text("operationRef")),
                    description: link.text("description"),
                    values: link_values(&link),
                })
                .collect(),
        });
    }
    exchange
}

/// What a link sends.
fn link_values<'a>(link: &ResolvedObject<'a>) -> Vec<(&'a str, &'a Value)> {
    let parameters = link.get("parameters").and_then(Value::as_object).into_iter().flatten();
    let body = link.get("requestBody").map(|body| ("requestBody", body));
    parameters.map(|(name, value)| (name.as_str(), value)).chain(body).collect()
}

/// Parameters of the path's item and of the operation, whose own win.
fn read_parameters<'a>(
    document: DescriptionDocument<'a>,
    about: &ResolvedObject<'a>,
    item: &ResolvedObject<'a>,
    fields: &mut BodyFields<'a, '_>,
    exchange: &mut Exchange<'a>,
) {
    let mut all: Vec<(&'static str, &'a str, ResolvedObject<'a>)> = Vec::new();
    let mut known: FxHashMap<(&'static str, &'a str), usize> = FxHashMap::default();
    for value in item.list("parameters").iter().chain(about.list("parameters")) {
        let parameter = document.object(value);
        let Some(name) = parameter.get("name").and_then(Value::as_str) else { continue };
        let named = parameter.get("in").and_then(Value::as_str);
        let mut places = PLACES.into_iter().chain([QUERY_STRING]);
        let Some(place) = places.find(|place| Some(*place) == named) else { continue };
        match known.get(&(place, name)) {
            Some(at) => all[*at].2 = parameter,
            None => {
                known.insert((place, name), all.len());
                all.push((place, name, parameter));
            }
        }
    }
    for place in PLACES {
        let mut root = None;
        for (_, name, parameter) in all.iter().filter(|(at, ..)| *at == place) {
            let root = *root.get_or_insert_with(|| fields.add_root(&Schema::default(), Direction::Request));
            let node = add_parameter(document, root, name, place, parameter, fields);
            exchange.described.push(Parameter { place, node, about: parameter.clone() });
        }
        for (_, name, parameter) in all.iter().filter(|(at, ..)| place == "query" && *at == QUERY_STRING) {
            let root = *root.get_or_insert_with(|| fields.add_root(&Schema::default(), Direction::Request));
            add_query_string(document, root, name, parameter, fields, exchange);
        }
        exchange.parameters.extend(root.map(|root| (place, root)));
    }
}

/// Adds what a parameter of OpenAPI 3.2 says of the whole query string: of a form, its fields as parameters; of others,
/// one field without a name in the address.
fn add_query_string<'a>(
    document: DescriptionDocument<'a>,
    root: FieldId,
    name: &'a str,
    parameter: &ResolvedObject<'a>,
    fields: &mut BodyFields<'a, '_>,
    exchange: &mut Exchange<'a>,
) {
    let content = parameter.get("content").and_then(Value::as_object).and_then(|content| content.iter().next());
    let media = content.map(|(_, media)| document.object(media)).unwrap_or_default();
    let form = content.filter(|(media, _)| essence(media) == "application/x-www-form-urlencoded");
    let form = form.and_then(|_| media.get("schema")).map(|schema| fields.schemas().facts(&Schema::of(Some(schema))));
    let form = form.filter(|form| !form.properties.is_empty() && form.maps.is_empty() && form.unions.is_empty());
    let examples = read_examples(document, parameter).into_iter().chain(read_examples(document, &media));
    let example = examples.map(|example| example.value).next();
    let Some(form) = form else {
        let node = add_parameter(document, root, name, QUERY_STRING, parameter, fields);
        fields.node_mut(node).example = example;
        return exchange.described.push(Parameter { place: "query", node, about: parameter.clone() });
    };
    fields.node_mut(root).description = parameter.text("description");
    for (name, schema) in form.properties.iter() {
        let id = fields.add_parameter(root, name, schema);
        let node = fields.node_mut(id);
        node.is_required = parameter.flag("required") && form.required.contains(name);
        node.example = example.and_then(|example| example.get(name));
        exchange.described.push(Parameter { place: "query", node: id, about: ResolvedObject::default() });
    }
}

/// Adds a parameter or header to a root.
fn add_parameter<'a>(
    document: DescriptionDocument<'a>,
    root: FieldId,
    name: &'a str,
    place: &'static str,
    parameter: &ResolvedObject<'a>,
    fields: &mut BodyFields<'a, '_>,
) -> FieldId {
    let content = parameter.get("content").and_then(Value::as_object).and_then(|content| content.iter().next());
    let schema = parameter.get("schema").or_else(|| document.object(content?.1).get("schema"));
    let id = fields.add_parameter(root, name, &Schema::of(schema));
    let default_style = if matches!(place, "query" | "cookie" | QUERY_STRING) { "form" } else { "simple" };
    let written = Some(QUERY_STRING).filter(|whole| *whole == place).or_else(|| parameter.text("style"));
    let style = written.filter(|style| *style != default_style);
    let default_explode = style.unwrap_or(default_style) == "form";
    let explode = parameter.get("explode").and_then(Value::as_bool).filter(|explode| *explode != default_explode);
    let mut examples = read_examples(document, parameter);
    if let Some((_, content)) = content.filter(|_| examples.is_empty()) {
        examples = read_examples(document, &document.object(content));
    }
    let other_examples = examples.split_off(examples.len().min(1));
    let example = examples.pop();
    let node = fields.node_mut(id);
    node.is_required = parameter.flag("required") || place == "path";
    node.is_deprecated |= parameter.flag("deprecated");
    node.description = parameter.text("description");
    node.example = parameter.get("example").or(example.as_ref().map(|example| example.value));
    node.example_label = example.filter(|_| !other_examples.is_empty()).map_or("", |example| example.label);
    node.other_examples = other_examples;
    node.parameter = Some(Arc::new(ParameterFacts {
        style,
        explode,
        content: content.map(|(media, _)| media.as_str()),
        ..ParameterFacts::default()
    }));
    id
}

fn read_headers<'a>(
    document: DescriptionDocument<'a>,
    response: &ResolvedObject<'a>,
    fields: &mut BodyFields<'a, '_>,
) -> Option<FieldId> {
    let mut root = None;
    for (name, header) in document.objects(response.get("headers")) {
        let root = *root.get_or_insert_with(|| fields.add_root(&Schema::default(), Direction::Response));
        add_parameter(document, root, name, "header", &header, fields);
    }
    root
}

fn read_callbacks<'a>(
    document: DescriptionDocument<'a>,
    about: &ResolvedObject<'a>,
    fields: &mut BodyFields<'a, '_>,
) -> Vec<Callback<'a>> {
    let mut callbacks = Vec::new();
    for (name, value) in about.get("callbacks").and_then(Value::as_object).into_iter().flatten() {
        if name.starts_with("x-") {
            continue;
        }
        let Some(addresses) = value.as_object() else { continue };
        let addresses = match super::document::object_reference(addresses).and_then(|reference| document.at(reference))
        {
            Some(target) => target.as_object().unwrap_or(addresses),
            None => addresses,
        };
        for (address, item) in addresses.iter().filter(|(address, _)| !address.starts_with("x-")) {
            let item = document.object(item);
            let more = item.get("additionalOperations").and_then(Value::as_object);
            let methods = METHODS.into_iter().filter_map(|method| Some((method, item.get(method)?)));
            let more = more.into_iter().flatten().map(|(method, about)| (method.as_str(), about));
            for (method, about) in methods.chain(more) {
                let about = document.object(about);
                callbacks.push(Callback {
                    name,
                    method: method.to_uppercase(),
                    address,
                    description: about.text("description").or_else(|| about.text("summary")),
                    exchange: read_exchange(document, &about, &item, fields),
                });
            }
        }
    }
    callbacks
}
