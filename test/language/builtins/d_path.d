/* d_path() of the process's root and of a path as long as a string may be */
BEGIN { printf("%s %s %d\n", d_path(&curthread->fs->root), root, d_path(&curthread->fs->pwd) == cwd); exit(0); }
