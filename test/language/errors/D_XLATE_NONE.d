/* @flags: -xerrtags -e */
/* @status: 1 */
struct in { int v; };
struct outs { int w; };
BEGIN { trace(xlate < struct outs * > ((struct in *)0)->w); }
