# What is done with names: the file, its directory, its file system.
. "$suite/lib.sh"
need_probe fsinfo:::mkdir
cat > run.py <<'Y'
import os
os.mkdir("the-directory")
open("the-file", "w").close()
os.access("the-file", os.R_OK)
os.link("the-file", "the-link")
os.symlink("the-file", "the-symlink")
os.readlink("the-symlink")
os.rename("the-file", "the-directory/the-new-file")
os.chmod("the-directory/the-new-file", 0o600)
os.remove("the-directory/the-new-file")
os.rmdir("the-directory")
os.mkdir("/the-top")
os.rmdir("/the-top")
Y
"$dtrace" -qn '
	fsinfo:::create, fsinfo:::access, fsinfo:::lookup, fsinfo:::mkdir, fsinfo:::link, fsinfo:::symlink, fsinfo:::readlink, fsinfo:::rename, fsinfo:::remove, fsinfo:::rmdir, fsinfo:::setattr
	/pid == $target && strstr(args[0]->fi_name, "the-") != NULL && args[0]->fi_name != "the-top" && args[0]->fi_fs != "tmpfs"/
	{
		printf("%s %s in %s\n", probename, args[0]->fi_name, basename(args[0]->fi_dirname) == "the-directory" ?
		    "the-directory" : basename(args[0]->fi_dirname) == basename(cwd) ? "." : args[0]->fi_dirname);
	}
	fsinfo:::mkdir, fsinfo:::rmdir /pid == $target && args[0]->fi_name == "the-top" && args[0]->fi_fs != "tmpfs"/
	{
		printf("path %s\n", args[0]->fi_pathname);
	}' -c 'python3 run.py'
