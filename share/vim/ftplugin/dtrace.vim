" SPDX-License-Identifier: Apache-2.0
" Editing D scripts: comments, :make, which compiles without tracing, and completion.

if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal comments=s1:/*,mb:*,ex:*/,://
setlocal commentstring=/*\ %s\ */
setlocal formatoptions-=t formatoptions+=croql
setlocal iskeyword=@,48-57,_
setlocal makeprg=dtrace\ -e\ -s\ %:S
setlocal errorformat=dtrace:\ failed\ to\ compile\ script\ %f:\ line\ %l:\ %m
setlocal omnifunc=DtraceComplete

let b:undo_ftplugin = "setlocal comments< commentstring< formatoptions< iskeyword< makeprg< errorformat< omnifunc<"

if exists("*DtraceComplete")
  finish
endif

" A candidate is the line up to the word that is meant.
function! s:Candidate(line, base)
  let parts = split(a:line, "\t", 1)
  let word = matchstr(parts[0], '\w*\([(:[]\|->\)\?$')
  if word ==# '' || stridx(word, a:base) != 0
    return []
  endif
  return [{'word': word, 'menu': get(parts, 1, '')}]
endfunction

" <C-x><C-o> asks dtrace(8), which gets the text up to the cursor.
function! DtraceComplete(findstart, base)
  let before = strpart(getline('.'), 0, col('.') - 1)
  if a:findstart
    return match(before, '\w*$')
  endif
  let text = join(getline(1, line('.') - 1) + [before . a:base], "\n")
  let found = []
  for line in systemlist('dtrace --complete -n ' . shellescape(text) . ' 2>/dev/null')
    let found += s:Candidate(line, a:base)
  endfor
  return found
endfunction
