/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * Completion: how a D text could go on at a cursor.
 *
 * Names come from the tables that the compiler uses, types from the compiler
 * itself: what stands before -> is checked like an expression of the clause, with
 * the types of its probe.  The rest of the program is entered as far as it is right,
 * so that variables have their types.  All this leaves its marks in the language:
 * take one that compiles nothing else.
 *
 * Probes are not known here; descriptions are handed over (`describe`).
 */

#include "lang/cursor.h"
#include "lang/lang.h"

/* As dtrace_completekind_ext_t. */
enum completion_kind {
	COMPLETE_PROVIDER,
	COMPLETE_MODULE,
	COMPLETE_FUNCTION,
	COMPLETE_NAME,
	COMPLETE_KEYWORD,
	COMPLETE_TYPE,
	COMPLETE_BUILTIN,
	COMPLETE_SUBROUTINE,
	COMPLETE_ACTION,
	COMPLETE_AGGREGATE,
	COMPLETE_VARIABLE,
	COMPLETE_AGGREGATION,
	COMPLETE_CONSTANT,
	COMPLETE_MEMBER,
	COMPLETE_MACRO,
	COMPLETE_OPTION,
};

struct completion {
	const char *text;
	enum completion_kind kind;
	const char *detail; /* a type or prototype; "": unknown */
	const char *after;  /* what would follow: ":", "(", or "" */
};

struct completer {
	struct language *language;
	struct cursor cursor;
	enum spec_kind kind;
	/* false: no more */
	bool (*offer)(void *data, const struct completion *completion);
	/* Candidates for the last part of a description that is being typed. */
	void (*describe)(void *data, struct str description);
	void *data;

	size_t word;	   /* where the word starts that is replaced */
	struct str typed;  /* it, up to the cursor */
	struct table seen; /* candidates, which are offered once */
	bool is_over, is_entered;
};

/* `cursor`, `word`, `typed` and `seen` are set here. */
void complete_text(struct completer *completer, const char *text, size_t length,
		   size_t at);

/* From here to the cursor it is one. */
void complete_set_word(struct completer *completer, size_t start);
/* Offers it if it starts with what is typed. */
void complete_offer(struct completer *completer, const char *text,
		    enum completion_kind kind, const char *detail,
		    const char *after);

/* library.c: every provider that an embedded library declares. */
void library_provider_names(struct language *language,
			    void (*visit)(void *data, const char *name),
			    void *data);

/* complete_member.c: after . or -> at `end`. */
void complete_members(struct completer *completer, size_t end, bool is_arrow);
/* Compiles what is around the cursor, as far as it is right; once. */
void complete_enter(struct completer *completer);

/* complete_words.c: the program's own names, by what precedes them. */
enum word_kind { WORD_PLAIN, WORD_SELF, WORD_THIS, WORD_AGGREGATION };
void complete_words(struct completer *completer, enum word_kind kind);
