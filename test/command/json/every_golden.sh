# Every golden D program that prints gives well-formed lines with -x oformat=ndjson too.
# @anykernel: the programs run in their own tests, the form of output is user space
# @timeout: 600
python3 - "$test" "$dtrace" <<'PY'
import concurrent.futures, os, re, shlex, subprocess, sys
here, dtrace = sys.argv[1:]
sys.path.insert(0, os.environ["suite"])
import run

def check(path):
    said = run.directives(path)
    text = open(path, encoding="utf-8", errors="replace").read()
    # Errors print nothing; system() and freopen() write where they like.
    if not os.path.exists(path[:-2] + ".out") or re.search(r"system\(|freopen\(", text) or " -e" in said["flags"]:
        return None
    if any(run.kernel_has(need) for need in said["needs"].split()):
        return None
    env = dict(os.environ, TZ="UTC", LC_ALL="C")
    env.update(item.split("=", 1) for item in said["env"])
    done = subprocess.run([dtrace, *shlex.split(said["flags"]), "-xoformat=ndjson", "-s", os.path.basename(path),
                           *shlex.split(said["args"])], cwd=os.path.dirname(path), env=env, capture_output=True)
    reader = subprocess.run([sys.executable, here + "/check.py", "ndjson"], input=done.stdout, capture_output=True)
    good = done.returncode == int(said["status"]) and reader.returncode == 0
    return good or f"{path}: status {done.returncode}\n{done.stdout.decode()[-300:]}{reader.stderr.decode()[-300:]}"

with concurrent.futures.ThreadPoolExecutor(2) as pool:
    programs = [test for test in run.find_tests() if test.endswith(".d")][::3 if os.environ["again"] else 1]
    results = [r for r in pool.map(check, programs) if r is not None]
for result in results:
    if result is not True:
        print(result)
print("all well-formed" if all(r is True for r in results) else "some are not", len(results) > (50 if os.environ["again"] else 150))
PY
