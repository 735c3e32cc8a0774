/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { int w; };
translator struct outs < struct in *I > { nosuch = I->v; };
BEGIN { exit(0); }
