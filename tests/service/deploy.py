"""What deploy/service-chart renders, for 96 combinations of values and every version of Kubernetes that it is for, and what deploy/docker-compose.yml
says. Given the program, and where there are bubblewrap and PostgreSQL, the commands of both run, too: tables are made by a user who may, and processes
with a user who may not do a job together.

Usage: deploy.py deploy [target/release/offprint]
"""

import base64
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import helm_python as helm
import stores
import yaml
from charts import box, expect, failures, free_port, has_boxes, lint, merged, no_rights, refused, render, validate, within

DEPLOY = pathlib.Path(sys.argv[1])
CHART = DEPLOY / "service-chart"
COMPOSE = DEPLOY / "docker-compose.yml"
FIXTURE = pathlib.Path("fixtures/service/offprint.toml")
# the key of the fixture, which everybody knows
KEY = "opk_demo000000000000000000000000000000000000000"
VERSIONS = [f"1.{minor}" for minor in range(30, 38)]
PARTS = ("api", "worker")

BASE = {
    "publicUrl": "https://api.docs.example",
    "database": {"secretRef": {"name": "database"}},
    "storage": {"url": "s3://bundles/offprint", "credentialsSecretRef": {"name": "bucket"}},
    "networkPolicy": {"database": {"cidrs": ["10.1.2.0/24"]}, "storage": {"namespaces": ["storage"], "ports": [9000]}},
}
SOURCES = {
    "text": {"config": "[server]\n# a text with a secret-in-the-text\n"},
    "secret": {"configSecretRef": {"name": "configuration", "key": "service.toml"}},
}
SWITCHES = {
    "scaling": [
        {},
        {part: {"autoscaling": {"enabled": True}} for part in PARTS},
        {"api": {"replicas": 1}, "worker": {"replicas": 1, "autoscaling": {"enabled": True, "targetQueueAgeSeconds": 0}}},
    ],
    "network": [
        {},
        {"networkPolicy": {"enabled": False}},
        {"networkPolicy": {"ingressNamespaces": [], "monitoringNamespaces": ["monitoring"], "dns": False, "storage": {"cidrs": ["0.0.0.0/0"]}, "fetch": {"cidrs": ["10.9.0.0/16", "::/0"], "ports": [443, 8443]}}},
        {"networkPolicy": {"fetch": {"public": False}}},
    ],
    "database": [{}, {"database": {"migrationSecretRef": {"name": "owner", "key": "dsn"}}, "filesSecretRef": {"name": "files"}}],
    "platform": [
        {},
        {
            "openshift": True,
            "image": {"repository": "registry.example/offprint", "digest": "sha256:" + "0a" * 32, "pullSecrets": [{"name": "pull"}]},
            "ingress": {"enabled": True, "className": "nginx", "hosts": [{"host": "api.docs.example"}, {"host": "*.preview.example"}], "tls": [{"secretName": "tls", "hosts": ["api.docs.example"]}]},
            "previewUrl": "https://{slug}.preview.example",
            "storage": {"endpoint": "https://minio.storage.svc:9000", "credentialsSecretRef": {"name": ""}},
            "serviceAccountName": "offprint",
            "environmentSecretRef": {"name": "variables"},
            "isolation": "require",
            "podAnnotations": {"x": "y"},
            "podLabels": {"team": "docs"},
            "tolerations": [{"operator": "Exists"}],
            "nodeSelector": {"kubernetes.io/os": "linux"},
            "migration": {"enabled": False},
        },
    ],
}
PRIVATE = {"10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "64:ff9b::/96", "fc00::/7", "fe80::/10"}


def combinations():
    for (source, config), *switches in itertools.product(SOURCES.items(), *([(f"{key}{at}", value) for at, value in enumerate(values)] for key, values in SWITCHES.items())):
        yield "-".join([source] + [switch for switch, _ in switches]), merged(BASE, config, *(value for _, value in switches))


def pod_of(workload):
    return workload["spec"]["template"]["spec"]


def variables(container):
    """The variables of a container: texts, and a Secret with a key for those that are secret."""
    source = lambda variable: variable["valueFrom"]["secretKeyRef"]
    return {variable["name"]: variable["value"] if "value" in variable else (source(variable)["name"], source(variable)["key"]) for variable in container["env"]}


def check_security(name, values, spec):
    own, container = spec["securityContext"], spec["containers"][0]
    expect(name, own["runAsNonRoot"] and own["seccompProfile"] == {"type": "RuntimeDefault"}, "pod security")
    expect(name, own.get("runAsUser") == own.get("fsGroup") == (None if values.get("openshift") else 65532), "user and group")
    expect(name, container["securityContext"] == {"readOnlyRootFilesystem": True, "allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}, "container security")
    expect(name, spec["automountServiceAccountToken"] is False and set(container["resources"]) == {"requests", "limits"}, "token and resources")
    mounts, volumes = ({entry["name"] for entry in entries} for entries in (container.get("volumeMounts", []), spec.get("volumes", [])))
    expect(name, mounts == volumes, f"mounts {mounts}, volumes {volumes}")
    expect(name, all("sizeLimit" in volume["emptyDir"] for volume in spec.get("volumes", []) if "emptyDir" in volume), "folders have a limit")


def check_part(name, part, values, found):
    deployment = found["Deployment", part]
    spec, container = pod_of(deployment), pod_of(deployment)["containers"][0]
    check_security(name, values, spec)
    expect(name, container["args"] == ["serve", "--config=/etc/offprint/config/offprint.toml", f"--role={part}", "--log=json"], "arguments")
    expect(name, spec["terminationGracePeriodSeconds"] == 40 and container["lifecycle"]["preStop"]["sleep"]["seconds"] == 5, "the end")
    paths = [container[probe]["httpGet"]["path"] for probe in ("startupProbe", "readinessProbe", "livenessProbe")]
    expect(name, paths == ["/readyz", "/readyz", "/livez"], "probes")
    told = variables(container)
    expect(name, told["OFFPRINT_STORE_URL"] == ("database", "url"), "the URL of the database is in a Secret")
    has_credentials = bool(values["storage"]["credentialsSecretRef"]["name"])
    expect(name, told.get("AWS_SECRET_ACCESS_KEY") == (("bucket", "AWS_SECRET_ACCESS_KEY") if has_credentials else None), "credentials of the bucket")
    expect(name, ("OFFPRINT_SERVER_WORKERS" in told) == (part == "worker"), "workers")
    config = next(volume for volume in spec["volumes"] if volume["name"] == "config")["secret"]
    expect(name, (config["secretName"], config["items"][0]["key"]) == (("docs-offprint-service-config", "offprint.toml") if "config" in values else ("configuration", "service.toml")), "configuration")
    # each selects its own pods, and all selectors are the same
    labels, selector = deployment["spec"]["template"]["metadata"]["labels"], deployment["spec"]["selector"]["matchLabels"]
    expect(name, selector["app.kubernetes.io/component"] == part and selector.items() <= labels.items(), "selector")
    own = merged({"replicas": 2 if part == "api" else 3, "autoscaling": {"enabled": False}}, values.get(part, {}))
    scales = own["autoscaling"]["enabled"]
    expect(name, deployment["spec"].get("replicas") == (None if scales else own["replicas"]), "replicas")
    budget = found.get(("PodDisruptionBudget", part))
    expect(name, bool(budget) == (scales or own["replicas"] > 1), "a disruption budget")
    expect(name, not budget or budget["spec"]["selector"]["matchLabels"] == selector, "whom the budget is about")
    scaler = found.get(("HorizontalPodAutoscaler", part))
    expect(name, bool(scaler) == scales, "scaling")
    if scaler:
        metrics = [metric.get("pods", metric.get("resource")) for metric in scaler["spec"]["metrics"]]
        ages = [metric["metric"]["selector"]["matchLabels"]["kind"] for metric in metrics if "metric" in metric]
        expect(name, metrics[0]["name"] == "cpu" and ages == (["export", "deployment"] if part == "worker" and own["autoscaling"].get("targetQueueAgeSeconds", 30) else []), f"metrics {metrics}")
        expect(name, scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"], "what is scaled")
    policy = found.get(("NetworkPolicy", part))
    expect(name, bool(policy) == values["networkPolicy"].get("enabled", True), "a network policy")
    if policy:
        expect(name, policy["spec"]["podSelector"]["matchLabels"] == selector, "whom the policy is about")
        check_policy(name, part, values["networkPolicy"], policy["spec"])


def check_policy(name, part, values, policy):
    expect(name, policy["policyTypes"] == ["Ingress", "Egress"], "both directions are closed")
    incoming = {rule["ports"][0]["port"]: rule["from"] for rule in policy.get("ingress", [])}
    monitoring = values.get("monitoringNamespaces", [])
    expect(name, set(incoming) == ({"http"} if part == "api" else set()) | ({"metrics"} if monitoring else set()), f"incoming {incoming}")
    blocks = [(to["ipBlock"], tuple(port["port"] for port in rule["ports"])) for rule in policy["egress"] for to in rule["to"] if "ipBlock" in to]
    expect(name, ({"cidr": "10.1.2.0/24"}, (5432,)) in blocks, "the database")
    public = [block for block, _ in blocks if set(block.get("except", [])) & {"10.0.0.0/8", "fc00::/7"}]
    fetches = part == "worker" and values.get("fetch", {}).get("public", True)
    # what a tenant names is fetched by workers alone, and never from a network of the operator's
    expect(name, [block["cidr"] for block in public] == (["0.0.0.0/0", "::/0"] if fetches else []), f"fetching {blocks}")
    expect(name, not public or {out for block in public for out in block["except"]} == PRIVATE, "private networks")
    own = [block["cidr"] for block, _ in blocks if block not in public and block["cidr"] not in ("10.1.2.0/24", "0.0.0.0/0")]
    expect(name, own == (values.get("fetch", {}).get("cidrs", []) if part == "worker" else []), f"networks of the operator's own {own}")
    expect(name, all(block.get("except") for block, _ in blocks if block["cidr"].endswith("/0")), "credentials of clouds")
    dns = [rule for rule in policy["egress"] if {port["port"] for port in rule["ports"]} <= {53, 5353}]
    expect(name, len(dns) == int(values.get("dns", True)), "name resolution")


def check(name, values, resources, notes, text):
    component = lambda resource: resource["metadata"]["labels"].get("app.kubernetes.io/component", "")
    found = {(resource["kind"], component(resource)): resource for resource in resources}
    expect(name, len(found) == len(resources), "each once")
    for part in PARTS:
        check_part(name, part, values, found)
    migrates = values.get("migration", {}).get("enabled", True)
    job = found.get(("Job", "migration"))
    expect(name, bool(job) == migrates, "a migration")
    if job:
        check_security(name, values, pod_of(job))
        container = pod_of(job)["containers"][0]
        owner = ("owner", "dsn") if "migrationSecretRef" in values["database"] else ("database", "url")
        expect(name, container["args"] == ["serve", "--migrate", "--log=json"] and variables(container) == {"OFFPRINT_STORE_URL": owner}, "the migration's command")
        hooks = [resource["metadata"]["annotations"]["helm.sh/hook"] for resource in resources if component(resource) == "migration"]
        expect(name, set(hooks) == {"pre-install,pre-upgrade"}, "before all others")
        policy = found.get(("NetworkPolicy", "migration"))
        expect(name, not policy or [to for rule in policy["spec"]["egress"] for to in rule["to"] if "ipBlock" in to] == [{"ipBlock": {"cidr": "10.1.2.0/24"}}], "a migration reaches the database alone")
    service = found["Service", ""]["spec"]
    expect(name, service["selector"]["app.kubernetes.io/component"] == "api", "requests go to the API")
    # no text of a Secret is in anything else
    expect(name, "secret-in-the-text" not in text + notes, "the configuration is shown")
    if "config" in values:
        expect(name, base64.b64decode(found["Secret", ""]["data"]["offprint.toml"]).decode() == values["config"], "the configuration in its Secret")
    kinds = {kind for kind, _ in found}
    wanted = {"Deployment", "Service"}
    wanted |= {"Secret"} if "config" in values else set()
    wanted |= {"Ingress"} if "ingress" in values else set()
    wanted |= {"Job"} if migrates else set()
    expect(name, kinds - {"NetworkPolicy", "PodDisruptionBudget", "HorizontalPodAutoscaler"} == wanted, f"kinds {sorted(kinds)}")
    expect(name, ("WARNING: without network policies" in notes) == (values["networkPolicy"].get("enabled", True) is False), "notes")


def check_refusals(chart):
    fine = merged(BASE, SOURCES["text"])
    expect("schema", not refused(chart, fine), "the least is refused")
    for key in ("publicUrl", "database", "storage"):
        expect("schema", refused(chart, {other: value for other, value in fine.items() if other != key}), f"lets pass no {key}")
    for values in [
        {"config": ""},
        {"configSecretRef": {"name": "x"}},
        {"publicUrl": "api.example"},
        {"publicUrl": "https://api.example/path"},
        {"previewUrl": "https://preview.example"},
        {"database": {"secretRef": {"name": ""}}},
        {"database": {"url": "postgres://us:password@host/x"}},
        {"storage": {"url": "https://bucket"}},
        {"storage": {"url": "s3://id:secret@bucket"}},
        {"storage": {"endpoint": "http://minio:9000"}},
        {"storage": {"credentialsSecretRef": {"secret": "x"}}},
        {"isolation": "some"},
        {"api": {"replicas": "two"}},
        {"api": {"jobs": 2}},
        {"api": {"autoscaling": {"targetQueueAgeSeconds": 3}}},
        {"worker": {"jobs": 0}},
        {"worker": {"podDisruptionBudget": {"minAvailable": "abc"}}},
        {"networkPolicy": {"database": {"cidrs": ["db.example"]}}},
        {"networkPolicy": {"fetch": {"namespaces": ["x"]}}},
        {"podLabels": {"app.kubernetes.io/component": "x"}},
        {"staticExport": {}},
    ]:
        expect("schema", refused(chart, merged(fine, values)), f"lets pass {values}")
    for values in [
        {"networkPolicy": {"database": {"cidrs": []}}},
        {"networkPolicy": {"storage": {"namespaces": []}}},
        {"networkPolicy": {"fetch": {"cidrs": ["169.254.169.254/32"]}}},
        {"worker": {"autoscaling": {"enabled": True, "minReplicas": 5, "maxReplicas": 2}}},
    ]:
        try:
            render(chart, merged(fine, values))
            expect("render", False, f"lets pass {values}")
        except helm.HelmError:
            pass


def composed():
    """The file of Docker Compose, as it reads it; None where there is no Docker Compose."""
    for command in (["docker-compose"], ["docker", "compose"]):
        if shutil.which(command[0]) and subprocess.run([*command, "version"], capture_output=True).returncode == 0:
            read = subprocess.run([*command, "-f", COMPOSE, "config"], capture_output=True, text=True)
            expect("compose", read.returncode == 0, read.stderr)
            return yaml.safe_load(read.stdout)["services"]
    return None


def check_compose(services):
    listed = lambda value: value if isinstance(value, list) else []
    for name in ("api", "worker", "migration"):
        service = services[name]
        expect("compose", service["read_only"] and service["cap_drop"] == ["ALL"] and listed(service["security_opt"]) == ["no-new-privileges:true"], f"{name} is not confined")
        expect("compose", service["depends_on"]["database" if name == "migration" else "migration"]["condition"] in ("service_healthy", "service_completed_successfully"), f"{name} starts too early")
    expect("compose", [services[name]["deploy"]["replicas"] for name in ("api", "worker")] == [2, 2], "replicas")
    for name, service in services.items():
        ports = [port if isinstance(port, str) else f"{port.get('host_ip', '')}:" for port in service.get("ports", [])]
        expect("compose", bool(ports) == (name == "api") and all(port.startswith("127.0.0.1:") for port in ports), f"ports of {name}: {ports}")
    expect("compose", "outside" not in services["database"]["networks"] and "outside" not in services["storage"]["networks"], "stores reach nothing")
    node, storage, database = (services[name]["environment"] for name in ("worker", "storage", "database"))
    expect("compose", (node["AWS_ACCESS_KEY_ID"], node["AWS_SECRET_ACCESS_KEY"]) == (storage["ROOT_ACCESS_KEY_ID"], storage["ROOT_SECRET_ACCESS_KEY"]), "credentials of the bucket")
    expect("compose", node["OFFPRINT_STORE_URL"] == f"postgres://{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}@database/{database['POSTGRES_DB']}?sslmode=disable", "the URL of the database")
    bucket = node["OFFPRINT_STORAGE_URL"].split("/")[2]
    expect("compose", services["bucket"]["entrypoint"][-1] == f"/data/{bucket}", "the bucket is made")


def fetch(port, path, body=None, key=None):
    """Status, and the body as JSON or text."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    headers |= {"Content-Type": "application/json"} if body is not None else {}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", json.dumps(body).encode() if body is not None else None, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            status, text = answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        status, text = error.code, error.read().decode()
    try:
        return status, json.loads(text)
    except ValueError:
        return status, text


def patient(look, seconds=60):
    """Looks until there is something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if (found := look()) is not None:
                return found
        time.sleep(0.1)
    return None


class Node:
    """A process of the service in a box."""

    def __init__(self, folder, name, binary, arguments, told, mounts):
        self.name, self.port, self.metrics = name, free_port(), free_port()
        told = {**told, "OFFPRINT_SERVER_LISTEN": f"127.0.0.1:{self.port}"}
        if "OFFPRINT_SERVER_METRICS_LISTEN" in told:
            told["OFFPRINT_SERVER_METRICS_LISTEN"] = f"127.0.0.1:{self.metrics}"
        boxed = box(binary, "65532", mounts)
        words = [*boxed, *(word for variable in told.items() for word in ("--setenv", *variable)), "/offprint", *arguments]
        self.log = folder / f"{name}.log"
        self.process = subprocess.Popen(words, stdout=open(self.log, "w"), stderr=subprocess.STDOUT)

    def until(self, path):
        def look():
            if self.process.poll() is not None:
                return (0, self.log.read_text())
            answer = fetch(self.port, path)
            return answer if answer[0] == 200 else None

        return patient(look)

    def stop(self):
        inner, outer = within(self.process)
        expect(self.name, all(no_rights(pid) for pid in outer), "capabilities")
        for pid in inner:
            os.kill(int(pid), 15)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
        expect(self.name, self.process.returncode == 0, f"ends with {self.process.returncode}: {self.log.read_text()[-2000:]}")


def run(name, binary, folder, commands, variables_of, mounts_of, list_keys):
    """A migration, then two processes that do a job together. `commands` has the arguments of each of the three."""
    migration = Node(folder, f"{name}-migration", binary, commands["migration"], variables_of("migration"), mounts_of("migration"))
    expect(name, migration.process.wait(60) == 0, f"the migration: {migration.log.read_text()}")
    nodes = {}
    try:
        for part in PARTS:
            nodes[part] = Node(folder, f"{name}-{part}", binary, commands[part], variables_of(part), mounts_of(part))
        for part, node in nodes.items():
            for path in ("/livez", "/readyz"):
                answer = node.until(path)
                expect(node.name, answer and answer[0] == 200, f"{path}: {answer}")
        if failures:
            return
        port = nodes["api"].port
        status, started = fetch(port, "/v1/static-export/jobs", {"domain": "docs.demo.example"}, KEY)
        expect(name, status == 202, f"{status} {started}")
        job = f"/v1/static-export/jobs/{started.get('jobId') if isinstance(started, dict) else ''}"
        ended = patient(lambda: (now := fetch(port, job, key=KEY)[1])["status"] in ("completed", "failed") and now or None)
        expect(name, ended and ended["status"] == "completed", f"the job: {ended}")
        expect(name, any(key.startswith("offprint/") for key in list_keys()), "the bundle is in the bucket")
        expect(name, fetch(nodes["worker"].port, job, key=KEY)[0] == 404, "a worker answers requests")
        for node in nodes.values():
            if "OFFPRINT_SERVER_METRICS_LISTEN" in variables_of("api"):
                # what the scaling is by
                text = fetch(node.metrics, "/metrics")[1]
                expect(node.name, all(f'offprint_queue_age_seconds{{kind="{kind}"}}' in text for kind in ("export", "deployment")), "the age of the queue")
                expect(node.name, fetch(node.port, "/metrics")[0] == 404, "metrics are apart from requests")
    finally:
        for node in nodes.values():
            node.stop()


SITE = "---\ntitle: Home\n---\n\nHello.\n"


def run_all(chart, services, binary):
    with tempfile.TemporaryDirectory() as folder, stores.database() as (port, sql), stores.storage() as (address, list_keys):
        folder = pathlib.Path(folder)
        (folder / "docs").mkdir()
        (folder / "docs" / "index.md").write_text(SITE)
        # who makes the tables is another one than who uses them
        sql("CREATE ROLE owner LOGIN", "CREATE ROLE us_alone LOGIN", "CREATE DATABASE offprint OWNER owner")
        rights = "ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO us_alone"
        sql("REVOKE CREATE ON SCHEMA public FROM PUBLIC", "GRANT CREATE ON SCHEMA public TO owner", rights, name="offprint")
        url = lambda user: f"postgres://{user}@127.0.0.1:{port}/offprint"
        secrets = {("database", "url"): url("us_alone"), ("owner", "dsn"): url("owner"), ("bucket", "AWS_ACCESS_KEY_ID"): "an-id", ("bucket", "AWS_SECRET_ACCESS_KEY"): "a-secret"}
        text = FIXTURE.read_text().replace('path = "../docs"', 'path = "/docs"')
        values = merged(BASE, {"config": text, "storage": {"endpoint": address, "allowHttp": True}}, SWITCHES["database"][1], {"filesSecretRef": {"name": ""}})
        resources, *_ = render(chart, values)
        workloads = {resource["metadata"]["labels"]["app.kubernetes.io/component"]: pod_of(resource) for resource in resources if resource["kind"] in ("Deployment", "Job")}
        config = next(resource for resource in resources if resource["kind"] == "Secret")
        (folder / "config").mkdir()
        (folder / "config" / "offprint.toml").write_bytes(base64.b64decode(config["data"]["offprint.toml"]))
        (folder / "docs").chmod(0o755)

        def mounts_of(part):
            (folder / f"data-{part}").mkdir(exist_ok=True)
            how = {"config": ["--ro-bind", folder / "config"], "data": ["--bind", folder / f"data-{part}"], "tmp": ["--tmpfs"]}
            mounts = [(mount["mountPath"], how[mount["name"]]) for mount in workloads[part]["containers"][0].get("volumeMounts", [])]
            return mounts + [("/docs", ["--ro-bind", folder / "docs"])]

        told = {part: {key: secrets.get(value, value) for key, value in variables(spec["containers"][0]).items()} for part, spec in workloads.items()}
        commands = {part: spec["containers"][0]["args"] for part, spec in workloads.items()}
        run("pods", binary, folder, commands, told.get, mounts_of, list_keys)
        expect("pods", sql("SELECT string_agg(DISTINCT tableowner, ' ') FROM pg_tables WHERE tablename LIKE 'offprint%'", name="offprint") == "owner", "whose the tables are")
        if not services or failures:
            return
        sql("CREATE DATABASE composed")
        here = {"database/offprint": f"127.0.0.1:{port}/composed", "http://storage:7070": address, "offprint:offprint@": "us:any@"}

        def composed_variables(part):
            told = dict(services[part]["environment"])
            for there, place in here.items():
                told = {key: value.replace(there, place) for key, value in told.items()}
            return {key: str(value) for key, value in told.items()}

        def composed_mounts(part):
            mounts = [("/tmp", ["--tmpfs"])]
            for volume in services[part].get("volumes", []):
                source, target = (volume.split(":")[:2]) if isinstance(volume, str) else (volume["source"], volume["target"])
                mounts.append((target, ["--ro-bind", source]))
            return mounts

        commands = {part: services[part]["command"] for part in ("migration", *PARTS)}
        run("compose", binary, folder, commands, composed_variables, composed_mounts, list_keys)


def main():
    lint(CHART, merged(BASE, SOURCES["text"]))
    count, services = 0, composed()
    with helm.Chart.load(CHART) as chart:
        for name, values in combinations():
            count += 1
            try:
                chart.validate_schema(values)
                resources, notes, text = render(chart, values)
            except helm.HelmError as error:
                failures.append(f"{name}: {error}")
                continue
            check(name, values, resources, notes, text)
            # the schemas of all versions for some, of the ends for all
            validate(name, resources, VERSIONS if count % 16 == 1 else [VERSIONS[0], VERSIONS[-1]])
        check_refusals(chart)
        expect("roll", pod_annotations(chart, "[server]\n") != pod_annotations(chart, "[limits]\n"), "pods stay when the configuration changes")
        if services:
            check_compose(services)
        runs = len(sys.argv) > 2 and has_boxes() and stores.programs()
        if runs and not failures:
            run_all(chart, services, os.path.abspath(sys.argv[2]))
    done = f"the chart is fine: {count} combinations" + (", and its pods do a job" if runs else "")
    done += "; " + ("so is the file of Docker Compose" if services else "there is no Docker Compose to read its file")
    print("\n".join(failures) if failures else done)
    return 1 if failures else 0


def pod_annotations(chart, text):
    resources, *_ = render(chart, merged(BASE, {"config": text}))
    return next(resource for resource in resources if resource["kind"] == "Deployment")["spec"]["template"]["metadata"]["annotations"]


sys.exit(main())
