/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mysql: what MySQL's own provider was, for MariaDB, whose packages are built
 * without it.  Names and arguments are the same; those that no function tells
 * (rows that were changed, the table of a row) are left out.
 *
 * MariaDB exports functions that return members of a connection's THD.  That is
 * how this file knows the user, host and database of a connection that is older
 * than the tracing, and needs no offsets (getter()).
 *
 * A string that the server does not have (no database is selected) is empty:
 * the end of the query text.
 */
provider mysql {
	/* A client has been let in. */
	probe connection__start(uint64_t connectionid, char *user, char *host)
	{
		mariadbd:_Z22thd_prepare_connectionP3THD:entry
		{
			self->mysql_connection = arg0;
		}
		mariadbd:_Z22thd_prepare_connectionP3THD:return
		/self->mysql_connection && !(arg1 & 0xff)/
		{
			fire(getter(thd_get_thread_id, self->mysql_connection),
			    getter(thd_user_name, self->mysql_connection),
			    (getter(thd_client_host, self->mysql_connection) ?
			    getter(thd_client_host, self->mysql_connection) :
			    getter(thd_client_ip, self->mysql_connection)));
		}
	};
	probe connection__done(int status, uint64_t connectionid)
	{
		mariadbd:_Z16close_connectionP3THDj:entry
		{
			fire((int)arg1, getter(thd_get_thread_id, arg0));
		}
	};
	/* Anything that a client asks for; 3 is a query, 1 that it leaves. */
	probe command__start(uint64_t connectionid, int command, char *user,
	    char *host)
	{
		mariadbd:_Z16dispatch_command19enum_server_commandP3THDPcj*:entry
		{
			fire(getter(thd_get_thread_id, arg1),
			    arg0,
			    (getter(thd_user_name, arg1) ?
			    getter(thd_user_name, arg1) : arg2 + (uint32_t)arg3),
			    (getter(thd_client_host, arg1) ?
			    getter(thd_client_host, arg1) :
			    (getter(thd_client_ip, arg1) ?
			    getter(thd_client_ip, arg1) : arg2 + (uint32_t)arg3)));
		}
	};
	probe command__done(int status)
	{
		mariadbd:_Z16dispatch_command19enum_server_commandP3THDPcj*:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
	/* Each statement of a query, with those that follow it in the same text. */
	probe query__start(char *query, uint64_t connectionid, char *database,
	    char *user, char *host)
	{
		mariadbd:_Z11mysql_parseP3THDPc*:entry
		{
			fire(arg1,
			    getter(thd_get_thread_id, arg0),
			    (*(userland uint64_t *)getter(thd_current_db, arg0) ?
			    *(userland uint64_t *)getter(thd_current_db, arg0) :
			    arg1 + (uint32_t)arg2),
			    (getter(thd_user_name, arg0) ?
			    getter(thd_user_name, arg0) : arg1 + (uint32_t)arg2),
			    (getter(thd_client_host, arg0) ?
			    getter(thd_client_host, arg0) :
			    (getter(thd_client_ip, arg0) ?
			    getter(thd_client_ip, arg0) : arg1 + (uint32_t)arg2)));
		}
	};
	probe query__done(int status)
	{
		mariadbd:_Z11mysql_parseP3THDPc*:entry
		{
			self->mysql_query = arg0;
		}
		mariadbd:_Z11mysql_parseP3THDPc*:return
		/self->mysql_query/
		{
			fire(getter(thd_get_error_number, self->mysql_query) != 0);
		}
	};
	probe query__parse__start(char *query)
	{
		mariadbd:_Z9parse_sqlP3THDP12Parser_state*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0));
		}
	};
	probe query__parse__done(int status)
	{
		mariadbd:_Z9parse_sqlP3THDP12Parser_state*:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
	probe query__cache__hit(char *query)
	{
		mariadbd:_ZN11Query_cache21send_result_to_clientEP3THDPcj:entry
		{
			self->mysql_hit = arg2;
		}
		mariadbd:_ZN11Query_cache21send_result_to_clientEP3THDPcj:return
		/self->mysql_hit && (int)arg1 > 0/
		{
			fire(self->mysql_hit);
		}
	};
	probe query__cache__miss(char *query)
	{
		mariadbd:_ZN11Query_cache21send_result_to_clientEP3THDPcj:entry
		{
			self->mysql_miss = arg2;
		}
		mariadbd:_ZN11Query_cache21send_result_to_clientEP3THDPcj:return
		/self->mysql_miss && (int)arg1 <= 0/
		{
			fire(self->mysql_miss);
		}
	};
	/* Statements of stored procedures are executed as well. */
	probe query__exec__start(char *query, uint64_t connectionid)
	{
		mariadbd:_Z21mysql_execute_commandP3THD*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0),
			    getter(thd_get_thread_id, arg0));
		}
	};
	probe query__exec__done(int status)
	{
		mariadbd:_Z21mysql_execute_commandP3THD*:entry
		{
			self->mysql_exec = arg0;
		}
		mariadbd:_Z21mysql_execute_commandP3THD*:return
		/self->mysql_exec/
		{
			fire(getter(thd_get_error_number, self->mysql_exec) != 0);
		}
	};
	probe select__start(char *query)
	{
		mariadbd:_Z13handle_selectP3THD*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0));
		}
	};
	probe select__done(int status)
	{
		mariadbd:_Z13handle_selectP3THD*:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
	probe insert__start(char *query)
	{
		mariadbd:_Z12mysql_insertP3THD*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0));
		}
	};
	probe insert__done(int status)
	{
		mariadbd:_Z12mysql_insertP3THD*:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
	probe update__start(char *query)
	{
		mariadbd:_Z12mysql_updateP3THD*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0));
		}
	};
	probe update__done(int status)
	{
		mariadbd:_Z12mysql_updateP3THD*:return
		{
			fire((int)arg1 != 0);
		}
	};
	probe multi__update__start(char *query)
	{
		mariadbd:_Z18mysql_multi_updateP3THD*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0));
		}
	};
	probe multi__update__done(int status)
	{
		mariadbd:_Z18mysql_multi_updateP3THD*:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
	probe delete__start(char *query)
	{
		mariadbd:_Z12mysql_deleteP3THD*:entry
		{
			fire(*(userland uint64_t *)getter(thd_query_string, arg0));
		}
	};
	probe delete__done(int status)
	{
		mariadbd:_Z12mysql_deleteP3THD*:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
	probe filesort__start(void)
	{
		mariadbd:_Z8filesortP3THDP5TABLE*:entry
		{
			fire();
		}
	};
	probe filesort__done(int status)
	{
		mariadbd:_Z8filesortP3THDP5TABLE*:return
		{
			fire(!arg1);
		}
	};
	/* Rows of tables; a status is 0 or an error of the storage engine, 137 at the end. */
	probe read__row__start(void)
	{
		mariadbd:_ZN7handler11ha_rnd_nextEPh*:entry,
		mariadbd:_ZN7handler10ha_rnd_posEPh*:entry
		{
			fire();
		}
	};
	probe read__row__done(int status)
	{
		mariadbd:_ZN7handler11ha_rnd_nextEPh*:return,
		mariadbd:_ZN7handler10ha_rnd_posEPh*:return
		{
			fire((int)arg1);
		}
	};
	probe index__read__row__start(void)
	{
		mariadbd:_ZN7handler17ha_index_read_mapEPh*:entry,
		mariadbd:_ZN7handler21ha_index_read_idx_mapEPh*:entry,
		mariadbd:_ZN7handler14ha_index_firstEPh*:entry,
		mariadbd:_ZN7handler13ha_index_lastEPh*:entry,
		mariadbd:_ZN7handler13ha_index_nextEPh*:entry,
		mariadbd:_ZN7handler13ha_index_prevEPh*:entry,
		mariadbd:_ZN7handler18ha_index_next_sameEPh*:entry
		{
			fire();
		}
	};
	probe index__read__row__done(int status)
	{
		mariadbd:_ZN7handler17ha_index_read_mapEPh*:return,
		mariadbd:_ZN7handler21ha_index_read_idx_mapEPh*:return,
		mariadbd:_ZN7handler14ha_index_firstEPh*:return,
		mariadbd:_ZN7handler13ha_index_lastEPh*:return,
		mariadbd:_ZN7handler13ha_index_nextEPh*:return,
		mariadbd:_ZN7handler13ha_index_prevEPh*:return,
		mariadbd:_ZN7handler18ha_index_next_sameEPh*:return
		{
			fire((int)arg1);
		}
	};
	probe insert__row__start(void)
	{
		mariadbd:_ZN7handler12ha_write_rowEPKh*:entry
		{
			fire();
		}
	};
	probe insert__row__done(int status)
	{
		mariadbd:_ZN7handler12ha_write_rowEPKh*:return
		{
			fire((int)arg1);
		}
	};
	probe update__row__start(void)
	{
		mariadbd:_ZN7handler13ha_update_rowEPKh*:entry
		{
			fire();
		}
	};
	probe update__row__done(int status)
	{
		mariadbd:_ZN7handler13ha_update_rowEPKh*:return
		{
			fire((int)arg1);
		}
	};
	probe delete__row__start(void)
	{
		mariadbd:_ZN7handler13ha_delete_rowEPKh*:entry
		{
			fire();
		}
	};
	probe delete__row__done(int status)
	{
		mariadbd:_ZN7handler13ha_delete_rowEPKh*:return
		{
			fire((int)arg1);
		}
	};
	/* Locks of tables, when a statement begins and ends. */
	probe handler__rdlock__start(void)
	{
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:entry
		/(int)arg2 == 0/
		{
			fire();
		}
	};
	probe handler__rdlock__done(int status)
	{
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:entry
		{
			self->mysql_rdlock = (int)arg2 == 0;
		}
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:return
		/self->mysql_rdlock/
		{
			fire((int)arg1);
		}
	};
	probe handler__wrlock__start(void)
	{
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:entry
		/(int)arg2 == 1/
		{
			fire();
		}
	};
	probe handler__wrlock__done(int status)
	{
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:entry
		{
			self->mysql_wrlock = (int)arg2 == 1;
		}
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:return
		/self->mysql_wrlock/
		{
			fire((int)arg1);
		}
	};
	probe handler__unlock__start(void)
	{
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:entry
		/(int)arg2 == 2/
		{
			fire();
		}
	};
	probe handler__unlock__done(int status)
	{
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:entry
		{
			self->mysql_unlock = (int)arg2 == 2;
		}
		mariadbd:_ZN7handler16ha_external_lockEP3THDi:return
		/self->mysql_unlock/
		{
			fire((int)arg1);
		}
	};
	/* Packets of the protocol. */
	probe net__read__start(void)
	{
		mariadbd:my_net_read_packet:entry
		{
			fire();
		}
	};
	probe net__read__done(int status, uint64_t bytes)
	{
		mariadbd:my_net_read_packet:return
		{
			fire(arg1 == -1, arg1 == -1 ? 0 : arg1);
		}
	};
	probe net__write__start(uint64_t bytes)
	{
		mariadbd:net_real_write:entry
		{
			fire(arg2);
		}
	};
	probe net__write__done(int status)
	{
		mariadbd:net_real_write:return
		{
			fire((arg1 & 0xff) != 0);
		}
	};
};
