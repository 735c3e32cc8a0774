/* %S escapes what cannot be printed */
BEGIN { printf("%S|\n", "a\tb\"c"); exit(0); }
