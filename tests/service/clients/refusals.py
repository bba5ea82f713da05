"""1,000 refusals over one kept connection with a client library of Python: refusals.py LIBRARY PORT COUNT."""
import http.client
import sys

library, port, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
base = f"http://127.0.0.1:{port}"
headers = {"Content-Type": "application/json"}
# 401, 404, 405, and a body of 60 KB that takes several segments
requests_of = [
    ("POST", "/v1/static-export/jobs", b"{}" * 1000),
    ("POST", "/nowhere", b"{}"),
    ("PUT", "/v1/static-export/jobs", b"{}" * 500),
    ("POST", "/v1/project/preview/x", b"{}" * 30000),
]
expected = [401, 404, 405, 401]


def client():
    if library == "requests":
        import requests

        session = requests.Session()
        # a retry would hide what is looked for
        session.mount("http://", requests.adapters.HTTPAdapter(max_retries=0))
        return lambda method, path, body: session.request(method, base + path, data=body, headers=headers).status_code
    if library == "httpx":
        import httpx

        session = httpx.Client()
        return lambda method, path, body: session.request(method, base + path, content=body, headers=headers).status_code
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.connect()
    # a connection that is opened again would hide what is looked for
    connection.auto_open = 0

    def send(method, path, body):
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        if answer.will_close:
            connection.connect()
        return answer.status

    return send


send, errors, wrong = client(), 0, 0
for number in range(count):
    at = number % len(requests_of)
    try:
        wrong += send(*requests_of[at]) != expected[at]
    except Exception as error:
        errors += 1
        if errors == 1:
            print(f"  first: {error!r}")
        if library == "http.client":
            send = client()
print(f"{library}: {count} refusals, {errors} errors, {wrong} other answers")
sys.exit(errors + wrong > 0)
