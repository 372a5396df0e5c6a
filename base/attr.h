/* Contracts as compiler attributes, so that a broken one is a build error. */
#ifndef STRANDLINE_BASE_ATTR_H
#define STRANDLINE_BASE_ATTR_H

#define ATTR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define ATTR_NONNULL           __attribute__((nonnull))
#define ATTR_MUST_USE          __attribute__((warn_unused_result))
#define ATTR_NORETURN          __attribute__((noreturn))
#define ATTR_MALLOC            __attribute__((malloc, returns_nonnull))
#define ATTR_NEVER_NULL        __attribute__((returns_nonnull))

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
