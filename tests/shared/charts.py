"""What the checks of the charts have in common."""

import os
import pathlib
import shutil
import socket
import subprocess

import helm_python as helm
import kubernetes_validate
import yaml

failures = []


def expect(name, is_true, what):
    if not is_true:
        failures.append(f"{name}: {what}")


def merged(*parts):
    out = {}
    for part in parts:
        for key, value in part.items():
            out[key] = merged(out[key], value) if isinstance(value, dict) and isinstance(out.get(key), dict) else value
    return out


def render(chart, values, name="docs"):
    """The resources, the notes, and everything as text."""
    files = chart.render(values, name=name, namespace="web")
    notes = "".join(text for path, text in files.items() if path.endswith("NOTES.txt"))
    texts = [text for path, text in files.items() if not path.endswith("NOTES.txt")]
    resources = [resource for text in texts for resource in yaml.safe_load_all(text) if resource]
    return resources, notes, "\n".join(texts)


def validate(name, resources, versions):
    for resource in resources:
        for version in versions:
            try:
                kubernetes_validate.validate(resource, version, strict=True)
            except kubernetes_validate.ValidationError as error:
                failures.append(f"{name}: {resource['kind']} for {version}: {error.message}")


def refused(chart, values):
    try:
        chart.validate_schema(values)
    except helm.HelmError:
        return True
    return False


def lint(folder, values):
    report = helm.lint(folder, values, strict=True)
    expect("lint", not report["errors"] and all(message["severity"] < 2 for message in report["messages"]), report)


def has_boxes():
    """Whether programs can be boxed here: some machines have bubblewrap and let nobody use it."""
    return bool(shutil.which("bwrap")) and subprocess.run(["bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "true"]).returncode == 0


def box(binary, user, mounts):
    """The start of a command that runs a program as a pod does: as its user, without rights, on a read-only root. Mounts are a path and the
    arguments of bubblewrap before it."""
    system = [part for place in ("/usr", "/lib", "/lib64", "/etc/ssl") if os.path.exists(place) for part in ("--ro-bind", place, place)]
    words = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--uid", user, "--gid", user, "--cap-drop", "ALL", "--clearenv", "--die-with-parent"]
    words += system + ["--proc", "/proc", "--dev", "/dev", "--ro-bind", binary, "/offprint"]
    for path, how in mounts:
        words += [*how, path]
    return [str(word) for word in words + ["--remount-ro", "/"]]


def within(process):
    """The processes in a box: bubblewrap hands signals to nobody, and the program is the child of its child."""
    children = lambda pid: subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()
    outer = children(process.pid)
    return [pid for child in outer for pid in children(child)] or outer, outer


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def no_rights(pid):
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    owned = [line.split()[1] for line in status.splitlines() if line.startswith(("CapEff", "CapPrm"))]
    return all(int(caps, 16) == 0 for caps in owned)
