# The case study's commands print what it shows, with a server of their own (part 2 of 2).
# @once: the guide is about what people install, not about a build or a kernel
# @timeout: 600
. "$suite/mariadb.sh"
printf '[client]\nuser=root\nsocket=%s\n' "$data/s" > "$HOME/.my.cnf"
python3 "$suite/guide.py" --dtrace "$dtrace" --part 2/2 --replace "\$(pidof mariadbd)=$server" "$suite/../doc/guide/database.md"
