/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/program.h"

#include <string.h>

enum { LABELS = 256 };

static bool fits(const struct step *step)
{
	if (step->a >= RUNTIME_REGISTERS || step->b >= RUNTIME_REGISTERS ||
	    step->c >= RUNTIME_REGISTERS)
		return false;
	if (step->special == STEP_BRANCH)
		return step->small >= INT16_MIN && step->small <= INT16_MAX;
	if (step->special == STEP_PATTERN)
		return step->n >= 0 && step->n <= UINT32_MAX;
	return step->n >= INT32_MIN && step->n <= INT32_MAX;
}

/* Where labels are; false: one is twice or too large, or there is no room. */
static bool find_labels(const struct step *steps, size_t count, uint64_t at,
			uint16_t places[LABELS])
{
	for (size_t i = 0; i < count; i++) {
		if (steps[i].special == STEP_LABEL) {
			if (steps[i].n < 0 || steps[i].n >= LABELS ||
			    places[steps[i].n])
				return false;
			places[steps[i].n] = (uint16_t)at;
		} else if (steps[i].special != STEP_ENTRY) {
			at++;
		}
	}
	return at <= RUNTIME_WORDS;
}

static uint64_t place_of(const struct step *step, const uint16_t places[LABELS])
{
	return step->n >= 0 && step->n < LABELS ? places[step->n] : 0;
}

bool program_add(uint64_t *block, const struct step *steps, size_t count)
{
	uint16_t places[LABELS] = { 0 };
	uint64_t at = RUNTIME_PROGRAM;

	/* No step is 0 but END(RUNTIME_ORDINARY), which may be the last. */
	for (uint64_t i = RUNTIME_PROGRAM; i < RUNTIME_WORDS; i++)
		if (block[i])
			at = i + 2;
	if (!find_labels(steps, count, at, places))
		return false;
	for (size_t i = 0; i < count; i++) {
		const struct step *step = &steps[i];
		uint32_t n = (uint32_t)step->n;

		if (step->special == STEP_LABEL)
			continue;
		if (step->special == STEP_ENTRY) {
			block[step->n] = at;
			continue;
		}
		if (!fits(step))
			return false;
		if (step->special == STEP_BRANCH || step->special == STEP_GO) {
			uint64_t place = place_of(step, places);

			if (!place)
				return false;
			n = step->special == STEP_GO
				    ? (uint32_t)place
				    : RUNTIME_BRANCH(place,
						     (uint16_t)step->small);
		}
		block[at++] = RUNTIME_STEP(step->what, step->a, step->b,
					   step->c, n);
	}
	return true;
}
