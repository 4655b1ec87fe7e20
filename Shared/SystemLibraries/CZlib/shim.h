#pragma once
#include <zlib.h>

// What Swift cannot see: macros that call functions with the size of a structure.

/// Begins to read gzip; Z_OK where there is memory.
static inline int tandem_inflate_gzip_init(z_stream *_Nonnull stream) { return inflateInit2(stream, 15 + 16); }

/// Begins to write gzip, at a level from 1 to 9.
static inline int tandem_deflate_gzip_init(z_stream *_Nonnull stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
