/* several records of one clause keep their order */
BEGIN { printf("%d-%s-", 1, "two"); printf("%d\n", 3); }
BEGIN { printf("next\n"); exit(0); }
