# SPDX-License-Identifier: Apache-2.0
# Completion of dtrace(8) and its tools for fish.  `dtrace --complete` knows the candidates,
# and prints them as fish wants them: a word, a tab, what it is.
#
# Under the name of a tool this file completes that tool.  For a script of your own:
#	complete -c slower.d -a '(__dtrace_candidates tool)'

function __dtrace_candidates
    set -l words (commandline -opc)
    set -l last (commandline -ct | string collect)

    # a candidate of several lines cannot be told to fish
    string match -q \*\n\* -- $last; and return
    # without its open quote, which fish takes care of
    if string match -q "'*" -- $last
        set last (string sub -s 2 -- $last)
    else if string match -q '"*' -- $last
        set last (string sub -s 2 -- $last | string replace -ra '\\\\([\\\\$"])' '$1')
    else
        set last (string unescape -- $last; or echo -- $last)
    end
    if test "$argv[1]" = tool
        dtrace --complete-for $words "$last" 2>/dev/null
    else
        $words[1] --complete $words[2..] "$last" 2>/dev/null
    end
end

set -l name (string replace -r '.*/(.*)\.fish$' '$1' -- (status filename))
if test $name = dtrace
    complete -c dtrace -a '(__dtrace_candidates)'
else
    complete -c $name -a '(__dtrace_candidates tool)'
end
