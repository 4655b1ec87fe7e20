#pragma once
#include <protobuf-c/protobuf-c.h>
#include <stdlib.h>
#include <string.h>

/*
 * A bump allocator behind ProtobufCAllocator: taking is a comparison and an addition, freeing is nothing, and all of it
 * ends at once. Taking starts in `first`, which lives as long as the arena; what does not fit goes to overflow chunks
 * from malloc, which end with the mark before them.
 *
 * `allowance` bounds the overflow, because a few bytes of input can ask for much memory (every empty element of a
 * repeated message costs a struct, every repetition of a singular message copies its lists).
 */
typedef struct tandem_arena_chunk {
  struct tandem_arena_chunk *next;
} tandem_arena_chunk;

typedef struct tandem_arena {
  ProtobufCAllocator allocator;
  uint8_t *cursor;
  uint8_t *end;
  uint8_t *first;
  size_t first_size;
  tandem_arena_chunk *overflow;
  size_t chunk_size;
  size_t allowance;
  int exhausted;
} tandem_arena;

/* A point to which the arena can go back. */
typedef struct tandem_arena_mark {
  uint8_t *cursor;
  uint8_t *end;
  tandem_arena_chunk *overflow;
} tandem_arena_mark;

enum {
  /* What the largest member of a protobuf-c struct needs. */
  tandem_arena_alignment = 8,
  tandem_arena_chunk_header = 16,
  tandem_arena_largest_chunk = 1 << 20
};

/* Never inlined: the way for memory that the current block has no room for. */
static __attribute__((noinline, unused)) void *tandem_arena_overflow(tandem_arena *arena, size_t size) {
  size_t payload = size > arena->chunk_size ? size : arena->chunk_size;
  if (payload > arena->allowance && size <= arena->allowance) payload = size;
  tandem_arena_chunk *chunk =
      payload > arena->allowance ? NULL : (tandem_arena_chunk *)malloc(tandem_arena_chunk_header + payload);
  if (chunk == NULL) {
    arena->exhausted = 1;
    return NULL;
  }
  arena->allowance -= payload;
  if (arena->chunk_size < tandem_arena_largest_chunk) arena->chunk_size *= 2;
  chunk->next = arena->overflow;
  arena->overflow = chunk;
  uint8_t *start = (uint8_t *)chunk + tandem_arena_chunk_header;
  arena->cursor = start + size;
  arena->end = start + payload;
  return start;
}

/* Memory of undefined content, or NULL when the allowance or the system's memory is used up. */
static inline void *tandem_arena_take(tandem_arena *arena, size_t size) {
  if (size > SIZE_MAX / 2) {
    arena->exhausted = 1;
    return NULL;
  }
  size_t rounded = (size + tandem_arena_alignment - 1) & ~(size_t)(tandem_arena_alignment - 1);
  if (rounded > (size_t)(arena->end - arena->cursor)) return tandem_arena_overflow(arena, rounded);
  void *taken = arena->cursor;
  arena->cursor += rounded;
  return taken;
}

static inline void *tandem_arena_allocate(void *arena, size_t size) {
  return tandem_arena_take((tandem_arena *)arena, size);
}

static inline void tandem_arena_free(void *arena, void *pointer) {
  (void)arena;
  (void)pointer;
}

/* An empty arena, or NULL without memory. */
static inline tandem_arena *tandem_arena_create(size_t first_size) {
  tandem_arena *arena = (tandem_arena *)calloc(1, sizeof(tandem_arena));
  if (arena == NULL) return NULL;
  arena->first = (uint8_t *)malloc(first_size);
  if (arena->first == NULL) {
    free(arena);
    return NULL;
  }
  arena->allocator.alloc = tandem_arena_allocate;
  arena->allocator.free = tandem_arena_free;
  arena->allocator.allocator_data = arena;
  arena->first_size = first_size;
  arena->cursor = arena->first;
  arena->end = arena->first + first_size;
  arena->chunk_size = first_size;
  arena->allowance = SIZE_MAX;
  return arena;
}

static inline tandem_arena_mark tandem_arena_here(const tandem_arena *arena) {
  tandem_arena_mark mark = {arena->cursor, arena->end, arena->overflow};
  return mark;
}

static __attribute__((noinline, unused)) void tandem_arena_drop(tandem_arena *arena, tandem_arena_chunk *until) {
  while (arena->overflow != until) {
    tandem_arena_chunk *chunk = arena->overflow;
    arena->overflow = chunk->next;
    free(chunk);
  }
  arena->chunk_size = arena->first_size;
}

/* Forgets everything taken since the mark. */
static inline void tandem_arena_rewind(tandem_arena *arena, tandem_arena_mark mark) {
  arena->cursor = mark.cursor;
  arena->end = mark.end;
  if (arena->overflow != mark.overflow) tandem_arena_drop(arena, mark.overflow);
}

static inline void tandem_arena_reset(tandem_arena *arena) {
  tandem_arena_mark start = {arena->first, arena->first + arena->first_size, NULL};
  tandem_arena_rewind(arena, start);
}

static inline void tandem_arena_destroy(tandem_arena *arena) {
  tandem_arena_reset(arena);
  free(arena->first);
  free(arena);
}

/* A zeroed message struct, which is what every proto3 `__init` makes; proto2 defaults do not matter while unset. */
static inline ProtobufCMessage *tandem_arena_message(
    tandem_arena *arena, const ProtobufCMessageDescriptor *descriptor, size_t size) {
  ProtobufCMessage *message = (ProtobufCMessage *)tandem_arena_take(arena, size);
  if (message == NULL) return NULL;
  memset(message, 0, size);
  message->descriptor = descriptor;
  return message;
}

/* NULL for bytes that are not this message, and when the arena is exhausted. */
static inline ProtobufCMessage *tandem_arena_unpack(
    tandem_arena *arena, const ProtobufCMessageDescriptor *descriptor, const void *bytes, size_t count) {
  return protobuf_c_message_unpack(descriptor, &arena->allocator, count, (const uint8_t *)bytes);
}
