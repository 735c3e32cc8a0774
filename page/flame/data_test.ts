// SPDX-License-Identifier: Apache-2.0
import { equal, finish, test, throws } from "../common/testing";
import { fullName, readProfile } from "./data";
import { shown } from "./sample";
import { initialState, sane, State } from "./state";

/* Numbers below 128 are their own varints. */
function base64(...bytes: number[]): string {
	return btoa(String.fromCharCode(...bytes));
}

const FORMAT = { format: 1, picture: "flame", title: "t", subtitle: "", unit: "ns", strings: ["main", "read", "libc", "write"], notes: ["n"] };
const frames = base64(0, 0, 1, 1, 3, 1, 3, 1, 0);	/* main; libc`read; main`write of the kernel */

test("nodes are children of the one before, unless they say otherwise", () => {
	/* main; read 5; up 1: write 7; up 2: read 1 */
	const nodes = base64(0, 1 << 1 | 1, 0, 5, 2 << 1 | 1, 1, 7, 1 << 1 | 1, 2, 1);
	const profile = readProfile({ ...FORMAT, countBefore: 0, frames, nodes });
	equal(shown(profile.frames, profile.tree), ["main 12", "main;read 5", "main;write 7", "read 1"]);
	equal([0, 1, 2, 99].map((frame) => fullName(profile.frames, frame)), ["main", "libc`read", "main`write", "all"]);
	const { frames: unnamed } = readProfile({ ...FORMAT, strings: ["libc+0x20", "read", "libc"], frames: base64(0, 3, 1), countBefore: 0, nodes: base64(1, 0, 1) });
	equal(fullName(unnamed, 0), "libc+0x20");
	equal([...profile.frames.kind], [1, 1, 0]);
	equal([profile.unit, profile.notes, profile.isDifference], ["ns", ["n"], false]);
});

test("a difference has two weights", () => {
	const nodes = base64(0, 1 << 1 | 1, 0, 5, 3, 2 << 1 | 1, 1, 0, 7);
	const profile = readProfile({ ...FORMAT, countBefore: 1, frames, nodes });
	equal(shown(profile.frames, profile.tree), ["main 10 5", "main;read 3 5", "main;write 7 0"]);
});

test("damaged data are refused", () => {
	const read = (change: object): void => { readProfile({ ...FORMAT, frames, nodes: base64(0), ...change }); };
	read({});
	for (const change of [{ format: 2 }, { frames: base64(9, 0, 1) }, { frames: base64(0, 9, 1) }, { frames: base64(0, 0, 5) },
		{ frames: base64(0, 0) }, { nodes: base64(6) }, { nodes: base64(1, 2, 1) }, { nodes: base64(1) }, { nodes: "?" }])
		throws(() => read(change));
	throws(() => readProfile(null));
});

test("names are made visible", () => {
	const profile = readProfile({ ...FORMAT, title: "\u202e", strings: ["a\nb", "<b>", "c", "\u0000"], frames, nodes: base64(0) });
	equal([profile.frames.name, profile.title], [["a\\x0ab", "<b>", "\\x00"], "\\u202e"]);
});

test("a link may say anything", () => {
	const initial = initialState(false);
	const wrong = { ...initial, shape: "cube", colour: "x", merge: "", least: 0, zoom: -2.5, order: "z" } as unknown as State;
	equal(sane(wrong, initial), { ...initial, least: 0.1 });
});

finish();
