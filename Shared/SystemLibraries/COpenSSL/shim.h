#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/sha.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// OpenSSL's macros and variadic functions, which Swift cannot call, as functions of the same meaning.

/// A new P-256 key, or null.
static inline EVP_PKEY *_Nullable tandem_generate_p256(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"); }

/// The bytes a memory BIO holds; they live as long as it does.
static inline long tandem_bio_bytes(BIO *_Nonnull bio, char *_Nullable *_Nonnull bytes) {
  return BIO_get_mem_data(bio, bytes);
}

/// Sets the length of the nonce of an AEAD cipher that was not given a key yet.
static inline int tandem_set_nonce_length(EVP_CIPHER_CTX *_Nonnull context, int length) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, length, NULL);
}

static inline int tandem_get_tag(EVP_CIPHER_CTX *_Nonnull context, int length, void *_Nonnull tag) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, length, tag);
}

static inline int tandem_set_tag(EVP_CIPHER_CTX *_Nonnull context, int length, const void *_Nonnull tag) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, length, (void *)tag);
}

/// Adds the extension `nid` with a value in OpenSSL's configuration syntax; 1 when it was added.
static inline int tandem_add_extension(
  X509 *_Nonnull certificate, X509 *_Nonnull issuer, int nid, const char *_Nonnull value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
  X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, nid, value);
  if (extension == NULL) return 0;
  int added = X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
  return added;
}

static inline GENERAL_NAMES *_Nullable tandem_alternative_names(const X509 *_Nonnull certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int tandem_names_count(const GENERAL_NAMES *_Nonnull names) { return sk_GENERAL_NAME_num(names); }

/// The type (`GEN_DNS`, `GEN_URI`, `GEN_IPADD`, …) of a name; its bytes when it is one of these three, else null.
static inline int tandem_name(
  const GENERAL_NAMES *_Nonnull names, int index, const unsigned char *_Nullable *_Nonnull bytes,
  int *_Nonnull length) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  const ASN1_STRING *value = NULL;
  if (name->type == GEN_DNS) value = name->d.dNSName;
  if (name->type == GEN_URI) value = name->d.uniformResourceIdentifier;
  if (name->type == GEN_IPADD) value = name->d.iPAddress;
  *bytes = value == NULL ? NULL : ASN1_STRING_get0_data(value);
  *length = value == NULL ? 0 : ASN1_STRING_length(value);
  return name->type;
}

/// How RFC 2253 writes a distinguished name.
static const unsigned long tandem_rfc2253 = XN_FLAG_RFC2253;
