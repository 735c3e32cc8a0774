/* ... unless quietresize. */
/* @flags: -q -b 100 -x quietresize */
BEGIN { exit(0); }
