/* strings compare by content */
BEGIN { s = "abc"; printf("%d %d %d %d %d\n", s == "abc", s != "abc", s < "abd", s > "ab", "" == s); exit(0); }
