// SPDX-License-Identifier: Apache-2.0
/* The time of day where the reader is. */

export function zoneSeconds(): number {
	return -new Date().getTimezoneOffset() * 60;
}

export function zoneName(): string {
	const part = new Intl.DateTimeFormat("en", { timeZoneName: "short" }).formatToParts(new Date()).find(({ type }) => type === "timeZoneName");
	return part?.value ?? "";
}

/* 12:34:56, with milliseconds if asked for. */
export function timeOfDay(t: number, withMs = false): string {
	const date = new Date(t + zoneSeconds() * 1000);
	return Number.isNaN(date.getTime()) ? "?" : date.toISOString().slice(11, withMs ? 23 : 19);
}
