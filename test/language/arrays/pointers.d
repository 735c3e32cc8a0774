/* Declared arrays have addresses: &a[0], p = a, arithmetic, casts; stores are seen. */
/* @filter: pointer pc id */
int a[4];
int *g;
this int t[4];
struct pair { int x; long y[2]; };
this struct pair pair;
struct pair both[2];
BEGIN
{
	a[0] = 7;
	a[1] = 8;
	a[3] = 10;
	this->p = &a[0];
	printf("%d %d %d\n", *this->p, this->p[1], *(this->p + 3));
	this->q = a;
	*this->q = 17;
	this->q[1] = 18;
	*(this->q + 2) = 19;
	printf("%d %d %d %d\n", a[0], a[1], a[2], *(a + 3));
	this->q++;
	this->q[0] += 100;
	printf("%d %d %d\n", a[1], this->q - this->p, this->q > this->p);
	this->c = (char *)a;
	this->c[0] = 1;
	printf("%d %d\n", a[0], ((short *)a)[0]);
	this->i = 2;
	g = &a[this->i];
	both[1].y[1] = 44;
	this->l = &both[1].y[0];
	this->l[0] = 43;
	printf("%d %d\n", this->l[1], both[1].y[0]);
}
BEGIN { *g = 21; printf("%d %d\n", a[2], g[1]); }
BEGIN
{
	this->t[0] = 3;
	this->t[1] = 4;
	this->r = this->t;
	this->r[2] = 5;
	*(this->r + 3) = this->r[0] + this->t[1];
	printf("%d %d %d %d\n", this->t[0], this->t[1], this->t[2], this->t[3]);
	this->m = &this->pair.y[1];
	*this->m = 6;
	this->scratch = (int *)alloca(16);
	this->scratch[0] = 1;
	printf("%d %d %d\n", this->pair.y[1], this->pair.y[0], this->scratch[0] + this->scratch[1]);
}
BEGIN { printf("%d\n", this->r[3]); this->p = a; this->p[5000000] = 1; }
BEGIN { exit(0); }
