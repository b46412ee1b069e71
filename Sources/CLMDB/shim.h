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
int sync_file_range(int descriptor, off_t offset, off_t length, unsigned int flags);

/* Lets the disk begin to write bytes that are not written yet. What a sync then reports does not change. */
static inline void herald_begin_writing(int descriptor, off_t offset, off_t length) {
  enum { write = 2 /* SYNC_FILE_RANGE_WRITE */ };
  sync_file_range(descriptor, offset, length, write);
}

/* Waits while the word, which processes may share, has the value. Returns 0 or the error. */
static inline int herald_futex_wait(
    const uint32_t *word, uint32_t value, const struct timespec *limit) {
  return syscall(SYS_futex, word, FUTEX_WAIT, value, limit, NULL, 0) == 0 ? 0 : errno;
}

/* Wakes all waiters on the word. */
static inline void herald_futex_wake(const uint32_t *word) {
  syscall(SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/* Waits while the disk writes bytes of a file, without giving up the processor, for so many nanoseconds at most. Returns
   whether it still writes; 0 also where the system cannot answer that. */
static inline int herald_await_writing(
    int descriptor, uint64_t offset, uint64_t length, int64_t limit) {
  enum { cachestat = 451 };
  struct { uint64_t offset, length; } range = { offset, length };
  struct { uint64_t cached, dirty, writing, evicted, recently_evicted; } pages;
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do {
    if (syscall(cachestat, descriptor, &range, &pages, 0) != 0 || pages.writing == 0) return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < limit);
  return 1;
}
