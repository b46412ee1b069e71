#include <errno.h>
#include <linux/futex.h>
#include <lmdb.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* glibc declares these only with _GNU_SOURCE. */
#include <stddef.h>
void *memmem(const void *haystack, size_t size, const void *needle, size_t needle_size);
int memfd_create(const char *name, unsigned int flags);
int fallocate(int descriptor, int mode, off_t offset, off_t length);

/* Waits while the word, which processes may share, has the value. Returns 0 or the error. */
static inline int herald_futex_wait(
    const uint32_t *word, uint32_t value, const struct timespec *limit) {
  return syscall(SYS_futex, word, FUTEX_WAIT, value, limit, NULL, 0) == 0 ? 0 : errno;
}

/* Wakes all waiters on the word. */
static inline void herald_futex_wake(const uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}
