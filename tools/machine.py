#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is about one machine is in src/arch/ (its contract: src/arch/arch.h).

Fails where a machine, one of its registers or a word for what only it has appears
elsewhere.  Lines that may have one are listed in ALLOWED, each with its reason; one that
is not there any more fails, too.
"""
import glob, os, re, sys

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORDS = re.compile(
    r"(?<![0\\])x86|amd64|i[3-6]86|i387|arm64|aarch64"
    r"|\b[re](?:[abcd]x|[sd]i|[bsi]p)\b|\brflags\b"
    r"|endbr|\bint3\b|user_regs_struct|debugreg|GETREGS\b|__x64_|__ia32_|\bR_X86|\bEM_(?!NONE\b)\w+", re.I)
# file, a part of the line: why it may be there
ALLOWED = {
    ("src/provider/iscsi.c", "args[1]->rsp"): "a member of the kernel's struct, for `response`",
    ("dlib/packet.d", "IPPROTO_ESP"): "a protocol",
}


def main():
    os.chdir(TOP)
    files = [f for where in ("src/**", "bpf", "cmd", "include", "dlib") for kind in ("c", "h", "def", "d")
             for f in glob.glob(f"{where}/*.{kind}", recursive=True) if not f.startswith("src/arch/")]
    status, seen = 0, set()
    for path in sorted(set(files)):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for number, line in enumerate(lines, 1):
            found = WORDS.search(line)
            if not found:
                continue
            excuse = [key for key in ALLOWED if key[0] == path and key[1] in line]
            seen.update(excuse)
            if not excuse:
                print(f'{path}:{number}: "{found[0]}" is about one machine; it belongs behind src/arch/arch.h', file=sys.stderr)
                status = 1
    for path, part in ALLOWED.keys() - seen:
        print(f"tools/machine.py: {path} has no {part} any more", file=sys.stderr)
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
