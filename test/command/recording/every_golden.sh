# Every golden D program that is recorded prints the same when it is replayed: as text, and in each other format.
# @once: the programs run in their own tests
# @timeout: 600
python3 - "$dtrace" <<'PY'
import concurrent.futures, os, re, shlex, subprocess, sys
dtrace = sys.argv[1]
scratch = os.getcwd()
sys.path.insert(0, os.environ["suite"])
import run

# messages of the compiler and of actions that failed are no facts of the run
OWN = re.compile(rb"bufsize increased.*\n|dtrace: (?:script|description|allowing|error in dt_clause_\d+ .* couldn't set option).*\n")

def check(job):
    number, path = job
    said = run.directives(path)
    text = open(path, encoding="utf-8", errors="replace").read()
    # Errors print nothing; system() and freopen() write where they like.
    if not os.path.exists(path[:-2] + ".out") or re.search(r"system\(|freopen\(", text) or " -e" in said["flags"]:
        return None
    if any(run.kernel_has(need) for need in said["needs"].split()):
        return None
    env = dict(os.environ, TZ="UTC", LC_ALL="C")
    env.update(item.split("=", 1) for item in said["env"])
    directory = os.path.dirname(path)
    file = f"{scratch}/{number}"
    form = ("text", "text", "ndjson", "text", "text", "json", "text", "text", "csv")[number % 9]
    done = subprocess.run([dtrace, *shlex.split(said["flags"]), "-xoformat=" + form, "-xrecord=" + file, "-s",
                           os.path.basename(path), *shlex.split(said["args"])],
                          cwd=directory, env=env, capture_output=True)
    again = subprocess.run([dtrace, "--replay", file, "-xoformat=" + form], cwd=directory, env=env, capture_output=True)
    os.unlink(file)
    if (done.stdout, done.returncode, OWN.sub(b"", done.stderr)) == (again.stdout, again.returncode, again.stderr):
        return True
    return f"{path} as {form}:\n{done.returncode} {done.stdout[-600:]} {done.stderr}\n{again.returncode} {again.stdout[-600:]} {again.stderr}"

with concurrent.futures.ThreadPoolExecutor(2) as pool:
    programs = [test for test in run.find_tests() if test.endswith(".d")]
    results = [r for r in pool.map(check, enumerate(programs)) if r is not None]
for result in results:
    if result is not True:
        print(result)
print("all the same" if all(r is True for r in results) else "some are not", len(results) > 150)
PY
