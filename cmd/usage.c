/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd.h"

#include <string.h>

static const char text[] =
	"Usage: dtrace [-64] [-CeFGhHlqSvVwZ] [-b size] [-c command] [-D name[=def]]\n"
	"\t[-I path] [-L path] [-o file] [-p pid] [-s script] [-U name]\n"
	"\t[-x opt[=val]] [-X a|c|s|t]\n"
	"\t[-P provider [[ predicate ] action ]]\n"
	"\t[-m [ provider: ] module [[ predicate ] action ]]\n"
	"\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
	"\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
	"\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n"
	"\t[--parameter value ...]\n"
	"\n"
	"\tpredicate -> '/' D-expression '/'\n"
	"\t   action -> '{' D-statements '}'\n"
	"\n"
	"\t-b  size of the trace buffer of each CPU\n"
	"\t-c  run this command and trace until it ends; $target is its pid\n"
	"\t-C  run cpp(1) over script files\n"
	"\t--check  report which providers work on this machine, and why others do not\n"
	"\t--complete  print how a command line could go on, for shells\n"
	"\t-D  define a symbol for the preprocessor\n"
	"\t-e  exit after compiling, before any probe is enabled\n"
	"\t-f  enable or list probes matching the function name\n"
	"\t-F  indent output by function entry and return\n"
	"\t-G  write an object file for the probes of provider declarations\n"
	"\t-h  write a C header for the probes of provider declarations\n"
	"\t--help  print this; after a script, the parameters of the script\n"
	"\t-H  print the names of included files\n"
	"\t-i  enable or list the probe with this id\n"
	"\t-I  add an include directory for the preprocessor\n"
	"\t-l  list probes that match\n"
	"\t-L  add a D library directory\n"
	"\t--lsp  start the language server, for editors\n"
	"\t-m  enable or list probes matching the module name\n"
	"\t-n  enable or list probes matching the probe name\n"
	"\t-o  append output to this file\n"
	"\t-p  trace until this process ends; $target is its pid\n"
	"\t-P  enable or list probes matching the provider name\n"
	"\t-q  print only what the program prints\n"
	"\t--replay  print a recording (-x record=FILE) again\n"
	"\t-s  enable or list probes of a D script\n"
	"\t-S  print the compiled program\n"
	"\t-U  undefine a symbol for the preprocessor\n"
	"\t-v  report stability attributes and arguments\n"
	"\t-V  print the version of D\n"
	"\t-w  permit destructive actions\n"
	"\t-x  set an option of the compiler or of tracing\n"
	"\t-X  conformance of the preprocessor\n"
	"\t-Z  permit descriptions that match no probes\n";

void usage(FILE *out)
{
	fputs(text, out);
}

void usage_about(const char *word, char *about, size_t size)
{
	char start[32];

	snprintf(start, sizeof(start), "\n\t%s  ", word);
	const char *line = strstr(text, start);

	*about = '\0';
	if (!line)
		return;
	line += strlen(start);
	snprintf(about, size, "%.*s", (int)strcspn(line, "\n"), line);
}
