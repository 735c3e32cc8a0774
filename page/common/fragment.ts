// SPDX-License-Identifier: Apache-2.0
/*
 * What a user chose, kept in the fragment of the URL (#zoom=12&search=row): a
 * link shows what its sender saw, and the browser's "back" undoes.
 *
 * A state is an object of strings, numbers and booleans.  Only what differs
 * from the initial state is written; what is unknown or has another type is
 * left out when it is read, so links of other versions do no harm.
 */

export type Plain = Record<string, string | number | boolean>;

export function writeFragment<State extends object>(state: State, initial: State): string {
	const parts = new URLSearchParams();
	const before = initial as unknown as Plain;
	for (const [name, value] of Object.entries(state as unknown as Plain))
		if (value !== before[name])
			parts.set(name, String(value));
	return parts.toString();
}

export function readFragment<State extends object>(text: string, initial: State): State {
	const state = { ...initial } as unknown as Plain;
	for (const [name, value] of new URLSearchParams(text.replace(/^#/, ""))) {
		const was = Object.prototype.hasOwnProperty.call(state, name) ? typeof state[name] : "";
		if (was === "string")
			state[name] = value;
		else if (was === "boolean")
			state[name] = value === "true";
		else if (was === "number" && value !== "" && Number.isFinite(Number(value)))
			state[name] = Number(value);
	}
	return state as unknown as State;
}
