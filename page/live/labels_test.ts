// SPDX-License-Identifier: Apache-2.0
import { equal, finish, isTrue, test } from "../common/testing";
import { both, chosenBy, matches, valuesOf } from "./labels";

const DB = { host: "db1", role: "db", site: "ulm", kernel: "6.1.0" };

/* The same cases as fleet/labels_test.c: page and hosts must agree. */
test("hosts are chosen as agents choose them", () => {
	for (const expression of ["", "*", "role=db", "role=db,site=ulm", "role=db|cache", "role=cache|db", "site!=bonn", "role", "!canary", "host=db*", "kernel=6.1*",
		"role=d?", "canary!=yes", "host=[a-d]b1", "host=[!w]*"])
		isTrue(matches(expression, DB), expression);
	for (const expression of ["role=web", "role=db,site=bonn", "role!=db", "canary", "!role", "role=", "host=web*", "kernel=6x1*", "canary=yes", "host=[!d]*", "role=d"])
		isTrue(!matches(expression, DB), expression);
});

test("labels and their values, the most frequent first", () => {
	const hosts = [DB, { host: "w1", role: "web" }, { host: "w2", role: "web" }];
	equal([...valuesOf(hosts)], [["kernel", ["6.1.0"]], ["role", ["web", "db"]], ["site", ["ulm"]]]);
});

test("keys of hosts become a condition", () => {
	equal(chosenBy(["host"], [["db1", "bash"], ["w1", "bash"]]), "host=db1|w1");
	equal(chosenBy(["role", "site"], [["db", "ulm"]]), "role=db,site=ulm");
	equal(chosenBy(["canary"], [[""]]), "!canary");
	equal(chosenBy(["canary"], [[""], ["yes"]]), "");
	equal(chosenBy(["role"], [["a,b"]]), "");
	equal(chosenBy([], [["bash"]]), "");
	equal(both("*", "host=db1"), "host=db1");
	equal(both("role=db", ""), "role=db");
	equal(both("role=db", "host=db1"), "role=db,host=db1");
	equal(both("", "*"), "*");
});

finish();
