; SPDX-License-Identifier: Apache-2.0
; Colours for D scripts.  A later pattern counts where two match.

(comment) @comment
(directive) @preproc
(string) @string
(character) @string
(number) @number
(macro) @constant.macro

(description) @label
(member) @property
(identifier) @variable
(symbol) @variable
(aggregation) @variable.special
(scope) @variable.builtin
(call function: (identifier) @function)
((call function: (identifier) @function.builtin)
  (#match? @function.builtin "^(count|sum|avg|min|max|stddev|quantize|lquantize|llquantize)$"))
((identifier) @variable.builtin
  (#match? @variable.builtin "^(arg[0-9]|args|pid|ppid|tid|uid|gid|execname|probe(prov|mod|func|name)|v?timestamp|walltimestamp|cur(thread|psinfo|lwpsinfo|cpu)|cpu|errno|jthis|caller|ucaller|stackdepth|ustackdepth|cwd|root|zonename)$"))

(primitive_type) @type.builtin
(qualifier) @keyword
(type_name) @type
(struct_type tag: (identifier) @type)
(enum_type tag: (identifier) @type)
(description (identifier) @label)

["if" "else" "while" "do" "for" "break" "continue" "return"] @keyword.control
["inline" "translator" "provider" "probe" "typedef" "extern" "static" "struct" "union" "enum"] @keyword
["sizeof" "stringof" "offsetof" "xlate"] @keyword.operator
["{" "}" "(" ")" "[" "]"] @punctuation.bracket
[";" "," "." "->"] @punctuation.delimiter
