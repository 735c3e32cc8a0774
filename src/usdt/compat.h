/* SPDX-License-Identifier: Apache-2.0 */
/*
 * <sys/sdt.h>: probes without a provider file.
 *
 *	DTRACE_PROBE2(myapp, req__start, id, text);
 *
 * The first words are not quoted; up to twelve arguments follow, integers and
 * pointers, each in the type that it has.  STAP_PROBEn() is the same, and
 * STAP_PROBEV() counts its arguments itself.  Define _SDT_HAS_SEMAPHORES
 * before this is included to have the semaphore PROVIDER_PROBE_semaphore, an
 * unsigned short of your own, counted up and down.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

#if defined(_SDT_HAS_SEMAPHORES) || defined(STAP_HAS_SEMAPHORES)
#define _DTRACE_SEMAPHORE_OF(provider, name) #provider "_" #name "_semaphore"
#else
#define _DTRACE_SEMAPHORE_OF(provider, name) "0"
#endif

#define _DTRACE_TAKE(n, value) \
	_DTRACE_TYPEOF(value) _d##n = (_DTRACE_TYPEOF(value))(value)
#define _DTRACE_GIVE(n, place) \
	[d##n] place(_d##n), [s##n] "i"(_DTRACE_SIZE(__typeof__(_d##n)))

#define STAP_PROBE(provider, name) __extension__({ \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), "") : :); \
})
#define STAP_PROBE1(provider, name, a0) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_STORE_ANY(_d0); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW)); \
})
#define STAP_PROBE2(provider, name, a0, a1) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW)); \
})
#define STAP_PROBE3(provider, name, a0, a1, a2) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW), \
		_DTRACE_GIVE(2, _DTRACE_FEW)); \
})
#define STAP_PROBE4(provider, name, a0, a1, a2, a3) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW), \
		_DTRACE_GIVE(2, _DTRACE_FEW), \
		_DTRACE_GIVE(3, _DTRACE_FEW)); \
})
#define STAP_PROBE5(provider, name, a0, a1, a2, a3, a4) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW), \
		_DTRACE_GIVE(2, _DTRACE_FEW), \
		_DTRACE_GIVE(3, _DTRACE_FEW), \
		_DTRACE_GIVE(4, _DTRACE_FEW)); \
})
#define STAP_PROBE6(provider, name, a0, a1, a2, a3, a4, a5) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW), \
		_DTRACE_GIVE(2, _DTRACE_FEW), \
		_DTRACE_GIVE(3, _DTRACE_FEW), \
		_DTRACE_GIVE(4, _DTRACE_FEW), \
		_DTRACE_GIVE(5, _DTRACE_FEW)); \
})
#define STAP_PROBE7(provider, name, a0, a1, a2, a3, a4, a5, a6) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_TAKE(6, a6); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	_DTRACE_STORE_ANY(_d6); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5] %c[s6]@%[d6]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW), \
		_DTRACE_GIVE(2, _DTRACE_FEW), \
		_DTRACE_GIVE(3, _DTRACE_FEW), \
		_DTRACE_GIVE(4, _DTRACE_FEW), \
		_DTRACE_GIVE(5, _DTRACE_FEW), \
		_DTRACE_GIVE(6, _DTRACE_FEW)); \
})
#define STAP_PROBE8(provider, name, a0, a1, a2, a3, a4, a5, a6, a7) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_TAKE(6, a6); \
	_DTRACE_TAKE(7, a7); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	_DTRACE_STORE_ANY(_d6); \
	_DTRACE_STORE_ANY(_d7); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5] %c[s6]@%[d6] %c[s7]@%[d7]") : : \
		_DTRACE_GIVE(0, _DTRACE_FEW), \
		_DTRACE_GIVE(1, _DTRACE_FEW), \
		_DTRACE_GIVE(2, _DTRACE_FEW), \
		_DTRACE_GIVE(3, _DTRACE_FEW), \
		_DTRACE_GIVE(4, _DTRACE_FEW), \
		_DTRACE_GIVE(5, _DTRACE_FEW), \
		_DTRACE_GIVE(6, _DTRACE_FEW), \
		_DTRACE_GIVE(7, _DTRACE_FEW)); \
})
#define STAP_PROBE9(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_TAKE(6, a6); \
	_DTRACE_TAKE(7, a7); \
	_DTRACE_TAKE(8, a8); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	_DTRACE_STORE_ANY(_d6); \
	_DTRACE_STORE_ANY(_d7); \
	_DTRACE_STORE_ANY(_d8); \
	_DTRACE_HOLD(_d0); \
	_DTRACE_HOLD(_d1); \
	_DTRACE_HOLD(_d2); \
	_DTRACE_HOLD(_d3); \
	_DTRACE_HOLD(_d4); \
	_DTRACE_HOLD(_d5); \
	_DTRACE_HOLD(_d6); \
	_DTRACE_HOLD(_d7); \
	_DTRACE_HOLD(_d8); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5] %c[s6]@%[d6] %c[s7]@%[d7]" \
		" %c[s8]@%[d8]") : : \
		_DTRACE_GIVE(0, _DTRACE_MANY), \
		_DTRACE_GIVE(1, _DTRACE_MANY), \
		_DTRACE_GIVE(2, _DTRACE_MANY), \
		_DTRACE_GIVE(3, _DTRACE_MANY), \
		_DTRACE_GIVE(4, _DTRACE_MANY), \
		_DTRACE_GIVE(5, _DTRACE_MANY), \
		_DTRACE_GIVE(6, _DTRACE_MANY), \
		_DTRACE_GIVE(7, _DTRACE_MANY), \
		_DTRACE_GIVE(8, _DTRACE_MANY)); \
})
#define STAP_PROBE10(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_TAKE(6, a6); \
	_DTRACE_TAKE(7, a7); \
	_DTRACE_TAKE(8, a8); \
	_DTRACE_TAKE(9, a9); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	_DTRACE_STORE_ANY(_d6); \
	_DTRACE_STORE_ANY(_d7); \
	_DTRACE_STORE_ANY(_d8); \
	_DTRACE_STORE_ANY(_d9); \
	_DTRACE_HOLD(_d0); \
	_DTRACE_HOLD(_d1); \
	_DTRACE_HOLD(_d2); \
	_DTRACE_HOLD(_d3); \
	_DTRACE_HOLD(_d4); \
	_DTRACE_HOLD(_d5); \
	_DTRACE_HOLD(_d6); \
	_DTRACE_HOLD(_d7); \
	_DTRACE_HOLD(_d8); \
	_DTRACE_HOLD(_d9); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5] %c[s6]@%[d6] %c[s7]@%[d7]" \
		" %c[s8]@%[d8] %c[s9]@%[d9]") : : \
		_DTRACE_GIVE(0, _DTRACE_MANY), \
		_DTRACE_GIVE(1, _DTRACE_MANY), \
		_DTRACE_GIVE(2, _DTRACE_MANY), \
		_DTRACE_GIVE(3, _DTRACE_MANY), \
		_DTRACE_GIVE(4, _DTRACE_MANY), \
		_DTRACE_GIVE(5, _DTRACE_MANY), \
		_DTRACE_GIVE(6, _DTRACE_MANY), \
		_DTRACE_GIVE(7, _DTRACE_MANY), \
		_DTRACE_GIVE(8, _DTRACE_MANY), \
		_DTRACE_GIVE(9, _DTRACE_MANY)); \
})
#define STAP_PROBE11(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_TAKE(6, a6); \
	_DTRACE_TAKE(7, a7); \
	_DTRACE_TAKE(8, a8); \
	_DTRACE_TAKE(9, a9); \
	_DTRACE_TAKE(10, a10); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	_DTRACE_STORE_ANY(_d6); \
	_DTRACE_STORE_ANY(_d7); \
	_DTRACE_STORE_ANY(_d8); \
	_DTRACE_STORE_ANY(_d9); \
	_DTRACE_STORE_ANY(_d10); \
	_DTRACE_HOLD(_d0); \
	_DTRACE_HOLD(_d1); \
	_DTRACE_HOLD(_d2); \
	_DTRACE_HOLD(_d3); \
	_DTRACE_HOLD(_d4); \
	_DTRACE_HOLD(_d5); \
	_DTRACE_HOLD(_d6); \
	_DTRACE_HOLD(_d7); \
	_DTRACE_HOLD(_d8); \
	_DTRACE_HOLD(_d9); \
	_DTRACE_HOLD(_d10); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5] %c[s6]@%[d6] %c[s7]@%[d7]" \
		" %c[s8]@%[d8] %c[s9]@%[d9] %c[s10]@%[d10]") : : \
		_DTRACE_GIVE(0, _DTRACE_MANY), \
		_DTRACE_GIVE(1, _DTRACE_MANY), \
		_DTRACE_GIVE(2, _DTRACE_MANY), \
		_DTRACE_GIVE(3, _DTRACE_MANY), \
		_DTRACE_GIVE(4, _DTRACE_MANY), \
		_DTRACE_GIVE(5, _DTRACE_MANY), \
		_DTRACE_GIVE(6, _DTRACE_MANY), \
		_DTRACE_GIVE(7, _DTRACE_MANY), \
		_DTRACE_GIVE(8, _DTRACE_MANY), \
		_DTRACE_GIVE(9, _DTRACE_MANY), \
		_DTRACE_GIVE(10, _DTRACE_MANY)); \
})
#define STAP_PROBE12(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) __extension__({ \
	_DTRACE_TAKE(0, a0); \
	_DTRACE_TAKE(1, a1); \
	_DTRACE_TAKE(2, a2); \
	_DTRACE_TAKE(3, a3); \
	_DTRACE_TAKE(4, a4); \
	_DTRACE_TAKE(5, a5); \
	_DTRACE_TAKE(6, a6); \
	_DTRACE_TAKE(7, a7); \
	_DTRACE_TAKE(8, a8); \
	_DTRACE_TAKE(9, a9); \
	_DTRACE_TAKE(10, a10); \
	_DTRACE_TAKE(11, a11); \
	_DTRACE_STORE_ANY(_d0); \
	_DTRACE_STORE_ANY(_d1); \
	_DTRACE_STORE_ANY(_d2); \
	_DTRACE_STORE_ANY(_d3); \
	_DTRACE_STORE_ANY(_d4); \
	_DTRACE_STORE_ANY(_d5); \
	_DTRACE_STORE_ANY(_d6); \
	_DTRACE_STORE_ANY(_d7); \
	_DTRACE_STORE_ANY(_d8); \
	_DTRACE_STORE_ANY(_d9); \
	_DTRACE_STORE_ANY(_d10); \
	_DTRACE_STORE_ANY(_d11); \
	_DTRACE_HOLD(_d0); \
	_DTRACE_HOLD(_d1); \
	_DTRACE_HOLD(_d2); \
	_DTRACE_HOLD(_d3); \
	_DTRACE_HOLD(_d4); \
	_DTRACE_HOLD(_d5); \
	_DTRACE_HOLD(_d6); \
	_DTRACE_HOLD(_d7); \
	_DTRACE_HOLD(_d8); \
	_DTRACE_HOLD(_d9); \
	_DTRACE_HOLD(_d10); \
	_DTRACE_HOLD(_d11); \
	__asm__ __volatile__(_DTRACE_SITE_TEXT(#provider, #name, \
		_DTRACE_SEMAPHORE_OF(provider, name), \
		"%c[s0]@%[d0] %c[s1]@%[d1] %c[s2]@%[d2] %c[s3]@%[d3]" \
		" %c[s4]@%[d4] %c[s5]@%[d5] %c[s6]@%[d6] %c[s7]@%[d7]" \
		" %c[s8]@%[d8] %c[s9]@%[d9] %c[s10]@%[d10] %c[s11]@%[d11]") : : \
		_DTRACE_GIVE(0, _DTRACE_MANY), \
		_DTRACE_GIVE(1, _DTRACE_MANY), \
		_DTRACE_GIVE(2, _DTRACE_MANY), \
		_DTRACE_GIVE(3, _DTRACE_MANY), \
		_DTRACE_GIVE(4, _DTRACE_MANY), \
		_DTRACE_GIVE(5, _DTRACE_MANY), \
		_DTRACE_GIVE(6, _DTRACE_MANY), \
		_DTRACE_GIVE(7, _DTRACE_MANY), \
		_DTRACE_GIVE(8, _DTRACE_MANY), \
		_DTRACE_GIVE(9, _DTRACE_MANY), \
		_DTRACE_GIVE(10, _DTRACE_MANY), \
		_DTRACE_GIVE(11, _DTRACE_MANY)); \
})

#define DTRACE_PROBE(provider, name) STAP_PROBE(provider, name)
#define DTRACE_PROBE1(provider, name, a0) \
	STAP_PROBE1(provider, name, a0)
#define DTRACE_PROBE2(provider, name, a0, a1) \
	STAP_PROBE2(provider, name, a0, a1)
#define DTRACE_PROBE3(provider, name, a0, a1, a2) \
	STAP_PROBE3(provider, name, a0, a1, a2)
#define DTRACE_PROBE4(provider, name, a0, a1, a2, a3) \
	STAP_PROBE4(provider, name, a0, a1, a2, a3)
#define DTRACE_PROBE5(provider, name, a0, a1, a2, a3, a4) \
	STAP_PROBE5(provider, name, a0, a1, a2, a3, a4)
#define DTRACE_PROBE6(provider, name, a0, a1, a2, a3, a4, a5) \
	STAP_PROBE6(provider, name, a0, a1, a2, a3, a4, a5)
#define DTRACE_PROBE7(provider, name, a0, a1, a2, a3, a4, a5, a6) \
	STAP_PROBE7(provider, name, a0, a1, a2, a3, a4, a5, a6)
#define DTRACE_PROBE8(provider, name, a0, a1, a2, a3, a4, a5, a6, a7) \
	STAP_PROBE8(provider, name, a0, a1, a2, a3, a4, a5, a6, a7)
#define DTRACE_PROBE9(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8) \
	STAP_PROBE9(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8)
#define DTRACE_PROBE10(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	STAP_PROBE10(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9)
#define DTRACE_PROBE11(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	STAP_PROBE11(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10)
#define DTRACE_PROBE12(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	STAP_PROBE12(provider, name, a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11)

#define _DTRACE_NTH(n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, n11, n12, n, \
		    ...)                                                      \
	n
#define STAP_PROBEV(provider, ...) \
	_DTRACE_NTH(__VA_ARGS__, STAP_PROBE12, STAP_PROBE11, STAP_PROBE10, \
		    STAP_PROBE9, STAP_PROBE8, STAP_PROBE7, STAP_PROBE6, \
		    STAP_PROBE5, STAP_PROBE4, STAP_PROBE3, STAP_PROBE2, \
		    STAP_PROBE1, STAP_PROBE, 0)(provider, __VA_ARGS__)

#endif /* _SYS_SDT_H */
