/* a false predicate skips the clause */
BEGIN /0/ { printf("no\n"); }
BEGIN /1/ { printf("yes\n"); }
BEGIN /pid == $pid/ { printf("me\n"); exit(0); }
