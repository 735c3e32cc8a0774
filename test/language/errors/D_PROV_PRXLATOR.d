/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { int w; };
provider p { probe q(struct in *a) : (struct outs *a); };
BEGIN { exit(0); }
