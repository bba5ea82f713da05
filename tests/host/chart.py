"""What deploy/chart renders, for 48 combinations of values and every version of Kubernetes that it is for; and, given the program and where there is
bubblewrap, whether the command of the rendered pod runs as its user on a read-only root and answers its probes.

Usage: chart.py deploy/chart [target/release/offprint]
"""

import base64
import functools
import hashlib
import http.server
import ipaddress
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

import helm_python as helm
import yaml
from charts import box, expect, failures, free_port, has_boxes, lint, merged, no_rights, refused, validate, within
from charts import render as render_list

CHART = pathlib.Path(sys.argv[1])
URL = "https://bundles.example/bundles/se_1/docs.example-v2.zip?exp=1795262400&iat=1795258800&kid=0a1b2c3d&sig=TopSecretSignature"
SECRET = "TopSecretSignature"
VERSIONS = [f"1.{minor}" for minor in range(25, 38)]
SHA256 = "3f" * 32

SOURCES = {
    "url": {"bundleUrl": URL, "version": "v2", "sha256": SHA256},
    "secret": {"bundleUrlSecretRef": {"name": "docs-link", "key": "url"}, "allowHttpHosts": ["minio.storage.svc:9000"], "watchSeconds": 300},
    "claim": {"existingClaim": "docs-bundles", "path": "site/docs.zip", "publicKey": "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3"},
}
SWITCHES = {
    "persistence": [{}, {"persistence": {"enabled": False}}],
    "ingress": [
        {},
        {
            "ingress": {"enabled": True, "className": "nginx", "annotations": {"a.example/b": "c"}, "hosts": [{"host": "docs.example.com", "path": "/"}], "tls": [{"secretName": "docs-tls", "hosts": ["docs.example.com"]}]},
            "networkPolicy": {"egress": {"dns": True, "cidrs": ["0.0.0.0/0", "10.0.0.0/8", "::/0"], "ports": [443, 9000]}},
        },
    ],
    "scaling": [{}, {"autoscaling": {"enabled": True}, "persistence": {"existingClaim": "shared"}, "networkPolicy": {"ingressNamespaces": []}}],
    "platform": [
        {},
        {
            "openshift": True,
            "image": {"repository": "registry.example/offprint", "digest": "sha256:" + "0a" * 32, "pullSecrets": [{"name": "pull"}]},
            "features": {"search": False, "mcp": True, "noindex": True},
            "readersSecretRef": {"name": "readers"},
            "tokenSecretRef": {"name": "token"},
            "tlsSecretName": "pod-tls",
            "extraCaBundle": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
            "podAnnotations": {"x": "y"},
            "podLabels": {"team": "docs"},
            "tolerations": [{"operator": "Exists"}],
            "nodeSelector": {"kubernetes.io/os": "linux"},
        },
    ],
}

def render(chart, values):
    """The resources by kind, the notes, and everything as text."""
    resources, notes, text = render_list(chart, values)
    return {resource["kind"]: resource for resource in resources}, notes, text


def check_pod(name, values, pod):
    spec, container = pod["spec"], pod["spec"]["containers"][0]
    security = spec["securityContext"]
    expect(name, security["runAsNonRoot"] and security["seccompProfile"] == {"type": "RuntimeDefault"}, "pod security")
    expect(name, security.get("runAsUser") == (None if values.get("openshift") else 65532), "user")
    expect(name, security.get("fsGroup") == (None if values.get("openshift") else 65532), "group")
    own = container["securityContext"]
    expect(name, own["readOnlyRootFilesystem"] and not own["allowPrivilegeEscalation"] and own["capabilities"] == {"drop": ["ALL"]}, "container security")
    expect(name, spec["automountServiceAccountToken"] is False and spec["terminationGracePeriodSeconds"] == 40, "token and grace")
    startup = container["startupProbe"]
    expect(name, (startup["httpGet"]["path"], startup["periodSeconds"], startup["failureThreshold"]) == ("/readyz", 2, 150), "startup")
    expect(name, container["readinessProbe"]["httpGet"]["path"] == "/readyz" and container["livenessProbe"]["httpGet"]["path"] == "/livez", "probes")
    waits = container.get("lifecycle", {}).get("preStop", {}).get("sleep", {}).get("seconds") == 5 or "--drain=5" in container["args"]
    expect(name, waits and "env" not in container, "the pause before the end, no variables")
    expect(name, set(container["resources"]) == {"requests", "limits"}, "resources")
    mounts = {mount["name"] for mount in container["volumeMounts"]}
    volumes = {volume["name"] for volume in spec["volumes"]}
    expect(name, mounts - {"cache"} == volumes - {"cache"} and {"tmp"} <= volumes and "cache" in mounts, "volumes")
    tmp = next(volume for volume in spec["volumes"] if volume["name"] == "tmp")
    expect(name, "sizeLimit" in tmp["emptyDir"], "/tmp has a limit")


def check(name, values, resources, notes, text):
    kinds = set(resources)
    stateful = values.get("persistence", {}).get("enabled", True) and "existingClaim" not in values.get("persistence", {})
    workload = resources["StatefulSet" if stateful else "Deployment"]
    scaled, routed = "autoscaling" in values, "ingress" in values
    wanted = {workload["kind"], "Service", "NetworkPolicy", "PodDisruptionBudget"}
    wanted |= {"HorizontalPodAutoscaler"} if scaled else set()
    wanted |= {"Ingress"} if routed else set()
    wanted |= {"Secret"} if values["staticExport"].get("bundleUrl") else set()
    wanted |= {"ConfigMap"} if values.get("extraCaBundle") else set()
    expect(name, kinds == wanted, f"kinds {sorted(kinds)} instead of {sorted(wanted)}")
    pod = workload["spec"]["template"]
    check_pod(name, values, pod)
    expect(name, ("replicas" not in workload["spec"]) if scaled else workload["spec"]["replicas"] == 2, "replicas")
    if stateful:
        expect(name, workload["spec"]["volumeClaimTemplates"][0]["spec"]["accessModes"] == ["ReadWriteOnce"], "a volume for each")
    else:
        expect(name, workload["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0, "nothing unavailable")
    if scaled:
        expect(name, resources["HorizontalPodAutoscaler"]["spec"]["scaleTargetRef"]["kind"] == workload["kind"], "what is scaled")
    policy = resources["NetworkPolicy"]["spec"]
    expect(name, policy["policyTypes"] == ["Ingress", "Egress"], "both directions are closed")
    if routed:
        blocks = [to["ipBlock"] for rule in policy["egress"] for to in rule["to"] if "ipBlock" in to]
        expect(name, blocks[0] == {"cidr": "0.0.0.0/0", "except": ["169.254.0.0/16"]} and blocks[1] == {"cidr": "10.0.0.0/8"}, f"networks {blocks}")
    else:
        expect(name, "egress" not in policy, "no way out")
    # the link is in the Secret alone, and encoded there
    expect(name, SECRET not in text and SECRET not in notes, "the link is shown")
    if values["staticExport"].get("bundleUrl"):
        expect(name, base64.b64decode(resources["Secret"]["data"]["bundleUrl"]).decode() == URL, "the link in the Secret")
        expect(name, base64.b64encode(SECRET.encode()).decode()[:16] not in yaml.safe_dump({kind: value for kind, value in resources.items() if kind != "Secret"}), "the link, encoded")
    expect(name, len(pod["metadata"]["annotations"]["checksum/static-export"]) == 64, "pods roll")
    claims = values["staticExport"].get("existingClaim")
    expect(name, any(argument.startswith("--bundle=/bundle/" if claims else "--bundle-url-file=") for argument in pod["spec"]["containers"][0]["args"]), "the source")
    expect(name, ("WARNING: persistence is off" in notes) == (values.get("persistence", {}).get("enabled", True) is False), "notes")


def older(folder):
    """The chart as a cluster before 1.30 renders it: the engine says which version it is, and that cannot be set."""
    copy = pathlib.Path(folder) / "chart"
    shutil.copytree(CHART, copy)
    helpers = copy / "templates" / "_helpers.tpl"
    text = helpers.read_text()
    changed = text.replace('semverCompare ">=1.30-0"', 'semverCompare ">=99.0-0"')
    assert changed != text
    helpers.write_text(changed)
    return copy


def combinations():
    for (source, export), *switches in itertools.product(SOURCES.items(), *([(f"{key}{at}", value) for at, value in enumerate(values)] for key, values in SWITCHES.items())):
        name = "-".join([source] + [switch for switch, _ in switches])
        yield name, merged({"staticExport": {"enabled": True, **export}}, *(value for _, value in switches))


def renders(chart, values):
    try:
        return render(chart, merged({"staticExport": {"enabled": True, "bundleUrl": URL}}, values))[0]
    except helm.HelmError:
        return None


def check_networks(chart):
    """Whom pods may ask, and who may ask them: no network holds the addresses where clouds keep their credentials."""
    policy = lambda values: (renders(chart, {"networkPolicy": values}) or {}).get("NetworkPolicy", {}).get("spec")
    v4, v6 = "169.254.0.0/16", "fd00:ec2::254/128"
    kept = {
        **{network: [v4] for network in ("0.0.0.0/0", "1.2.3.4/0", "169.252.0.0/14", "169.128.0.0/9", "169.1.2.3/8", "168.0.0.0/7", "128.0.0.0/1")},
        **{network: None for network in ("10.0.0.0/8", "169.253.0.0/16", "169.0.0.0/9", "203.0.113.0/24", "168.0.0.0/8", "2001:db8::/32", "fd12:3456::/48")},
        **{network: ["fe80::/10", v6] for network in ("::/0", "0::/0")},
        **{network: [v6] for network in ("fd00::/8", "fc00::/7")},
    }
    for network, left_out in kept.items():
        rendered = policy({"egress": {"cidrs": [network]}})
        block = rendered and rendered["egress"][0]["to"][0]["ipBlock"]
        expect("networks", block == {"cidr": network, **({"except": left_out} if left_out else {})}, f"{network}: {block}")
        within = [ipaddress.ip_network(out).subnet_of(ipaddress.ip_network(network, strict=False)) for out in left_out or []]
        expect("networks", all(within), f"{network}: exceptions outside it")
    for network in ("169.254.0.0/16", "169.254.169.254/32", "fe80::/10", "fe80::/64", "fd00:ec2::/32", "FD00:0EC2::254/128", "f000::/4", "fd00::/16"):
        expect("networks", not policy({"egress": {"cidrs": [network]}}), f"{network} is let pass")
    who = lambda values: policy(values)["ingress"][0]["from"]
    names = lambda *names: [{"namespaceSelector": {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "In", "values": list(names)}]}}]
    expect("networks", who({}) == names("ingress-nginx") and who({"ingressNamespaces": ["a", "b"]}) == names("a", "b"), "who may ask")
    expect("networks", who({"ingressNamespaces": []}) == [{"namespaceSelector": {}}], "all may ask")
    dns = renders(chart, {"openshift": True, "networkPolicy": {"egress": {"dns": True}}})["NetworkPolicy"]["spec"]["egress"][0]
    expect("networks", dns["to"][0]["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"] == "openshift-dns" and dns["ports"][0]["port"] == 5353, f"names: {dns}")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def run_pod(chart, binary):
    """The rendered pod: its arguments, its user, its mounts, its probes."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "docs").mkdir()
        (folder / "docs" / "index.md").write_text("# Home\n\nHello.\n")
        subprocess.run([binary, "export", folder / "docs", "-o", folder / "b.zip", "--version", "v1", "--progress", "none"], check=True)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/b.zip?sig={SECRET}"
        sha256 = hashlib.sha256((folder / "b.zip").read_bytes()).hexdigest()
        resources, *_ = render(chart, {"staticExport": {"enabled": True, "bundleUrl": url, "version": "v1", "sha256": sha256}})
        pod = resources["StatefulSet"]["spec"]["template"]["spec"]
        container = pod["containers"][0]
        (folder / "cache").mkdir()
        (folder / "link").mkdir()
        (folder / "link" / "url").write_bytes(base64.b64decode(resources["Secret"]["data"]["bundleUrl"]))
        port = free_port()
        arguments = [argument.replace("0.0.0.0:8080", f"127.0.0.1:{port}") for argument in container["args"]]
        user = str(pod["securityContext"]["runAsUser"])
        mounts = {"cache": ["--bind", folder / "cache"], "tmp": ["--tmpfs"], "link": ["--ro-bind", folder / "link"]}
        command = box(binary, user, [(mount["mountPath"], mounts[mount["name"]]) for mount in container["volumeMounts"]]) + ["/offprint", *arguments]

        def start():
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            states = []
            for probe in ("livenessProbe", "startupProbe", "readinessProbe"):
                path = container[probe]["httpGet"]["path"]
                for _ in range(600):
                    try:
                        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}") as answer:
                            states.append((answer.status, answer.headers["X-Offprint-Digest"]))
                            break
                    except OSError:
                        if process.poll() is not None:
                            break
                        time.sleep(0.1)
            return process, states

        for source in ("the link", "the cache alone"):
            process, states = start()
            expect("pod", states == [(200, None), (200, sha256), (200, sha256)], f"from {source}: {states}")
            inner, children = within(process)
            for pid in children:
                expect("pod", no_rights(pid), "capabilities")
                expect("pod", SECRET.encode() not in pathlib.Path(f"/proc/{pid}/environ").read_bytes() + pathlib.Path(f"/proc/{pid}/cmdline").read_bytes(), "the link is in the environment")
            for pid in inner:
                os.kill(int(pid), 15)
            said = process.communicate(timeout=60)[1]
            expect("pod", process.returncode == 0 and "Stopping" in said and SECRET not in said, f"from {source}: {process.returncode}, {said}")
            server.shutdown()
            server.server_close()


def main():
    lint(CHART, {"staticExport": {"enabled": True, "bundleUrl": URL}})
    count = 0
    with tempfile.TemporaryDirectory() as folder, helm.Chart.load(CHART) as chart, helm.Chart.load(older(folder)) as before:
        for name, values in combinations():
            count += 1
            try:
                chart.validate_schema(values)
                resources, notes, text = render(chart, values)
                older_resources, *_ = render(before, values)
            except helm.HelmError as error:
                failures.append(f"{name}: {error}")
                continue
            check(name, values, resources, notes, text)
            # the schemas of all versions for some, of the ends for all
            recent = [version for version in VERSIONS if int(version[2:]) >= 30]
            validate(name, resources.values(), recent if count % 12 == 1 else [recent[0], recent[-1]])
            validate(name, older_resources.values(), [version for version in VERSIONS if version not in recent] if count % 12 == 1 else [VERSIONS[0]])
        expect("off", render(chart, {})[0] == {} and render(chart, {"staticExport": {"enabled": False, "bundleUrl": URL}})[0] == {}, "nothing is rendered when it is off")
        # an annotation changes with the link, so that pods roll
        annotation = lambda url: render(chart, {"staticExport": {"enabled": True, "bundleUrl": url}})[0]["StatefulSet"]["spec"]["template"]["metadata"]["annotations"]["checksum/static-export"]
        expect("roll", annotation(URL) != annotation(URL + "x"), "the annotation")
        for values in [
            {"staticExport": {"enabled": True}},
            {"staticExport": {"enabled": "yes", "bundleUrl": URL}},
            {"staticExport": {"enabled": True, "bundleUrl": "ext::sh -c id"}},
            {"staticExport": {"enabled": True, "bundleUrl": "https://a.b/c d"}},
            {"staticExport": {"enabled": True, "bundleUrl": "https://a.b/{c}"}},
            {"staticExport": {"enabled": True, "bundleUrl": "ftp://a.b/c"}},
            {"staticExport": {"enabled": True, "bundleUrl": URL, "existingClaim": "x", "path": "y"}},
            {"staticExport": {"enabled": True, "existingClaim": "x"}},
            {"staticExport": {"enabled": True, "existingClaim": "x", "path": "../y"}},
            {"staticExport": {"enabled": True, "bundleUrl": URL, "sha256": "abc"}},
            {"staticExport": {"enabled": True, "bundleUrl": URL, "version": "a b"}},
            {"staticExport": {"enabled": True, "bundleUrl": URL, "bundelUrl": "x"}},
            {"replicas": "two"},
            {"networkPolicy": {"egress": {"cidrs": ["example.com"]}}},
            {"networkPolicy": {"egress": {"cidrs": ["999.1.1.1/8"]}}},
            {"networkPolicy": {"egress": {"cidrs": ["::/129"]}}},
            {"networkPolicy": {"ingressNamespaces": {"team": "x"}}},
            {"podDisruptionBudget": {"minAvailable": "abc"}},
            {"persistence": {"existingClaim": "UPPER_x"}},
            {"podLabels": {"app.kubernetes.io/name": "x"}},
        ]:
            expect("schema", refused(chart, values), f"lets pass {values}")
        check_networks(chart)
        for values in [{"autoscaling": {"enabled": True, "minReplicas": 5, "maxReplicas": 2}}]:
            expect("render", not renders(chart, values), f"lets pass {values}")
        # what `--set` makes of the link that the service gives
        expect("--set", helm.parse_set_string(f"staticExport.bundleUrl={URL}") == {"staticExport": {"bundleUrl": URL}}, "the link is changed")
        runs = len(sys.argv) > 2 and has_boxes()
        if runs:
            run_pod(chart, os.path.abspath(sys.argv[2]))
    print("\n".join(failures) if failures else f"the chart is fine: {count} combinations" + (", and its pod runs" if runs else ""))
    return 1 if failures else 0


sys.exit(main())
