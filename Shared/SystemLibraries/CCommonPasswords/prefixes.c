#include "CCommonPasswords.h"

#pragma clang diagnostic ignored "-Wc23-extensions"
const uint8_t common_passwords[] = {
#embed "prefixes.bin"
};
const size_t common_passwords_size = sizeof common_passwords;
