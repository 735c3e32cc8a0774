# DTrace for Linux.  `make` builds, `make demo` shows, `make check` proves.
# See README.md; targets that install or need root call sudo themselves.

CC       ?= gcc
BUILD    ?= build
PREFIX   ?= /usr
DESTDIR  ?=
CFLAGS   ?= -O2 -g
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
CPPFLAGS += -D_GNU_SOURCE -Isrc -I. -Iinclude -I$(BUILD)/gen
ALL_CFLAGS = -std=gnu11 -fPIC $(WARN) $(CFLAGS)
LDLIBS   :=

LIBRARY  := $(wildcard bpf/*.bpf.c)
ROOMS    := base btf lang ir bpf probe provider builtin agg out proc usdt run api
LIB_SRCS := $(filter-out %_test.c,$(wildcard $(ROOMS:%=src/%/*.c)))
TOOLS    := plockstat lockstat intrstat
LOCKSTAT := $(wildcard cmd/lockstat_*.c)
CMD_SRCS := $(filter-out cmd/tool.c $(TOOLS:%=cmd/%.c) $(LOCKSTAT),$(wildcard cmd/*.c))
LIB_OBJS := $(filter-out %/proc/demangle.o,$(LIB_SRCS:%.c=$(BUILD)/%.o)) \
            $(BUILD)/gen/demangle.o $(BUILD)/gen/libraries.o $(BUILD)/gen/site.o \
            $(LIBRARY:%.c=$(BUILD)/%.native.o) $(BUILD)/gen/library.o
CMD_OBJS := $(CMD_SRCS:%.c=$(BUILD)/%.o)

all: $(BUILD)/dtrace $(TOOLS:%=$(BUILD)/%) $(BUILD)/libdtrace.so $(BUILD)/include/sys/sdt.h

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# With what it needs of libiberty inside, so that nobody has to link that.
$(BUILD)/gen/demangle.o: $(BUILD)/src/proc/demangle.o
	@mkdir -p $(@D)
	$(LD) -r -o $@.tmp $< $$($(CC) -print-file-name=libiberty.a)
	objcopy -G demangle -G demangle_short -G is_mangled $@.tmp $@
	rm $@.tmp

# Names of the system calls, from the headers of the machine that builds.
$(BUILD)/gen/syscall_names.h: tools/syscalls.sh
	@mkdir -p $(@D)
	tools/syscalls.sh $(CC) > $@.tmp
	mv $@.tmp $@

$(BUILD)/src/provider/syscall_table.o: $(BUILD)/gen/syscall_names.h

# What -V -v says of where this comes from.  Touched only when that changes: not
# by `sudo make install`, for whom git does not speak.
$(BUILD)/gen/revision.h: FORCE
	@mkdir -p $(@D)
	@id=$$(git rev-parse --verify HEAD 2>/dev/null) || id=unknown; \
	if test ! -e $@ || { test $$id != unknown && ! grep -q $$id $@; }; then \
		echo "#define REVISION \"$$id\"" > $@.tmp && mv $@.tmp $@; \
	fi

FORCE:

$(BUILD)/src/api/handle.o: $(BUILD)/gen/revision.h

# D libraries become a C array, with the names that each defines.
HOSTCC ?= $(CC)

$(BUILD)/embed: tools/embed.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=gnu11 $(WARN) -O1 -o $@ $<

$(BUILD)/gen/libraries.c: $(BUILD)/embed $(wildcard dlib/*.d)
	@mkdir -p $(@D)
	$(BUILD)/embed $(sort $(wildcard dlib/*.d)) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/libraries.o: $(BUILD)/gen/libraries.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# The macros of a probe site become a text that -h begins its headers with;
# <sys/sdt.h> is the same and the names that programs without a .d file use.
$(BUILD)/gen/site.c: src/usdt/site.h
	@mkdir -p $(@D)
	( echo 'extern const char usdt_site_text[];'; \
	  echo 'const char usdt_site_text[] ='; \
	  sed '1{/SPDX/d}; s/\\/\\\\/g; s/"/\\"/g; s/^/\t"/; s/$$/\\n"/' $<; \
	  echo ';' ) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/site.o: $(BUILD)/gen/site.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

$(BUILD)/include/sys/sdt.h: src/usdt/site.h src/usdt/compat.h
	@mkdir -p $(@D)
	sed '/SPDX-License-Identifier/d' $^ > $@.tmp
	mv $@.tmp $@

# The run-time library: for BPF, as a C table, and natively for the interpreter.
CLANG     ?= clang
BPF_FLAGS := -target bpf -mcpu=v3 -O2 -std=gnu11 -ffreestanding -Wall -Wextra -Wshadow

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c $(wildcard bpf/*.h) bpf/functions.def
	@mkdir -p $(@D)
	$(CLANG) $(BPF_FLAGS) -c $< -o $@

$(BUILD)/bpf/%.bpf.native.o: bpf/%.bpf.c $(wildcard bpf/*.h) bpf/functions.def
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

$(BUILD)/bpfembed: tools/bpfembed.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=gnu11 $(WARN) -O1 -o $@ $<

$(BUILD)/gen/library.c: $(BUILD)/bpfembed $(LIBRARY:%.c=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(BUILD)/bpfembed $(sort $(LIBRARY:%.c=$(BUILD)/%.o)) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/library.o: $(BUILD)/gen/library.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

$(BUILD)/libdtrace.a: $(LIB_OBJS)
	@rm -f $@
	$(AR) rcs $@ $^

# Programs are linked with libdtrace.so and ask for its soname when they run.
$(BUILD)/libdtrace.so.1: $(LIB_OBJS)
	$(CC) -shared -Wl,-soname,$(@F) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libdtrace.so: $(BUILD)/libdtrace.so.1
	ln -sf $(<F) $@

$(BUILD)/dtrace: $(CMD_OBJS) $(BUILD)/libdtrace.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Commands made of the library's public interface alone.
$(BUILD)/lockstat: $(LOCKSTAT:%.c=$(BUILD)/%.o)
$(TOOLS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/cmd/%.o $(BUILD)/cmd/tool.o $(BUILD)/cmd/streams.o $(BUILD)/cmd/signals.o $(BUILD)/libdtrace.a
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)

# ------------------------------------------------------------- unit tests
# Beside the code: src/<room>/<file>_test.c, one program each.

TEST_SRCS := $(wildcard $(ROOMS:%=src/%/*_test.c))
TESTS     := $(TEST_SRCS:src/%.c=$(BUILD)/unit/%)

$(BUILD)/unit/%: src/%.c $(BUILD)/libdtrace.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(BUILD)/libdtrace.a $(LDLIBS) -lcmocka

unit-tests: $(TESTS)

# Small programs that golden tests trace.
TRIGGERS := $(patsubst test/triggers/%.c,$(BUILD)/triggers/%,$(wildcard test/triggers/*.c)) \
            $(patsubst test/triggers/%.cc,$(BUILD)/triggers/%,$(wildcard test/triggers/*.cc))

$(BUILD)/triggers/%: test/triggers/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -o $@ $< -pthread $(TRIGGER_FLAGS)

$(BUILD)/triggers/makes $(BUILD)/triggers/jit: test/triggers/frameless.h

# Starts a thousand times, also where that is slow.
$(BUILD)/triggers/spawn: TRIGGER_FLAGS = -static
$(BUILD)/triggers/hold: TRIGGER_FLAGS = -lbpf

# A library, and a program without frame pointers and symbols.
$(BUILD)/triggers/%.so: test/triggers/%.so.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -O2 -fomit-frame-pointer -shared -fPIC -Wall -Wextra -o $@ $< $(TRIGGER_FLAGS)

$(BUILD)/triggers/%: test/triggers/%.cc
	@mkdir -p $(@D)
	$(CXX) -O2 -fomit-frame-pointer -Wall -Wextra -o $@ $< $(TRIGGER_FLAGS)

$(BUILD)/triggers/deep: TRIGGER_FLAGS = -s
$(BUILD)/triggers/thrower: TRIGGER_FLAGS = -rdynamic
$(BUILD)/triggers/fibers: TRIGGER_FLAGS = -lboost_context
# Types are what these are for.
$(BUILD)/triggers/requests.so $(BUILD)/triggers/classes: TRIGGER_FLAGS = -g

triggers: $(TRIGGERS)

# Random D programs, in the kernel and in the interpreter.
PROGRAMS ?= 2000
SEED     ?= 1

$(BUILD)/differential: test/differential/driver.c $(BUILD)/libdtrace.a
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/libdtrace.a $(LDLIBS)

differential: $(BUILD)/differential
	$(SUDO) test/differential/differential.py --driver $(BUILD)/differential --programs $(PROGRAMS) --seed $(SEED)

# ------------------------------------------------------------------ fuzzing
# libFuzzer over D text (lexer, parser, checker), over files with USDT notes,
# over unwind tables, debugging information and Go's tables of functions.  `make fuzz SECONDS=3600`.
# The same inputs in the same order with FUZZ_SEED=n, others each time without.
# Numbers in the lines below: inputs a second (test/fuzz/length.sh).

SECONDS   ?= 600
FUZZ_SEED ?= 0
FUZZ_RUN := test/surroundings.py FUZZ_SEED=$(FUZZ_SEED)
FUZZ_OPT := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined

$(BUILD)/fuzz-d: test/fuzz/d_text.c $(LIB_SRCS)
	$(MAKE) BUILD=$(BUILD)/fuzz CC=clang CFLAGS="$(FUZZ_OPT)" $(BUILD)/fuzz/libdtrace.a
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/d_text.c $(BUILD)/fuzz/libdtrace.a $(LDLIBS)

$(BUILD)/fuzz-usdt: test/fuzz/usdt_note.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/usdt_note.c $(BUILD)/fuzz/libdtrace.a $(LDLIBS)

$(BUILD)/fuzz-unwind: test/fuzz/eh_frame.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/eh_frame.c $(BUILD)/fuzz/libdtrace.a $(LDLIBS)

$(BUILD)/fuzz-dwarf: test/fuzz/dwarf.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/dwarf.c $(BUILD)/fuzz/libdtrace.a $(LDLIBS)

$(BUILD)/fuzz-go: test/fuzz/go_functions.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/go_functions.c $(BUILD)/fuzz/libdtrace.a $(LDLIBS)

fuzz: fuzz-text fuzz-files

fuzz-text: $(BUILD)/fuzz-d
	$(FUZZ_RUN) test/fuzz/run.sh $(BUILD)/fuzz-d $(SECONDS) 400

fuzz-files: $(BUILD)/fuzz-usdt $(BUILD)/fuzz-unwind $(BUILD)/fuzz-dwarf $(BUILD)/fuzz-go \
            $(BUILD)/triggers/sites $(BUILD)/triggers/handler $(BUILD)/triggers/requests.so
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-usdt $$(($(SECONDS) / 5)) 20000 $(BUILD)/triggers/sites
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-unwind $$(($(SECONDS) / 5)) 40000 $(BUILD)/triggers/handler
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-dwarf $$(($(SECONDS) / 5)) 8000 $(BUILD)/triggers/requests.so whole
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-go $$(($(SECONDS) / 5)) 20000 $(BUILD)/triggers/handler

# --------------------------------------------------------------- long runs
# Programs that switch their stacks, with the tracer coming and going.
ATTACHES ?= 50

matrix: all triggers
	$(SUDO) test/run.py --env ATTACHES=$(ATTACHES) --jobs 1 --timeout 3600 pid/stack_switches pid/coroutines

# Nothing grows, nothing is left behind.  `make soak MINUTES=60`.

MINUTES ?= 10

soak: all triggers
	$(SUDO) test/soak.py --seconds $$(($(MINUTES) * 60))

# Every option with every sort of value; fewer with CASES=n, others with SEED=n.
CASES ?= 0

fuzz-options: $(BUILD)/dtrace
	$(SUDO) test/fuzz/options.py --dtrace $(BUILD)/dtrace --cases $(CASES) --seed $(SEED)

# Damaged object files and every command that reads them, with sanitizers.
# The same files with the same SEED.
FILES    ?= 600
SANITIZE := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer

mutate:
	$(MAKE) BUILD=$(BUILD)/sanitize CFLAGS="$(SANITIZE)" LDFLAGS="$(SANITIZE)" $(BUILD)/sanitize/dtrace
	$(SUDO) test/fuzz/mutate/mutate.py --dtrace $(BUILD)/sanitize/dtrace --files $(FILES) --seed $(SEED)

# ------------------------------------------------------------------- speed
# Ratios against hand-written libbpf programs and peers; see doc/speed.md.

HAND_PROGRAMS := $(patsubst bench/hand/%.bpf.c,$(BUILD)/bench/%.bpf.o,$(wildcard bench/hand/*.bpf.c))

$(BUILD)/bench/%.bpf.o: bench/hand/%.bpf.c bench/hand/log2.h bench/hand/duration.bpf.c
	@mkdir -p $(@D)
	clang -O2 -g -target bpf -D__TARGET_ARCH_x86 -I/usr/include/$(shell uname -m)-linux-gnu -c $< -o $@

$(BUILD)/bench/hand $(BUILD)/bench/many: $(BUILD)/bench/%: bench/hand/%.c
	@mkdir -p $(@D)
	$(CC) -O2 -o $@ $< -lbpf

$(BUILD)/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(CC) -O2 -fomit-frame-pointer -o $@ $<

$(BUILD)/bench/sites: bench/sites.c bench/sites.d $(BUILD)/dtrace
	@mkdir -p $(@D)
	$(BUILD)/dtrace -h -s bench/sites.d -o $(@D)/sites.h
	$(CC) -O2 -I$(@D) -c $< -o $@.o
	$(BUILD)/dtrace -G -s bench/sites.d $@.o -o $(@D)/probes.o
	$(CC) $@.o $(@D)/probes.o -o $@

bench: all $(BUILD)/bench/hand $(BUILD)/bench/many $(BUILD)/bench/workload $(BUILD)/bench/deep $(BUILD)/bench/sites $(HAND_PROGRAMS)
	tools/deps.sh "peers to measure against" bpftrace strace linux-perf
	@status=0; \
	$(SUDO) bench/bench.py $(BUILD)/dtrace $(BUILD)/bench --markdown $(BUILD)/bench/table.md || status=1; \
	$(SUDO) bench/scaling.py $(BUILD)/dtrace $(BUILD)/bench --markdown $(BUILD)/bench/scaling.md || status=1; \
	exit $$status

# What the last `make bench` measured becomes the tables of doc/speed.md.
bench-page:
	bench/page.py doc/speed.md table=$(BUILD)/bench/table.md scaling=$(BUILD)/bench/scaling.md

# ------------------------------------------------- what people type: README

DEPS      := gcc clang make libc6-dev linux-libc-dev libiberty-dev
TEST_DEPS := libclang-rt-14-dev libcmocka-dev python3 kmod qemu-system-x86 busybox-static cpio xz-utils zstd lz4 \
             ca-certificates debian-archive-keyring libbpf-dev libelf-dev man-db musl-tools valgrind \
             g++ libc6-dbg postgresql mariadb-server openjdk-17-jdk-headless nfs-kernel-server ruby libboost-context-dev golang-go
SUDO      := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

deps:
	@tools/deps.sh "build dependencies" $(DEPS)

test-deps: deps
	@tools/deps.sh "test dependencies" $(TEST_DEPS)
	@tools/sources.py $(BUILD)/sources

demo: deps
	@$(MAKE) --no-print-directory -s -j2 all
	@$(SUDO) doc/demo.sh $(BUILD)/dtrace

check: test-deps
	$(SUDO) test/check.py

install: all
	install -D -m 755 $(BUILD)/dtrace $(DESTDIR)$(PREFIX)/sbin/dtrace
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/sbin $(TOOLS:%=$(BUILD)/%)
	install -D -m 644 $(BUILD)/libdtrace.a $(DESTDIR)$(PREFIX)/lib/libdtrace.a
	install -D -m 755 $(BUILD)/libdtrace.so.1 $(DESTDIR)$(PREFIX)/lib/libdtrace.so.1
	ln -sf libdtrace.so.1 $(DESTDIR)$(PREFIX)/lib/libdtrace.so
	install -D -m 644 include/dtrace.h $(DESTDIR)$(PREFIX)/include/dtrace.h
	install -D -m 644 $(BUILD)/include/sys/sdt.h $(DESTDIR)$(PREFIX)/include/sys/sdt.h
	[ -e $(DESTDIR)$(PREFIX)/bin/dtrace ] || { mkdir -p $(DESTDIR)$(PREFIX)/bin && \
		ln -s ../sbin/dtrace $(DESTDIR)$(PREFIX)/bin/dtrace; }
	install -D -m 644 doc/dtrace.8 $(DESTDIR)$(PREFIX)/share/man/man8/dtrace.8
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man8 $(TOOLS:%=doc/%.8)

clean:
	rm -rf $(BUILD)

-include $(LIB_OBJS:.o=.d) $(CMD_OBJS:.o=.d) $(TOOLS:%=$(BUILD)/cmd/%.d) $(LOCKSTAT:%.c=$(BUILD)/%.d) $(BUILD)/cmd/tool.d $(TESTS:%=%.d)

.PHONY: all unit-tests triggers differential fuzz fuzz-text fuzz-files fuzz-options mutate matrix soak bench bench-page deps test-deps demo check install clean
