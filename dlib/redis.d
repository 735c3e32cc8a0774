/* SPDX-License-Identifier: Apache-2.0 */
/*
 * redis: what clients ask of a Redis server, and what becomes of its keys.  The
 * server exports its functions for modules, so stripped packages have them, too.
 *
 * Debian's redis-server is a link to redis-check-rdb, other systems have a program of
 * that name.  Two facts about the server's data are taken for granted, because
 * they have held since its first versions: a client begins with its number, and
 * the second word of an object points to its text.  getter() finds the rest.
 *
 * A text that is missing (the key of a command without arguments) is NULL.
 */
provider redis {
	/* A client has sent a command: as it was typed, with its first argument. */
	probe command__start(uint64_t clientid, char *command, char *key, int argc)
	{
		redis-[cs][he]*:processCommand:entry
		{
			self->redis_start = *(userland uint64_t *)arg0;
			self->redis_starts = 1;
		}
		/* some commands look for others */
		redis-[cs][he]*:lookupCommandLogic:entry
		/self->redis_starts/
		{
			self->redis_starts = 0;
			fire(self->redis_start,
			    *(userland uint64_t *)
			    (*(userland uint64_t *)arg1 + 8),
			    ((int)arg2 < 2 ? 0 : *(userland uint64_t *)
			    (*(userland uint64_t *)(arg1 + 8) + 8)),
			    arg2);
		}
	};
	/* It has been executed, queued or refused; or it waits (BLPOP). */
	probe command__done(uint64_t clientid)
	{
		redis-[cs][he]*:processCommand:entry
		{
			/* the client may be gone by then */
			self->redis_done = *(userland uint64_t *)arg0;
		}
		redis-[cs][he]*:processCommand:return
		/self->redis_done/
		{
			fire(self->redis_done);
		}
	};
	/* Commands as they are executed, also those of scripts and transactions. */
	probe call__start(uint64_t clientid, char *command)
	{
		redis-[cs][he]*:call:entry
		{
			fire(*(userland uint64_t *)arg0,
			    getter(RM_GetCurrentCommandName, arg0, 1));
		}
	};
	probe call__done(void)
	{
		redis-[cs][he]*:call:return
		{
			fire();
		}
	};
	/* A client gets an error: a text of that length. */
	probe error(uint64_t clientid, char *message, uint64_t length)
	{
		redis-[cs][he]*:afterErrorReply:entry
		{
			fire(*(userland uint64_t *)arg0, arg1, arg2);
		}
	};
	/* Clients come and go.  The address is empty for sockets of files. */
	probe client__connect(uint64_t clientid, char *address, int port)
	{
		redis-[cs][he]*:anetTcpAccept:entry
		{
			self->redis_address = arg2;
			self->redis_port = arg4;
		}
		redis-[cs][he]*:anetUnixAccept:entry
		{
			/* the end of the buffer for messages */
			self->redis_address = arg0 + 255;
			self->redis_port = 0;
		}
		redis-[cs][he]*:createClient:entry
		{
			self->redis_connection = arg0;
		}
		/* the server has clients without a connection, too */
		redis-[cs][he]*:createClient:return
		/self->redis_connection && self->redis_address && arg1/
		{
			fire(*(userland uint64_t *)arg1, self->redis_address,
			    self->redis_port ?
			    *(userland uint32_t *)self->redis_port : 0);
		}
	};
	probe client__disconnect(uint64_t clientid)
	{
		redis-[cs][he]*:freeClient:entry
		{
			self->redis_freed = *(userland uint64_t *)arg0;
		}
		/* freeClient() may put it off; then it is called again */
		redis-[cs][he]*:unlinkClient:entry
		/self->redis_freed == *(userland uint64_t *)arg0/
		{
			fire(self->redis_freed);
		}
	};
	/* Something happens to a key: set, del, expire, expired, evicted, lpush ... */
	probe key__event(char *event, char *key, int database)
	{
		redis-[cs][he]*:notifyKeyspaceEvent:entry
		{
			fire(arg1, *(userland uint64_t *)(arg2 + 8), (int)arg3);
		}
	};
	/* A child for saving or rewriting; the server stands still meanwhile. */
	probe fork__start(int purpose)
	{
		redis-[cs][he]*:redisFork:entry
		{
			fire((int)arg0);
		}
	};
	probe fork__done(int child)
	{
		redis-[cs][he]*:redisFork:return
		/(int)arg1/
		{
			fire((int)arg1);
		}
	};
	/* The append-only file is written. */
	probe aof__flush__start(int force)
	{
		redis-[cs][he]*:flushAppendOnlyFile:entry
		{
			fire((int)arg0);
		}
	};
	probe aof__flush__done(void)
	{
		redis-[cs][he]*:flushAppendOnlyFile:return
		{
			fire();
		}
	};
};
