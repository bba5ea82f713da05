"""What `compare.py` needs of Docsify: its pages are made in a browser, one by one."""

import functools, http.server, os, pathlib, re, shutil, subprocess, threading, urllib.parse

LIBRARIES = {"docsify.min.js": "docsify/lib/docsify.min.js", "docsify-tabs.min.js": "docsify-tabs/dist/docsify-tabs.min.js"}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def build(source, out):
    """Serves the folder of `index.html` with the packages of `TOOL_MODULES`, and keeps what Chromium makes of each file."""
    page = next(file for folder in ("", "docs") if (file := pathlib.Path(source) / folder / "index.html").exists())
    site, built = pathlib.Path(out) / "site", pathlib.Path(out) / "built"
    shutil.copytree(page.parent, site)
    for name, path in LIBRARIES.items():
        shutil.copy(pathlib.Path(os.environ["TOOL_MODULES"]) / path, site / name)
    text = (site / "index.html").read_text()
    text = re.sub(r'src="[^"]*/([\w.-]+\.js)"', r'src="\1"', text)
    (site / "index.html").write_text(re.sub(r"<link[^>]*stylesheet[^>]*>", "", text))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for file in sorted(site.rglob("*.md")):
        path = file.relative_to(site)
        if any(part.startswith("_") for part in path.parts):
            continue
        route = path.with_suffix("").as_posix()
        route = "" if route == "README" else route.removesuffix("README")
        address = f"http://127.0.0.1:{server.server_port}/#/{urllib.parse.quote(route)}"
        command = [os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=8000", "--dump-dom", address]
        made = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        target = built / (route + "index.html" if not route or route.endswith("/") else route + ".html")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(prepared(made))
    server.shutdown()
    return built


def prepared(text):
    """Addresses without the mark of the router; the cover belongs to the start page."""
    text = re.sub(r'<a href="[^"]*" data-id="[^"]*" class="anchor">', "<a>", text)
    text = re.sub(r'href="#/([^"?]*)\?id=([^"]*)"', r'href="/\1#\2"', text)
    return re.sub(r'href="#/', 'href="/', text)


def is_content(tag, attributes):
    classes = (attributes.get("class") or "").split()
    return "markdown-section" in classes or "cover-main" in classes


def sidebar(text):
    """The links of the list of pages, without those of headings."""
    found = re.search(r'(?s)<div class="sidebar-nav">.*?</aside>', text)
    inside = re.sub(r'(?s)<ul class="app-sub-sidebar">.*?</ul>', "", found[0]) if found else ""
    links = re.findall(r'<a\b[^>]*?\bhref="(/[^"#]*)"', inside)
    return [link.rstrip("/").removesuffix(".html") or "/" for link in links]
