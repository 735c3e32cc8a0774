/* @flags: -xerrtags -e */
/* @status: 1 */
enum colour { RED, GREEN };
enum colour c;
int RED;
BEGIN { trace(c == RED); }
