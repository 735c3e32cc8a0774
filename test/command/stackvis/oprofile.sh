# @anykernel: nothing is traced
# OProfile knows who called whom: the samples of a function are divided among its callers.
stackvis=$(dirname "$dtrace")/stackvis
cat > in << 'END'
CPU: Intel Core/i7, speed 2000 MHz (estimated)
Counted CPU_CLK_UNHALTED events
samples  %        image name               app name                 symbol name
-------------------------------------------------------------------------------
  30       75.0000  prog                     prog                     main
  10       25.0000  prog                     prog                     init
40       40.0000  prog                     prog                     work(int, char)
  40      100.0000  prog                     prog                     work(int, char) [self]
  50       50.0000  vmlinux-6.1              prog                     sys_read
-------------------------------------------------------------------------------
  60      100.0000  prog                     prog                     work(int, char)
50       50.0000  vmlinux-6.1              prog                     sys_read
  50      100.0000  vmlinux-6.1              prog                     sys_read [self]
-------------------------------------------------------------------------------
  5       50.0000  prog                     prog                     main
  5       50.0000  prog                     prog                     main
10       10.0000  prog                     prog                     main
  10      100.0000  prog                     prog                     main [self]
-------------------------------------------------------------------------------
END
"$stackvis" oprofile collapsed < in
"$stackvis" oprofile tree < in | head -1
