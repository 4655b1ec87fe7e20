import NIOSSL

/// How the RPC port is protected.
public enum TransportSecurity: Sendable {
  /// Not at all, because the `plaintext` setting asks for it by name.
  case plaintext
  /// TLS 1.3, from the files that the settings name.
  case tls(NIOSSLContext)

  /// Reads what the settings name.
  ///
  /// - Throws: one refusal with a line for each thing that is wrong, saying which setting cures it.
  public init(_ settings: Settings) throws(StartRefusal) {
    let certificate = settings[RuntimeSettings.tlsCertificate]
    let key = settings[RuntimeSettings.tlsKey]
    let clientCA = settings[RuntimeSettings.tlsClientCA]
    if settings[RuntimeSettings.plaintext] {
      guard certificate == nil, key == nil, clientCA == nil else {
        throw StartRefusal(
          usage: "plaintext is on, but tls-cert, tls-key or tls-client-ca is set too; keep one of the two")
      }
      self = .plaintext
      return
    }
    guard let certificate, let key else { throw Self.missing(certificate, key) }
    self = .tls(try Self.context(certificate: certificate, key: key, clientCA: clientCA))
  }

  private static func missing(_ certificate: String?, _ key: String?) -> StartRefusal {
    switch (certificate, key) {
    case (nil, nil):
      StartRefusal(
        usage:
          "no certificate: give --tls-cert and --tls-key (TANDEM_TLS_CERT, TANDEM_TLS_KEY), or --plaintext to do without TLS"
      )
    case (nil, _): StartRefusal(usage: "tls-key is set but tls-cert is not: give --tls-cert or TANDEM_TLS_CERT")
    default: StartRefusal(usage: "tls-cert is set but tls-key is not: give --tls-key or TANDEM_TLS_KEY")
    }
  }

  private static func context(
    certificate: String, key: String, clientCA: String?
  ) throws(StartRefusal) -> NIOSSLContext {
    let chain = try certificates(certificate, purpose: "the certificate (tls-cert)")
    let keyBytes = try readFile(key, purpose: "the private key (tls-key)")
    let privateKey: NIOSSLPrivateKey
    do {
      privateKey = try NIOSSLPrivateKey(bytes: keyBytes, format: .pem)
    } catch {
      throw StartRefusal(usage: "the private key (tls-key) \(key) holds no unencrypted private key in PEM")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv13
    if let clientCA {
      configuration.trustRoots = .certificates(
        try certificates(clientCA, purpose: "the clients' authority (tls-client-ca)"))
      configuration.certificateVerification = .noHostnameVerification
    }
    do {
      return try NIOSSLContext(configuration: configuration)
    } catch NIOSSLError.failedToLoadPrivateKey {
      throw StartRefusal(
        usage: "the private key (tls-key) \(key) does not belong to the certificate (tls-cert) \(certificate)")
    } catch {
      throw StartRefusal(usage: "the certificate (tls-cert) \(certificate) cannot be used for a server: \(error)")
    }
  }

  private static func certificates(_ path: String, purpose: String) throws(StartRefusal) -> [NIOSSLCertificate] {
    let bytes = try readFile(path, purpose: purpose)
    let found = try? NIOSSLCertificate.fromPEMBytes(bytes)
    guard let found, !found.isEmpty else { throw StartRefusal(usage: "\(purpose) \(path) holds no certificate in PEM") }
    return found
  }
}
