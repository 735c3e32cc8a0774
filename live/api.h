/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* What routes answer; routes.c says which.  doc/live-api.md is the manual. */

#include "live/http.h"

/* api_page.c */
void api_page(struct request *request);
void api_script(struct request *request);
void api_style(struct request *request);
void api_snapshot(struct request *request);
/* api_server.c */
void api_status(struct request *request);
void api_events(struct request *request);
void api_annotations(struct request *request);
void api_annotate(struct request *request);
void api_unannotate(struct request *request);
void api_restore(struct request *request);
void api_processes(struct request *request);
void api_check(struct request *request);
void api_complete(struct request *request);
json_t *status_json(const struct server *server);
json_t *annotations_json(const struct server *server);
/* api_metrics.c */
void api_metrics(struct request *request);
void api_generate(struct request *request);
/* api_instrumentations.c */
void api_instrumentations(struct request *request);
void api_create(struct request *request);
void api_instrumentation(struct request *request);
void api_change(struct request *request);
void api_delete(struct request *request);
void api_stop(struct request *request);
/* api_values.c */
void api_values(struct request *request);
void api_heatmap(struct request *request);
void api_details(struct request *request);
void api_stacks(struct request *request);
void api_recording(struct request *request);
/* fleet.c */
void api_hosts(struct request *request);
void api_fleet(struct request *request);
void api_who(struct request *request);
json_t *hosts_json(const struct server *server);
void values_put(struct text *out, const struct instrumentation *from,
		int64_t first, int64_t last);

/* metrics_open.c */
bool metrics_open(struct server *server);
/* {"program","title","view",...} of a request for a metric; NULL: *error. */
json_t *metrics_request(const struct server *server, json_t *request,
			json_t **error, unsigned *status);
