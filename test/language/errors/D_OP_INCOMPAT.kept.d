/* An element of an array has no room for what its pointer points to: say what to write. */
/* @flags: -xerrtags */
/* @status: 1 */
BEGIN { a[1] = (char *)copyin(arg0, 16); }
