/* SPDX-License-Identifier: Apache-2.0 */
#include "view/page.h"

#include <string.h>

#include "base/text.h"
#include "base/visible.h"

/* Made by tools/bundle.sh; the last has no name. */
extern const struct page_bundle page_bundles[];

const struct page_bundle *page_bundle(const char *name)
{
	for (const struct page_bundle *at = page_bundles; at->name; at++)
		if (!strcmp(at->name, name))
			return at;
	return NULL;
}

static void write_html(FILE *out, const char *bytes)
{
	struct text shown = { 0 };

	text_add_visible(&shown, bytes, strlen(bytes), VISIBLE_LINE);
	for (const char *at = text_str(&shown); *at; at++) {
		if (strchr("<>&\"'", *at))
			fprintf(out, "&#%d;", *at);
		else
			fputc(*at, out);
	}
	text_free(&shown);
}

void page_string(FILE *out, const char *bytes, size_t n)
{
	struct text shown = { 0 };

	text_add_visible(&shown, bytes, n, VISIBLE_LINE);
	fputc('"', out);
	for (const char *at = text_str(&shown); *at; at++) {
		if (*at == '"' || *at == '\\')
			fputc('\\', out);
		if (strchr("<>&", *at))
			fprintf(out, "\\u%04x", *at);
		else
			fputc(*at, out);
	}
	fputc('"', out);
	text_free(&shown);
}

void page_base64(FILE *out, const struct text *bytes)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *at = (const uint8_t *)text_str(bytes);
	size_t left = bytes->n;
	char four[4096];
	size_t n = 0;

	for (; left; at += 3, left -= left < 3 ? left : 3) {
		uint32_t word = (uint32_t)at[0] << 16;

		if (left > 1)
			word |= (uint32_t)at[1] << 8;
		if (left > 2)
			word |= at[2];
		four[n++] = digits[word >> 18];
		four[n++] = digits[word >> 12 & 63];
		four[n++] = left > 1 ? digits[word >> 6 & 63] : '=';
		four[n++] = left > 2 ? digits[word & 63] : '=';
		if (n == sizeof(four)) {
			fwrite(four, 1, n, out);
			n = 0;
		}
	}
	fwrite(four, 1, n, out);
}

/*
 * Nothing is loaded and nothing is sent.  A style that scripts set on an
 * element is not meant by style-src.
 */
static void write_policy(FILE *out, const struct page_bundle *bundle)
{
	fprintf(out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\""
		"default-src 'none'; base-uri 'none'; form-action 'none'; "
		"script-src 'sha256-%s'; style-src ",
		bundle->script_hash);
	if (*bundle->style)
		fprintf(out, "'sha256-%s'\">\n", bundle->style_hash);
	else
		fprintf(out, "'none'\">\n");
}

bool page_write(FILE *out, const char *name, const char *title,
		page_data *write_data, const void *context)
{
	const struct page_bundle *bundle = page_bundle(name);

	if (!bundle)
		return false;
	fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\">\n",
	      out);
	write_policy(out, bundle);
	fputs("<meta name=\"viewport\" content=\"width=device-width\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>",
	      out);
	write_html(out, title);
	fputs("</title>\n", out);
	if (*bundle->style)
		fprintf(out, "<style>%s</style>\n", bundle->style);
	fputs("</head>\n<body>\n"
	      "<noscript>This picture needs scripts.</noscript>\n"
	      "<script type=\"application/json\" id=\"data\">",
	      out);
	write_data(out, context);
	fprintf(out, "</script>\n<script>%s</script>\n</body>\n</html>\n",
		bundle->script);
	return !ferror(out);
}
