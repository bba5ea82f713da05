"""A PostgreSQL server and a bucket of the check's own, which end with it."""

import contextlib
import logging
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import boto3
from charts import free_port
from moto.server import ThreadedMotoServer

BUCKET = "bundles"


def programs():
    """The folder of the programs of PostgreSQL, the newest version; None without one."""
    found = sorted((int(folder.name), folder / "bin") for folder in pathlib.Path("/usr/lib/postgresql").glob("[0-9]*") if (folder / "bin" / "postgres").is_file())
    return found[-1][1] if found else None


def as_accepted_user(command):
    """PostgreSQL refuses to run as root."""
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command] if os.getuid() == 0 else command


@contextlib.contextmanager
def database():
    """The port of a server, whose superuser is `us`, and a function that runs statements."""
    folder, port = pathlib.Path(tempfile.mkdtemp()), free_port()
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    data, words = folder / "data", programs()
    subprocess.run(as_accepted_user([words / "initdb", "-D", data, "-U", "us", "-A", "trust", "--no-sync", "--locale=C", "-E", "UTF8"]), check=True, stdout=subprocess.DEVNULL)
    settings = ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"]
    server = subprocess.Popen(as_accepted_user([words / "postgres", "-D", data, "-p", str(port), *settings]), stderr=subprocess.DEVNULL)

    def sql(*statements, name="postgres"):
        command = [words / "psql", "-h", "127.0.0.1", "-p", str(port), "-U", "us", "-d", name, "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
        # each of them is a transaction
        command += [word for statement in statements for word in ("-c", statement)]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    try:
        while subprocess.run([words / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]).returncode:
            assert server.poll() is None, "the database does not start"
            time.sleep(0.05)
        yield port, sql
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def storage():
    """The address of a server of the S3 protocol that has the bucket, and a function that lists the keys in it."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=free_port(), verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    client = boto3.client("s3", endpoint_url=address, region_name="us-east-1", aws_access_key_id="an-id", aws_secret_access_key="a-secret")
    client.create_bucket(Bucket=BUCKET)
    try:
        yield address, lambda: [found["Key"] for found in client.list_objects_v2(Bucket=BUCKET).get("Contents", [])]
    finally:
        server.stop()
