/* Trap 2: char + char is a char; %d, comparison and keys follow the type. */
BEGIN { this->c = (char)127; this->d = (char)1; printf("%d\n", this->c + this->d); }
BEGIN { this->u = (uint8_t)255; this->v = (uint8_t)1; printf("%d\n", this->u + this->v); }
BEGIN { printf("%d %d\n", (unsigned int)-1, (int)-1); }
BEGIN { printf("%d %d\n", -1 < 1, -1 < 1U); }
BEGIN { @[(char)-2] = count(); @b[(unsigned char)254] = count(); exit(0); }
