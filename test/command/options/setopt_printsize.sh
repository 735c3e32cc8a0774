# setopt("printsize") limits what print() shows from then on.
"$dtrace" -qn 'struct four { long a, b, c, d; };
BEGIN { this->p = (struct four *)alloca(sizeof (struct four)); this->p->a = 1; this->p->b = 2; this->p->c = 3; this->p->d = 4;
	print(this->p); setopt("printsize", "16"); print(this->p); exit(0); }' | sed 's/^0x[0-9a-f]*/ADDRESS/'
