"""What samples use of requests, with the standard library."""
import base64
import http.client
import json as json_module
import os
import urllib.parse


class Response:
    def __init__(self, response):
        self.status_code = response.status
        self.headers = dict(response.getheaders())
        self.text = response.read().decode()


def pairs_of(values):
    return list(values.items()) if isinstance(values, dict) else list(values)


def multipart(data, files):
    boundary = "samples-boundary"
    body = b""
    parts = [(name, (None, value)) for name, value in pairs_of(data or {})] + pairs_of(files)
    for name, value in parts:
        if not isinstance(value, tuple):
            value = (os.path.basename(value.name), value)
        filename, content, media = (*value, None)[:3]
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        head += f'; filename="{filename}"' if filename else ""
        head += f"\r\nContent-Type: {media}" if media else ""
        content = content.encode() if isinstance(content, str) else content.read()
        body += head.encode() + b"\r\n\r\n" + content + b"\r\n"
    return body + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def request(method, url, data=None, json=None, files=None, headers=None, cookies=None, auth=None):
    sent = dict(headers or {})
    body, media = None, None
    if files:
        body, media = multipart(data, files)
    elif isinstance(data, (dict, list)):
        body, media = urllib.parse.urlencode(data).encode(), "application/x-www-form-urlencoded"
    elif data is not None:
        body = data if isinstance(data, bytes) else data.encode("latin-1") if isinstance(data, str) else data.read()
    elif json is not None:
        body, media = json_module.dumps(json).encode(), "application/json"
    if media:
        sent.setdefault("Content-Type", media)
    if cookies:
        sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    if auth:
        sent["Authorization"] = "Basic " + base64.b64encode(":".join(auth).encode()).decode()
    address = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(address.hostname, address.port)
    connection.request(method, f"{address.path}?{address.query}" if address.query else address.path, body, sent)
    return Response(connection.getresponse())


def method(name):
    return lambda url, **arguments: request(name, url, **arguments)


get, post, put, patch = method("GET"), method("POST"), method("PUT"), method("PATCH")
delete, head, options = method("DELETE"), method("HEAD"), method("OPTIONS")
