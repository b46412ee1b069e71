/* Intercepts the system calls by which a program writes files (LD_PRELOAD).
 *
 *   FAULT_PATH     the prefix of the paths of watched files; standard output is watched too
 *   FAULT_TRACE    each call is appended to this file, with its data, for simulated power cuts
 *   FAULT_AT       the number of the call that fails, counted from 1
 *   FAULT_KIND     how it fails: an errno, or 0 for a write of half of its bytes
 *   FAULT_ALWAYS   all calls after it fail too
 *   FAULT_COUNTED  the number of calls is written to this file at the end
 *
 * A record of the trace is a header of four 64-bit words (what, inode, offset, length), followed by that
 * many bytes. Writes are recorded before they happen, syncs after they happened.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum what {
  WRITE = 1,     /* durable after the next sync */
  DURABLE = 2,   /* the beginning of a write through a descriptor with O_DSYNC */
  DURABLE_END = 3,
  SYNC = 4,      /* all writes to the file are durable */
  TRUNCATE = 5,  /* offset: the new size */
  CREATE = 6,    /* data: the path */
  RENAME = 7,    /* data: both paths, each ended by a zero */
  UNLINK = 8,
  SYNC_FOLDER = 9,
  OUTPUT = 10,   /* a write to standard output */
  LINK = 11,     /* a file gets another name, or its first one; data: the path */
};

static const char *watched;
static int trace = -1;
static long fault_at, calls;
static int fault_kind, fault_always;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
  watched = getenv("FAULT_PATH");
  const char *path = getenv("FAULT_TRACE");
  if (path) {
    int opened = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    trace = fcntl(opened, F_DUPFD_CLOEXEC, 700);
    syscall(SYS_close, opened);
  }
  fault_at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 0;
  fault_kind = getenv("FAULT_KIND") ? atoi(getenv("FAULT_KIND")) : 0;
  fault_always = getenv("FAULT_ALWAYS") != NULL;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAULT_COUNTED");
  if (!path) return;
  char text[32];
  int length = snprintf(text, sizeof text, "%ld", calls);
  int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  syscall(SYS_write, file, text, length);
  syscall(SYS_close, file);
}

static int is_watched_path(const char *path) {
  if (!watched || !path) return 0;
  return strncmp(path, watched, strlen(watched)) == 0;
}

/* Returns whether a descriptor refers to a watched file, and its inode and kind. */
static int is_watched(int file, struct stat *status) {
  char name[64], path[4096];
  if (!watched || file < 0) return 0;
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (fstat(file, status) != 0) return 0;
  if (is_watched_path(path)) return 1;
  /* A file without a name (O_TMPFILE) in the folder of the watched files. */
  const char *name_part = strrchr(path, '/'), *watched_part = strrchr(watched, '/');
  if (name_part && watched_part && name_part[1] == '#' &&
      name_part - path == watched_part - watched &&
      strncmp(path, watched, watched_part - watched) == 0)
    return 1;
  /* The folder of the watched files. */
  size_t size = strlen(path);
  return S_ISDIR(status->st_mode) && strncmp(path, watched, size) == 0 && watched[size] == '/' &&
         !strchr(watched + size + 1, '/');
}

static void record(uint64_t what, uint64_t inode, uint64_t offset, const struct iovec *data,
                   int count) {
  if (trace < 0) return;
  struct iovec all[70];
  uint64_t header[4] = {what, inode, offset, 0};
  if (count > 64) count = 64;
  for (int i = 0; i < count; i++) {
    header[3] += data[i].iov_len;
    all[i + 1] = data[i];
  }
  all[0] = (struct iovec){header, sizeof header};
  syscall(SYS_writev, trace, all, count + 1);
}

static void record_text(uint64_t what, uint64_t inode, const char *one, const char *other) {
  struct iovec data[2] = {{(void *)one, strlen(one) + 1},
                          {(void *)other, other ? strlen(other) + 1 : 0}};
  record(what, inode, 0, data, other ? 2 : 1);
}

/* Counts a call and returns whether it fails. */
static int fails(void) {
  long number = __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST);
  return fault_at && (number == fault_at || (fault_always && number > fault_at));
}

static ssize_t written(int file, const struct iovec *data, int count, off_t offset) {
  return offset >= 0 ? syscall(SYS_pwritev, file, data, count, offset, 0)
                     : syscall(SYS_writev, file, data, count);
}

static ssize_t write_some(int file, const struct iovec *data, int count, off_t offset) {
  struct stat status;
  if (file == 1 && trace >= 0) {
    pthread_mutex_lock(&lock);
    ssize_t done = written(file, data, count, offset);
    record(OUTPUT, 0, 0, data, count);
    pthread_mutex_unlock(&lock);
    return done;
  }
  if (!is_watched(file, &status) || !S_ISREG(status.st_mode))
    return written(file, data, count, offset);
  if (fails()) {
    if (fault_kind) {
      errno = fault_kind;
      return -1;
    }
    struct iovec half = {data[0].iov_base, data[0].iov_len / 2};
    return written(file, &half, 1, offset);
  }
  pthread_mutex_lock(&lock);
  int flags = fcntl(file, F_GETFL);
  int durable = (flags & O_DSYNC) != 0;
  off_t start = offset >= 0            ? offset
                : (flags & O_APPEND)   ? status.st_size
                                       : lseek(file, 0, SEEK_CUR);
  record(durable ? DURABLE : WRITE, status.st_ino, start, data, count);
  ssize_t done = written(file, data, count, offset);
  if (durable) record(DURABLE_END, status.st_ino, start, data, count);
  pthread_mutex_unlock(&lock);
  return done;
}

ssize_t write(int file, const void *bytes, size_t size) {
  struct iovec data = {(void *)bytes, size};
  return write_some(file, &data, 1, -1);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  struct iovec data = {(void *)bytes, size};
  return write_some(file, &data, 1, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) {
  return pwrite(file, bytes, size, offset);
}

ssize_t writev(int file, const struct iovec *data, int count) {
  return write_some(file, data, count, -1);
}

ssize_t pwritev(int file, const struct iovec *data, int count, off_t offset) {
  return write_some(file, data, count, offset);
}

ssize_t pwritev64(int file, const struct iovec *data, int count, off64_t offset) {
  return write_some(file, data, count, offset);
}

/* Fails, so that a program copies with writes. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t size, unsigned flags) {
  errno = ENOSYS;
  return -1;
}

static int sync_file(int file, long call) {
  struct stat status;
  int seen = is_watched(file, &status);
  if (seen && fails() && fault_kind) {
    errno = fault_kind;
    return -1;
  }
  int done = syscall(call, file);
  if (seen && done == 0)
    record(S_ISDIR(status.st_mode) ? SYNC_FOLDER : SYNC, status.st_ino, 0, NULL, 0);
  return done;
}

int fsync(int file) { return sync_file(file, SYS_fsync); }
int fdatasync(int file) { return sync_file(file, SYS_fdatasync); }

int ftruncate(int file, off_t size) {
  struct stat status;
  if (is_watched(file, &status)) {
    if (fails() && fault_kind) {
      errno = fault_kind;
      return -1;
    }
    record(TRUNCATE, status.st_ino, size, NULL, 0);
  }
  return syscall(SYS_ftruncate, file, size);
}

int ftruncate64(int file, off64_t size) { return ftruncate(file, size); }

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  int seen = is_watched_path(path);
  int changes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
  if (seen && changes && fails() && fault_kind) {
    errno = fault_kind;
    return -1;
  }
  struct stat status;
  int is_new = seen && (flags & O_CREAT) && lstat(path, &status) != 0;
  int file = syscall(SYS_openat, folder, path, flags, mode);
  if (file >= 0 && is_new && fstat(file, &status) == 0)
    record_text(CREATE, status.st_ino, path, NULL);
  return file;
}

#define OPEN_MODE(flags)                                   \
  mode_t mode = 0;                                         \
  if ((flags) & O_CREAT || ((flags) & O_TMPFILE) == O_TMPFILE) { \
    va_list list;                                          \
    va_start(list, flags);                                 \
    mode = va_arg(list, mode_t);                           \
    va_end(list);                                          \
  }

int open(const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_file(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  OPEN_MODE(flags)
  return open_file(folder, path, flags, mode);
}

static int rename_file(const char *from, const char *to, unsigned flags) {
  int seen = is_watched_path(from) || is_watched_path(to);
  if (seen && fails() && fault_kind) {
    errno = fault_kind;
    return -1;
  }
  struct stat status = {0};
  if (seen) lstat(from, &status);
  int done = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
  if (seen && done == 0) record_text(RENAME, flags, from, to);
  return done;
}

int rename(const char *from, const char *to) { return rename_file(from, to, 0); }

int renameat2(int one, const char *from, int other, const char *to, unsigned flags) {
  if (one == AT_FDCWD && other == AT_FDCWD) return rename_file(from, to, flags);
  return syscall(SYS_renameat2, one, from, other, to, flags);
}

int linkat(int one, const char *from, int other, const char *to, int flags) {
  int seen = other == AT_FDCWD && is_watched_path(to);
  if (seen && fails() && fault_kind) {
    errno = fault_kind;
    return -1;
  }
  int done = syscall(SYS_linkat, one, from, other, to, flags);
  struct stat status;
  if (seen && done == 0 && lstat(to, &status) == 0) record_text(LINK, status.st_ino, to, NULL);
  return done;
}

int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

int unlink(const char *path) {
  int done = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (done == 0 && is_watched_path(path)) record_text(UNLINK, 0, path, NULL);
  return done;
}
