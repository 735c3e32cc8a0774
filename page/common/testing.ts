// SPDX-License-Identifier: Apache-2.0
/* Tests of models, run by node: each *_test.ts is a program. */

declare const process: { exitCode: number };

let passed = 0, failed = 0;

export function test(name: string, body: () => void): void {
	try {
		body();
		passed++;
	} catch (error) {
		failed++;
		console.log(`FAIL ${name}: ${error instanceof Error ? error.stack : error}`);
	}
}

export function equal(is: unknown, wanted: unknown): void {
	const [a, b] = [JSON.stringify(is), JSON.stringify(wanted)];
	if (a !== b)
		throw new Error(`${a} instead of ${b}`);
}

export function isTrue(claim: boolean, what: string): void {
	if (!claim)
		throw new Error(what);
}

export function throws(act: () => void): void {
	try {
		act();
	} catch {
		return;
	}
	throw new Error("nothing was thrown");
}

/* At the end of each file: the closing line that test/check.py reads. */
export function finish(): void {
	console.log(`${passed} passed, ${failed} failed`);
	process.exitCode = failed || !passed ? 1 : 0;
}
