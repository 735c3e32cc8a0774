/* @flags: -xerrtags -e */
/* @status: 1 */
BEGIN { nosuchfunction(1); }
