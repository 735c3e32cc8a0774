/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The network: byte order, addresses as text, packets.
 *
 * Host and network order differ by a byte swap on little-endian hosts and not
 * at all on big-endian ones.  A swap halves its unit each time: the 32-bit
 * halves, then the 16-bit quarters, then the bytes trade places.
 */
#include <net/if_arp.h>
#include <sys/socket.h>
#include <time.h>

#include "builtin/builtin.h"
#include "ir/lower.h"

/* Neighbouring groups of `bits` bits, marked by `mask`, trade places. */
static ir_reg swap_groups(struct ir_builder *b, ir_reg x, uint64_t mask,
			  unsigned bits)
{
	ir_reg low = ir_binary_imm(b, IR_AND, x, (int64_t)mask);
	ir_reg high = ir_binary_imm(b, IR_LSR, x, bits);

	high = ir_binary_imm(b, IR_AND, high, (int64_t)mask);
	low = ir_binary_imm(b, IR_SHL, low, bits);
	return ir_binary(b, IR_OR, low, high);
}

static ir_reg swap_bytes(struct ir_builder *b, ir_reg x, unsigned size)
{
	if (size == 8)
		x = ir_binary(b, IR_OR, ir_binary_imm(b, IR_SHL, x, 32),
			      ir_binary_imm(b, IR_LSR, x, 32));
	if (size >= 4)
		x = swap_groups(b, x, 0x0000ffff0000ffff, 16);
	x = swap_groups(b, x, 0x00ff00ff00ff00ff, 8);
	return ir_extend(b, x, size, false);
}

static bool lower_swap(struct lower *lower, const struct node *call,
		       struct value *result)
{
	unsigned size = (unsigned)type_size(lower->types, call->type);
	ir_reg reg;

	if (!lower_scalar(lower, call_argument(call, 0), &reg))
		return false;
	reg = ir_extend(&lower->b, reg, size, false);
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		reg = swap_bytes(&lower->b, reg, size);
	*result = value_of_reg(call->type, reg);
	return true;
}

SUBROUTINE(htonl, "uint32_t (uint32_t)", .since = 3, .lower = lower_swap);
SUBROUTINE(htonll, "uint64_t (uint64_t)", .since = 3, .lower = lower_swap);
SUBROUTINE(htons, "uint16_t (uint16_t)", .since = 3, .lower = lower_swap);
SUBROUTINE(ntohl, "uint32_t (uint32_t)", .since = 3, .lower = lower_swap);
SUBROUTINE(ntohll, "uint64_t (uint64_t)", .since = 3, .lower = lower_swap);
SUBROUTINE(ntohs, "uint16_t (uint16_t)", .since = 3, .lower = lower_swap);

/* ----------------------------------------------------------------- addresses */

/* Bytes of addresses, and of their text with its NUL; flags of inet6(). */
enum {
	IN4_SIZE = 4, IN4_TEXT = sizeof("255.255.255.255"),
	IN6_SIZE = 16, IN6_TEXT = sizeof("::ffff:255.255.255.255") + 23,
	ETHER_SIZE = 6, INFINIBAND_SIZE = 20,
	QUAD_ONLY = 1, NO_LONE_ZERO = 2,
};

static bool lower_address(struct lower *lower, const struct node *pointer,
			  uint32_t size, enum ir_function function,
			  uint32_t text, ir_reg flags, struct value *result)
{
	struct value bytes = { 0 };

	if (!lower_library_bytes(lower, pointer, size, &bytes))
		return false;
	*result = lower_library_result(lower, text);
	lower_library_write(lower, function, result, &bytes, flags, 0);
	return true;
}

static bool lower_inet_ntoa(struct lower *lower, const struct node *call,
			    struct value *result)
{
	return lower_address(lower, call_argument(call, 0), IN4_SIZE,
			     FUNCTION_inet4, IN4_TEXT, 0, result);
}

/* strict: a lone group of zeros is not shortened. */
static bool lower_inet_ntoa6(struct lower *lower, const struct node *call,
			     struct value *result)
{
	struct ir_builder *b = &lower->b;
	ir_reg strict;

	if (!lower_library_number(lower, call, 1, BASE_INT, 0, &strict))
		return false;
	strict = ir_binary_imm(b, IR_NE, strict, 0);
	strict = ir_binary_imm(b, IR_MUL, strict, NO_LONE_ZERO);
	return lower_address(lower, call_argument(call, 0), IN6_SIZE,
			     FUNCTION_inet6, IN6_TEXT,
			     ir_binary_imm(b, IR_OR, strict, QUAD_ONLY),
			     result);
}

/*
 * The kind of address (AF_INET, ARPHRD_ETHER) says how many bytes it has:
 * one of two, else an illegal operation.
 */
struct address_kind {
	int64_t number;
	uint32_t size, text;
	enum ir_function function;
	int64_t argument;
};

static bool lower_kind(struct lower *lower, const struct node *call,
		       const struct address_kind *kind, struct ir_block *join,
		       struct value *result)
{
	struct value text = { 0 };

	if (!lower_address(lower, call_argument(call, 1), kind->size,
			   kind->function, kind->text,
			   ir_const(&lower->b, kind->argument), &text))
		return false;
	ir_string_copy(&lower->b, result->mem, result->capacity, text.mem,
		       text.capacity);
	ir_goto(&lower->b, join);
	return true;
}

static bool lower_kinds(struct lower *lower, const struct node *call,
			const struct address_kind kinds[2],
			struct value *result)
{
	struct ir_builder *b = &lower->b;
	struct ir_block *first = ir_block_new(b, "first"),
			*other = ir_block_new(b, "other"),
			*join = ir_block_new(b, "join");
	ir_reg number;

	if (!lower_library_number(lower, call, 0, BASE_INT, 0, &number))
		return false;
	*result = lower_library_result(lower, kinds[1].text);
	ir_branch(b, ir_binary_imm(b, IR_EQ, number, kinds[0].number), first,
		  other);
	ir_enter(b, first);
	if (!lower_kind(lower, call, &kinds[0], join, result))
		return false;
	ir_enter(b, other);
	ir_fault_if(b, ir_binary_imm(b, IR_NE, number, kinds[1].number),
		    FAULT_ILLOP, 0);
	if (!lower_kind(lower, call, &kinds[1], join, result))
		return false;
	ir_enter(b, join);
	return true;
}

static bool lower_inet_ntop(struct lower *lower, const struct node *call,
			    struct value *result)
{
	static const struct address_kind kinds[2] = {
		{ AF_INET, IN4_SIZE, IN4_TEXT, FUNCTION_inet4, 0 },
		{ AF_INET6, IN6_SIZE, IN6_TEXT, FUNCTION_inet6, 0 },
	};

	return lower_kinds(lower, call, kinds, result);
}

static bool lower_link_ntop(struct lower *lower, const struct node *call,
			    struct value *result)
{
	static const struct address_kind kinds[2] = {
		{ ARPHRD_ETHER, ETHER_SIZE, 3 * ETHER_SIZE, FUNCTION_link,
		  ETHER_SIZE },
		{ ARPHRD_INFINIBAND, INFINIBAND_SIZE, 3 * INFINIBAND_SIZE,
		  FUNCTION_link, INFINIBAND_SIZE },
	};

	return lower_kinds(lower, call, kinds, result);
}

SUBROUTINE(inet_ntoa, "string (ipaddr_t *)", .since = 5,
	   .lower = lower_inet_ntoa);
SUBROUTINE(inet_ntoa6, "string (struct in6_addr *, [int])", .since = 5,
	   .lower = lower_inet_ntoa6);
SUBROUTINE(inet_ntop, "string (int, void *)", .since = 5,
	   .lower = lower_inet_ntop);
SUBROUTINE(link_ntop, "string (int, void *)", .lower = lower_link_ntop);
SUBROUTINE(msgdsize, "size_t (void *)");
SUBROUTINE(msgsize, "size_t (void *)");

/* ------------------------------------------------------------------- timers */

/* TCP keeps its timers in ticks, as long as the coarse clocks are coarse. */
static bool lower_milliseconds(struct lower *lower, const struct node *call,
			       struct value *result)
{
	struct timespec tick = { .tv_nsec = 0 };
	ir_reg reg;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || !tick.tv_nsec)
		return lower_fail(lower, call,
				  "the kernel's tick is not known");
	if (!lower_scalar(lower, call_argument(call, 0), &reg))
		return false;
	reg = ir_extend(&lower->b, reg, 4, false);
	reg = ir_binary_imm(&lower->b, IR_MUL, reg, tick.tv_nsec);
	*result = value_of_reg(call->type,
			       ir_binary_imm(&lower->b, IR_UDIV, reg, 1000000));
	return true;
}

SUBROUTINE(_milliseconds, "uint32_t (uint32_t)", .lower = lower_milliseconds);

/* ------------------------------------------------------------------ pcap */

static bool check_pcap(struct checker *checker, struct node *call)
{
	struct types *types = checker->language->types;
	struct node *packet = call_argument(call, 0);
	struct node *protocol = call_argument(call, 1);

	if (packet->kind == NODE_AGGREGATION ||
	    (!type_is_integer(types, packet->type) &&
	     !type_is_pointer(types, packet->type)))
		return argument_error(checker, call, 0, D_PCAP_ADDR,
				      "pointer or integer");
	if (protocol->kind == NODE_AGGREGATION ||
	    !type_is_integer(types, protocol->type))
		return argument_error(checker, call, 1, D_PCAP_PROTO,
				      "integer");
	return true;
}

ACTION(pcap, "void (@, @)", .flags = FUNCTION_RECORDS, .check = check_pcap);
