/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The words of a command, as a shell reads them; NULL at the end; to be freed.
 * NULL if its end is missing, and what that is.
 */
char **command_words(const char *text, const char **missing);
