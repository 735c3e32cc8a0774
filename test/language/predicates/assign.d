/* an assignment inside a predicate */
BEGIN /(this->d = 5) > 3/ { printf("%d\n", this->d); exit(0); }
