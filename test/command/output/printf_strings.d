/* widths and precisions of strings */
BEGIN { printf("[%s] [%8s] [%-8s] [%.2s] [%.0s]\n", "abc", "abc", "abc", "abc", "abc"); exit(0); }
