// Refusals over kept connections with the fetch and the http module of Node: refusals.mjs fetch|http PORT COUNT.
import http from "node:http";

const [library, port, count] = [process.argv[2], +process.argv[3], +process.argv[4]];
const asked = [
  ["POST", "/v1/static-export/jobs", "{}".repeat(1000), 401],
  ["POST", "/nowhere", "{}", 404],
  ["PUT", "/v1/static-export/jobs", "{}".repeat(500), 405],
  ["POST", "/v1/project/preview/x", "{}".repeat(30000), 401],
];
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

async function send(method, path, body) {
  const headers = { "content-type": "application/json" };
  if (library === "fetch") {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, body, headers });
    await answer.text();
    return answer.status;
  }
  return new Promise((resolve, reject) => {
    const request = http.request({ port, host: "127.0.0.1", path, method, agent, headers: { ...headers, "content-length": body.length } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
      answer.on("error", reject);
    });
    request.on("error", reject);
    // the body comes in a packet of its own
    request.flushHeaders();
    setImmediate(() => request.end(body));
  });
}

let errors = 0, wrong = 0;
for (let number = 0; number < count; number++) {
  const [method, path, body, status] = asked[number % asked.length];
  try {
    wrong += (await send(method, path, body)) !== status;
  } catch (error) {
    if (errors++ === 0) console.log("  first:", error.message, error.cause?.message ?? "");
  }
}
console.log(`node ${library}: ${count} refusals, ${errors} errors, ${wrong} other answers`);
process.exit(errors + wrong > 0 ? 1 : 0);
