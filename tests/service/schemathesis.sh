#!/bin/sh
# Generated requests against the interface's own description: no answer may be a 5xx, and none undocumented.
# Usage: sh tests/service/schemathesis.sh PROGRAM [EXAMPLES for each operation]
# Needs schemathesis (pip install schemathesis) on the PATH.
set -eu
program=$(realpath "$1"); examples=${2:-140}
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d); trap 'kill "$pid" 2>/dev/null || true; rm -rf "$work"' EXIT
made=$("$program" key --json)
key=$(printf %s "$made" | sed 's/.*"key":"\([^"]*\).*/\1/'); hash=$(printf %s "$made" | sed 's/.*"hash":"\([^"]*\).*/\1/')
cat >"$work/offprint.toml" <<CONFIG
[server]
listen = "127.0.0.1:18080"
[limits]
previews_per_minute = 0
exports_queued = 0
agent_calls_per_hour = 0
bundle_links_per_minute = 0
auth_failures_per_minute = 0
[git]
allow_protocols = ["file"]
[agent]
command = ["/bin/sh", "-c", "echo '{\"prLink\":null}'"]
[[organizations]]
id = "acme"
plan = { static_export = true, preview = true, agent = true }
[[organizations.keys]]
id = "main"
hash = "$hash"
[[projects]]
id = "acme-docs"
organization = "acme"
domain = "docs.acme.example"
source = { git = "/nonexistent/repository" }
CONFIG
OFFPRINT_LOG=error "$program" serve --config "$work/offprint.toml" 2>"$work/log" & pid=$!
for _ in $(seq 100); do curl -fs http://127.0.0.1:18080/readyz >/dev/null && break; sleep 0.1; done
cd "$work"
schemathesis run "$root/fixtures/docs/service/openapi.json" --url http://127.0.0.1:18080 -H "Authorization: Bearer $key" --max-examples "$examples" \
  --checks not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance \
  --request-timeout 20 --suppress-health-check all || { tail -5 "$work/log"; exit 1; }
curl -fs http://127.0.0.1:18080/readyz
