/* system() runs when its record is read, after what was printed before. */
/* @flags: -qw */
BEGIN { printf("one\n"); system("echo two %d %s", 2, "zwei"); printf("three\n"); }
BEGIN { system("exit 3"); system("echo 'quoted  blanks'"); exit(0); }
