/* The value at a path of a document, as its text. */
/* @flags: -q -x strsize=400 */
BEGIN
{
	d = "{ \"a\": 1, \"b\" : \"two\", \"c\":{\"d\":[10, 20,{\"e\":\"x\\\"]}y\"}], \"f\":null}, \"g\":[],\"a\":3, \"long key of more than eight\":true, \"n\":-1.5e3 ,\"q\":\"\" }";
	printf("[%s] [%s] [%s]\n", json(d, "a"), json(d, "b"), json(d, "c.f"));
	printf("[%s] [%s] [%s]\n", json(d, "c.d[0]"), json(d, "c.d[1]"), json(d, "c.d[2].e"));
}
BEGIN
{
	printf("[%s]\n", json(d, "c"));
	printf("[%s] [%s] [%s]\n", json(d, "c.d"), json(d, "c.d[2]"), json(d, "g"));
	printf("[%s] [%s] [%s]\n", json(d, "long key of more than eight"), json(d, "n"), json(d, "q"));
}
BEGIN
{
	printf("%d %d %d %d\n", json(d, "z") == NULL, json(d, "c.d[3]") == NULL, json(d, "g[0]") == NULL, json(d, "a.b") == NULL);
	printf("%d %d %d %d\n", json(d, "") == NULL, json(d, "c.") == NULL, json(d, "c.d[x]") == NULL, json(d, "[0]") == NULL);
}
BEGIN
{
	printf("[%s] [%s] [%s]\n", json("[1,[2,\"t\\u0041\"], 3 ]", "[1][1]"), json(" [ \"x\" ] ", "[0]"), json("[[[5]]]", "[0][0]"));
	printf("%d %d %d\n", json("{\"a\": 12", "a") == NULL, json("{\"a\": \"x", "a") == NULL, json("{\"a\" 1}", "a") == NULL);
	printf("%d %d\n", json("", "a") == NULL, json("nonsense", "a") == NULL);
}
BEGIN
{
	printf("[%s] [%s] ", json(d, "z"), json("nonsense", "a"));
	trace(json(d, "c.d[3]"));
	trace("\n");
	exit(0);
}
