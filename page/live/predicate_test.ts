// SPDX-License-Identifier: Apache-2.0
import { equal, finish, test } from "../common/testing";
import { allOf, conditionsOf, fieldsOf, inWords, onlyThis } from "./predicate";
import { HISTOGRAM, instrumentation, SCALAR } from "./testdata";
import { Predicate } from "./types";

const info = instrumentation();
const MYSQL: Predicate = { eq: ["execname", "mysqld"] };

test("conditions are joined, not nested and not said twice", () => {
	equal(allOf(null, {}, undefined), null);
	equal(allOf(MYSQL, null), MYSQL);
	equal(allOf({ and: [MYSQL, { ge: ["latency", 1] }] }, MYSQL, { le: ["latency", 9] }), { and: [MYSQL, { ge: ["latency", 1] }, { le: ["latency", 9] }] });
	equal(allOf({ or: [MYSQL, { ge: ["latency", 1] }] }, MYSQL), { and: [{ or: [MYSQL, { ge: ["latency", 1] }] }, MYSQL] });
});

test("a form shows what fits into it", () => {
	equal(conditionsOf(null), { join: "and", conditions: [] });
	equal(conditionsOf(MYSQL), { join: "and", conditions: [{ field: "execname", operator: "eq", value: "mysqld" }] });
	equal(conditionsOf({ or: [MYSQL, { gt: ["latency", 5] }] })?.join, "or");
	equal(conditionsOf({ and: [MYSQL, { or: [MYSQL] }] }), null);
});

test("words for people", () => {
	equal(inWords({ and: [MYSQL, { or: [{ ge: ["latency", 5] }, { ne: ["pid", 1] }] }] }, info.fields), "program = mysqld and (latency ≥ 5 or process ≠ 1)");
	equal(inWords({}, info.fields), "");
});

test("fields of keys and of values", () => {
	equal([fieldsOf(info, HISTOGRAM).keys[0]?.name, fieldsOf(info, HISTOGRAM).value?.name], ["execname", "latency"]);
	equal([fieldsOf(info, SCALAR).keys[0]?.name, fieldsOf(info, SCALAR).value], ["execname", null]);
	equal(fieldsOf(info, { ...HISTOGRAM, keyNames: ["curpsinfo"] }).keys[0]?.name, "execname");
});

test("only this: the key, the range, and what was asked before", () => {
	const where: Predicate = { ne: ["pid", 1] }, asked = instrumentation({ where });
	equal(onlyThis(info, HISTOGRAM, { keys: [["mysqld"]], low: 4, high: 7 }), { and: [MYSQL, { ge: ["latency", 4] }, { le: ["latency", 7] }] });
	equal(onlyThis(asked, HISTOGRAM, { keys: [["mysqld"]], low: null, high: null }), { and: [where, MYSQL] });
	equal(onlyThis(info, HISTOGRAM, { keys: [["a"], ["b"]], low: null, high: 7 }),
		{ and: [{ or: [{ eq: ["execname", "a"] }, { eq: ["execname", "b"] }] }, { le: ["latency", 7] }] });
	const byPid = instrumentation({ by: ["latency", "pid"] });
	equal(onlyThis(byPid, { ...HISTOGRAM, keyNames: ["pid"] }, { keys: [["12"]], low: null, high: null }), { eq: ["pid", 12] });
	equal(onlyThis(instrumentation({ fields: [], by: [] }), HISTOGRAM, { keys: [["a"]], low: 1, high: 2 }), null);
});

finish();
