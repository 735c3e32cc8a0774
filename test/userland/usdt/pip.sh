# The Python module as others get it: built and installed by pip, without a network.
# A provider is enabled for the time of a `with`.
# @once: it does not depend on dtrace's build
# @anykernel: nor on the kernel
. "$suite/lib.sh"
module=$suite/../build/python/usdt
[ -e "$module/usdt.abi3.so" ] || skip "make python-usdt has not been run"
/usr/bin/python3 -m pip --version > /dev/null 2>&1 || skip "pip is not installed"
# pip builds in the directory that it is given
mkdir source tmp
cp -r "$module/setup.py" "$module/src" source
/usr/bin/python3 -m pip install -q --no-index --no-build-isolation --no-deps --root-user-action=ignore \
	--disable-pip-version-check --target installed ./source > log 2>&1 || cat log
find installed -name '*.so' -printf '%f\n'
cat > program.py <<'PYTHON'
import os, time, usdt
provider = usdt.Provider("installed")
probe = provider.add_probe("p", "int", "char *")
print(usdt.__file__.split("/")[-1])
try:
    with provider as same:
        print("ready", same is provider, len(os.listdir(os.environ["TMPDIR"])), flush=True)
        while not probe.is_enabled:
            time.sleep(0.005)
        probe.fire(7, "text")
        raise LookupError("goes on")
except LookupError as error:
    print(error, probe.is_enabled, os.listdir(os.environ["TMPDIR"]))
PYTHON
TMPDIR=$PWD/tmp XDG_RUNTIME_DIR= PYTHONPATH=installed /usr/bin/python3 program.py > said 2>&1 &
target=$!
await said ready
"$dtrace" -qn 'installed$1:::p { printf("%d %s\n", args[0], copyinstr(arg1)); exit(0); }' $target | grep .
wait $target
cat said
