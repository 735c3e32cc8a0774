/* Trap 3: this-> is shared by the clauses of a firing; timestamp stands still in one. */
BEGIN { this->x = 42; }
BEGIN { printf("%d\n", this->x); t = timestamp; printf("%d\n", timestamp == t); exit(0); }
END { printf("%d\n", this->x); }
