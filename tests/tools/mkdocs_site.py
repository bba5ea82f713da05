"""What `compare.py` needs of MkDocs: `MKDOCS` names the program, with Material and the plugins of the site installed."""

import os, pathlib, re, shutil, subprocess, urllib.parse


def has_class(attributes, name):
    return name in (attributes.get("class") or "").split()


def build(source, out):
    """Builds a copy without what its repository does not hold: hooks, overrides, and plugins that are not installed."""
    copy = pathlib.Path(out) / "project"
    shutil.copytree(source, copy, ignore=shutil.ignore_patterns(".git", "site", "node_modules"))
    config = copy / "mkdocs.yml"
    text = config.read_text()
    lines, skips = [], None
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if skips is not None and (not line.strip() or indent > skips or line.startswith(" " * (skips or 1))):
            continue
        skips = None
        custom = re.match(r"\s*custom_dir:\s*(\S+)", line)
        if custom and not (copy / custom[1]).is_dir() or re.match(r"    logo: logo$", line):
            continue
        if re.match(r"hooks:", line) and not all((copy / path).exists() for path in re.findall(r"(?m)^  - (\S+\.py)", text)):
            skips = 0
            continue
        if re.match(r"  - minify", line):
            skips = 2
            continue
        lines.append(line)
    config.write_text("\n".join(lines))
    # a template that is not there
    for page in copy.rglob("*.md"):
        text = page.read_text(errors="replace")
        if re.match(r"(?s)---\n(?:(?!---).)*?template: home.html", text):
            page.write_text(text.replace("template: home.html\n", "", 1))
    built = pathlib.Path(out) / "built"
    program = os.environ.get("MKDOCS", "mkdocs").split()
    subprocess.run([*program, "build", "-q", "-d", str(built.absolute())], cwd=copy, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, check=True)
    return built


def is_content(tag, attributes):
    """The article of Material, or the main column of the other themes."""
    return has_class(attributes, "md-content__inner") or attributes.get("role") == "main"


def without_notes(text):
    """A page whose blocks of code have no marks of notes, of which a script of Material makes buttons."""
    everywhere = "content.code.annotate" in text
    out, done = [], 0
    for block in re.finditer(r'(?s)<div class="((?:[^"]* )?highlight(?: [^"]*)?)">.*?</pre>.*?</div>\s*(?:<p></p>\s*|<!--.*?-->\s*)*<ol\b', text):
        if not everywhere and "annotate" not in block[1].split():
            continue
        depth, items = 0, 0
        for tag in re.finditer(r"<(/?)(ol|ul|li)\b", text[block.end() - 3:]):
            depth += -1 if tag[1] else 1
            items += depth == 2 and tag[2] == "li" and not tag[1]
            if depth == 0:
                break
        def line_of(line):
            for span in re.finditer(r'<span class="c[1m]?">(.*?)</span>', line):
                marks = [mark for mark in re.finditer(r"\((\d+)\)(!?)", span[1]) if 1 <= int(mark[1]) <= items]
                if not marks:
                    continue
                words = "" if any(mark[2] for mark in marks) else re.sub(r"\((\d+)\)", lambda mark: "" if 1 <= int(mark[1]) <= items else mark[0], span[1])
                if not re.search(r"\w", words):
                    words = ""
                before = line[:span.start()]
                if not words and re.sub("<[^>]*>", "", before).strip():
                    before = re.sub(r'(?:<span class="w">\s*</span>|[ \t])+$', "", before)
                return before + words + line[span.end():]
            return line
        out += [text[done:block.start()], "\n".join(map(line_of, block[0].split("\n")))]
        done = block.end()
    return "".join([*out, text[done:]])


def prepared(text):
    """A page without what the theme adds around its words."""
    text = without_notes(text)
    text = re.sub(r'<a class="headerlink"[^>]*>.*?</a>', "", text)
    text = re.sub(r'(?s)<a [^>]*class="md-content__button[^>]*>.*?</a>', "", text)
    text = re.sub(r'(?s)<nav class="md-(?:tags|code__nav).*?</nav>', "", text)
    text = re.sub(r'(?s)<aside class="md-source-file.*?</aside>', "", text)
    # numbers of lines stand in a cell of their own
    text = re.sub(r'(?s)<td class="linenos">.*?</td>', "", text)
    # names of tabs; ours are not words of the content either
    text = re.sub(r'(?s)<div class="tabbed-labels">.*?</div>', "", text)
    # the way back from notes, and their numbers
    text = re.sub(r'(?s)<a class="footnote-(?:backref|ref)".*?</a>', "", text)
    # formulas and diagrams are drawn
    text = re.sub(r'(?s)<(span|div) class="arithmatex">.*?</\1>', "", text)
    text = re.sub(r'(?s)<pre class="mermaid">.*?</pre>', "", text)
    # the beginnings of posts in the list of a blog
    text = re.sub(r'(?s)<article class="md-post md-post--excerpt">.*?</article>', "", text)
    # titles of code
    text = re.sub(r'(?s)<span class="filename">.*?</span>', "", text)
    # icons are drawings
    return re.sub(r'(?s)<svg\b.*?</svg>', "", text)


# lists that the blog and the tags make, and the page for what is not found
LISTS = re.compile(r"^(.*/)?(archive|category|author|page)/.*|^(.*/)?404$")


def order(name, text):
    """The pages of the navigation of a page, as addresses from the root."""
    found = re.search(r'(?s)<nav class="md-nav md-nav--primary.*?(?=<div class="md-content")', text)
    found = re.sub(r'(?s)<nav class="md-nav md-nav--secondary.*?</nav>', "", found[0]) if found else ""
    links = re.findall(r'<a\b[^>]*?\bhref="?([^"\s>]*)"?[^>]*\bclass="?[^">]*md-nav__link', found)
    base = "/" + name
    # the lists that the blog makes come below it
    addresses = [urllib.parse.urljoin(base, link).split("#")[0] for link in links if "://" not in link]
    addresses = [re.sub(r"(/index\.html|\.html|/)$", "", link) or "/" for link in addresses]
    return [link for link in dict.fromkeys(addresses) if not LISTS.search(link)]
