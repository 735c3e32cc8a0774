/* Values: strings, structs and fixed arrays, whole and by part. */
struct point { char name; int x; long y; };
struct point at[string], one;
string text[int];
int row[int][4];
BEGIN
{
	text[1] = "one";
	text[2] = text[1];
	text[1] = "a longer one";
	printf("[%s] [%s] %d\n", text[1], text[2], text[3] == NULL);
	at["home"].x = 3;
	at["home"].y = -4;
	at["home"].name = 'h';
	one = at["home"];
	at["away"] = one;
	at["away"].x++;
	at["away"].y *= 10;
	printf("%c %d %d\n", at["home"].name, at["home"].x, at["home"].y);
	printf("%c %d %d\n", at["away"].name, at["away"].x, at["away"].y);
	printf("%d\n", at["none"].x);
	this->i = 3;
	row[7][0] = 1;
	row[7][this->i] = 4;
	row[8][0] = 5;
	printf("%d %d %d %d %d\n", row[7][0], row[7][1], row[7][3], row[8][0],
	    row[8][this->i]);
	exit(0);
}
