/* print() of what is no pointer: type and value, numbers in hexadecimal. */
enum simpson { HOMER, BART = 3 };
enum simpson e;
int three[3];
BEGIN { three[0] = 1; three[2] = -1; e = BART; }
BEGIN { print(1); print(-1); print(0); print((short)456); print((char)'a'); print((char)0); print((char)4); print(10000000000); }
BEGIN { print("hello"); print(execname); print(e); print((enum simpson)17); print(three); exit(0); }
