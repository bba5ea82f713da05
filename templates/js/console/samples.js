/* The request as it stands in the languages of the page's samples. What `toCurl` says is the measure; bodies of parts and files are said there alone. */

const doubled = (text) => JSON.stringify(text);
const withoutDollars = (text) => doubled(text).replace(/\$/g, "\\$");
const singled = (text) => `'${text.replace(/[\\']/g, "\\$&")}'`;
const inRuby = (text) => doubled(text).replace(/#(?=[{$@])/g, "\\#");
const inPowerShell = (text) => `'${text.replace(/'/g, "''")}'`;
const bracedEscapes = (text) => doubled(text).replace(/\\u([\da-f]{4})/gi, "\\u{$1}").replace(/\\[bf]/g, (sign) => (sign === "\\b" ? "\\u{8}" : "\\u{c}"));
/** C knows no short name for characters that are written as numbers. */
const inC = (text) => doubled(text).replace(/\\u00([01][\da-f])/gi, (_, code) => `\\${parseInt(code, 16).toString(8).padStart(3, "0")}`).replace(/\?\?/g, "?\\?");

/** A line for each, or nothing. */
const each = (list, line, by = "\n") => list.map(line).join(by);
const some = (list, before, line, after, by) => (list.length ? before + each(list, line, by) + after : "");

const fetchSample = ({ method, url, headers, body }) =>
  `const response = await fetch(${doubled(url)}, {\n  method: ${doubled(method)},\n${some(headers, "  headers: {\n", ([name, value]) => `    ${doubled(name)}: ${doubled(value)},`, "\n  },\n")}${body === undefined ? "" : `  body: ${doubled(body)},\n`}});\n\nconsole.log(response.status, await response.text());`;

const sharpSample = ({ method, url, headers, body }) => {
  const [type, others] = [headers.find(([name]) => /^content-type$/i.test(name)), headers.filter(([name]) => !/^content-type$/i.test(name))];
  const content = body === undefined ? "" : `request.Content = new StringContent(${doubled(body)});\n${type ? `request.Content.Headers.ContentType = System.Net.Http.Headers.MediaTypeHeaderValue.Parse(${doubled(type[1])});\n` : ""}`;
  return `using var client = new HttpClient();\nusing var request = new HttpRequestMessage(new HttpMethod(${doubled(method)}), ${doubled(url)});\n${each(others, ([name, value]) => `request.Headers.TryAddWithoutValidation(${doubled(name)}, ${doubled(value)});\n`, "")}${content}\nusing var response = await client.SendAsync(request);\nConsole.WriteLine(await response.Content.ReadAsStringAsync());`;
};

const cSample = ({ method, url, headers, body }) =>
  `#include <curl/curl.h>\n\nint main(void) {\n  CURL *curl = curl_easy_init();\n  curl_easy_setopt(curl, CURLOPT_URL, ${inC(url)});\n  curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, ${inC(method)});\n${some(headers, "\n  struct curl_slist *headers = NULL;\n", ([name, value]) => `  headers = curl_slist_append(headers, ${inC(value ? `${name}: ${value}` : `${name};`)});`, "\n  curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);\n")}${body === undefined ? "" : `\n  curl_easy_setopt(curl, CURLOPT_POSTFIELDS, ${inC(body)});\n`}\n  CURLcode result = curl_easy_perform(curl);\n${headers.length ? "  curl_slist_free_all(headers);\n" : ""}  curl_easy_cleanup(curl);\n  return (int)result;\n}`;

/** Writers by the titles of the page's samples. */
const SAMPLES = {
  Python: ({ method, url, headers, body }) =>
    `import requests\n\nresponse = requests.request(\n    ${doubled(method)},\n    ${doubled(url)},\n${some(headers, "    headers={\n", ([name, value]) => `        ${doubled(name)}: ${doubled(value)},`, "\n    },\n")}${body === undefined ? "" : `    data=${doubled(body)}.encode(),\n`})\n\nprint(response.status_code, response.text)`,
  JavaScript: fetchSample,
  "Node.js": fetchSample,
  TypeScript: fetchSample,
  PHP: ({ method, url, headers, body }) =>
    `<?php\n\n$curl = curl_init(${singled(url)});\n\ncurl_setopt_array($curl, [\n    CURLOPT_CUSTOMREQUEST => ${singled(method)},\n    CURLOPT_RETURNTRANSFER => true,\n${some(headers, "    CURLOPT_HTTPHEADER => [\n", ([name, value]) => `        ${singled(value ? `${name}: ${value}` : `${name};`)},`, "\n    ],\n")}${body === undefined ? "" : `    CURLOPT_POSTFIELDS => ${singled(body)},\n`}]);\n\necho curl_exec($curl);`,
  Go: ({ method, url, headers, body }) =>
    `package main\n\nimport (\n\t"fmt"\n\t"io"\n\t"net/http"\n${body === undefined ? "" : '\t"strings"\n'})\n\nfunc main() {\n\trequest, err := http.NewRequest(${doubled(method)}, ${doubled(url)}, ${body === undefined ? "nil" : `strings.NewReader(${doubled(body)})`})\n\tif err != nil {\n\t\tpanic(err)\n\t}\n${each(headers, ([name, value]) => `\trequest.Header.Set(${doubled(name)}, ${doubled(value)})\n`, "")}\n\tresponse, err := http.DefaultClient.Do(request)\n\tif err != nil {\n\t\tpanic(err)\n\t}\n\tdefer response.Body.Close()\n\ttext, _ := io.ReadAll(response.Body)\n\tfmt.Println(response.Status, string(text))\n}`,
  Java: ({ method, url, headers, body }) =>
    `HttpRequest request = HttpRequest.newBuilder()\n    .uri(URI.create(${doubled(url)}))\n${each(headers, ([name, value]) => `    .header(${doubled(name)}, ${doubled(value)})\n`, "")}    .method(${doubled(method)}, ${body === undefined ? "HttpRequest.BodyPublishers.noBody()" : `HttpRequest.BodyPublishers.ofString(${doubled(body)})`})\n    .build();\n\nHttpResponse<String> response = HttpClient.newHttpClient()\n    .send(request, HttpResponse.BodyHandlers.ofString());\nSystem.out.println(response.body());`,
  Ruby: ({ method, url, headers, body }) =>
    `require "net/http"\n\nuri = URI(${inRuby(url)})\nrequest = Net::HTTPGenericRequest.new(${inRuby(method)}, ${body === undefined ? "false" : "true"}, true, uri)\n${each(headers, ([name, value]) => `request[${inRuby(name)}] = ${inRuby(value)}\n`, "")}${body === undefined ? "" : `request.body = ${inRuby(body)}\n`}\nresponse = Net::HTTP.start(uri.hostname, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }\nputs response.body`,
  PowerShell: ({ method, url, headers, body }) => {
    const [type, others] = [headers.find(([name]) => /^content-type$/i.test(name)), headers.filter(([name]) => !/^content-type$/i.test(name))];
    return `$request = @{\n    Method = ${inPowerShell(method)}\n    Uri = ${inPowerShell(url)}\n${some(others, "    Headers = @{\n", ([name, value]) => `        ${inPowerShell(name)} = ${inPowerShell(value)}`, "\n    }\n")}${type ? `    ContentType = ${inPowerShell(type[1])}\n` : ""}${body === undefined ? "" : `    Body = ${inPowerShell(body)}\n`}}\n\nInvoke-RestMethod @request`;
  },
  Swift: ({ method, url, headers, body }) =>
    `import Foundation\n\nvar request = URLRequest(url: URL(string: ${bracedEscapes(url)})!)\nrequest.httpMethod = ${bracedEscapes(method)}\n${each(headers, ([name, value]) => `request.setValue(${bracedEscapes(value)}, forHTTPHeaderField: ${bracedEscapes(name)})\n`, "")}${body === undefined ? "" : `request.httpBody = Data(${bracedEscapes(body)}.utf8)\n`}\nlet (data, _) = try await URLSession.shared.data(for: request)\nprint(String(decoding: data, as: UTF8.self))`,
  "C#": sharpSample,
  ".NET": sharpSample,
  C: cSample,
  "C++": cSample,
  Kotlin: ({ method, url, headers, body }) =>
    `val request = HttpRequest.newBuilder()\n    .uri(URI.create(${withoutDollars(url)}))\n${each(headers, ([name, value]) => `    .header(${withoutDollars(name)}, ${withoutDollars(value)})\n`, "")}    .method(${withoutDollars(method)}, ${body === undefined ? "HttpRequest.BodyPublishers.noBody()" : `HttpRequest.BodyPublishers.ofString(${withoutDollars(body)})`})\n    .build()\n\nval response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString())\nprintln(response.body())`,
  Rust: ({ method, url, headers, body }) =>
    `let response = reqwest::Client::new()\n    .request(reqwest::Method::from_bytes(b${bracedEscapes(method)})?, ${bracedEscapes(url)})\n${each(headers, ([name, value]) => `    .header(${bracedEscapes(name)}, ${bracedEscapes(value)})\n`, "")}${body === undefined ? "" : `    .body(${bracedEscapes(body)})\n`}    .send()\n    .await?;\n\nprintln!("{}", response.text().await?);`,
  Dart: ({ method, url, headers, body }) =>
    `import 'package:http/http.dart' as http;\n\nvoid main() async {\n  final request = http.Request(${withoutDollars(method)}, Uri.parse(${withoutDollars(url)}));\n${some(headers, "  request.headers.addAll({\n", ([name, value]) => `    ${withoutDollars(name)}: ${withoutDollars(value)},`, "\n  });\n")}${body === undefined ? "" : `  request.body = ${withoutDollars(body)};\n`}\n  final response = await http.Response.fromStream(await request.send());\n  print(response.body);\n}`,
};

/** The languages of the page that the console can write, and the one that the reader has chosen there. */
function sampleLanguages() {
  const panels = [...document.querySelectorAll("#request-example [data-title]")];
  const titles = panels.map((panel) => panel.dataset.title).filter((title) => SAMPLES[title]);
  const chosen = panels.find((panel) => !panel.hidden)?.dataset.title;
  return { titles: ["cURL", ...titles], chosen: SAMPLES[chosen] ? chosen : "cURL" };
}

/** A request in a language. `hide`: what is shown in the place of a credential. */
function toSample(title, request, hide = (text) => text) {
  const { headers, cookies, body, media, kind } = request;
  if (!SAMPLES[title] || (body !== undefined && /^(multipart|file)$/.test(kind))) return toCurl(request, hide);
  const masked = ([, value, secret]) => {
    const hidden = Array.isArray(secret) ? value.replace("Basic ", "") : secret;
    return hidden == null ? value : value.replace(hidden, () => hide(hidden));
  };
  const sent = headers.map((header) => [header[0], masked(header)]);
  if (cookies.length) sent.push(["Cookie", cookies.map((cookie) => `${cookie[0]}=${masked(cookie)}`).join("; ")]);
  if (body !== undefined && media && !headers.some(([name]) => /^content-type$/i.test(name))) sent.push(["Content-Type", media === "*/*" ? "application/json" : media]);
  const text = body === undefined ? undefined : kind === "json" ? jsonText(body) : kind === "form" ? queryText(formPairs(body)) : body;
  return SAMPLES[title]({ method: request.method, url: request.url, headers: sent, body: text });
}
