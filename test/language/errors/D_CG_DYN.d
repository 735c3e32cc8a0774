/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { int w; };
translator struct outs < struct in *I > { w = I->v; };
BEGIN { xlate < struct outs * > ((struct in *)0); }
