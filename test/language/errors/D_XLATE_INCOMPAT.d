/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { string w; };
translator struct outs < struct in *I > { w = I->v; };
BEGIN { exit(0); }
