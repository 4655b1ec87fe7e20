#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first eight bytes of the SHA-256 of each common password in lower case, in ascending order. */
extern const uint8_t common_passwords[];
extern const size_t common_passwords_size;

static inline const uint8_t *common_passwords_start(void) { return common_passwords; }
