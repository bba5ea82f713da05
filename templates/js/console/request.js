/* The request: parameters by their style, bodies by their type, and the same as a line of curl. */

const encode = (value) => encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const isEmpty = (value) => value === undefined || (Array.isArray(value) ? !value.length : isObject(value) && !Object.keys(value).length);

/** Names and values of a query or form field, not encoded; a join of several values is `{ parts, by }`. */
function pairsOf({ name, style = "form", explode, isJson }, value) {
  if (isJson || style === "querystring") return [[isJson && style === "form" ? name : "", toText(value)]];
  const spread = explode ? explode === "true" : style === "form" || style === "deepObject";
  if (Array.isArray(value)) {
    const texts = value.map(toText);
    if (style === "deepObject") return texts.map((text) => [`${name}[]`, text]);
    return spread ? texts.map((text) => [name, text]) : [[name, { parts: texts, by: { spaceDelimited: "%20", pipeDelimited: "%7C" }[style] || "," }]];
  }
  if (!isObject(value)) return [[name, toText(value)]];
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  if (style === "deepObject") {
    const deep = (path, one) =>
      isObject(one) ? Object.entries(one).flatMap(([key, part]) => deep(`${path}[${key}]`, part)) : Array.isArray(one) ? one.flatMap((part) => deep(path, part)) : [[path, toText(one)]];
    return deep(name, value);
  }
  const texts = entries.map(([key, one]) => [key, toText(one)]);
  return spread ? texts : [[name, { parts: texts.flat(), by: { spaceDelimited: "%20", pipeDelimited: "%7C" }[style] || "," }]];
}

/** A value as the text of a parameter; what has no text of its own is JSON. */
const toText = (value) => (isObject(value) || Array.isArray(value) ? compact(value) : valueText(value));
const compact = (value) => toJson(value).replace(/\n */g, "");

const joined = (value) => (typeof value === "string" ? encode(value) : value.parts.map(encode).join(value.by));
const queryText = (pairs) => pairs.map(([name, value]) => (name && `${encode(name)}=`) + joined(value)).join("&");

/** A value in the path; `code` is what is done to each part. */
function inPath({ name, style = "simple", explode, isJson }, value, code) {
  const before = { label: ".", matrix: ";" }[style] || "";
  const named = style === "matrix";
  if (isJson) return code(compact(value));
  const spread = explode === "true";
  const by = spread && before ? before : ",";
  const prefix = before + (named ? `${code(name)}=` : "");
  if (Array.isArray(value)) {
    const texts = value.map((one) => code(toText(one)));
    return named && spread ? texts.map((text) => prefix + text).join("") : prefix + texts.join(by);
  }
  if (isObject(value)) {
    const texts = Object.entries(value).map(([key, one]) => code(key) + (spread ? "=" : ",") + code(toText(one)));
    return (spread ? before : prefix) + texts.join(by);
  }
  const text = code(toText(value));
  return named && !text ? `${before}${code(name)}` : prefix + text;
}

/** Headers that a page cannot set. */
const isSetByBrowser = (name) => /^(accept-(charset|encoding)|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|permissions-policy|referer|set-cookie|te|trailer|transfer-encoding|upgrade|user-agent|via|proxy-.*|sec-.*)$/i.test(name);

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));

/** Adds a credential to the request: name, value, and what of it is secret. */
function authorize(request, { name, place, scheme }, [first, second]) {
  const put = { header: request.headers, query: request.query, cookie: request.cookies }[place] || request.headers;
  if (scheme === "basic") {
    if (first || second) request.headers.push(["Authorization", `Basic ${base64(new TextEncoder().encode(`${first}:${second}`))}`, [first, second]]);
  } else if (first) {
    const bearer = /^(bearer|oauth2|openIdConnect)$/.test(scheme) && !/^bearer /i.test(first);
    put.push([name, bearer ? `Bearer ${first}` : first, first]);
  }
}

/** The kind of a body by its media type. */
function kindOfBody({ media, kind }) {
  if (/[/+]json\b|\*\/\*/i.test(media)) return "json";
  if (/^multipart\//i.test(media)) return "multipart";
  if (/x-www-form-urlencoded/i.test(media)) return "form";
  if (kind === "file" || /^(image|audio|video|font)\/|octet-stream|zip|pdf/i.test(media)) return "file";
  return "text";
}

/** Parts of a multipart body: name and text or file. */
const partsOf = (value) =>
  Object.entries(value || {}).flatMap(([name, one]) => (Array.isArray(one) && one.every((item) => !isObject(item)) ? one : [one]).map((item) => [name, item instanceof File ? item : toText(item)]));

const formPairs = (value) => Object.entries(value || {}).flatMap(([name, one]) => pairsOf({ name }, isObject(one) ? compact(one) : one));

/** What `fetch` is given. */
function toFetch({ method, headers, body, media, kind }) {
  const sent = new Headers();
  for (const [name, value] of headers) if (!isSetByBrowser(name)) sent.append(name, value);
  const options = { method, headers: sent, cache: "no-store", referrerPolicy: "no-referrer" };
  if (body === undefined || /^(GET|HEAD)$/.test(method)) return options;
  if (kind === "multipart") {
    options.body = new FormData();
    for (const [name, part] of partsOf(body)) options.body.append(name, part);
    return options;
  }
  options.body = kind === "form" ? queryText(formPairs(body)) : kind === "json" ? jsonText(body) : body;
  if (!sent.has("content-type") && media) sent.set("Content-Type", media === "*/*" ? "application/json" : media);
  return options;
}

/** A body that was typed as JSON stays as it was typed. */
const jsonText = (body) => (body.typed != null ? body.typed : toJson(body.value));

const quoted = (text) => (/^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);
const single = (text) => `'${text.replace(/'/g, "'\\''")}'`;

/** The request as a command of a POSIX shell. `hide`: what is shown in the place of a credential. */
function toCurl({ method, url, headers, cookies, body, media, kind }, hide = (text) => text) {
  const lines = [method === "HEAD" ? "curl --head" : `curl --request ${quoted(method)}`];
  const masked = ([, value, secret]) => (secret == null ? value : Array.isArray(secret) ? value : value.replace(secret, () => hide(secret)));
  lines.push(`--url ${single(url)}`);
  if (/[[\]{}]/.test(url)) lines.push("--globoff");
  for (const header of headers) {
    if (Array.isArray(header[2])) lines.push(`--user ${single(`${header[2][0]}:${hide(header[2][1])}`)}`);
    else lines.push(`--header ${single(header[1] === "" ? `${header[0]};` : `${header[0]}: ${masked(header)}`)}`);
  }
  if (cookies.length) lines.push(`--cookie ${single(cookies.map((cookie) => `${cookie[0]}=${masked(cookie)}`).join("; "))}`);
  if (body !== undefined) {
    const hasType = headers.some(([name]) => /^content-type$/i.test(name));
    if (kind !== "multipart" && !hasType && media) lines.push(`--header ${single(`Content-Type: ${media === "*/*" ? "application/json" : media}`)}`);
    if (kind === "json") lines.push(`--data-raw ${single(jsonText(body))}`);
    else if (kind === "form") lines.push(`--data-raw ${single(queryText(formPairs(body)))}`);
    else if (kind === "text") lines.push(`--data-raw ${single(body)}`);
    else if (kind === "file") lines.push(`--data-binary ${single(`@${body.name}`)}`);
    else
      for (const [name, part] of partsOf(body)) {
        if (part instanceof File) lines.push(`--form ${single(`${name}=@${/[",;\\]/.test(part.name) ? `"${part.name.replace(/["\\]/g, "\\$&")}"` : part.name}`)}`);
        else lines.push(`${/^[@<]|;/.test(part) ? "--form-string" : "--form"} ${single(`${name}=${part}`)}`);
      }
  }
  return lines.join(" \\\n  ");
}
