# Arguments of io, as users see them.
"$dtrace" -lvn 'io:::start, io:::done' | sed 's/^ *[0-9]* //'
