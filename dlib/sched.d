/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processors as sched shows them.  Linux has no processor sets: all CPUs are
 * in set 0.
 */

typedef struct processor_info {
	int pi_state;			/* P_ONLINE: something runs on it */
	string pi_processor_type;
	string pi_fputypes;
	int pi_clock;			/* MHz, when the program was compiled */
} processor_info_t;

inline int P_ONLINE = 2;
#pragma D attributes Stable/Stable/Common P_ONLINE

translator processor_info_t < processorid_t C > {
	pi_state = P_ONLINE;
	pi_processor_type = "@PROCESSOR_TYPE@";
	pi_fputypes = "@FPU_TYPES@";
	pi_clock = _cpu_clock(C);
};

typedef struct cpuinfo {
	processorid_t cpu_id;
	psetid_t cpu_pset;
	chipid_t cpu_chip;	/* package */
	lgrp_id_t cpu_lgrp;	/* memory node */
	processor_info_t cpu_info;
} cpuinfo_t;

translator cpuinfo_t < processorid_t C > {
	cpu_id = C;
	cpu_pset = 0;
	cpu_chip = _cpu_chip(C);
	cpu_lgrp = _cpu_lgrp(C);
	cpu_info = xlate <processor_info_t> (C);
};

inline cpuinfo_t *curcpu = xlate <cpuinfo_t *> ((processorid_t)cpu);
#pragma D attributes Stable/Stable/Common curcpu
inline psetid_t pset = 0;
#pragma D attributes Stable/Stable/Common pset
