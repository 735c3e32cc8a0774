# The header: guard from the file's name, a macro and a question per probe,
# arguments in their declared types, no probes on demand.
. "$suite/lib.sh"
not_in_guests
cat > Query-log.d <<'D'
#pragma D attributes Evolving/Evolving/Common provider query_log provider
typedef struct request { int id; char *text; } request_t;
struct later;
provider query_log {
	probe start(request_t *, const char *text, struct later *);
	probe numbers(char a, unsigned char b, short c, unsigned short d, int e,
	    unsigned int f, long g, unsigned long h);
	probe more__of__them(int64_t a, uint8_t b, size_t c, enum color d) : (int64_t a, uint8_t b);
	probe none(void);
	probe real(float, double);
	probe theirs(gboolean ok, const gchar *name, char *string, int self);
};
D
"$dtrace" -h -s Query-log.d; echo $?
sed '/^#ifndef _DTRACE_SITE/,/^#endif .. _DTRACE_SITE/d' Query-log.h
