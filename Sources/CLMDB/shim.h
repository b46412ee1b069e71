#include <lmdb.h>

/* glibc shows it to programs that ask for its extensions alone. */
int memfd_create(const char *name, unsigned int flags);
