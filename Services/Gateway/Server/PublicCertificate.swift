import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import ServiceRuntime
import Synchronization

/// The certificate of the HTTP port, from the present content of its files.
final class PublicCertificate: Sendable {
  private struct State {
    var context: NIOSSLContext
    var chain: [NIOSSLCertificate]
    var hosts: [String]
  }

  private let files: (certificate: String, key: String)
  private let state: Mutex<State>

  /// `nil` when the port is to answer without TLS, because the setting says so.
  ///
  /// - Throws: an error that names the setting to change.
  init?(_ settings: Settings) throws {
    let certificate = settings[GatewaySettings.certificate] ?? settings[RuntimeSettings.tlsCertificate]
    let key = settings[GatewaySettings.key] ?? settings[RuntimeSettings.tlsKey]
    if settings[GatewaySettings.plaintext] {
      guard settings[GatewaySettings.certificate] == nil, settings[GatewaySettings.key] == nil else {
        throw StartupError(
          usage: "http-plaintext is on, but http-tls-cert or http-tls-key is set too; keep one of the two")
      }
      return nil
    }
    guard let certificate, let key else {
      throw StartupError(
        usage:
          "no certificate for HTTP: give --http-tls-cert and --http-tls-key (TANDEM_GATEWAY_HTTP_TLS_CERT, TANDEM_GATEWAY_HTTP_TLS_KEY), or --http-plaintext to do without TLS"
      )
    }
    files = (certificate, key)
    do {
      state = Mutex(try Self.read(files))
    } catch {
      throw StartupError(usage: "the certificate \(certificate) with the key \(key) cannot be used: \(error)")
    }
  }

  /// For a connection that comes now.
  var context: NIOSSLContext { state.withLock { $0.context } }

  /// The names and addresses that the certificate is for.
  var hosts: [String] { state.withLock { $0.hosts } }

  /// Reads the files again; returns whether they have another certificate.
  func renew() throws -> Bool {
    let read = try Self.read(files)
    return state.withLock { state in
      guard read.chain != state.chain else { return false }
      state = read
      return true
    }
  }

  private static func read(_ files: (certificate: String, key: String)) throws -> State {
    let chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
    let key = try NIOSSLPrivateKey(file: files.key, format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    // 1.2 for clients that are not new; it has forward secrecy and authenticated ciphers only.
    configuration.minimumTLSVersion = .tlsv12
    configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
    configuration.applicationProtocols = ["h2", "http/1.1"]
    return State(
      context: try NIOSSLContext(configuration: configuration), chain: chain,
      hosts: chain.first.map(Self.hosts) ?? [])
  }

  /// The hosts of a certificate's alternative names.
  static func hosts(of certificate: NIOSSLCertificate) -> [String] {
    certificate._subjectAlternativeNames().compactMap { name in
      switch (name.nameType, name.contents.count) {
      case (.dnsName, _): String(decoding: name.contents, as: UTF8.self)
      case (.ipAddress, 4), (.ipAddress, 16):
        try? SocketAddress(
          packedIPAddress: ByteBuffer(bytes: name.contents), port: 0
        ).ipAddress
      default: nil
      }
    }
  }
}

/// Keeps the certificate up to date with its files.
struct CertificateRenewal: Service {
  let certificate: PublicCertificate
  let logger: Logger
  private static let interval = Duration.seconds(2)

  func run() async throws {
    do {
      try await cancelWhenGracefulShutdown {
        while true {
          // The files are replaced one by one and without a signal, so they are polled.
          try await Task.sleep(for: Self.interval)
          do {
            if try certificate.renew() { logger.notice("the certificate of HTTP was renewed") }
          } catch is CancellationError {
            throw CancellationError()
          } catch {
            logger.error(
              "the certificate of HTTP was not renewed: the old one stays in use", metadata: ["cause": "\(error)"])
          }
        }
      }
    } catch is CancellationError {
      // The program stops.
    }
  }
}
