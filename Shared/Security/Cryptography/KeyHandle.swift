import COpenSSL

/// Owns one OpenSSL key.
///
/// `@unchecked Sendable`: the key is never changed after `init`; OpenSSL 3 counts its references atomically, and
/// every use takes a context of its own.
final class KeyHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  init(owning pointer: OpaquePointer) {
    self.pointer = pointer
  }

  deinit {
    EVP_PKEY_free(pointer)
  }

  convenience init(privatePEM pem: String) throws(OpenSSLError) {
    let read = try withPEMReader(pem) { PEM_read_bio_PrivateKey($0, nil, refusePassphrase, nil) }
    self.init(owning: try require(read, "reading a private key"))
  }

  convenience init(publicPEM pem: String) throws(OpenSSLError) {
    let read = try withPEMReader(pem) { PEM_read_bio_PUBKEY($0, nil, refusePassphrase, nil) }
    self.init(owning: try require(read, "reading a public key"))
  }

  /// PKCS #8, unencrypted.
  func privatePEM() throws(OpenSSLError) -> String {
    try pemText("writing a private key") { PEM_write_bio_PKCS8PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
  }

  /// SubjectPublicKeyInfo.
  func publicPEM() throws(OpenSSLError) -> String {
    try pemText("writing a public key") { PEM_write_bio_PUBKEY($0, pointer) }
  }

  var isEd25519: Bool { EVP_PKEY_get_id(pointer) == EVP_PKEY_ED25519 }

  func rawPublicKey() throws(OpenSSLError) -> [UInt8] {
    var length = 32
    var bytes = [UInt8](repeating: 0, count: length)
    try require(EVP_PKEY_get_raw_public_key(pointer, &bytes, &length), "reading a public key")
    return bytes
  }
}

/// Refuses OpenSSL's request for a passphrase, which it would otherwise read from the terminal.
private let refusePassphrase:
  @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) ->
    Int32 = { _, _, _, _ in -1 }

/// Passes `body` a reader of the text, valid during the call; objects that `body` reads are its own to free.
func withPEMReader<Result>(_ pem: String, _ body: (OpaquePointer) -> Result) throws(OpenSSLError) -> Result {
  let text = Array(pem.utf8)
  let reader = try require(BIO_new(BIO_s_mem()), "reading PEM")
  defer { BIO_free(reader) }
  guard text.isEmpty || BIO_write(reader, text, Int32(text.count)) == text.count else {
    throw OpenSSLError("reading PEM")
  }
  return body(reader)
}

/// The text that `body` writes.
func pemText(_ operation: String, _ body: (OpaquePointer) -> Int32) throws(OpenSSLError) -> String {
  let writer = try require(BIO_new(BIO_s_mem()), operation)
  defer { BIO_free(writer) }
  try require(body(writer), operation)
  var start: UnsafeMutablePointer<CChar>?
  let length = tandem_bio_bytes(writer, &start)
  return String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
}
