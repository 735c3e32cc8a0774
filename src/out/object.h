/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* print(): objects of any C type as text; see object.c. */

#include "out/out.h"

/* What a pointer points to, of which `size` bytes are there. */
void print_pointed(struct printer *printer, struct type *type,
		   const uint8_t *bytes, uint64_t size, struct text *out);
/* A value, with its type in front. */
void print_typed(struct printer *printer, struct type *type,
		 const uint8_t *bytes, uint64_t size, struct text *out);
