#!/bin/sh
# 1,000 refusals (401, 404, 405) over kept connections with the client libraries that are here: run.sh PORT [COUNT].
# The service must run without a limit of failed authentications (`auth_failures_per_minute = 0`). Python looks for
# `requests` and `httpx` where $PYTHON finds them.
set -u
here=$(dirname "$0") port=$1 count=${2:-1000} failed=0
python=${PYTHON:-python3}
for library in http.client requests httpx; do
  "$python" "$here/refusals.py" $library "$port" "$count" || failed=1
done
for library in fetch http; do
  node "$here/refusals.mjs" $library "$port" "$count" || failed=1
done
if command -v go > /dev/null; then go run "$here/refusals.go" "$port" "$count" || failed=1; fi
if command -v java > /dev/null; then java "$here/Refusals.java" "$port" "$count" || failed=1; fi
# curl: one process, one connection; every answer is counted, and so is every connection
answers=$(mktemp)
curl -sS -X POST -H 'Content-Type: application/json' --data-binary "$(head -c 2000 /dev/zero | tr '\0' ' ')" \
  -o /dev/null -w '%{http_code} %{num_connects}\n' "http://127.0.0.1:$port/v1/static-export/jobs?[1-$count]" > "$answers" 2> "$answers.errors"
right=$(grep -c '^401 ' "$answers") connections=$(awk '{ sum += $2 } END { print sum }' "$answers")
errors=$(wc -l < "$answers.errors")
echo "curl: $right of $count refusals over $connections connections, $errors errors"
[ "$right" = "$count" ] && [ "$errors" = 0 ] || failed=1
rm -f "$answers" "$answers.errors"
exit $failed
