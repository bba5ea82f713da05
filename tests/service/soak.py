"""Whether `offprint serve` stays as it is under a moderate load that does not end: exports, cancels, previews and their readers, downloads, status reads, sign-ins.

Once a minute it writes down what the process holds. At the end it says for each column whether it is flat: whether a line through the samples of the last two thirds grows
by more in an hour than the bound of that column. Records are kept for 90 days, so the store grows with the jobs; all else may not.

Usage: python3 tests/service/soak.py target/release/offprint [--minutes 120] [--exports-per-minute 15] [--folder DIR]
"""

import argparse
import hashlib
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

SECRET = "opk_" + hashlib.sha256(b"key of the soak").hexdigest()[:43]
PAGE = "---\ntitle: {title}\n---\n\n## Install\n\n" + "Each paragraph of this page is here to be rendered and searched. " * 60 + "\n\n```sh\nmake install\n```\n\nRevision {revision}.\n"
# column: how much it may grow in an hour
BOUNDS = {"anonymous MiB": 8.0, "descriptors": 4.0, "threads": 2.0, "children": 2.0, "temporary files": 4.0, "archives": 40.0}


def git(folder, *words):
    identity = ["-c", "user.name=Soak", "-c", "user.email=soak@example.com", "-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Site:
    """A repository whose pages change."""

    def __init__(self, folder):
        self.folder, self.revision = folder, 0
        folder.mkdir()
        pages = [f"page-{number}" for number in range(12)]
        (folder / "docs.json").write_text(json.dumps({"theme": "mint", "name": "Soak", "colors": {"primary": "#123456"}, "navigation": {"pages": ["index", *pages]}}))
        for page in ["index", *pages]:
            (folder / f"{page}.mdx").write_text(PAGE.format(title=page, revision=0))
        git(folder, "init", "-q")
        self.commit()

    def commit(self):
        self.revision += 1
        (self.folder / "index.mdx").write_text(PAGE.format(title="Home", revision=self.revision))
        git(self.folder, "add", ".")
        git(self.folder, "commit", "-q", "-m", f"Revision {self.revision}")


class Service:
    def __init__(self, program, folder):
        self.folder, self.data = folder, folder / "data"
        self.site = Site(folder / "docs")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.preview_domain = f"localhost:{self.port}"
        (folder / "offprint.toml").write_text(f"""
[server]
listen = "127.0.0.1:{self.port}"
data_dir = "data"
workers = 2

[bundles]
retention_seconds = 300
keep_last = 5

[limits]
previews_per_minute = 0
bundle_links_per_minute = 0
exports_queued = 100

[git]
allow_protocols = ["file"]

[console]
enabled = true

[[organizations]]
id = "acme"
plan = {{ static_export = true, preview = true }}

[[organizations.keys]]
id = "main"
hash = "{hashlib.sha256(SECRET.encode()).hexdigest()}"

[[projects]]
id = "docs"
organization = "acme"
domain = "docs.acme.example"
source = {{ git = "{self.site.folder}" }}
""")
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.log = open(folder / "service.log", "wb")
        environment = {**os.environ, "OFFPRINT_LOG": "warn", "TMPDIR": str(self.temporary)}
        self.process = subprocess.Popen([program, "serve", "--config", folder / "offprint.toml"], stdout=self.log, stderr=self.log, env=environment)
        self.wait(lambda: self.ask("GET", "/readyz")[0] == 200, "the service to be ready")

    def ask(self, method, path, body=None, host=None, headers=()):
        """Status, headers and body; on a connection of its own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        try:
            sent = {"Authorization": f"Bearer {SECRET}", **dict(headers)}
            if host:
                sent["Host"] = host
            if isinstance(body, dict):
                body, sent["Content-Type"] = json.dumps(body), "application/json"
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, method, path, body=None, expect=200):
        status, _, answer = self.ask(method, path, body)
        assert status == expect, f"{method} {path}: {status} {answer[:300]}"
        return json.loads(answer)

    def wait(self, condition, what, seconds=120):
        end = time.monotonic() + seconds
        while True:
            assert self.process.poll() is None, "the service has ended"
            try:
                if condition():
                    return
            except OSError:
                pass
            assert time.monotonic() < end, f"{what} takes too long"
            time.sleep(0.1)


class Load:
    """What clients do, each kind in a thread of its own, and how often it went well."""

    def __init__(self, service, exports_per_minute):
        self.service, self.counts, self.failures = service, {}, []
        self.jobs, self.preview, self.lock, self.stop = [], None, threading.Lock(), threading.Event()
        every = 60 / exports_per_minute
        self.threads = [
            threading.Thread(target=self.repeat, args=work, daemon=True)
            for work in [
                ("exports", every, self.export),
                ("canceled", 4 * every, self.cancel),
                ("previews", 5 * every, self.deploy),
                ("pages", 0.2, self.read_page),
                ("statuses", 0.1, self.read_status),
                ("downloads", 2, self.download),
                ("sign-ins", 5, self.sign_in),
                ("lists", 3, self.read_lists),
            ]
        ]
        for thread in self.threads:
            thread.start()

    def repeat(self, name, every, work):
        while not self.stop.wait(random.uniform(0.5, 1.5) * every):
            try:
                done = work()
            except Exception as error:
                self.failures.append(f"{name}: {error!r}")
                done = False
            if done:
                with self.lock:
                    self.counts[name] = self.counts.get(name, 0) + 1

    def start(self):
        return self.service.json("POST", "/v1/static-export/jobs", {"domain": "docs.acme.example"}, 202)["jobId"]

    def path(self, job):
        return f"/v1/static-export/jobs/{job}"

    def export(self):
        job = self.start()
        self.service.wait(lambda: self.service.json("GET", self.path(job))["status"] in ("completed", "failed"), "an export", 300)
        ended = self.service.json("GET", self.path(job))
        assert ended["status"] == "completed", ended
        self.jobs.append(job)
        return True

    def cancel(self):
        self.service.json("DELETE", self.path(self.start()))
        return True

    def deploy(self):
        self.service.site.commit()
        started = self.service.json("POST", "/v1/project/preview/docs", {"branch": "main"}, 202)
        path = f"/v1/project/update-status/{started['statusId']}"
        self.service.wait(lambda: self.service.json("GET", path)["status"] in ("success", "failure"), "a preview", 300)
        ended = self.service.json("GET", path)
        assert ended["status"] == "success", ended
        self.preview = urllib.parse.urlsplit(started["previewUrl"]).netloc
        return True

    def read_page(self):
        if not self.preview:
            return False
        coding = random.choice(["gzip", "identity"])
        status, _, body = self.service.ask("GET", f"/page-{random.randrange(12)}", host=self.preview, headers={"Accept-Encoding": coding})
        assert status == 200 and body, status
        return True

    def read_status(self):
        job = random.choice(self.jobs[-50:] or [None])
        return job is not None and bool(self.service.json("GET", self.path(job))["status"])

    def download(self):
        if not self.jobs:
            return False
        link = self.service.json("POST", f"{self.path(self.jobs[-1])}/bundle")
        address = urllib.parse.urlsplit(link["bundleUrl"])
        status, _, body = self.service.ask("GET", f"{address.path}?{address.query}")
        assert status == 200 and hashlib.sha256(body).hexdigest() == link["sha256"], status
        return True

    def sign_in(self):
        form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        status, headers, _ = self.service.ask("POST", "/console/login", urllib.parse.urlencode({"key": SECRET}), headers=form)
        assert status == 303, status
        cookie = headers["Set-Cookie"].split(";")[0]
        status, _, body = self.service.ask("GET", "/console", headers={"Cookie": cookie})
        assert status == 200 and b"docs.acme.example" in body, status
        return True

    def read_lists(self):
        self.service.json("GET", "/v1/static-export/jobs?limit=50")
        self.service.json("GET", "/v1/project/deployments/docs")
        assert self.service.ask("GET", "/metrics")[0] == 200
        return True


def files(folder):
    found = []
    for path in folder.rglob("*"):
        try:
            if path.is_file():
                found.append(path.stat().st_size)
        except OSError:
            pass
    return found


def sample(service, load, began):
    process = pathlib.Path(f"/proc/{service.process.pid}")
    status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
    fields = (process / "stat").read_text().rsplit(") ", 1)[1].split()
    store = files(service.data / "store") if (service.data / "store").is_dir() else [path.stat().st_size for path in service.data.glob("*") if path.is_file()]
    archives = [size for folder in service.data.iterdir() if folder.is_dir() and folder.name not in ("tmp", "work") for size in files(folder)]
    jobs = sum(load.counts.get(name, 0) for name in ("exports", "canceled", "previews"))
    return {
        "minute": round((time.monotonic() - began) / 60, 1),
        "resident MiB": round(int(status["VmRSS"].split()[0]) / 1024, 1),
        "anonymous MiB": round(int(status["RssAnon"].split()[0]) / 1024, 1),
        "descriptors": len(os.listdir(process / "fd")),
        "threads": int(status["Threads"]),
        "children": sum(len(path.read_text().split()) for path in process.glob("task/*/children")),
        "CPU s": round((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")),
        "store KiB": sum(store) // 1024,
        "archives": len(archives),
        "temporary files": len(files(service.temporary)) + sum(len(files(service.data / name)) for name in ("tmp", "work") if (service.data / name).is_dir()),
        "jobs": jobs,
    }


def slope(samples, column):
    """Growth in an hour, of a line through the samples of the last two thirds."""
    late = samples[len(samples) // 3:]
    times, values = [each["minute"] / 60 for each in late], [each[column] for each in late]
    middle, mean = sum(times) / len(times), sum(values) / len(values)
    spread = sum((time - middle) ** 2 for time in times)
    return sum((time - middle) * (value - mean) for time, value in zip(times, values)) / spread if spread else 0.0


def report(samples, load):
    print("\nin an hour, over the last two thirds:")
    is_flat = True
    for column, bound in BOUNDS.items():
        growth = slope(samples, column)
        flat = growth <= bound
        is_flat &= flat
        print(f"  {column:16} {growth:+9.2f}  (at most {bound:+.1f}: {'flat' if flat else 'GROWS'})")
    grown = samples[-1]["jobs"] - samples[len(samples) // 3]["jobs"]
    if grown:
        print(f"  store: {(samples[-1]['store KiB'] - samples[len(samples) // 3]['store KiB']) / grown:.2f} KiB for each job, which is kept for 90 days")
    print(f"done: {load.counts}; failures: {len(load.failures)}")
    for failure in load.failures[:10]:
        print(f"  {failure}")
    print("verdict:", "flat" if is_flat and not load.failures else "NOT flat" if not is_flat else "flat, with failures", flush=True)
    return is_flat and not load.failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--exports-per-minute", type=float, default=15)
    parser.add_argument("--folder", help="where it works; by default a temporary folder, which is removed")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="offprint-soak-", dir=arguments.folder) as folder:
        service = Service(os.path.abspath(arguments.program), pathlib.Path(folder))
        load = Load(service, arguments.exports_per_minute)
        began, samples = time.monotonic(), []
        # a verdict also when it is ended early
        signal.signal(signal.SIGTERM, lambda *_: load.stop.set())
        signal.signal(signal.SIGINT, lambda *_: load.stop.set())
        try:
            while time.monotonic() - began < arguments.minutes * 60 and service.process.poll() is None and not load.stop.is_set():
                load.stop.wait(60 if arguments.minutes > 5 else 5)
                samples.append(sample(service, load, began))
                if len(samples) == 1:
                    print("  ".join(samples[0]), flush=True)
                print("  ".join(f"{value:>{len(name)}}" for name, value in samples[-1].items()), flush=True)
            load.stop.set()
            ended_well = service.process.poll() is None
            if not ended_well:
                print("the service has ended:", (pathlib.Path(folder) / "service.log").read_text()[-2000:])
            good = report(samples, load) and ended_well
        finally:
            load.stop.set()
            service.process.send_signal(signal.SIGTERM)
            service.process.wait(60)
    sys.exit(0 if good else 1)


main()
