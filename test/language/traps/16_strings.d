/* Trap 16: strings compare as unsigned bytes; pointers compare as addresses. */
BEGIN { printf("%d %d %d\n", "\377" > "a", "" < "a", "ab" < "b"); }
BEGIN { printf("%d %d\n", execname == "dtrace", execname < "dtracf"); }
BEGIN { this->p = (char *)&curthread->comm; this->q = (char *)&curthread->comm; printf("%d %d\n", this->p == this->q, this->p == this->q + 1); exit(0); }
