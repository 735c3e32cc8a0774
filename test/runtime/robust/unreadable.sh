# An unreadable script gives one clear message.
"$dtrace" -s nosuchfile.d; echo $?
mkdir dir.d; "$dtrace" -s dir.d; echo $?
