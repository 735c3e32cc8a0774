# Operations on names, with the error at return; those of a file system that
# lies on another are nested, and every entry has its return.
. "$suite/lib.sh"
needs_functions
directory=$(mktemp -d /dev/shm/vfs.XXXXXX)
trap 'umount -q $directory/both; rm -rf $directory' EXIT
mkdir "$directory/lower" "$directory/upper" "$directory/work" "$directory/both"
echo text > "$directory/lower/the-file"
mount -t overlay -o "lowerdir=$directory/lower,upperdir=$directory/upper,workdir=$directory/work" overlay "$directory/both" ||
	skip "no overlayfs"
cat > run.py <<'Y'
import os, sys
os.chdir(sys.argv[1] + "/lower")
os.mkdir("the-directory")
os.rename("the-directory", "the-other")
os.symlink("x", "the-link")
os.readlink("the-link")
os.mknod("the-node")
open("the-other/full", "w").close()
try: os.rmdir("the-other")
except OSError: pass
os.chdir(sys.argv[1] + "/both")
os.stat("the-file")
fd = os.open("a-new-file", os.O_CREAT | os.O_RDWR)
os.fsync(fd)
Y
"$dtrace" -qn 'vfs:vop:vop_mkdir:return, vfs:vop:vop_rename:return, vfs:vop:vop_symlink:return, vfs:vop:vop_readlink:return, vfs:vop:vop_rmdir:return, vfs:vop:vop_create:entry, vfs:vop:vop_create:return
/pid == $target && substr(args[0]->fi_name, 0, 4) == "the-"/ { printf("%s %s %d\n", probefunc, args[0]->fi_name, probename == "return" ? (int)arg2 : 0); }
vfs:vop:vop_getattr:entry /pid == $target && args[0]->fi_name == "the-file"/ { printf("getattr on %s\n", args[0]->fi_fs); }
vfs:vop:vop_getattr:return /pid == $target && args[0]->fi_name == "the-file"/ { printf("done on %s\n", args[0]->fi_fs); }
vfs:vop:vop_fsync:entry /pid == $target && args[0]->fi_name == "a-new-file"/ { printf("fsync on %s\n", args[0]->fi_fs); }
vfs:vop:vop_fsync:return /pid == $target && args[0]->fi_name == "a-new-file"/ { printf("fsync done on %s, %d\n", args[0]->fi_fs, args[2]); }' \
	-c "python3 run.py $directory"
