#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""JSON for golden tests: its shape, or parts of it.

    json_shape.py                    a line for each member: its path, the types that it has
    json_shape.py --get EXPRESSION   what the Python expression makes of `value`
    json_shape.py --test EXPRESSION  status 0 if it is true

Elements of a list have one path.  A shape is what clients rely on; which of many members
was there this time is not: members of objects whose names are numbers have one path, too.
"""
import json, sys


def shape(value, path, found):
    kind = {dict: "object", list: "list", str: "text", bool: "boolean", type(None): "null"}.get(type(value), "number")
    found.setdefault(path, set()).add(kind)
    if kind == "object":
        for name, member in value.items():
            shape(member, f"{path}.{'N' if name.isdigit() else name}", found)
    elif kind == "list":
        for element in value:
            shape(element, path + "[]", found)


def main():
    value = json.load(sys.stdin)
    if len(sys.argv) == 3 and sys.argv[1] == "--get":
        print(eval(sys.argv[2], {"value": value, "json": json}))
    elif len(sys.argv) == 3 and sys.argv[1] == "--test":
        return 0 if eval(sys.argv[2], {"value": value}) else 1
    else:
        found = {}
        shape(value, "", found)
        for path, kinds in sorted(found.items()):
            print(path or ".", "|".join(sorted(kinds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
