# DTrace for Linux.  `make` builds, `make demo` shows, `make check` proves.
# See README.md; targets that install or need root call sudo themselves.

CC       ?= gcc
BUILD    ?= build
PREFIX   ?= /usr
LIBDIR   ?= $(PREFIX)/lib
# Where zsh looks for what packages bring; other systems than Debian: site-functions.
ZSHDIR   ?= $(PREFIX)/share/zsh/vendor-completions
DESTDIR  ?=
# The machine that programs are compiled for and traced on: src/arch/$(ARCH).
ARCH     := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
CFLAGS   ?= -O2 -g
WARN     := -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion
CPPFLAGS += -D_GNU_SOURCE -Isrc -Isrc/arch/$(ARCH) -I. -Iinclude -I$(BUILD)/gen
# A build is the same in every directory: no path of this one is in it.
ALL_CFLAGS = -std=gnu11 -fPIC -fvisibility=hidden -ffile-prefix-map=$(CURDIR)=. $(WARN) $(CFLAGS)
LDLIBS   :=
VERSION  := $(shell sed -n 's/.*dtrace_package_version_ext\[\] = "\(.*\)";/\1/p' src/api/handle.c)

LIBRARY  := $(sort $(wildcard bpf/*.bpf.c))
ROOMS    := base facts view arch arch/$(ARCH) btf lang ir bpf probe provider builtin agg sink proc usdt runtime run api
LIB_SRCS := $(filter-out %_test.c,$(sort $(wildcard $(ROOMS:%=src/%/*.c))))
TOOLS    := plockstat lockstat intrstat prstat use
TOOLKIT  := $(sort $(wildcard toolkit/*))
DRAWERS  := dtflame dtheat dtoffset dtproc
LOCKSTAT := $(sort $(wildcard cmd/lockstat_*.c))
PRSTAT   := $(sort $(wildcard cmd/prstat_*.c)) cmd/pages.c
USE      := $(sort $(wildcard cmd/use_*.c)) cmd/pages.c
# Need no library: they ask /proc.
LOOKERS  := pfiles
LSP      := $(sort $(wildcard cmd/lsp*.c))
CMD_SRCS := $(filter-out $(LSP) cmd/tool.c cmd/drawing.c $(TOOLS:%=cmd/%.c) $(DRAWERS:%=cmd/%.c) $(LOOKERS:%=cmd/%.c) $(LOCKSTAT) $(PRSTAT) $(USE) cmd/stackvis.c,$(sort $(wildcard cmd/*.c)))
# The live page: a command of its own, with libraries that nothing else needs.
LIVE      := $(filter-out %_test.c,$(sort $(wildcard live/*.c))) cmd/words.c
METRICS   := $(sort $(wildcard metrics/*))
LIVE_LIBS := -lmicrohttpd -lgnutls -lseccomp -ljansson
# The fleet (fleet/): agents and heads over NATS, commands of dtlive.  The law by
# which they merge is pure and needs only a hash; the rest needs libnats.
FLEET_PURE  := $(patsubst %,$(BUILD)/fleet/%.o,message publish merge merge_show labels policy synthetic)
FLEET_OBJS  := $(filter-out %/synthetic.o,$(FLEET_PURE)) $(patsubst %,$(BUILD)/fleet/%.o,bus command fleet who watcher agent agent_run head run prometheus)
FLEET_LIBS  := -lnats -lcrypto -ljansson -lmicrohttpd
FLEET_TESTS := $(patsubst %.c,$(BUILD)/unit/%,$(wildcard fleet/*_test.c))
LIB_OBJS := $(filter-out %/proc/demangle.o,$(LIB_SRCS:%.c=$(BUILD)/%.o)) \
            $(BUILD)/gen/demangle.o $(BUILD)/gen/libraries.o $(BUILD)/gen/site.o $(BUILD)/gen/pages.o $(BUILD)/gen/java_agent.o \
            $(LIBRARY:%.c=$(BUILD)/%.native.o) $(BUILD)/gen/library.o
CMD_OBJS := $(CMD_SRCS:%.c=$(BUILD)/%.o)

all: $(BUILD)/dtrace $(TOOLS:%=$(BUILD)/%) $(DRAWERS:%=$(BUILD)/%) $(LOOKERS:%=$(BUILD)/%) $(BUILD)/stackvis $(BUILD)/dtrace-lsp $(BUILD)/dtlive $(BUILD)/libdtrace.so $(BUILD)/dtrace.pc $(BUILD)/include/sys/sdt.h $(BUILD)/libusdt.a

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

# Includes what it needs of libiberty, so that users need not link that.
$(BUILD)/gen/demangle.o: $(BUILD)/src/proc/demangle.o
	@mkdir -p $(@D)
	$(LD) -r -o $@.tmp $< $$($(CC) -print-file-name=libiberty.a)
	objcopy -G demangle -G demangle_short -G is_mangled $@.tmp $@
	rm $@.tmp

# Names of the system calls, from the headers of the build machine.
$(BUILD)/gen/syscall_names.h: tools/syscalls.sh
	@mkdir -p $(@D)
	tools/syscalls.sh $(CC) > $@.tmp
	mv $@.tmp $@

$(BUILD)/src/arch/$(ARCH)/syscall_table.o: $(BUILD)/gen/syscall_names.h

# What -V -v says about the source: the commit, or what packages give as REVISION.
# Touched only when that changes: not by `sudo make install`, where git refuses to
# answer root.
REVISION ?=

$(BUILD)/gen/revision.h: FORCE
	@mkdir -p $(@D)
	@id=$(or $(REVISION),$$(tools/revision.sh)); \
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

D_LIBRARIES := $(sort $(wildcard dlib/*.d) $(wildcard src/arch/$(ARCH)/*.d))

$(BUILD)/gen/libraries.c: $(BUILD)/embed $(D_LIBRARIES) src/arch/$(ARCH)/dlib.sed
	@mkdir -p $(@D)/dlib
	for library in $(D_LIBRARIES); do \
		sed -f src/arch/$(ARCH)/dlib.sed $$library > $(@D)/dlib/$${library##*/} || exit 1; \
	done
	$(BUILD)/embed $(addprefix $(@D)/dlib/,$(notdir $(D_LIBRARIES))) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/libraries.o: $(BUILD)/gen/libraries.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# The macros of a probe site become a text that -h begins its headers with;
# <sys/sdt.h> is the same and the names that programs without a .d file use.
$(BUILD)/gen/site.c: src/arch/site.h
	@mkdir -p $(@D)
	( echo 'extern const char usdt_site_text[];'; \
	  echo 'const char usdt_site_text[] ='; \
	  sed '1{/SPDX/d}; s/\\/\\\\/g; s/"/\\"/g; s/^/\t"/; s/$$/\\n"/' $<; \
	  echo ';' ) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/site.o: $(BUILD)/gen/site.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

$(BUILD)/include/sys/sdt.h: src/arch/site.h src/usdt/compat.h
	@mkdir -p $(@D)
	sed '/SPDX-License-Identifier/d' $^ > $@.tmp
	mv $@.tmp $@

# The agent for Java virtual machines: it uses the C library of the process that it is
# loaded into, whichever that is, so it is linked with none and binds no version.
# dtrace has it inside, and the place of its sites.
JAVA_SRCS  := $(sort $(filter-out %_test.c,$(wildcard java/*.c))) src/probe/glob.c
JAVA_OBJS  := $(JAVA_SRCS:%.c=$(BUILD)/java/%.o)
JAVA_FLAGS := -U_FORTIFY_SOURCE -fno-stack-protector -fno-sanitize=all

$(BUILD)/java/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(JAVA_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/java/agent.so: $(JAVA_OBJS)
	$(CC) -shared -nostdlib -Wl,-z,noexecstack -Wl,-soname,dtrace-java.so -Wl,--build-id=sha1 -o $@ $^
	objcopy --strip-debug $@

$(BUILD)/gen/java_agent.c: $(BUILD)/java/agent.so Makefile
	@mkdir -p $(@D)
	( echo '#include "proc/java_attach.h"'; \
	  echo '__asm__(".pushsection .rodata; .globl java_agent_bytes, java_agent_end; "'; \
	  echo '	".hidden java_agent_bytes, java_agent_end; .balign 16; java_agent_bytes:; "'; \
	  echo '	".incbin \"$(BUILD)/java/agent.so\"; java_agent_end:; .popsection");'; \
	  readelf -SW $< | sed -n 's/^.* dtrace_sites *[A-Z]* *[0-9a-f]* \([0-9a-f]*\) .*/const uint64_t java_agent_sites = 0x\1;/p' ) > $@.tmp
	grep -q java_agent_sites $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/java_agent.o: $(BUILD)/gen/java_agent.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# Probes that programs make while they run; what uses it needs only the C library.
USDT_SRCS := $(sort $(wildcard libusdt/*.c))
USDT_OBJS := $(USDT_SRCS:%.c=$(BUILD)/%.o)

$(BUILD)/libusdt.a: $(USDT_OBJS)
	@rm -f $@
	$(LD) -r -o $(BUILD)/gen/libusdt.o $^
	objcopy --localize-hidden $(BUILD)/gen/libusdt.o
	$(AR) rcs $@ $(BUILD)/gen/libusdt.o
	@rm $(BUILD)/gen/libusdt.o

# The npm package: complete, with sources for node-gyp, and the addon already built for this machine.
# Headers of node are those beside it, or those of libnode-dev.
NODE_DIR   := $(BUILD)/node/dtrace-provider
NODE_SRCS  := $(addprefix node/dtrace-provider/,addon.c collections.c)
NODE_FILES := $(addprefix node/dtrace-provider/,index.js node-provider.js package.json binding.gyp)
NODE_INCLUDE ?= $(firstword $(wildcard $(dir $(shell command -v node))../include/node /usr/include/node /usr/include/nodejs/src))

$(NODE_DIR)/usdt.node: $(NODE_SRCS) $(NODE_FILES) $(wildcard node/dtrace-provider/*.h libusdt/*.h) $(USDT_SRCS)
	@test -n "$(NODE_INCLUDE)" || { echo "no headers of node: install libnode-dev, or set NODE_INCLUDE"; exit 1; }
	@mkdir -p $(NODE_DIR)/src
	cp $(NODE_FILES) $(NODE_DIR)
	cp $(NODE_SRCS) $(USDT_SRCS) $(filter %.h,$^) $(NODE_DIR)/src
	$(CC) -D_GNU_SOURCE -Ilibusdt -isystem $(NODE_INCLUDE) -DNODE_GYP_MODULE_NAME=usdt $(ALL_CFLAGS) -shared -Wl,-Bsymbolic $(LDFLAGS) \
		-o $@ $(NODE_SRCS) $(USDT_SRCS)

node-provider: $(NODE_DIR)/usdt.node

# The Python module, in the same way; its binary is good for Python 3.10 and later.
PYTHON         ?= /usr/bin/python3
PYTHON_DIR     := $(BUILD)/python/usdt
PYTHON_SRCS    := python/usdt/module.c
PYTHON_INCLUDE ?= $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_path("include"))')

$(PYTHON_DIR)/usdt.abi3.so: $(PYTHON_SRCS) python/usdt/setup.py $(wildcard libusdt/*.h) $(USDT_SRCS)
	@mkdir -p $(PYTHON_DIR)/src
	cp python/usdt/setup.py $(PYTHON_DIR)
	cp $(PYTHON_SRCS) $(USDT_SRCS) $(filter %.h,$^) $(PYTHON_DIR)/src
	$(CC) -D_GNU_SOURCE -Ilibusdt -isystem $(PYTHON_INCLUDE) $(ALL_CFLAGS) -shared -Wl,-Bsymbolic $(LDFLAGS) \
		-o $@ $(PYTHON_SRCS) $(USDT_SRCS)

python-usdt: $(PYTHON_DIR)/usdt.abi3.so

# Pages for browsers: each page/NAME.ts becomes one script, page/NAME.css one
# style, with all that they import.  See src/view/page.h.
PAGES      := $(sort $(basename $(notdir $(wildcard page/*.ts))))
PAGE_PARTS := $(wildcard page/*.ts page/*.css page/*/*.ts page/*/*.css)
BUNDLES    := $(patsubst page/%.ts,$(BUILD)/gen/page/%.js,$(wildcard page/*.ts)) \
              $(patsubst page/%.css,$(BUILD)/gen/page/%.css,$(wildcard page/*.css))
BUNDLE     := esbuild --bundle --minify --target=es2020 --legal-comments=none --log-level=warning

$(BUILD)/gen/page/%.js: page/%.ts $(PAGE_PARTS)
	$(BUNDLE) --format=iife --outfile=$@ $<

$(BUILD)/gen/page/%.css: page/%.css $(PAGE_PARTS)
	$(BUNDLE) --outfile=$@ $<

$(BUILD)/gen/pages.c: tools/bundle.sh $(BUNDLES)
	tools/bundle.sh $(@D)/page $(PAGES) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/pages.o: $(BUILD)/gen/pages.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# The models of pages are tested without a browser: page/*/*_test.ts.
PAGE_TESTS := $(patsubst page/%.ts,$(BUILD)/page/%.js,$(wildcard page/*/*_test.ts))

$(BUILD)/page/%_test.js: page/%_test.ts $(PAGE_PARTS)
	esbuild --bundle --platform=node --log-level=warning --outfile=$@ $<

$(BUILD)/page/write_page: test/page/write_page.c $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/internal.a $(LDLIBS)

page-tests: $(PAGE_TESTS) $(BUILD)/page/write_page

# The run-time library: for BPF, as a C table, and natively for the interpreter.
CLANG     ?= clang
BPF_FLAGS := -target bpf -mcpu=v3 -O2 -std=gnu11 -ffreestanding -I. -Isrc/arch/$(ARCH) -Wall -Wextra -Wshadow

$(BUILD)/bpf/%.bpf.o: bpf/%.bpf.c Makefile
	@mkdir -p $(@D)
	$(CLANG) $(BPF_FLAGS) -MMD -MP -c $< -o $@

$(BUILD)/bpf/%.bpf.native.o: bpf/%.bpf.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/bpfembed: tools/bpfembed.c
	@mkdir -p $(@D)
	$(HOSTCC) -std=gnu11 $(WARN) -O1 -o $@ $<

$(BUILD)/gen/library.c: $(BUILD)/bpfembed $(LIBRARY:%.c=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(BUILD)/bpfembed $(sort $(LIBRARY:%.c=$(BUILD)/%.o)) > $@.tmp
	mv $@.tmp $@

$(BUILD)/gen/library.o: $(BUILD)/gen/library.c
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -c $< -o $@

# The unchanged objects, for unit tests and fuzzers, which use internal names.
$(BUILD)/internal.a: $(LIB_OBJS)
	@rm -f $@
	$(AR) rcs $@ $^

# What others link has only the names of the public interface: a program may
# have its own emit().  The version script is the list for both.
EXPORTS := src/api/libdtrace.map

$(BUILD)/gen/exports: $(EXPORTS)
	@mkdir -p $(@D)
	sed -n 's/^\t\([a-z_0-9]*\);.*/\1/p' $< > $@.tmp
	mv $@.tmp $@

$(BUILD)/libdtrace.a: $(LIB_OBJS) $(BUILD)/gen/exports
	@rm -f $@
	$(LD) -r -o $(BUILD)/gen/libdtrace.o $(LIB_OBJS)
	objcopy --keep-global-symbols=$(BUILD)/gen/exports $(BUILD)/gen/libdtrace.o
	$(AR) rcs $@ $(BUILD)/gen/libdtrace.o
	@rm $(BUILD)/gen/libdtrace.o

# Programs are linked with libdtrace.so and need its soname at run time.
$(BUILD)/libdtrace.so.1: $(LIB_OBJS) $(EXPORTS)
	$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=$(EXPORTS) -Wl,--no-undefined-version \
		$(LDFLAGS) -o $@ $(LIB_OBJS) $(LDLIBS)

$(BUILD)/libdtrace.so: $(BUILD)/libdtrace.so.1
	ln -sf $(<F) $@

# For pkg-config.  By then it is known where it will be installed.
$(BUILD)/dtrace.pc: src/api/dtrace.pc.in src/api/handle.c
	sed 's/@VERSION@/$(VERSION)/; s/@LDLIBS@/$(LDLIBS)/' $< > $@.tmp
	mv $@.tmp $@

# For tests that link a dtrace of their own.
command-objects:
	@echo $(CMD_OBJS)

$(BUILD)/dtrace: $(CMD_OBJS) $(BUILD)/libdtrace.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Commands that use only the library's public interface.
$(BUILD)/lockstat: $(LOCKSTAT:%.c=$(BUILD)/%.o)
$(BUILD)/prstat: $(PRSTAT:%.c=$(BUILD)/%.o) $(BUILD)/cmd/single_keys.o
$(BUILD)/use: $(USE:%.c=$(BUILD)/%.o) $(BUILD)/cmd/single_keys.o
$(DRAWERS:%=$(BUILD)/%): $(BUILD)/cmd/words.o $(BUILD)/cmd/drawing.o
$(TOOLS:%=$(BUILD)/%) $(DRAWERS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/cmd/%.o $(BUILD)/cmd/tool.o $(BUILD)/cmd/progress.o $(BUILD)/cmd/streams.o $(BUILD)/cmd/signals.o $(BUILD)/libdtrace.a
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LDLIBS)

# Installed ones share the library; those of the build directory run from there.
RPATH = $(if $(filter /usr/lib%,$(LIBDIR)),,-Wl$(comma)-rpath$(comma)$(LIBDIR))

$(BUILD)/installed/lockstat: $(LOCKSTAT:%.c=$(BUILD)/%.o)
$(BUILD)/installed/prstat: $(PRSTAT:%.c=$(BUILD)/%.o) $(BUILD)/cmd/single_keys.o
$(BUILD)/installed/use: $(USE:%.c=$(BUILD)/%.o) $(BUILD)/cmd/single_keys.o
$(DRAWERS:%=$(BUILD)/installed/%): $(BUILD)/cmd/words.o $(BUILD)/cmd/drawing.o
$(TOOLS:%=$(BUILD)/installed/%) $(DRAWERS:%=$(BUILD)/installed/%): $(BUILD)/installed/%: $(BUILD)/cmd/%.o $(BUILD)/cmd/tool.o $(BUILD)/cmd/progress.o $(BUILD)/cmd/streams.o $(BUILD)/cmd/signals.o $(BUILD)/libdtrace.so
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(BUILD) -ldtrace $(RPATH)

$(LOOKERS:%=$(BUILD)/%): $(BUILD)/%: $(BUILD)/cmd/%.o $(BUILD)/cmd/streams.o
	$(CC) $(LDFLAGS) -o $@ $^

# Uses the room view, too.  The installed one takes only that from the archive.
$(BUILD)/stackvis: $(BUILD)/cmd/stackvis.o $(BUILD)/cmd/streams.o $(BUILD)/internal.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/installed/stackvis: $(BUILD)/cmd/stackvis.o $(BUILD)/cmd/streams.o $(BUILD)/internal.a $(BUILD)/libdtrace.so
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(BUILD) -ldtrace $(BUILD)/internal.a $(RPATH)

# The language server, which dtrace --lsp starts; only it needs jansson.
$(BUILD)/dtrace-lsp: $(LSP:%.c=$(BUILD)/%.o) $(BUILD)/libdtrace.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) -ljansson

$(BUILD)/installed/dtrace-lsp: $(LSP:%.c=$(BUILD)/%.o) $(BUILD)/libdtrace.so
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(BUILD) -ldtrace -ljansson $(RPATH)

$(BUILD)/dtlive: $(LIVE:%.c=$(BUILD)/%.o) $(FLEET_OBJS) $(BUILD)/internal.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(LIVE_LIBS) $(FLEET_LIBS)

live: $(BUILD)/dtlive

$(BUILD)/installed/dtlive: $(LIVE:%.c=$(BUILD)/%.o) $(FLEET_OBJS) $(BUILD)/internal.a $(BUILD)/libdtrace.so
	@mkdir -p $(@D)
	$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) -L$(BUILD) -ldtrace $(BUILD)/internal.a $(LIVE_LIBS) $(FLEET_LIBS) $(RPATH)

# ------------------------------------------------------------- unit tests
# Beside the code: src/<room>/<file>_test.c, one program each.

TEST_SRCS := $(wildcard $(ROOMS:%=src/%/*_test.c))
LIVE_TESTS := $(patsubst %.c,$(BUILD)/unit/%,$(wildcard live/*_test.c))
TESTS     := $(TEST_SRCS:src/%.c=$(BUILD)/unit/%) $(LIVE_TESTS)

$(BUILD)/unit/%: src/%.c $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(BUILD)/internal.a $(LDLIBS) -lcmocka

$(FLEET_TESTS): $(BUILD)/unit/%: %.c $(FLEET_PURE) $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(FLEET_PURE) $(BUILD)/internal.a $(LDLIBS) -lcmocka -lcrypto -ljansson

-include $(FLEET_OBJS:.o=.d) $(BUILD)/fleet/synthetic.d $(BUILD)/fleet/simulate.d $(FLEET_TESTS:%=%.d)

# A fleet in one process, with a real server and a real head: fleet/simulate.c.
$(BUILD)/dtsimulate: $(BUILD)/fleet/simulate.o $(BUILD)/fleet/synthetic.o $(FLEET_OBJS) $(filter-out %/dtlive.o,$(LIVE:%.c=$(BUILD)/%.o)) $(BUILD)/internal.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS) $(LIVE_LIBS) $(FLEET_LIBS)

$(LIVE_TESTS): $(BUILD)/unit/%: %.c $(filter-out %/dtlive.o,$(LIVE:%.c=$(BUILD)/%.o)) $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(filter %.o,$^) $(BUILD)/internal.a $(LDLIBS) $(LIVE_LIBS) -lcmocka

# What of the agent needs no virtual machine.
JAVA_TESTS := $(patsubst %.c,$(BUILD)/unit/%,$(wildcard java/*_test.c))
JAVA_PURE  := $(patsubst %,$(BUILD)/java/java/%.o,class_bytes class_pool class_descriptor class_code class_call class_tables class_helper class_version classfile)

$(JAVA_TESTS): $(BUILD)/unit/%: %.c $(JAVA_PURE)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) -MMD -MP -MF $@.d $(LDFLAGS) -o $@ $< $(JAVA_PURE) -lcmocka

-include $(JAVA_TESTS:%=%.d)

unit-tests: $(TESTS) $(FLEET_TESTS) $(JAVA_TESTS) $(BUILD)/dtsimulate

# A large fleet, with what can go wrong; tests have a small one.  `make fleet HOSTS=1000`.
.PHONY: fleet fuzz-messages
HOSTS ?= 1000

fleet: $(BUILD)/dtsimulate
	test/simulate.sh $(BUILD)/dtsimulate $(HOSTS)
	for series in 6.1 6.18; do test/guest.py fetch $$series $(BUILD)/guests/$$series || exit 1; done
	$(SUDO) test/run.py --env FLEET_LONG=1 fleet/cluster fleet/kernels fleet/hostile

# Small programs that golden tests trace.
TRIGGERS := $(patsubst test/triggers/%.c,$(BUILD)/triggers/%,$(wildcard test/triggers/*.c)) \
            $(patsubst test/triggers/%.cc,$(BUILD)/triggers/%,$(wildcard test/triggers/*.cc))

$(BUILD)/triggers/%: test/triggers/%.c
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -MMD -MP -MF $@.d -o $@ $< -pthread $(TRIGGER_FLAGS)

# Starts a thousand times, even where that is slow.
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
# Tests of types need debugging information.
$(BUILD)/triggers/requests.so $(BUILD)/triggers/classes: TRIGGER_FLAGS = -g

# Hours of data for the live page.
$(BUILD)/triggers/write_hours: test/live/growth/write_hours.c $(BUILD)/internal.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/internal.a $(LDLIBS)

$(BUILD)/triggers/own_probes: $(BUILD)/libusdt.a
$(BUILD)/triggers/own_probes: TRIGGER_FLAGS = -I. $(BUILD)/libusdt.a

$(BUILD)/triggers/bytecode.so $(BUILD)/triggers/redefine.so: TRIGGER_FLAGS = -I.

triggers: $(TRIGGERS) $(BUILD)/triggers/write_hours

# Random D programs, in the kernel and in the interpreter.
PROGRAMS ?= 2000
SEED     ?= 1

$(BUILD)/differential: test/differential/driver.c $(BUILD)/internal.a
	$(CC) $(CPPFLAGS) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $< $(BUILD)/internal.a $(LDLIBS)

differential: $(BUILD)/differential
	$(SUDO) test/differential/differential.py --driver $(BUILD)/differential --programs $(PROGRAMS) --seed $(SEED)

# ------------------------------------------------------------------ fuzzing
# libFuzzer over D text (the whole compiler, up to code), over files with USDT
# notes, over unwind tables, debugging information, Go's tables of functions,
# recordings, texts of stacks, processes with a runtime, what dtlive reads and
# the agent for Java.  `make fuzz SECONDS=3600`.
# The same inputs in the same order with FUZZ_SEED=n, others each time without.
# With FUZZ_CORPUS=directory D texts that reach something new are kept.
# The numbers below are inputs per second (test/fuzz/target.sh).

SECONDS   ?= 600
FUZZ_SEED ?= 0
FUZZ_RUN := test/surroundings.py FUZZ_SEED=$(FUZZ_SEED)
FUZZ_OPT := -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined

$(BUILD)/fuzz-d: test/fuzz/d_text.c test/fuzz/d_program.c test/fuzz/d_program.h test/fuzz/d_mutate.c $(LIB_SRCS) $(LIBRARY) $(wildcard src/*/*.h src/*/*.def bpf/*.h bpf/*.def dlib/*.d)
	$(MAKE) BUILD=$(BUILD)/fuzz CC=clang CFLAGS="$(FUZZ_OPT)" $(BUILD)/fuzz/internal.a
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/d_text.c test/fuzz/d_program.c test/fuzz/d_mutate.c $(BUILD)/fuzz/internal.a $(LDLIBS)

$(BUILD)/fuzz-usdt: test/fuzz/usdt_note.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/usdt_note.c $(BUILD)/fuzz/internal.a $(LDLIBS)

$(BUILD)/fuzz-unwind: test/fuzz/eh_frame.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/eh_frame.c $(BUILD)/fuzz/internal.a $(LDLIBS)

$(BUILD)/fuzz-dwarf: test/fuzz/dwarf.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/dwarf.c $(BUILD)/fuzz/internal.a $(LDLIBS)

# A whole program of Go's, as small as they are.
$(BUILD)/fuzz-seed-go: test/triggers/fibers.go
	GOCACHE=$(abspath $(BUILD))/go GO111MODULE=off CGO_ENABLED=0 go build -ldflags '-s -w' -o $@ $<

$(BUILD)/fuzz-go: test/fuzz/go_functions.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/go_functions.c $(BUILD)/fuzz/internal.a $(LDLIBS)

$(BUILD)/fuzz-recording: test/fuzz/recording.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/recording.c $(BUILD)/fuzz/internal.a $(LDLIBS)

$(BUILD)/fuzz-stacks: test/fuzz/stacks.c $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/stacks.c $(BUILD)/fuzz/internal.a $(LDLIBS)

# What reads processes reads the input instead.
FUZZ_RUNTIMES := test/fuzz/runtimes.c $(wildcard test/fuzz/runtime/*.c)
$(BUILD)/fuzz-runtimes: $(FUZZ_RUNTIMES) test/fuzz/runtimes.h $(wildcard src/runtime/*_test.c) $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Wl,--wrap=pread -o $@ $(FUZZ_RUNTIMES) $(BUILD)/fuzz/internal.a $(LDLIBS) -lcmocka

$(BUILD)/fuzz-live: test/fuzz/live.c $(filter-out %/dtlive.c,$(LIVE)) $(wildcard live/*.h) $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o $@ test/fuzz/live.c $(filter-out live/dtlive.c,$(filter %.c,$(LIVE))) $(BUILD)/fuzz/internal.a $(LDLIBS) $(LIVE_LIBS)

$(BUILD)/fuzz-message: test/fuzz/message.c $(FLEET_PURE:$(BUILD)/%.o=%.c) $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -o $@ test/fuzz/message.c $(FLEET_PURE:$(BUILD)/%.o=%.c) $(BUILD)/fuzz/internal.a $(LDLIBS) -lcrypto -ljansson

# Both ends of the connection with the agent for Java, and its rewriter of classes.
$(BUILD)/fuzz-java: test/fuzz/java_message.c java/command.c $(wildcard java/*.h) $(BUILD)/fuzz-d
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o $@ test/fuzz/java_message.c java/command.c $(BUILD)/fuzz/internal.a $(LDLIBS)

$(BUILD)/fuzz-class: test/fuzz/java_class.c $(JAVA_PURE:$(BUILD)/java/%.o=%.c) $(wildcard java/*.h)
	clang $(CPPFLAGS) -std=gnu11 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -o $@ test/fuzz/java_class.c $(JAVA_PURE:$(BUILD)/java/%.o=%.c)

fuzz: fuzz-text fuzz-files fuzz-recordings fuzz-texts-of-stacks fuzz-requests fuzz-messages fuzz-java-agent fuzz-runtimes

fuzz-text: $(BUILD)/fuzz-d
	$(FUZZ_RUN) FUZZ_CORPUS=$(FUZZ_CORPUS) test/fuzz/run.sh $(BUILD)/fuzz-d $(SECONDS) 300

fuzz-files: $(BUILD)/fuzz-usdt $(BUILD)/fuzz-unwind $(BUILD)/fuzz-dwarf $(BUILD)/fuzz-go \
            $(BUILD)/triggers/sites $(BUILD)/triggers/handler $(BUILD)/triggers/requests.so \
            $(BUILD)/fuzz-seed-go
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-usdt $$(($(SECONDS) / 5)) 20000 $(BUILD)/triggers/sites
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-unwind $$(($(SECONDS) / 5)) 40000 $(BUILD)/triggers/handler
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-dwarf $$(($(SECONDS) / 5)) 8000 $(BUILD)/triggers/requests.so whole
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-go $$(($(SECONDS) / 5)) 50 $(BUILD)/fuzz-seed-go
	$(FUZZ_RUN) test/fuzz/usdt.sh $(BUILD)/fuzz-go $$(($(SECONDS) / 5)) 20000 $(BUILD)/triggers/handler

# The seeds are recorded first, which needs root.
fuzz-recordings: $(BUILD)/fuzz-recording $(BUILD)/dtrace
	$(SUDO) $(FUZZ_RUN) test/fuzz/recording.sh $(BUILD)/fuzz-recording $$(($(SECONDS) / 5)) 2000 $(BUILD)/dtrace

# What dtlive reads: requests, metrics, paths, the wire.
fuzz-requests: $(BUILD)/fuzz-live $(BUILD)/dtrace
	$(SUDO) $(FUZZ_RUN) test/fuzz/live.sh $(BUILD)/fuzz-live $$(($(SECONDS) / 5)) 500 $(BUILD)/dtrace

fuzz-texts-of-stacks: $(BUILD)/fuzz-stacks
	$(FUZZ_RUN) test/fuzz/stacks.sh $(BUILD)/fuzz-stacks $$(($(SECONDS) / 5)) 300

fuzz-runtimes: $(BUILD)/fuzz-runtimes
	$(FUZZ_RUN) test/fuzz/runtimes.sh $(BUILD)/fuzz-runtimes $$(($(SECONDS) / 5)) 1000

fuzz-messages: $(BUILD)/fuzz-message $(BUILD)/unit/fleet/merge_test
	$(FUZZ_RUN) test/fuzz/message.sh $(BUILD)/fuzz-message $$(($(SECONDS) / 5)) 1000 $(BUILD)/unit/fleet/merge_test

fuzz-java-agent: $(BUILD)/fuzz-java $(BUILD)/fuzz-class
	$(FUZZ_RUN) test/fuzz/java.sh $(BUILD)/fuzz-java $$(($(SECONDS) / 5)) 4000 messages
	$(FUZZ_RUN) test/fuzz/java.sh $(BUILD)/fuzz-class $$(($(SECONDS) / 5)) 3000 classes

# Golden tests that would also pass if dtrace did nothing.  Takes some minutes.
check-tests: all triggers
	$(SUDO) test/idle.py

# --------------------------------------------------------------- long runs
# Programs that switch stacks, with tracers that come and go.
ATTACHES ?= 50

matrix: all triggers
	$(SUDO) test/run.py --env ATTACHES=$(ATTACHES) --jobs 1 --timeout 3600 pid/stack_switches pid/coroutines

# Nothing grows, nothing is left behind.  `make soak MINUTES=60`.

MINUTES ?= 10

soak: all triggers
	$(SUDO) test/soak.py --seconds $$(($(MINUTES) * 60))

# The live page under load, for minutes: 50 clients, and 8 hours by a fast clock.
check-live: all triggers
	$(SUDO) bench/live.py $(BUILD)/dtlive --markdown $(BUILD)/live.md
	test/live/growth/growth.py $(BUILD)/dtlive $(BUILD)/triggers/write_hours

# Every option with every kind of value; fewer with CASES=n, others with SEED=n.
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

$(BUILD)/bench/%.bpf.o: bench/hand/%.bpf.c bench/hand/log2.h bench/hand/records.h bench/hand/duration.bpf.c
	@mkdir -p $(@D)
	clang -O2 -g -target bpf -D__TARGET_ARCH_x86 -I/usr/include/$(shell uname -m)-linux-gnu -c $< -o $@

$(BUILD)/bench/hand $(BUILD)/bench/many: $(BUILD)/bench/%: bench/hand/%.c bench/hand/records.h
	@mkdir -p $(@D)
	$(CC) -O2 -o $@ $< -lbpf

$(BUILD)/bench/%: bench/%.c
	@mkdir -p $(@D)
	$(CC) -O2 -fomit-frame-pointer -o $@ $<

$(BUILD)/bench/sites: bench/sites.c bench/sites.d $(BUILD)/dtrace $(BUILD)/libusdt.a
	@mkdir -p $(@D)
	$(BUILD)/dtrace -h -s bench/sites.d -o $(@D)/sites.h
	$(CC) -O2 -I. -I$(@D) -c $< -o $@.o
	$(BUILD)/dtrace -G -s bench/sites.d $@.o -o $(@D)/probes.o
	$(CC) $@.o $(@D)/probes.o -o $@ $(BUILD)/libusdt.a -pthread

bench: all $(BUILD)/bench/stacks $(BUILD)/bench/hand $(BUILD)/bench/many $(BUILD)/bench/workload $(BUILD)/bench/deep $(BUILD)/bench/sites $(HAND_PROGRAMS)
	tools/deps.sh "peers to measure against" bpftrace strace linux-perf chromium chromium-driver python3-selenium apache2-utils bpftool
	@status=0; \
	$(SUDO) bench/bench.py $(BUILD)/dtrace $(BUILD)/bench --markdown $(BUILD)/bench/table.md || status=1; \
	$(SUDO) bench/scaling.py $(BUILD)/dtrace $(BUILD)/bench --markdown $(BUILD)/bench/scaling.md || status=1; \
	$(SUDO) bench/on_screen.py $(BUILD)/dtrace --markdown $(BUILD)/bench/screen.md || status=1; \
	bench/flame_page.py $(BUILD)/stackvis --markdown $(BUILD)/bench/pages.md || status=1; \
	bench/stackvis.py $(BUILD)/stackvis $(BUILD)/bench/stacks --markdown $(BUILD)/bench/stacks.md || status=1; \
	$(SUDO) bench/runtimes.py $(BUILD)/dtrace --markdown $(BUILD)/bench/runtimes.md || status=1; \
	exit $$status

# What the last `make bench` measured becomes the tables of doc/speed.md.
bench-page:
	bench/page.py doc/speed.md table=$(BUILD)/bench/table.md scaling=$(BUILD)/bench/scaling.md screen=$(BUILD)/bench/screen.md pages=$(BUILD)/bench/pages.md stacks=$(BUILD)/bench/stacks.md
	bench/page.py doc/runtimes.md runtimes=$(BUILD)/bench/runtimes.md

# ------------------------------------------------- what people type: README

DEPS      := gcc clang make libc6-dev linux-libc-dev libiberty-dev libjansson-dev libmicrohttpd-dev libgnutls28-dev libseccomp-dev libnats-dev libssl-dev esbuild
TEST_DEPS := clang-format curl openssl libclang-rt-14-dev libcmocka-dev python3 kmod procps qemu-system-x86 busybox-static cpio xz-utils zstd lz4 \
             ca-certificates debian-archive-keyring libbpf-dev libelf-dev man-db mandoc cmark-gfm strace musl-tools pkgconf valgrind \
             g++ libc6-dbg postgresql mariadb-server redis-server nginx openjdk-17-jdk-headless nfs-kernel-server ruby php-cli perl lua5.4 libboost-context-dev golang-go \
             node-typescript chromium chromium-driver python3-selenium linux-perf \
             tmux bash-completion zsh fish vim-nox vim-ale neovim emacs-nox elpa-eglot bpftrace systemtap python3-dev python3-pip python3-setuptools python3-wheel nats-server iproute2 xfsprogs btrfs-progs
SUDO      := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

deps:
	@tools/deps.sh "build dependencies" $(DEPS)

test-deps: deps
	@tools/deps.sh "test dependencies" $(TEST_DEPS)
	@test -n "$(NODE_INCLUDE)" || tools/deps.sh "headers of node" libnode-dev
	@tools/sources.py $(BUILD)/sources
	@tools/debian_node.sh $(BUILD)/sources/node
	@tools/tree_sitter.py $(BUILD)/sources/tree-sitter

demo: deps
	@$(MAKE) --no-print-directory -s -j2 all
	@$(SUDO) doc/demo.sh $(BUILD)/dtrace

# The live page, on this machine, until Ctrl-C.
demo-live: deps
	@$(MAKE) --no-print-directory -s -j2 all
	@$(SUDO) $(BUILD)/dtlive

check: test-deps
	$(SUDO) test/check.py $(if $(STRICT),--strict)

# Golden tests that take minutes, which `make check` does without (@release in test/run.py).
check-long: all triggers test-deps
	$(SUDO) test/run.py --long

# All that is done in a browser.
check-pages: test-deps
	$(SUDO) test/check.py --only build,page --whole

# All golden tests on all kernels, for before a release.  Then doc/kernels.md can be made again.
KERNELS ?= 6.1 6.12 6.18 newest
comma   := ,
space   := $(subst ,, )

check-kernels: test-deps
	$(SUDO) test/check.py --only build,guests --whole --kernels $(subst $(space),$(comma),$(strip $(KERNELS)))

kernels-page: all triggers
	$(SUDO) tools/kernels.py --kernels $(subst $(space),$(comma),$(strip $(KERNELS))) doc/kernels.md

# --------------------------------------------------------------- packages
# Of the last commit, without network.  They end up in $(BUILD)/packages.
TARBALL := $(BUILD)/dtrace-$(VERSION).tar.xz

dist:
	@mkdir -p $(BUILD)
	git archive --prefix=dtrace-$(VERSION)/ HEAD | xz -T1 > $(TARBALL)

deb: dist
	packaging/deb.sh $(TARBALL) $(BUILD)/packages

rpm: dist
	packaging/rpm.sh $(TARBALL) $(BUILD)/packages

# Builds them all, twice in different places, and uses them on a fresh Debian.
check-packages: deps
	@tools/deps.sh "package builders" debhelper dpkg-dev lintian rpm mmdebstrap xz-utils podman runc
	$(SUDO) test/packages.sh $(BUILD)/check-packages

# The guide, all documents and manual pages as a web site, for browsers without a network.
SITE ?= $(BUILD)/site

site:
	tools/site.py $(SITE)

# C as .clang-format has it; test/check.py looks whether it is.
format:
	tools/format.py

# Manual pages: the language, providers; some providers share a page.
MAN7       := $(sort $(wildcard doc/*.7))
MAN4       := $(sort $(wildcard doc/*.4))
MAN4_LINKS := sdt:rawtp rawfbt:fbt nfsv3:nfs nfsv4:nfs

BASHDIR   := $(PREFIX)/share/bash-completion/completions
FISHDIR   := $(PREFIX)/share/fish/vendor_completions.d
COMPLETED := $(TOOLS) $(DRAWERS) $(LOOKERS) stackvis dtlive $(notdir $(TOOLKIT))
EDITORS   := $(patsubst share/%,%,$(sort $(wildcard share/vim/*/*.vim share/tree-sitter-d-trace/*.* share/tree-sitter-d-trace/*/*.*)))

install: all $(BUILD)/installed/dtlive $(BUILD)/installed/dtrace-lsp $(BUILD)/installed/stackvis $(TOOLS:%=$(BUILD)/installed/%) $(DRAWERS:%=$(BUILD)/installed/%)
	install -D -m 755 $(BUILD)/dtrace $(DESTDIR)$(PREFIX)/sbin/dtrace
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/sbin $(TOOLS:%=$(BUILD)/installed/%)
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(DRAWERS:%=$(BUILD)/installed/%)
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/bin $(BUILD)/installed/stackvis $(LOOKERS:%=$(BUILD)/%)
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/libexec/dtrace $(BUILD)/installed/dtrace-lsp
	install -D -m 755 -t $(DESTDIR)$(PREFIX)/sbin $(BUILD)/installed/dtlive
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man8 doc/dtlive.8
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/dtrace/metrics $(METRICS)
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's|/usr/sbin/|$(PREFIX)/sbin/|' packaging/dtlive.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/dtlive.service
	chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/system/dtlive.service
	for script in $(TOOLKIT); do \
		sed '1s|/usr/sbin/dtrace|$(PREFIX)/sbin/dtrace|' $$script > $(BUILD)/gen/script && \
		install -m 755 $(BUILD)/gen/script $(DESTDIR)$(PREFIX)/sbin/$${script##*/} && \
		awk -f tools/tool_manual.awk $$script > $(BUILD)/gen/page.8 && \
		install -D -m 644 $(BUILD)/gen/page.8 $(DESTDIR)$(PREFIX)/share/man/man8/$${script##*/}.8 || exit 1; \
	done
	install -D -m 644 $(BUILD)/libdtrace.a $(DESTDIR)$(LIBDIR)/libdtrace.a
	install -D -m 644 $(BUILD)/libusdt.a $(DESTDIR)$(LIBDIR)/libusdt.a
	install -D -m 755 $(BUILD)/libdtrace.so.1 $(DESTDIR)$(LIBDIR)/libdtrace.so.1
	ln -sf libdtrace.so.1 $(DESTDIR)$(LIBDIR)/libdtrace.so
	install -d $(DESTDIR)$(LIBDIR)/pkgconfig
	sed 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' $(BUILD)/dtrace.pc > $(DESTDIR)$(LIBDIR)/pkgconfig/dtrace.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/dtrace.pc
	install -D -m 644 include/dtrace.h $(DESTDIR)$(PREFIX)/include/dtrace.h
	install -D -m 644 libusdt/usdt.h $(DESTDIR)$(PREFIX)/include/usdt.h
	install -D -m 644 $(BUILD)/include/sys/sdt.h $(DESTDIR)$(PREFIX)/include/sys/sdt.h
	[ -e $(DESTDIR)$(PREFIX)/bin/dtrace ] || { mkdir -p $(DESTDIR)$(PREFIX)/bin && \
		ln -s ../sbin/dtrace $(DESTDIR)$(PREFIX)/bin/dtrace; }
	install -D -m 644 doc/dtrace.8 $(DESTDIR)$(PREFIX)/share/man/man8/dtrace.8
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man7 $(MAN7)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man4 $(MAN4)
	for link in $(MAN4_LINKS); do \
		ln -sf dtrace_$${link#*:}.4 $(DESTDIR)$(PREFIX)/share/man/man4/dtrace_$${link%:*}.4 || exit 1; \
	done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man8 $(TOOLS:%=doc/%.8)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 $(DRAWERS:%=doc/%.1)
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 doc/stackvis.1 $(LOOKERS:%=doc/%.1)
	install -D -m 644 -t $(DESTDIR)$(BASHDIR) share/bash-completion/completions/dtrace
	install -D -m 644 -t $(DESTDIR)$(FISHDIR) share/fish/vendor_completions.d/dtrace.fish
	for name in $(COMPLETED); do \
		ln -sf dtrace $(DESTDIR)$(BASHDIR)/$$name && ln -sf dtrace.fish $(DESTDIR)$(FISHDIR)/$$name.fish || exit 1; \
	done
	sed '1s|$$| $(COMPLETED)|' share/zsh/_dtrace > $(BUILD)/gen/_dtrace
	install -D -m 644 -t $(DESTDIR)$(ZSHDIR) $(BUILD)/gen/_dtrace
	for file in $(EDITORS); do \
		install -D -m 644 share/$$file $(DESTDIR)$(PREFIX)/share/dtrace/$$file || exit 1; \
	done

# What `make install` with the same PREFIX, LIBDIR and DESTDIR has put there.
uninstall:
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/sbin/,dtrace $(TOOLS) $(notdir $(TOOLKIT)))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(DRAWERS) $(LOOKERS) stackvis)
	rm -f $(DESTDIR)$(PREFIX)/libexec/dtrace/dtrace-lsp
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/,sbin/dtlive share/man/man8/dtlive.8 lib/systemd/system/dtlive.service)
	rm -f $(METRICS:%=$(DESTDIR)$(PREFIX)/share/dtrace/%)
	[ "$$(readlink $(DESTDIR)$(PREFIX)/bin/dtrace)" != ../sbin/dtrace ] || rm $(DESTDIR)$(PREFIX)/bin/dtrace
	rm -f $(addprefix $(DESTDIR)$(LIBDIR)/,libdtrace.a libdtrace.so libdtrace.so.1 libusdt.a pkgconfig/dtrace.pc)
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/include/,dtrace.h usdt.h sys/sdt.h)
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/man/man8/,dtrace.8 $(TOOLS:%=%.8) $(TOOLKIT:toolkit/%=%.8))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/man/man7/,$(notdir $(MAN7)))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/man/man4/,$(notdir $(MAN4)))
	for link in $(MAN4_LINKS); do rm -f $(DESTDIR)$(PREFIX)/share/man/man4/dtrace_$${link%:*}.4; done
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/man/man1/,$(DRAWERS:%=%.1) $(LOOKERS:%=%.1) stackvis.1)
	rm -f $(addprefix $(DESTDIR)$(BASHDIR)/,dtrace $(COMPLETED)) $(DESTDIR)$(ZSHDIR)/_dtrace
	rm -f $(patsubst %,$(DESTDIR)$(FISHDIR)/%.fish,dtrace $(COMPLETED))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/share/dtrace/,$(EDITORS))

clean:
	rm -rf $(BUILD)

-include $(LIB_OBJS:.o=.d) $(JAVA_OBJS:.o=.d) $(USDT_OBJS:.o=.d) $(LIVE:%.c=$(BUILD)/%.d) $(LIBRARY:%.c=$(BUILD)/%.d) $(BUILD)/src/proc/demangle.d $(CMD_OBJS:.o=.d) $(TOOLS:%=$(BUILD)/cmd/%.d) $(DRAWERS:%=$(BUILD)/cmd/%.d) $(LOOKERS:%=$(BUILD)/cmd/%.d) $(LSP:%.c=$(BUILD)/%.d) $(LOCKSTAT:%.c=$(BUILD)/%.d) $(PRSTAT:%.c=$(BUILD)/%.d) $(USE:%.c=$(BUILD)/%.d) $(BUILD)/cmd/tool.d $(BUILD)/cmd/drawing.d $(BUILD)/cmd/stackvis.d $(TESTS:%=%.d) $(TRIGGERS:%=%.d) $(FLEET_OBJS:.o=.d) $(BUILD)/fleet/simulate.d $(FLEET_TESTS:%=%.d)

.PHONY: all live node-provider python-usdt demo-live site command-objects unit-tests page-tests triggers differential fuzz fuzz-text fuzz-files fuzz-recordings fuzz-texts-of-stacks fuzz-requests fuzz-options mutate fuzz-messages fuzz-java-agent fuzz-runtimes matrix soak fleet check-live bench bench-page deps test-deps demo check check-long check-pages check-kernels kernels-page check-tests dist deb rpm check-packages format install uninstall clean
