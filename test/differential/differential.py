#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random D programs in the kernel, in the IR interpreter, and as the language says.

    differential.py [--programs N] [--seed N] [--driver PATH] [--name WORD]
    differential.py --show SEED         print a program and what it must trace
    differential.py --file PROGRAM.d    ask the driver about a program of your own

Program number i has seed SEED + i, so a failure is found again by its seed.  A
failing program is made smaller, as far as it goes on failing, and printed with
what each side says; one that passes when it is asked about again is told as
UNSTEADY (run.py).  Programs too large for the verifier are skipped; more
than one in ten of them is a failure.  The expressions with known results of
src/ir/expressions.h run first and are counted, too.  The closing line is
`N passed, N failed, N skipped`.
"""
import argparse, copy, os, re, subprocess, sys

import generate
from control import Break, Continue, Return
from program import Node

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.append(os.path.dirname(HERE))

import surroundings


MOST_REPORTS = 10


class Driver:
    def __init__(self, path, *arguments):
        self.command = [path, *arguments]
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.functions = self.process.stdout.readline().decode().split()[1:]

    def ask(self, text):
        """(verdict, what was traced, details)"""
        data = text.encode("latin-1")
        traced, details = [], []
        try:
            self.process.stdin.write(f"{len(data)}\n".encode() + data)
            self.process.stdin.flush()
            verdict = self.process.stdout.readline().decode("latin-1").strip()
            for line in self.process.stdout:
                line = line.decode("latin-1").rstrip("\n")
                if line == ".":
                    return verdict, traced, details
                (traced if line[:2] in ("i ", "s ", "x ", "f ") else details).append(line)
        except BrokenPipeError:
            pass
        status = self.process.wait()
        self.start()
        return "crashed", traced, [f": the driver ended with status {status}"]


def agrees(want, got):
    if want.endswith("*"):
        return got.startswith(want[:-1])
    return want == got


def judge(driver, program):
    """(verdict, details): pass, skip, or the kind of failure."""
    for _ in range(5):
        verdict, traced, details = driver.ask(program.text())
        if ": a dynamic variable was dropped" not in details:
            break               # else somebody changed a thread's storage on this CPU at that moment
    if verdict == "refused":
        return " ".join([verdict, *re.findall(r"\[D_\w+\]", " ".join(details))]), details
    if verdict not in ("ok", "skip"):
        return verdict, details
    expected = program.expect()
    if expected is None:
        return "pass" if verdict == "ok" else "skip", []
    if len(expected) != len(traced) or not all(map(agrees, expected, traced)):
        width = max([len(line) for line in expected] + [8])
        rows = [f": {want:{width}}  {got}" for want, got in zip(expected + [""] * len(traced), traced + [""] * len(expected))
                if (want or got) and not agrees(want, got)]
        return "wrong", [f": {'expected':{width}}  traced", *rows]
    return "pass" if verdict == "ok" else "skip", []


# --------------------------------------------------------------- shrinking

def smaller(program):
    """Programs with one thing less."""
    for i in range(len(program.clauses)):
        less = copy.deepcopy(program)
        del less.clauses[i]
        yield less
    for i, clause in enumerate(program.clauses):
        if clause.predicate:
            less = copy.deepcopy(program)
            less.clauses[i].predicate = None
            yield less
        for j in range(len(clause.statements)):
            if len(clause.statements) > 1:
                less = copy.deepcopy(program)
                del less.clauses[i].statements[j]
                yield less
    for i, function in enumerate(program.functions):
        less = copy.deepcopy(program)
        del less.functions[i]
        yield less
        for j in range(len(function.body)):
            less = copy.deepcopy(program)
            del less.functions[i].body[j]
            yield less
    for i, node in enumerate(every_node(program)):
        for n, body in enumerate(getattr(node, "bodies", [])):
            for j in range(len(body)):
                less = copy.deepcopy(program)
                del every_node(less)[i].bodies[n][j]
                yield less
                for inner in range(len(getattr(body[j], "bodies", []))):
                    less = copy.deepcopy(program)
                    at = every_node(less)[i].bodies[n]
                    at[j:j + 1] = at[j].bodies[inner]
                    yield less
        for k, kid in enumerate(node.kids):
            if type(kid) is not Node or kid.sort == "stmt":
                continue
            for grandkid in kid.kids:
                if grandkid.sort == kid.sort:
                    less = copy.deepcopy(program)
                    at = every_node(less)[i]
                    at.kids[k] = at.kids[k].kids[kid.kids.index(grandkid)]
                    yield less


def every_node(program):
    found = [node for function in program.functions for root in function.body for node in root.walk()]
    for clause in program.clauses:
        for root in ([clause.predicate] if clause.predicate else []) + clause.statements:
            found += root.walk()
    return found


def still(driver, program, verdict):
    """Does it fail like that?  What is left may be no program: a variable may have lost its type."""
    try:
        return judge(driver, program)[0] == verdict
    except (TypeError, Break, Continue, Return):
        return False


def shrink(driver, program, verdict):
    for _ in range(200):
        for less in smaller(program):
            if still(driver, less, verdict):
                program = less
                break
        else:
            break
    mentioned = "".join(part.text() for part in [*program.functions, *program.clauses])
    kept = copy.deepcopy(program)
    kept.declarations = [d for d in program.declarations
                         if d.startswith("struct rec {") or d.rstrip(";").split()[-1].lstrip("*").split("[")[0] in mentioned]
    return kept if still(driver, kept, verdict) else program


def report(driver, seed, program, verdict):
    program = shrink(driver, program, verdict)
    print(f"FAIL seed {seed}: {verdict}\n{program.text()}" + "\n".join(judge(driver, program)[1]) + "\n", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--driver", default=os.path.join(TOP, "build/differential"))
    parser.add_argument("--name", default="", help="word before the closing line")
    parser.add_argument("--show", type=int)
    parser.add_argument("--file")
    options = parser.parse_args()
    surroundings.settle()
    if options.file:
        with open(options.file, encoding="latin-1") as file:
            verdict, traced, details = Driver(options.driver, "-S").ask(file.read())
        print("\n".join([verdict, *traced, *details]))
        return 0
    driver = Driver(options.driver)
    if options.show is not None:
        program = generate.program_of(options.show, driver.functions)
        print(program.text() + "\n".join(program.expect() or ["(only the machine knows)"]))
        return 0
    count = {"pass": 0, "fail": 0, "skip": 0}
    table = subprocess.run([options.driver, "-t"], capture_output=True, text=True).stdout
    numbers = re.search(r"(\d+) passed, (\d+) failed, \d+ skipped\s*$", table)
    count["pass"], count["fail"] = (int(n) for n in numbers.groups()) if numbers else (0, 1)
    if count["fail"]:
        print(table, flush=True)
    for seed in range(options.seed, options.seed + options.programs):
        program = generate.program_of(seed, driver.functions)
        verdict, details = judge(driver, program)
        if verdict in count:
            count[verdict] += 1
            continue
        if all(judge(driver, program)[0] == "pass" for _ in range(3)):
            print(f"UNSTEADY seed {seed}: {verdict}, then passed three times\n{program.text()}" + "\n".join(details), flush=True)
            count["pass"] += 1
            continue
        count["fail"] += 1
        if count["fail"] <= MOST_REPORTS:
            report(driver, seed, program, verdict)
    if count["skip"] * 10 > options.programs:
        print(f"FAIL {count['skip']} of {options.programs} programs were too large for the verifier")
        count["fail"] += 1
    prefix = options.name + ": " if options.name else ""
    print(f"{prefix}{count['pass']} passed, {count['fail']} failed, {count['skip']} skipped", flush=True)
    return 1 if count["fail"] or not count["pass"] else 0


if __name__ == "__main__":
    sys.exit(main())
