# The environment of the command: -x and #pragma alike, from the command line and from a script; not from a comment.
"$dtrace" -qx setenv=A=1 -n '#pragma D option setenv=B=two=2
#pragma D option unsetenv=HOME
/* #pragma D option setenv=C=never
#pragma D option setenv=D=never */
BEGIN { n = 1; }' -c 'sh -c echo${IFS}"$A$B-$C$D-${HOME:-none}"'
cat > script.d <<'END'
#!/usr/sbin/dtrace -qs
#pragma D option quiet
#   pragma D option setenv=FROM=script
BEGIN { s = "/*"; }
#pragma D option setenv=ALSO=later
END { exit(s == "/*" ? 3 : 4); }
END
"$dtrace" -s script.d -c 'printenv FROM ALSO'
echo "status $?"
