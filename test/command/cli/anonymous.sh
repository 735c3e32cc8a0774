# There is no anonymous tracing: what -A and -a say.
"$dtrace" -A -n BEGIN; echo $?
"$dtrace" -a -n BEGIN; echo $?
"$dtrace" -x grabanon -n BEGIN; echo $?
