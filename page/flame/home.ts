// SPDX-License-Identifier: Apache-2.0
/*
 * Where a flame graph lives: alone in a page, or in a part of another one.
 *
 * What differs is where its state is kept, whose keys it takes, and whether it
 * has a heading.  All else is the same component.
 */

export interface Home {
	isPage: boolean;			/* the whole page: heading and keys are its own */
	read(): string;				/* the state, as a fragment of a URL */
	write(fragment: string, isStep: boolean): void;	/* isStep: "back" undoes it */
}

export const PAGE: Home = {
	isPage: true,
	read: () => location.hash,
	write: (fragment, isStep) => {
		if (isStep)
			location.hash = "#" + fragment;
		else
			location.replace("#" + fragment);
	},
};
