" SPDX-License-Identifier: Apache-2.0
" Syntax of D scripts (dtrace(8)).
"
" A program is clauses and declarations.  What is inside braces and predicates is coloured as
" statements, what is outside as descriptions of probes, because the same characters mean
" something else there: `read` is a name of a probe here and a variable there.

if exists("b:current_syntax")
  finish
endif

let s:keepcpo = &cpo
set cpo&vim

syn case match
syn sync minlines=200

" ------------------------------------------------------------- program scope
syn keyword dtraceKeyword inline translator provider typedef extern static probe
syn match   dtraceKeyword "\<\(self\|this\)\>"
syn keyword dtraceType char short int long float double void signed unsigned const volatile
syn keyword dtraceType restrict string struct union enum userland
syn match   dtraceType "\<\h\w*_t\>"
syn match   dtraceNumber "\<\(0x\x\+\|\d\+\)[uUlL]*\>"
syn match   dtraceProbe "\<\(BEGIN\|END\|ERROR\)\>"
syn match   dtraceProbe "\<\(tick\|profile\)-[0-9$]\w*"
syn match   dtraceProbe "[A-Za-z0-9_$*?.!+-]*\(:[A-Za-z0-9_$*?.\[\]!+`\\-]*\)\+"
syn region  dtracePredicate matchgroup=dtraceDelimiter start="/[/*]\@!" end="/\ze\_s*\({\|/\*\|//\|;\|\%$\)" contains=@dtraceExpression
syn region  dtraceBlock matchgroup=dtraceDelimiter start="{" end="}" contains=@dtraceExpression,dtraceBlock fold

" ------------------------------------------------------------------ anywhere
syn match   dtraceComment "//.*$" contains=dtraceTodo,@Spell
syn region  dtraceComment start="/\*" end="\*/" contains=dtraceTodo,@Spell
syn keyword dtraceTodo contained TODO FIXME XXX
syn region  dtracePragma start="^\s*#" skip="\\$" end="$" contains=dtraceComment,dtraceString,dtracePragmaWord keepend
syn match   dtraceInterpreter "\%^#!.*$"
syn keyword dtracePragmaWord contained option parameter operand usage attributes binding depends_on error
syn region  dtraceString start=+"+ skip=+\\\\\|\\"+ end=+"+ oneline contains=dtraceEscape,dtraceFormat
syn match   dtraceEscape contained "\\\(\o\{1,3}\|x\x\+\|.\)"
syn match   dtraceFormat contained "%[-+ #0@']*\(\d\+\|\*\)\?\(\.\(\d\+\|\*\)\)\?\(hh\|h\|ll\|l\|L\|w\)\?[aAcCdDeEfFgGikKnopPsSTuUwxXY%@]"
syn match   dtraceCharacter contained "'\(\\.\|[^'\\]\)*'"
syn match   dtraceMacro "\$\$\?\w\+"

" ---------------------------------------------------- statements, predicates
syn cluster dtraceExpression contains=dtraceComment,dtracePragma,dtraceString,dtraceCharacter,dtraceNumber,dtraceType,dtraceKeyword,dtraceStatement,dtraceFunction,dtraceAggregate,dtraceVariable,dtraceMacro,dtraceAggregation,dtraceScope,dtraceSymbol,dtraceMember
syn keyword dtraceStatement contained if else for while do break continue return sizeof stringof offsetof xlate
syn keyword dtraceFunction contained alloca basename bcopy breakpoint chill cleanpath clear commit
syn keyword dtraceFunction contained copyin copyinstr copyinto copyout copyoutstr d_path ddi_pathname
syn keyword dtraceFunction contained denormalize dirname discard exit freopen ftruncate func getf
syn keyword dtraceFunction contained getmajor getminor htonl htonll htons index inet_ntoa inet_ntoa6
syn keyword dtraceFunction contained inet_ntop json jstack link_ntop lltostr memref memstr mod msgdsize
syn keyword dtraceFunction contained msgsize mutex_owned mutex_owner mutex_type_adaptive
syn keyword dtraceFunction contained mutex_type_spin normalize ntohl ntohll ntohs panic pcap pidresume
syn keyword dtraceFunction contained print printa printf printm progenyof raise rand rindex rw_iswriter
syn keyword dtraceFunction contained rw_read_held rw_write_held setopt speculate speculation stack stop
syn keyword dtraceFunction contained strchr strjoin strlen strrchr strstr strtok strtoll substr sym
syn keyword dtraceFunction contained system tolower toupper trace tracemem trunc uaddr ufunc umod
syn keyword dtraceFunction contained ustack usym
syn keyword dtraceAggregate contained avg count llquantize lquantize max min quantize stddev sum
syn keyword dtraceVariable contained args caller cgroupid cgroupname chip cpu cpucycles cpuinstrs
syn keyword dtraceVariable contained curcpu curlwpsinfo curpsinfo curthread cwd dispatchqaddr epid
syn keyword dtraceVariable contained errno execargs execname fds gid hostpid hosttid id ipl jailname
syn keyword dtraceVariable contained jid jthis lgrp machctimestamp machtimestamp nspid nstid pid ppid
syn keyword dtraceVariable contained probefunc probemod probename probeprov pset root stackdepth
syn keyword dtraceVariable contained threadname tid timestamp ucaller uid uregs ustackdepth vcycles
syn keyword dtraceVariable contained vinstrs vmregs vtimestamp walltimestamp zonename
syn match   dtraceVariable contained "\<arg\d\>"
" a member is nothing of the above, whatever its name
syn match   dtraceMember contained "\(->\|\.\)\s*\h\w*"
syn match   dtraceScope contained "\<\(self\|this\)\s*->\s*\h\w*"
syn match   dtraceAggregation contained "@\h\?\w*"
syn match   dtraceSymbol contained "\(\h[0-9A-Za-z_.]*\)\?`\+\h\w*"

" ------------------------------------------------------------------- colours
hi def link dtraceComment     Comment
hi def link dtraceTodo        Todo
hi def link dtraceInterpreter PreProc
hi def link dtracePragma      PreProc
hi def link dtracePragmaWord  Keyword
hi def link dtraceString      String
hi def link dtraceEscape      SpecialChar
hi def link dtraceFormat      SpecialChar
hi def link dtraceCharacter   Character
hi def link dtraceNumber      Number
hi def link dtraceKeyword     Keyword
hi def link dtraceType        Type
hi def link dtraceProbe       Label
hi def link dtraceDelimiter   Delimiter
hi def link dtraceStatement   Statement
hi def link dtraceFunction    Function
hi def link dtraceAggregate   Function
hi def link dtraceVariable    Identifier
hi def link dtraceScope       Identifier
hi def link dtraceMacro       Macro
hi def link dtraceAggregation Identifier
hi def link dtraceSymbol      Special

let b:current_syntax = "dtrace"
let &cpo = s:keepcpo
unlet s:keepcpo
