/* Two are there, five are asked for: three failures. */
#pragma D option nspec=2
BEGIN { printf("%d %d %d %d\n", speculation(), speculation(), speculation(), speculation()); }
BEGIN { printf("%d\n", speculation()); exit(0); }
