/* trace() of structs and arrays: text if it is text, else a dump. */
/* @flags: */
struct pair { int a; int b; };
struct pair p;
char text[12];
BEGIN { p.a = 0x01020304; p.b = -1; text[0] = 'h'; text[1] = 'i'; trace(p); }
BEGIN { trace(text); trace(curthread->comm); }
BEGIN { exit(0); }
