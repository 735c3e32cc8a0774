/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { int w, x; };
translator struct outs < struct in *I > { w = I->v; };
BEGIN { trace(xlate < struct outs * > ((struct in *)0)->x); }
