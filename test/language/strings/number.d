/* a string as a number is 0 if it is NULL: old scripts ask so for elements that were never assigned */
BEGIN { a[1] = "x"; self->s = "y"; s = "z"; self->t = self->s; self->t = 0; }
BEGIN { printf("%d %d %d\n", (int)a[1] == 0, (int)a[2] == 0, (int)self->t == 0); }
BEGIN { printf("%d %d %d\n", (int)self->s == 0, (int)s == 0, (int64_t)execname != 0); }
BEGIN { this->args = (int)a[2] == 0 ? "none" : a[2]; printf("%s\n", this->args); }
BEGIN { printf("%d\n", (int)strstr("abc", "d") == 0); exit(0); }
