# vim knows D scripts by their contents, colours each thing as what it is, and completes.
. "$suite/lib.sh"
not_in_guests
mkdir bin && ln -s "$dtrace" bin/dtrace
export PATH=$PWD/bin:$PATH LC_ALL=C.UTF-8

cat > rc.vim <<END
set nocompatible noswapfile
set runtimepath^=$suite/../share/vim
filetype plugin indent on
syntax on
END
cat > known.d <<'END'
#!/usr/sbin/dtrace -s
#pragma D option quiet
/* syscall::read:entry */
self int start;
syscall::read:entry,
pid$target:libc.so.6:malloc:
/execname == "sshd" && arg0 / 2 == $target/
{
	self->start = timestamp;
	@bytes[pid, `jiffies] = quantize(args[0]->b_bcount);
	if (curthread->pid)
		printf("%d\n", (int)'a');
}
END
printf 'import std.stdio;\nvoid main() { writeln("D"); }\n' > other.d
# names as dtrace knows them; a word that is a keyword, too, is one
dtrace --complete -n 'BEGIN { ' | cut -f1 | grep '($' | grep -v ' return($' | sed 's/$/ }/' > dtraceFunction.d
dtrace --complete -n 'BEGIN { @a = ' | cut -f1 | sed 's/$/ }/' > dtraceAggregate.d
printf 'BEGIN { %s }\n' execname pid tid probefunc timestamp curpsinfo errno walltimestamp > dtraceVariable.d
[ "$(wc -l < dtraceFunction.d)" -gt 50 ] && [ "$(wc -l < dtraceAggregate.d)" -gt 5 ] || echo "few names"
cat > look.vim <<'END'
let out = []
function! Group(line, column)
  return synIDattr(synID(a:line, a:column, 1), 'name')
endfunction
function! See(line, pattern)
  call add(g:out, a:pattern . ': ' . Group(a:line, match(getline(a:line), a:pattern) + 1))
endfunction
try
  edit known.d
  call add(out, &filetype)
  for [line, word] in [[1, '#!'], [2, 'pragma'], [2, 'option'], [3, 'read'], [4, 'self'], [4, 'int'], [5, 'read'], [6, 'malloc'],
        \ [7, 'execname'], [7, 'sshd'], [7, 'arg0'], [7, '2'], [7, '$target'], [9, 'start'], [9, 'timestamp'], [10, '@bytes'],
        \ [10, 'pid'], [10, 'jiffies'], [10, 'quantize'], [10, 'args'], [10, 'b_bcount'], [11, 'if'], [11, 'pid'], [12, 'printf'],
        \ [12, '%d'], [12, 'int)'], [12, "'a'"]]
    call See(line, word)
  endfor
  normal gg=G
  call add(out, 'indentation: ' . (&modified ? 'changed' : 'stays'))
  for group in ['dtraceFunction', 'dtraceAggregate', 'dtraceVariable']
    execute 'edit! ' . group . '.d'
    for line in range(1, line('$'))
      let [word, start, end] = matchstrpos(getline(line), '\w\+\((\)\? }$')
      if Group(line, start + 1) !=# group
        call add(out, word . ' is ' . Group(line, start + 1))
      endif
    endfor
  endfor
  edit! known.d
  call setline(14, 'BEGIN { trace(curthread->real_par')
  call cursor(14, 1)
  execute "normal A\<C-x>\<C-o>"
  call add(out, getline(14))
  edit! other.d
  call add(out, 'other.d: ' . &filetype)
  " a brace that is not closed where it should be is open at the end of the file
  for file in readfile('scripts')
    execute 'edit!' file
    if &filetype !=# 'dtrace'
      call add(out, file . ' is ' . &filetype)
    endif
    normal G$
    let stack = map(synstack(line('$'), col('$') - 1), 'synIDattr(v:val, "name")')
    if len(stack) > 1
      call add(out, file . ' ends in ' . join(stack))
    endif
  endfor
catch
  call add(out, v:exception . ' at ' . v:throwpoint)
endtry
call writefile(out + [v:errmsg], 'out')
qall!
END
{
	ls "$suite"/../examples/*.d "$suite"/../toolkit/*.d
	grep -l '^#!.*dtrace' "$suite"/../toolkit/*
} | sort -u > scripts
[ "$(wc -l < scripts)" -gt 100 ] || echo "few scripts"
timeout 200 vim -N -u rc.vim -i NONE -es -S look.vim < /dev/null
cat out
