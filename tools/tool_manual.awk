# SPDX-License-Identifier: Apache-2.0
# The manual page of a tool, from the script itself: its first comment and the pragmas of
# its parameters.  `awk -f tools/tool_manual.awk toolkit/opensnoop > opensnoop.8`
#
# The comment begins with "name - what it shows"; paragraphs follow.  A line of capital
# letters begins a section, in which "<tab>term<tab>text" is an entry and
# "<tab><tab>text" continues it.  A tool that is a shell script has the same after "# ",
# and its options are such a section.

function escape(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	sub(/^[.']/, "\\\\\\&&", text)
	return text
}

# Words in lines that are not too long.
function put(text,    words, n, i, line)
{
	n = split(text, words, " ")
	line = ""
	for (i = 1; i <= n; i++) {
		if (line != "" && length(line) + length(words[i]) > 70) {
			print escape(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") words[i]
	}
	if (line != "")
		print escape(line)
}

function put_entry()
{
	if (term == "")
		return
	print ".TP\n.B " escape(term)
	put(entry)
	term = entry = ""
}

function placeholder(type)
{
	return type == "bool" ? "" : "\\fI" type "\\fR"
}

# #pragma D parameter NAME [-L] TYPE [= DEFAULT] "help", #pragma D operand NAME TYPE ...
function take_parameter(line,    words, n, at, help, value)
{
	n = split(line, words, /[ \t]+/)
	names[++count] = words[4]
	is_operand[count] = words[3] == "operand"
	operands += is_operand[count]
	gsub(/_/, "-", names[count])
	at = 5
	if (words[at] ~ /^-/)
		letters[count] = substr(words[at++], 2, 1)
	types[count] = words[at++]
	if (words[at] == "=") {
		value = words[at + 1]
		gsub(/"/, "", value)
		presets[count] = value
		has_preset[count] = 1
	}
	match(line, /"[^"]*"[ \t]*$/)
	help = substr(line, RSTART + 1)
	sub(/"[ \t]*$/, "", help)
	helps[count] = help
}

# [interval [count]]: what can be left out, with what follows it
function print_operands(    i, line, close_all)
{
	for (i = 1; i <= count; i++) {
		if (!is_operand[i])
			continue
		line = line (line == "" ? "" : " ") (has_preset[i] ? "[" : "") "\\fI" names[i] "\\fR"
		close_all = close_all (has_preset[i] ? "]" : "")
	}
	if (line != "")
		print line close_all
}

function default_of(i)
{
	return presets[i] != "" && presets[i] != "0" && presets[i] != "off" ? " (default: " presets[i] ")" : ""
}

function print_head(    i, word, line)
{
	printf ".\\\" Made of the script.\n.TH %s 8 \"2026-11-18\" \"dtrace\" \"Toolkit\"\n", toupper(name)
	# the last word is for `man -k dtrace`
	line = escape(name) " \\- " escape(what) (length(name what) > 62 ? "\n" : " ") "(dtrace)"
	print ".SH NAME\n" line
	print ".SH SYNOPSIS\n.B " escape(name)
	for (i = 1; i <= count; i++) {
		if (is_operand[i])
			continue
		word = letters[i] != "" ? "\\fB\\-" letters[i] "\\fR" : "\\fB\\-\\-" escape(names[i]) "\\fR"
		if (types[i] != "bool")
			word = word " " placeholder(types[i])
		print (has_preset[i] || types[i] == "bool" ? "[" word "]" : word)
	}
	if (has_options)
		print "[\\fIoption\\fR ...]"
	print_operands()
	print ".SH DESCRIPTION"
}

function print_options(    i, head)
{
	if (operands)
		print ".SH OPERANDS"
	for (i = 1; i <= count; i++)
		if (is_operand[i]) {
			print ".TP\n.I " names[i]
			put(helps[i] default_of(i))
		}
	if (!count)
		return
	print ".SH OPTIONS"
	for (i = 1; i <= count; i++) {
		if (is_operand[i])
			continue
		head = letters[i] != "" ? "\\fB\\-" letters[i] "\\fR, " : ""
		head = head "\\fB\\-\\-" escape(names[i]) "\\fR"
		if (types[i] != "bool")
			head = head " " placeholder(types[i])
		print ".TP\n" head
		put(helps[i] default_of(i))
	}
	print ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint this in short and exit"
}

NR == 1 { is_shell = /sh$/ }
is_shell && NR > 2 && !/^#/ { is_done = 1 }
is_shell && NR > 2 && !is_done {
	sub(/^# ?/, "")
	if (lines || $0 != "")
		text[++lines] = $0
	has_options = has_options || $0 == "OPTIONS"
	next
}
!is_shell && /^#pragma D (parameter|operand)/ { take_parameter($0) }
/^\/\*$/ && !is_done { is_inside = 1; next }
/^ \*\/$/ && is_inside { is_inside = 0; is_done = 1 }
is_inside { sub(/^ \*[ ]?/, ""); text[++lines] = $0 }

END {
	split(text[1], title, " - ")
	name = title[1]
	what = title[2]
	if (name == "" || what == "") {
		print FILENAME ": its first comment does not begin with \"name - what it shows\"" > "/dev/stderr"
		exit 1
	}
	print_head()
	for (i = 2; i <= lines; i++) {
		line = text[i]
		if (line ~ /^[A-Z][A-Z ]+$/) {
			put(paragraph)
			put_entry()
			paragraph = ""
			if (!is_in_section)
				print_options()
			is_in_section = 1
			print ".SH " line
		} else if (line ~ /^\t\t/) {
			sub(/^\t+/, "", line)
			entry = entry " " line
		} else if (line ~ /^\t/) {
			put_entry()
			tab = index(substr(line, 2), "\t")
			term = tab ? substr(line, 2, tab - 1) : substr(line, 2)
			entry = tab ? substr(line, tab + 2) : ""
			sub(/^\t+/, "", entry)
		} else if (line == "") {
			put(paragraph)
			put_entry()
			if (paragraph != "" && text[i + 1] !~ /^[A-Z][A-Z ]+$/ && i < lines)
				print ".PP"
			paragraph = ""
		} else
			paragraph = paragraph " " line
	}
	put(paragraph)
	put_entry()
	if (!is_in_section)
		print_options()
	print ".SH SEE ALSO\n.BR dtrace (8)"
}
