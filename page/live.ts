// SPDX-License-Identifier: Apache-2.0
/* The page of dtlive: from a server, or as a snapshot in a file of its own. */

import { element, embeddedData } from "./common/dom";
import { LivePage } from "./live/app";
import { SnapshotJson } from "./live/types";

try {
	new LivePage(document.body, embeddedData() as SnapshotJson | null);
} catch (error) {
	document.body.append(element("p", { class: "failure", role: "alert" }, error instanceof Error ? error.message : String(error)));
}
