#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command tree-sitter, for the test of share/tree-sitter-d-trace.

    tree_sitter.py DIRECTORY

It comes from the archive: this release of Debian has none, and upstream's own packages fetch a
binary from elsewhere.  It is unpacked with the C library that it was built for, beside what is
installed, and DIRECTORY/tree-sitter starts it.  What is there already is not fetched again.
"""
import glob, os, shutil, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "test"))
from guest import private_apt

SUITE, PACKAGES = "trixie", ["tree-sitter-cli", "libc6", "libgcc-s1"]
START = """#!/bin/sh
libraries={where}/usr/lib/x86_64-linux-gnu
exec "$libraries/ld-linux-x86-64.so.2" --library-path "$libraries" "{where}/usr/bin/tree-sitter" "$@"
"""


def fetch(where):
    private = private_apt(SUITE, where)
    subprocess.check_call(["apt-get", *private, "download", "-qq", *PACKAGES], cwd=where)
    for package in glob.glob(f"{where}/*.deb"):
        subprocess.check_call(["dpkg", "-x", package, where])
        os.remove(package)
    shutil.rmtree(f"{where}/apt")
    with open(f"{where}/start", "w", encoding="utf-8") as file:
        file.write(START.format(where=where))
    os.chmod(f"{where}/start", 0o755)
    subprocess.check_call([f"{where}/start", "--version"])
    os.rename(f"{where}/start", f"{where}/tree-sitter")


def main():
    where = os.path.abspath(sys.argv[1])
    if os.path.exists(f"{where}/tree-sitter"):
        print("tree-sitter: it is there")
        return
    os.makedirs(where, exist_ok=True)
    try:
        fetch(where)
    except (SystemExit, OSError, subprocess.CalledProcessError) as error:
        print(f"tree-sitter: {error}; the test that needs it will be skipped")


main()
