/* ++ and -- before and after */
BEGIN { x++; printf("%d ", x); printf("%d ", x++); printf("%d ", ++x); printf("%d ", x--); printf("%d\n", --x); exit(0); }
