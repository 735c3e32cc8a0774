/* division and the closing slash are told apart */
BEGIN /10 / 5 == 2/ { printf("ok\n"); exit(0); }
