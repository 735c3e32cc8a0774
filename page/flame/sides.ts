// SPDX-License-Identifier: Apache-2.0
/* What a difference compares, in words: two runs, or a part of something and its rest. */

export interface Sides {
	before: string;		/* "3 samples before" */
	after: string;
	vanished: string;	/* "3 samples before, vanished" */
	fresh: string;
	/* what colours say: only before, less, the same, more, only after */
	changes: readonly [string, string, string, string, string];
	/* Their sizes have nothing to do with each other: shares are compared. */
	areParts: boolean;
}

export const RUNS: Sides = {
	before: "before", after: "after", vanished: "before, vanished", fresh: "new",
	changes: ["vanished", "less", "same", "more", "new"], areParts: false,
};
