import Cryptography
import Glibc
import Identifiers
import NIOSSL

/// The files of TLS, and whether clients need a certificate.
struct TransportFiles: Sendable {
  /// PEM of the certificate and its chain.
  let certificate: String
  /// PEM of the certificate's key.
  let key: String
  /// PEM of the authorities that sign services' certificates.
  let clientCA: String?
  let clients: ClientCertificates

  /// The content of the files at one moment.
  struct Contents {
    let server: NIOSSLContext
    let client: NIOSSLContext
    /// When the certificate expires.
    let notAfter: Instant
  }

  /// Distinguishes versions of a file: a replaced file differs in the inode, a rewritten one in time or size.
  struct Stamp: Equatable {
    private let inode: UInt64
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of a missing file is all zero.
    init(_ path: String) {
      var facts = stat()
      let isThere = stat(path, &facts) == 0
      inode = isThere ? UInt64(facts.st_ino) : 0
      size = isThere ? Int64(facts.st_size) : 0
      seconds = isThere ? facts.st_mtim.tv_sec : 0
      nanoseconds = isThere ? facts.st_mtim.tv_nsec : 0
    }
  }

  var stamps: [Stamp] {
    [certificate, key].map(Stamp.init) + (clientCA.map { [Stamp($0)] } ?? [])
  }

  /// - Throws: a one-line error with the file, its setting and what is wrong.
  func read() throws(StartupError) -> Contents {
    let chain = try Self.certificates(certificate, purpose: "the certificate (tls-cert)")
    let authorities: [NIOSSLCertificate]? =
      if let clientCA { try Self.certificates(clientCA, purpose: "the clients' authority (tls-client-ca)") } else {
        nil
      }
    let key = try privateKey()
    var server = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    var client = TLSConfiguration.makeClientConfiguration()
    client.certificateChain = chain.map { .certificate($0) }
    client.privateKey = .privateKey(key)
    client.minimumTLSVersion = .tlsv13
    server.minimumTLSVersion = .tlsv13
    // A client that does not answer the close notification must not delay a server that stops.
    server.shutdownTimeout = .seconds(1)
    if let authorities {
      server.trustRoots = .certificates(authorities)
      server.certificateVerification = clients == .required ? .noHostnameVerification : .optionalVerification
      client.trustRoots = .certificates(authorities)
    }
    return Contents(server: try context(server), client: try context(client), notAfter: try end(of: chain[0]))
  }

  private func privateKey() throws(StartupError) -> NIOSSLPrivateKey {
    let bytes = try readFile(key, purpose: "the private key (tls-key)")
    do {
      return try NIOSSLPrivateKey(bytes: bytes, format: .pem)
    } catch {
      throw StartupError(usage: "the private key (tls-key) \(key) holds no unencrypted private key in PEM")
    }
  }

  private func context(_ configuration: TLSConfiguration) throws(StartupError) -> NIOSSLContext {
    do {
      return try NIOSSLContext(configuration: configuration)
    } catch NIOSSLError.failedToLoadPrivateKey {
      throw StartupError(
        usage: "the private key (tls-key) \(key) does not belong to the certificate (tls-cert) \(certificate)")
    } catch {
      throw StartupError(usage: "the certificate (tls-cert) \(certificate) cannot be used for a server: \(error)")
    }
  }

  private func end(of leaf: NIOSSLCertificate) throws(StartupError) -> Instant {
    do {
      return try Certificate(der: leaf.toDERBytes()).notAfter
    } catch {
      throw StartupError(usage: "the certificate (tls-cert) \(certificate) cannot be read: \(error)")
    }
  }

  /// At least one.
  private static func certificates(_ path: String, purpose: String) throws(StartupError) -> [NIOSSLCertificate] {
    let bytes = try readFile(path, purpose: purpose)
    let found = try? NIOSSLCertificate.fromPEMBytes(bytes)
    guard let found, !found.isEmpty else { throw StartupError(usage: "\(purpose) \(path) holds no certificate in PEM") }
    return found
  }
}

/// The value of `tls-clients`: whether clients must have a certificate.
public enum ClientCertificates: String, Sendable, CaseIterable {
  /// A certificate must be valid if there is one; a client without one is not a service.
  case optional
  /// A connection needs a valid certificate.
  case required
}
