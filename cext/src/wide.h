/* GM_WIDE in front of a function compiles it for wider vectors as well, chosen at load time. Without
 * contraction both versions compute the same numbers. */
#ifndef GM_WIDE_H
#define GM_WIDE_H

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define GM_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GM_WIDE
#endif

#endif
