/* -x agghist: one bar for each value, scaled to the total; histograms, min and max stay as they are */
/* @flags: -q -x agghist */
BEGIN {
	@s["bash"] = sum(5); @s["a long name of a program"] = sum(10); @s["sh"] = sum(25);
	@k[1, (char)2, (short)3, 4ll, "x"] = count();
	@m["minus"] = sum(-1); @m["plus"] = sum(3);
	@a["avg"] = avg(4); normalize(@a, 2);
	@none = count(); @max["max"] = max(1); @q = quantize(1);
	exit(0);
}
