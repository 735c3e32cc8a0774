/* this-> is shared by the clauses of one firing and starts at 0 */
BEGIN { printf("%d ", this->x); this->x = 5; }
BEGIN { printf("%d\n", this->x); this->s = "text"; }
BEGIN { printf("%s\n", this->s); exit(0); }
