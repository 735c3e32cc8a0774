/* C or C++: probes in a library or in the program. */
#include <stdio.h>
#include <string.h>

#include "myapp.h"
#include "server.h"

int serve(int id, const char *text)
{
	char upper[32];
	size_t n = strlen(text);

	MYAPP_REQ_START(id, (char *)text);
	for (size_t i = 0; i <= n && i < sizeof(upper); i++)
		upper[i] = text[i] >= 'a' && text[i] <= 'z'
				   ? (char)(text[i] - 'a' + 'A')
				   : text[i];
	if (MYAPP_REQ_DONE_ENABLED())
		MYAPP_REQ_DONE(id, upper, n);
	return (int)n;
}

void rest(void)
{
	MYAPP_IDLE();
}
