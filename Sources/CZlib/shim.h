#include <zlib.h>

// A macro of zlib, which Swift cannot call: expects gzip, of the largest window.
static inline int herald_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
