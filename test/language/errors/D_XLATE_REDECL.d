/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { int w; };
translator struct outs < struct in *I > { w = I->v; };
translator struct outs < struct in *J > { w = J->v; };
BEGIN { exit(0); }
