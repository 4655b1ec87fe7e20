import NIOSSL
import TTRPCClient
import TTRPCServer

/// How the RPC port is protected, and how this service connects to others.
public enum TransportSecurity: Sendable {
  /// No protection, because the `plaintext` setting says so.
  case plaintext
  /// TLS 1.3, with the configured files.
  case tls(TransportCredentials)

  /// Reads the configured files.
  ///
  /// - Throws: one error with a line for each problem, naming the setting to change.
  public init(_ settings: Settings) throws(StartupError) {
    let certificate = settings[RuntimeSettings.tlsCertificate]
    let key = settings[RuntimeSettings.tlsKey]
    let clientCA = settings[RuntimeSettings.tlsClientCA]
    if settings[RuntimeSettings.plaintext] {
      guard certificate == nil, key == nil, clientCA == nil else {
        throw StartupError(
          usage: "plaintext is on, but tls-cert, tls-key or tls-client-ca is set too; keep one of the two")
      }
      self = .plaintext
      return
    }
    guard let certificate, let key else { throw Self.missing(certificate, key) }
    let clients = settings[RuntimeSettings.tlsClients]
    guard clients == .optional || clientCA != nil else {
      throw StartupError(usage: "tls-clients is required but tls-client-ca is not set: give --tls-client-ca")
    }
    self = .tls(
      try TransportCredentials(
        TransportFiles(certificate: certificate, key: key, clientCA: clientCA, clients: clients)))
  }

  private static func missing(_ certificate: String?, _ key: String?) -> StartupError {
    switch (certificate, key) {
    case (nil, nil):
      StartupError(
        usage:
          "no certificate: give --tls-cert and --tls-key (TANDEM_TLS_CERT, TANDEM_TLS_KEY), or --plaintext to do without TLS"
      )
    case (nil, _): StartupError(usage: "tls-key is set but tls-cert is not: give --tls-cert or TANDEM_TLS_CERT")
    default: StartupError(usage: "tls-cert is set but tls-key is not: give --tls-key or TANDEM_TLS_KEY")
    }
  }

  /// The security of the RPC port.
  var server: RPCServer.Security {
    switch self {
    case .plaintext: .plaintext
    case .tls(let credentials): .tls(credentials.serverSource)
    }
  }

  /// The security of connections to another service, whose certificate must be for `serverName`; `nil` when it is to be
  /// for the address itself.
  func client(toward serverName: String?) -> RPCClient.Security {
    switch self {
    case .plaintext: .plaintext
    case .tls(let credentials): .renewedTLS(credentials.clientSource, serverName: serverName)
    }
  }

  /// The name in the log.
  var name: String {
    switch self {
    case .plaintext: "plaintext"
    case .tls(let credentials): credentials.files.clientCA == nil ? "tls" : "mutual tls"
    }
  }
}
