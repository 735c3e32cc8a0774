/* -x agghist, aggpack, aggpct, aggzoom, aggpercpu; characters of UTF-8. */
#pragma D option agghist
#pragma D option aggpack
#pragma D option aggpct
#pragma D option aggpercpu
#pragma D option encoding=utf8
syscall::write:entry /pid == $target/ { @[n++ & 3] = count(); @q[n & 1] = quantize(arg2); @l = lquantize(n, 0, 100, 10); }
