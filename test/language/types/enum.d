/* enumerators are integers */
enum colour { RED, GREEN = 5, BLUE };
BEGIN { printf("%d %d %d\n", RED, GREEN, BLUE); exit(0); }
