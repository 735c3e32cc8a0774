# Looking up paths: which, from where, and what comes of it.  Without traceable
# functions it is the system calls that tell, without the directory and what
# was found.
cat > run.py <<'Y'
import os
def fails(f, *args):
    try: f(*args)
    except OSError: pass
fails(os.stat, "the-missing")
os.mkdir("the-directory")
os.close(os.open("the-directory/the-file", os.O_CREAT | os.O_RDWR))
os.stat("the-directory/the-file")
fails(os.mkdir, "the-directory/the-file/under")
fails(os.open, "the-directory/the-file/under", os.O_RDONLY)
os.remove("the-directory/the-file")
os.rmdir("the-directory")
Y
"$dtrace" -qn 'vfs:namei:lookup:entry /pid == $target/ { self->path = stringof(args[1]); }
vfs:namei:lookup:entry /pid == $target && args[0] != NULL && args[0] != curthread->fs->pwd.dentry && substr(self->path, 0, 4) == "the-"/ { printf("not from here: %s\n", self->path); }
vfs:namei:lookup:return /self->path != NULL && substr(self->path, 0, 4) == "the-"/ {
	printf("%s %d\n", self->path, args[0]); }
vfs:namei:lookup:return /self->path != NULL && args[1] != NULL && stringof(args[1]->d_name.name) != basename(self->path) && substr(self->path, 0, 4) == "the-"/ {
	printf("found %s instead\n", stringof(args[1]->d_name.name)); }
vfs:namei:lookup:return { self->path = 0; }' -c 'python3 run.py' 2> error
grep -v 'invalid address' error
true
