/* NULL stays NULL in every kind of variable; unset self-> and elements are NULL, globals "". */
/* @flags: -q */
/* @stderr: any */
string g, gn, a[int];
self string s, sa[int];
BEGIN { printf("unset: %d%d %d%d %d%d %d%d\n", g == NULL, g == "", a[1] == NULL, a[1] == "",
    self->s == NULL, self->s == "", self->sa[1] == NULL, self->sa[1] == ""); }
BEGIN { printf("[%s] %d\n", g, strlen(g)); }
BEGIN { trace(a[1]); }
BEGIN { trace(self->s); }
BEGIN { trace(self->sa[1]); }
BEGIN { g = a[1] = self->s = self->sa[1] = "x"; }
BEGIN { g = NULL; a[1] = NULL; self->s = NULL; self->sa[1] = NULL; }
BEGIN { printf("NULL: %d%d %d%d %d%d %d%d\n", g == NULL, g == "", a[1] == NULL, a[1] == "",
    self->s == NULL, self->s == "", self->sa[1] == NULL, self->sa[1] == ""); }
BEGIN { trace(g); }
BEGIN { trace(a[1]); }
BEGIN { trace(self->s); }
BEGIN { trace(self->sa[1]); }
BEGIN { trace(strlen(a[1])); }
BEGIN { gn = strstr("abc", "x"); a[1] = strchr("abc", 'x'); self->s = a[1]; self->sa[1] = self->s; }
BEGIN { printf("none: %d%d %d%d %d%d %d%d\n", gn == NULL, gn == "", a[1] == NULL, a[1] == "",
    self->s == NULL, self->s == "", self->sa[1] == NULL, self->sa[1] == ""); }
BEGIN { gn = ""; a[1] = gn; self->s = a[1]; self->sa[1] = self->s; }
BEGIN { printf("empty: %d%d %d%d %d%d %d%d\n", gn == NULL, gn == "", a[1] == NULL, a[1] == "",
    self->s == NULL, self->s == "", self->sa[1] == NULL, self->sa[1] == ""); }
BEGIN { exit(0); }
ERROR { faults++; }
END { printf("%d faults", faults); }
