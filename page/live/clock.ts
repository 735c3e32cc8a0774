// SPDX-License-Identifier: Apache-2.0
/*
 * One clock for all panels: they show `span` ms that end at `until`, or at the
 * present.  Times are whole intervals, so that a column is in or out.
 */

export const SPANS = [60, 120, 300, 600] as const;	/* seconds */

export interface Times {
	from: number;
	to: number;	/* not included */
	step: number;
}

export interface Present {
	now: number;
	interval: number;
	retention: number;	/* ms */
}

function down(t: number, step: number): number {
	return Math.floor(t / step) * step;
}

/* until: 0 is the present. */
export function timesOf({ now, interval }: Present, spanSeconds: number, until: number): Times {
	const present = down(now, interval), to = until ? Math.min(down(until, interval), present) : present;
	const span = Math.max(interval, down(spanSeconds * 1000, interval));
	return { from: to - span, to, step: interval };
}

/* The oldest `until` that shows something. */
export function earliest(present: Present, spanSeconds: number): number {
	const { now, interval, retention } = present;
	return down(Math.min(now, Math.max(now - retention + spanSeconds * 1000, now - retention + interval)), interval);
}

/* Half a window earlier or later; 0: that is the present. */
export function stepped(present: Present, spanSeconds: number, until: number, direction: number): number {
	const { to } = timesOf(present, spanSeconds, until);
	return movedTo(present, spanSeconds, to + direction * Math.max(present.interval, spanSeconds * 500));
}

export function movedTo(present: Present, spanSeconds: number, wanted: number): number {
	const last = down(present.now, present.interval);
	return wanted >= last ? 0 : Math.max(down(wanted, present.interval), earliest(present, spanSeconds));
}

export function columnsOf({ from, to, step }: Times): number {
	return Math.max(1, Math.round((to - from) / step));
}
