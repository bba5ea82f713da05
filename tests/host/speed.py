"""How fast `offprint host` is beside nginx with gzip_static: the same files, in turn, one core each. Needs nginx, wrk and taskset.

nginx comes twice: as it is, and with the headers that `offprint host` sends beside (its policy, the version of the bundle and so on). All is asked for as gzip, and then by
clients that take none.

Usage: python3 tests/host/speed.py target/release/offprint [--pages 1000] [--bundle site.zip] [--seconds 5] [--rounds 3]
"""

import argparse
import gzip
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import tempfile
import time
import urllib.request
import zipfile

SERVER_CORE, CLIENT_CORE = "0", "1"
LUA = """
local paths = { %s }
local n = 0
request = function() n = n + 1; return wrk.format("GET", paths[n %% #paths + 1]) end
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(url):
    for _ in range(600):
        try:
            with urllib.request.urlopen(url) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.05)
    raise SystemExit(f"{url} does not answer")


def start_host(binary, bundle):
    port = free_port()
    command = ["taskset", "-c", SERVER_CORE, binary, "host", "--bundle", bundle, "--listen", f"127.0.0.1:{port}", "--threads", "1", "--trusted-proxies", "127.0.0.1"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    wait(f"http://127.0.0.1:{port}/readyz")
    return process, port


def own_headers(port, path):
    """What an answer says that nginx does not say by itself."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Accept-Encoding": "gzip"})
    usual = {"content-type", "content-length", "content-encoding", "etag", "date", "vary", "accept-ranges", "connection"}
    with urllib.request.urlopen(request) as answer:
        return [(name, value) for name, value in answer.headers.items() if name.lower() not in usual]


def start_nginx(folder, root, headers=()):
    port = free_port()
    lines = "".join("add_header %s '%s'; " % (name, value.replace("'", "\\'")) for name, value in headers)
    config = folder / "nginx.conf"
    config.write_text(f"""
worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log stderr crit; user root;
events {{ worker_connections 20000; }}
http {{
  include /etc/nginx/mime.types; access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 1000000000; keepalive_timeout 75;
  open_file_cache max=20000 inactive=10m; open_file_cache_valid 10m; gzip_static on; gzip_vary on;
  server {{ listen 127.0.0.1:{port} backlog=4096; root {root}; etag on; {lines}}}
}}
""")
    process = subprocess.Popen(["taskset", "-c", SERVER_CORE, "nginx", "-c", config, "-p", folder], stderr=subprocess.DEVNULL)
    wait(f"http://127.0.0.1:{port}/index.html")
    return process, port


def wrk(port, lua, seconds, connections=64, coding="gzip"):
    """Requests a second, the slowest of a hundred in milliseconds, and how many there were."""
    accept = ["-H", f"Accept-Encoding: {coding}"]
    command = ["taskset", "-c", CLIENT_CORE, "wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", lua, *accept, f"http://127.0.0.1:{port}/"]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    number, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", out).groups()
    bad = re.search(r"Non-2xx or 3xx responses: (\d+)", out) or re.search(r"Socket errors: (.*)", out)
    if bad:
        raise SystemExit(out)
    return rate, float(number) * {"us": 0.001, "ms": 1, "s": 1000}[unit], int(re.search(r"(\d+) requests in", out)[1])


def memory(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return {name: int(re.search(rf"{name}:\s+(\d+)", status)[1]) / 1024 for name in ("VmRSS", "VmHWM", "RssAnon")}


def processor_seconds(process):
    """Of a process and its workers: what a request costs, however busy the machine is with other things."""
    ids = [process.pid] + [int(pid) for pid in pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()]
    fields = [pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split() for pid in ids]
    return sum(int(numbers[11]) + int(numbers[12]) for numbers in fields) / os.sysconf("SC_CLK_TCK")


def idle(port, path, count):
    """Connections that have had one answer and wait."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 1000), hard))
    request = f"GET {path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    connections = []
    for _ in range(count):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(request)
        connection.recv(65536)
        connections.append(connection)
    return connections


def compare(servers, lua, arguments, coding):
    results = {name: [] for name in servers}
    for _ in range(arguments.rounds):
        for name, start in servers.items():
            process, port = start()
            wrk(port, lua, 1, coding=coding)
            before = processor_seconds(process)
            rate, p99, count = wrk(port, lua, arguments.seconds, coding=coding)
            results[name].append((rate, p99, (processor_seconds(process) - before) / count * 1e6))
            process.send_signal(signal.SIGTERM)
            process.wait()
    print(f"Accept-Encoding: {coding}")
    for name, rounds in results.items():
        rate, p99, cost = (statistics.median(values) for values in zip(*rounds))
        print(f"{name:22} {rate:9.0f} requests/s, p99 {p99:6.2f} ms, {cost:5.1f} µs of the core for each  {[round(rate) for rate, *_ in rounds]}")
    for name in list(servers)[1:]:
        # of rounds that ran one after the other: what else the machine does changes slowly
        pairs = list(zip(results["offprint host"], results[name]))
        ratio = [statistics.median(ours[at] / theirs[at] for ours, theirs in pairs) for at in range(3)]
        per_cost = f"{1 / ratio[2]:.2f} times the requests of a second of the core"
        print(f"offprint host / {name}: {ratio[0]:.2f} times the requests, {ratio[1]:.2f} times the p99, {per_cost}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--bundle")
    parser.add_argument("--pages", default="1000")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--bytes", type=int, default=10_000, help="size as gzip of the pages that are asked for, about")
    arguments = parser.parse_args()
    binary = os.path.abspath(arguments.binary)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="offprint-speed-"))
    bundle = arguments.bundle and os.path.abspath(arguments.bundle)
    if not bundle:
        subprocess.run([binary, "bench", "--pages", arguments.pages, "--keep", folder / "bench"], check=True, capture_output=True)
        bundle = str(folder / "bench" / "bundle.zip")
    root = folder / "root"
    with zipfile.ZipFile(bundle) as archive:
        archive.extractall(root)
    pages = []
    for path in sorted(root.rglob("*.html")):
        packed = gzip.compress(path.read_bytes(), 9)
        path.with_name(path.name + ".gz").write_bytes(packed)
        pages.append((abs(len(packed) - arguments.bytes), "/" + str(path.relative_to(root)), len(packed)))
    chosen = sorted(pages)[:20]
    lua = folder / "pages.lua"
    lua.write_text(LUA % ", ".join(f'"{path}"' for _, path, _ in chosen))
    print(f"{len(pages)} pages; asked for: 20 of {min(size for *_, size in chosen)} to {max(size for *_, size in chosen)} bytes as gzip")
    process, port = start_host(binary, bundle)
    headers = own_headers(port, chosen[0][1])
    process.send_signal(signal.SIGTERM)
    process.wait()
    servers = {
        "offprint host": lambda: start_host(binary, bundle),
        "nginx": lambda: start_nginx(folder, root),
        "nginx, as many headers": lambda: start_nginx(folder, root, headers),
    }
    for coding in ["gzip", "identity"]:
        compare(servers, lua, arguments, coding)
    process, port = start_host(binary, bundle)
    print("memory when ready, MiB:", {name: round(value, 1) for name, value in memory(process).items()})
    wrk(port, lua, 2)
    wrk(port, lua, 2, coding="identity")
    print("after load:", {name: round(value, 1) for name, value in memory(process).items()})
    held = idle(port, chosen[0][1], arguments.idle)
    before = processor_seconds(process)
    rate, p99, _ = wrk(port, lua, arguments.seconds, 16)
    print(f"{len(held)} idle connections: the others {rate:.0f} requests/s, p99 {p99:.2f} ms; memory {round(memory(process)['RssAnon'], 1)} MiB; {processor_seconds(process) - before:.1f} s of the core")
    alive = sum(1 for connection in held if (connection.sendall(f"HEAD {chosen[0][1]} HTTP/1.1\r\nHost: a\r\n\r\n".encode()), connection.recv(100).startswith(b"HTTP/1.1 200"))[1])
    print(f"of them still answered: {alive}")
    process.send_signal(signal.SIGTERM)
    process.wait()
    shutil.rmtree(folder)


main()
