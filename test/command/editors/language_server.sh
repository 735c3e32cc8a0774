# Editors that are set up as doc/lsp.md says show what the language server finds.
# @once: it is about a document
. "$suite/lib.sh"
not_in_guests
for editor in nvim vim emacs; do
	command -v $editor > /dev/null || skip "no $editor here"
done
mkdir bin && ln -s "$dtrace" "${dtrace%/*}/dtrace-lsp" bin
export PATH=$PWD/bin:$PATH TERM=xterm
printf '#!/usr/sbin/dtrace -s\nBEGIN\n{\n\ttrace(execnam);\n}\n' > wrong.d

# The block of an editor.
set_up() {
	awk -v name="$1" '/^<!-- set-up: / { is_wanted = $3 == name; next }
		is_wanted && /^    / { sub(/^    /, ""); print; was = 1; next }
		was && is_wanted && NF { exit }' "$suite/../doc/lsp.md"
}

echo "neovim"
{
	echo "vim.opt.runtimepath:prepend('$suite/../share/vim')"
	set_up neovim
	echo "vim.cmd('filetype plugin on')"
} > init.lua
cat > look.lua <<'LUA'
vim.wait(120000, function() return #vim.diagnostic.get(0) > 0 end, 50)
for _, found in ipairs(vim.diagnostic.get(0)) do print(found.lnum + 1, found.col + 1, found.message) end
vim.cmd('qa!')
LUA
nvim --headless -u init.lua wrong.d -c 'luafile look.lua' 2>&1 | tr -s ' \t\r' ' '
echo

echo "vim"
{
	echo "set nocompatible noswapfile"
	echo "set runtimepath^=$suite/../share/vim"
	set_up vim
	echo "filetype plugin on"
} > vimrc
cat > look.vim <<'VIM'
for i in range(2400)
  if len(getloclist(0)) | break | endif
  sleep 50m
endfor
call writefile(map(getloclist(0), 'v:val.lnum . " " . v:val.col . " " . v:val.text'), 'said')
qa!
VIM
vim -u vimrc -S look.vim wrong.d < /dev/null > screen 2>&1
cat said

echo "emacs"
set_up emacs > init.el
cat > look.el <<'LISP'
(find-file "wrong.d")
(setq eglot-sync-connect t)
(apply #'eglot (eglot--guess-contact))
(let ((n 0))
  (while (and (< n 2400) (null (flymake-diagnostics)))
    (accept-process-output nil 0.05)
    (setq n (1+ n))))
(dolist (found (flymake-diagnostics))
  (message "found: %d %s" (line-number-at-pos (flymake-diagnostic-beg found)) (flymake-diagnostic-text found)))
(kill-emacs)
LISP
emacs --batch --eval '(package-initialize)' -l init.el -l look.el 2> messages
sed -n 's/^found: //p' messages
