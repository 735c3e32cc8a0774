typedef struct point { int x, y; } point_t;
point_t last;
point_t moved(point_t p, int dx) { p.x += dx; return p; }
int norm(struct point p) { return p.x * p.x + p.y * p.y; }
void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = i; }
int total(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int parent(struct task_struct *t) { return t->real_parent->tgid; }
string who(psinfo_t *p) { return p->pr_fname; }
BEGIN
{
	this->p = (int *)alloca(16);
	fill(this->p, 4);
	last = moved(moved(last, total(this->p, 4)), -1);
	trace(norm(last));
	printf("%d %s", parent(curthread), who(curpsinfo));
}
