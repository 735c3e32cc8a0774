/* self->a[k] belongs to the thread; a global array does not. */
BEGIN
{
	self->a[1, "x"] = 11;
	self->a[2, "y"] = 22;
	self->s["k"] = "text";
	g["begin"] = 1;
}
BEGIN
{
	self->a[2, "y"]++;
	printf("%d %d %d %s\n", self->a[1, "x"], self->a[2, "y"],
	    self->a[3, "z"], self->s["k"]);
	self->a[1, "x"] = 0;
	self->s["k"] = NULL;
	printf("%d %d %d\n", self->a[1, "x"], self->a[2, "y"], self->s["k"] == NULL);
	exit(0);
}
END
{
	printf("%d %d\n", self->a[2, "y"], g["begin"]);
}
