/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a CPU is: its package and its memory node; and its clock.
 *
 * The kernel keeps that in places that programs cannot reach cheaply, but it
 * does not change (a clock may, a little): it is read when the program is
 * compiled and becomes a table, indexed by CPU.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin/builtin.h"
#include "ir/lower.h"

static int32_t read_package(uint32_t cpu)
{
	char path[80];
	int32_t number = 0;

	snprintf(path, sizeof(path),
		 "/sys/devices/system/cpu/cpu%u/topology/physical_package_id",
		 cpu);
	FILE *file = fopen(path, "re");

	if (!file)
		return 0;
	if (fscanf(file, "%d", &number) != 1 || number < 0)
		number = 0;
	fclose(file);
	return number;
}

static int32_t read_node(uint32_t cpu)
{
	char path[48];
	int32_t number = 0;
	const struct dirent *entry;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u", cpu);
	DIR *directory = opendir(path);

	if (!directory)
		return 0;
	while ((entry = readdir(directory)))
		if (!strncmp(entry->d_name, "node", 4) &&
		    entry->d_name[4] >= '0' && entry->d_name[4] <= '9')
			number = atoi(entry->d_name + 4);
	closedir(directory);
	return number;
}

/* MHz, rounded; 0: /proc/cpuinfo does not say. */
static int32_t read_clock(uint32_t cpu)
{
	FILE *file = fopen("/proc/cpuinfo", "re");
	char line[512];
	uint32_t processor = UINT32_MAX;
	double clock = 0;

	while (file && clock <= 0 && fgets(line, sizeof(line), file)) {
		sscanf(line, "processor : %u", &processor);
		if (processor == cpu)
			sscanf(line, "cpu MHz : %lf", &clock);
	}
	if (file)
		fclose(file);
	return (int32_t)(clock + 0.5);
}

static ir_reg look_up(struct lower *lower, ir_reg cpu,
		      int32_t (*read_number)(uint32_t cpu))
{
	struct ir_builder *b = &lower->b;
	long count = sysconf(_SC_NPROCESSORS_CONF);
	uint32_t ncpus = count > 0 ? (uint32_t)count : 1;
	int32_t *numbers = arena_array_of(lower->session->arena, int32_t,
					  ncpus);

	for (uint32_t i = 0; i < ncpus; i++)
		numbers[i] = read_number(i);
	struct ir_mem table = ir_rodata(b->program, numbers,
					ncpus * (uint32_t)sizeof(*numbers), 8);

	table.base = ir_binary_imm(b, IR_SHL, cpu, 2);
	table.bound = (ncpus - 1) * (uint32_t)sizeof(*numbers) + 1;
	return ir_load(b, table, sizeof(*numbers), true);
}

static bool lower_chip(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	*result = value_of_reg(variable->type,
			       look_up(lower, ir_query(&lower->b, IR_QUERY_CPU),
				       read_package));
	return true;
}

static bool lower_lgrp(struct lower *lower, const struct node *variable,
		       struct value *result)
{
	*result = value_of_reg(variable->type,
			       look_up(lower, ir_query(&lower->b, IR_QUERY_CPU),
				       read_node));
	return true;
}

BUILTIN(chip, "chipid_t", .lower = lower_chip);
BUILTIN(lgrp, "lgrp_id_t", .lower = lower_lgrp);

/* For translators: of any CPU. */
static bool lower_of_cpu(struct lower *lower, const struct node *call,
			 struct value *result,
			 int32_t (*read_number)(uint32_t cpu))
{
	ir_reg cpu;

	if (!lower_scalar(lower, call_argument(call, 0), &cpu))
		return false;
	*result = value_of_reg(call->type, look_up(lower, cpu, read_number));
	return true;
}

static bool lower_cpu_chip(struct lower *lower, const struct node *call,
			   struct value *result)
{
	return lower_of_cpu(lower, call, result, read_package);
}

static bool lower_cpu_lgrp(struct lower *lower, const struct node *call,
			   struct value *result)
{
	return lower_of_cpu(lower, call, result, read_node);
}

static bool lower_cpu_clock(struct lower *lower, const struct node *call,
			    struct value *result)
{
	return lower_of_cpu(lower, call, result, read_clock);
}

SUBROUTINE(_cpu_chip, "int (int)", .lower = lower_cpu_chip);
SUBROUTINE(_cpu_lgrp, "int (int)", .lower = lower_cpu_lgrp);
SUBROUTINE(_cpu_clock, "int (int)", .lower = lower_cpu_clock);
