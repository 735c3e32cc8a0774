# Pointers marked as user memory: members, bit-fields, arrays and what they point to are read from the process,
# through variables of every class; a bad one is a fault.
cat > chain.py <<'END'
import ctypes
class Link(ctypes.Structure): pass
Link._fields_ = [("x", ctypes.c_int), ("flags", ctypes.c_uint, 3), ("kind", ctypes.c_uint, 29),
                 ("name", ctypes.c_char * 16), ("text", ctypes.c_char_p), ("next", ctypes.POINTER(Link))]
second = Link(22, 5, 17, b"second", b"text of the second", None)
first = Link(11, 3, 9, b"first", b"text of the first", ctypes.pointer(second))
ctypes.CDLL(None).syscall(110, ctypes.byref(first), 123456)     # getppid, which takes no arguments
END
cat > chain.d <<'END'
struct link { int x; unsigned flags : 3, kind : 29; char name[16]; char *text; struct link *next; };
syscall::getppid:entry
/pid == $target && arg1 == 123456/
{
	this->p = (userland struct link *)arg0;
	printf("%d %d %d %s\n", this->p->x, this->p->flags, this->p->kind, this->p->name);
	printf("%s\n", stringof(this->p->text));
	printf("%d %d %s\n", this->p->next->x, this->p->next->kind, this->p->next->name);
	printf("%s, %c%c\n", stringof(this->p->next->text), this->p->name[0], this->p->text[5]);
	printf("%d %d\n", *(userland int *)arg0, ((userland int *)arg0)[0]);
	printf("%d\n", sizeof (*this->p));
	g = this->p->next;
	self->q = this->p->next;
	self->text = this->p->text;
	a[1] = this->p->next;
	found = 1;
}
syscall::getppid:return
/found && pid == $target/
{
	printf("%d %d %d %s\n", g->x, self->q->x, a[1]->kind, stringof(self->text));
	self->q = 0;
	self->text = 0;
	a[1] = 0;
}
syscall::getppid:return /found && pid == $target/ { printf("not seen %d\n", g->next->x); }
syscall::getppid:return /found && pid == $target/ { printf("not seen %d\n", *(userland int *)8); }
syscall::getppid:return /found && pid == $target/ { printf("not seen %d\n", *(int *)g); }
syscall::getppid:return /found && pid == $target/ { found = 0; printf("end\n"); }
dtrace:::ERROR { printf("fault %d\n", arg4); }
END
"$dtrace" -qs chain.d -c 'python3 chain.py' 2> /dev/null
