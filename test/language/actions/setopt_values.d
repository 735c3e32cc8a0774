/* The value of an option may be written as a constant: setopt("aggsortkey", true). */
BEGIN
{
	@[2] = sum(1);
	@[1] = sum(2);
	setopt("aggsortkey", true);
	printa(@);
	setopt("aggsortkey", false);
	printa(@);
	setopt("aggsortkey", "yes");
	setopt("aggsortkeypos", 0);
	printa(@);
	exit(0);
}
