BEGIN { self->s = speculation(); }
BEGIN
{
	for (int i = 0; i < 4; i++) {
		if (i == 2) {
			speculate(self->s);
			printf("found %d", i);
			break;
		}
	}
	for (int i = 0; i < 2; i++)
		printf("then %d", i);
}
BEGIN { while (self->s) { discard(self->s + 1); self->s = 0; } }
BEGIN { commit(self->s); }
