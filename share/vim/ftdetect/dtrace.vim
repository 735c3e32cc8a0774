" SPDX-License-Identifier: Apache-2.0
" D scripts: what dtrace runs, and *.d with clauses.  The other language with that suffix has
" neither such pragmas nor descriptions of probes.

function! s:Detect()
  for line in getline(1, 200)
    if line =~# '^\s*#\s*pragma\s\+D\>'
          \ || line =~# '^[A-Za-z0-9_$*?.-]*:[^: ]*:[^: ]*:[^:/ ]*\s*\([,{/]\|$\)'
          \ || line =~# '^\(BEGIN\|END\|ERROR\|\(tick\|profile\)-\w\+\)\s*\([,{/]\|$\)'
          \ || line =~# '^translator\s'
      set filetype=dtrace
      return
    endif
  endfor
endfunction

autocmd BufNewFile,BufRead *.d call s:Detect()
autocmd BufNewFile,BufRead * if getline(1) =~# '^#!.*\<dtrace\>' | set filetype=dtrace | endif
