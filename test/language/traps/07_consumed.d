/* Trap 7: printa() and clear() happen when their record is read, in order. */
BEGIN { @ = sum(1); printa("%@d\n", @); }
BEGIN { @ = sum(10); printa("%@d\n", @); clear(@); }
BEGIN { printa("%@d\n", @); exit(0); }
