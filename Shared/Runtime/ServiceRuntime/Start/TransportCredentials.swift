import Cryptography
import Identifiers
import Logging
import Metrics
import NIOSSL
import ServiceLifecycle
import Synchronization
import TTRPCConnection

/// A service's certificate, its key and the authorities that it trusts, from the present content of their files.
public final class TransportCredentials: Sendable {
  let files: TransportFiles
  private let state: Mutex<State>

  private struct State {
    var contents: TransportFiles.Contents
    /// The stamps of the files that were read last, whether they were valid or not.
    var read: [TransportFiles.Stamp]
    /// The stamps of the files at the last check.
    var seen: [TransportFiles.Stamp]
  }

  init(_ files: TransportFiles) throws(StartupError) {
    self.files = files
    // Before the files are read: one that changes meanwhile is read again.
    let stamps = files.stamps
    state = Mutex(State(contents: try files.read(), read: stamps, seen: stamps))
  }

  /// The TLS of the RPC port.
  var serverSource: TLSSource {
    TLSSource(context: { self.contents.server }, service: Self.service)
  }

  /// The TLS of connections to other services.
  var clientSource: TLSSource {
    TLSSource(context: { self.contents.client })
  }

  var contents: TransportFiles.Contents { state.withLock { $0.contents } }

  /// The result of checking the files.
  enum Renewal {
    case unchanged
    case renewed(TransportFiles.Contents)
    /// The new files are invalid; the earlier credentials stay in use.
    case refused(StartupError)
  }

  /// Checks the files, and reads them again when they have changed and then stayed the same for two checks: certificate
  /// and key are written one after the other.
  func renew() -> Renewal {
    let stamps = files.stamps
    let isDue = state.withLock { state in
      defer { state.seen = stamps }
      guard stamps != state.read, stamps == state.seen else { return false }
      state.read = stamps
      return true
    }
    guard isDue else { return .unchanged }
    do throws(StartupError) {
      let contents = try files.read()
      state.withLock { $0.contents = contents }
      return .renewed(contents)
    } catch {
      return .refused(error)
    }
  }

  @Sendable private static func service(of certificate: [UInt8]) -> String? {
    // The handshake has verified it, so it can be read; one that cannot be read names no service.
    guard let certificate = try? Certificate(der: certificate) else { return nil }
    return ServiceIdentity.service(of: certificate)
  }
}

/// Keeps the credentials up to date with their files.
struct CredentialsRenewal: Service {
  /// The interval of checks: a renewed certificate is in use within two of these.
  static let defaultInterval = Duration.seconds(2)

  let credentials: TransportCredentials
  let interval: Duration
  let logger: Logger
  /// `nil` for a certificate that is not the port's.
  private let end: Gauge?

  /// - Parameter isOwn: whether it is the certificate of the program's own port, which the metric tells of.
  init(
    _ credentials: TransportCredentials, every interval: Duration = defaultInterval, isOwn: Bool = true, logger: Logger
  ) {
    end = isOwn ? Gauge(label: "tls_certificate_not_after_seconds") : nil
    self.credentials = credentials
    self.interval = interval
    self.logger = logger
  }

  func run() async throws {
    end?.record(credentials.contents.notAfter.wholeSeconds)
    do {
      try await cancelWhenGracefulShutdown {
        while true {
          // The files are replaced one by one and without a signal, so they are polled.
          try await Task.sleep(for: interval)
          look()
        }
      }
    } catch is CancellationError {
      // The service stops.
    }
  }

  private func look() {
    switch credentials.renew() {
    case .unchanged: break
    case .renewed(let contents):
      end?.record(contents.notAfter.wholeSeconds)
      logger.notice("certificate renewed", metadata: ["not_after": "\(contents.notAfter)"])
    case .refused(let refusal):
      logger.error("certificate not renewed: the old one stays in use", metadata: ["cause": "\(refusal)"])
    }
  }
}
