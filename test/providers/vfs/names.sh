# The cache of names: what is not there is remembered as well, and forgotten.
. "$suite/lib.sh"
needs_functions
directory=$(mktemp -d /dev/shm/vfs.XXXXXX)
trap 'rm -rf $directory' EXIT
cat > run.py <<'Y'
import os, sys
os.chdir(sys.argv[1])
def fails(f, *args):
    try: f(*args)
    except OSError: pass
fails(os.stat, "the-missing")
os.mkdir("the-directory")
os.close(os.open("the-directory/the-file", os.O_CREAT | os.O_RDWR))
os.stat("the-directory/the-file")
os.remove("the-directory/the-file")
os.rmdir("the-directory")
Y
# each once: a look-up that meets a change made meanwhile begins again
"$dtrace" -qn 'vfs:namecache:lookup:, vfs:namecache:enter:, vfs:namecache:enter_negative:, vfs:namecache:zap_negative:
/pid == $target && substr(stringof(args[1]), 0, 4) == "the-"/ { @[probefunc, probename, strtok(stringof(args[1]), "/")] = count(); }
vfs:namecache:fullpath:return /pid == $target && args[0] == 0 && basename(stringof(args[1])) == $$1/ { @["fullpath", "return", "its own directory"] = count(); }
vfs:fplookup:lookup:done /pid == $target && args[2] == 1/ { @["fplookup", "done", "without locks"] = count(); }
END { printa("%s %s %s\n", @); }' -c "python3 run.py $directory" "${directory##*/}" | sort
