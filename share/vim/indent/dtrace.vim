" SPDX-License-Identifier: Apache-2.0
" Indentation of D scripts: that of C inside of braces; outside, descriptions and predicates
" stay at the margin although nothing ends them.

if exists("b:did_indent")
  finish
endif
let b:did_indent = 1

setlocal indentexpr=DtraceIndent(v:lnum)
setlocal indentkeys=0{,0},0),0#,!^F,o,O,e,0/

let b:undo_indent = "setlocal indentexpr< indentkeys<"

if exists("*DtraceIndent")
  finish
endif

function! s:IsText()
  return synIDattr(synID(line('.'), col('.'), 1), 'name') =~# 'Comment\|String\|Character'
endfunction

function! DtraceIndent(lnum)
  call cursor(a:lnum, 1)
  let is_comment = synIDattr(synID(a:lnum, 1, 1), 'name') =~# 'Comment'
  if is_comment || getline(a:lnum) =~# '^\s*#'
    return is_comment ? cindent(a:lnum) : 0
  endif
  if !searchpair('{', '', '}', 'bnW', 's:IsText()')
    return 0
  endif
  return cindent(a:lnum)
endfunction
