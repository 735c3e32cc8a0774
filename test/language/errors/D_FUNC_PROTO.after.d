/* @flags: -xerrtags -e */
/* @status: 1 */
string half(string s) { return substr(s, strlen(s) / 2); }
BEGIN { trace(half("abcd")); }
string half(void);
