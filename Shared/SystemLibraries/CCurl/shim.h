#pragma once
#include <curl/curl.h>
#include <sys/socket.h>

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call: one function for each type of value.

static inline CURLcode tandem_curl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the text.
static inline CURLcode tandem_curl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nonnull value) {
  return curl_easy_setopt(handle, option, value);
}

/// libcurl keeps the pointer: what it points to must outlive the transfer. Null unsets the option.
static inline CURLcode tandem_curl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*tandem_curl_reader)(char *_Nonnull buffer, size_t size, size_t count, void *_Nullable source);

static inline CURLcode tandem_curl_set_reader(CURL *_Nonnull handle, tandem_curl_reader _Nonnull reader) {
  return curl_easy_setopt(handle, CURLOPT_READFUNCTION, reader);
}

/// The last answer's number, 550 for example; 0 before any.
static inline long tandem_curl_response_code(CURL *_Nonnull handle) {
  long code = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

/// Nothing more is read from the connection of the last transfer, if it is still open: libcurl's farewell when the handle
/// is cleaned up is sent, and its answer, for which libcurl would wait up to two minutes, is not waited for.
static inline void tandem_curl_stop_reading(CURL *_Nonnull handle) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  if (curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD)
    shutdown(socket, SHUT_RD);
}

static inline CURLcode tandem_curl_global_init(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
