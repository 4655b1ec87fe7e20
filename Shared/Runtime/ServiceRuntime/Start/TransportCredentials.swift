import Cryptography
import Identifiers
import Logging
import Metrics
import NIOSSL
import ServiceLifecycle
import Synchronization
import TTRPC

/// A service's certificate, its key and the authorities that it trusts, as the files hold them now.
public final class TransportCredentials: Sendable {
  let files: TransportFiles
  private let state: Mutex<State>

  private struct State {
    var contents: TransportFiles.Contents
    /// The files that were read last, whether they were good or not.
    var read: [TransportFiles.Stamp]
    /// The files at the last look.
    var seen: [TransportFiles.Stamp]
  }

  init(_ files: TransportFiles) throws(StartupError) {
    self.files = files
    // Before the files are read: one that changes meanwhile is read again.
    let stamps = files.stamps
    state = Mutex(State(contents: try files.read(), read: stamps, seen: stamps))
  }

  /// For the RPC port.
  var serverSource: TLSSource {
    TLSSource(context: { self.contents.server }, service: Self.service)
  }

  /// For connections to other services.
  var clientSource: TLSSource {
    TLSSource(context: { self.contents.client })
  }

  var contents: TransportFiles.Contents { state.withLock { $0.contents } }

  /// What came of a look at the files.
  enum Renewal {
    case unchanged
    case renewed(TransportFiles.Contents)
    /// The files changed for the worse; what was read before stays in use.
    case refused(StartupError)
  }

  /// Looks at the files, and reads them again when they have changed and then stayed the same for two looks: certificate and key are
  /// written one after the other.
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
    // A handshake has verified it, so it can be read; one that cannot names nobody.
    guard let certificate = try? Certificate(der: certificate) else { return nil }
    return ServiceIdentity.service(of: certificate)
  }
}

/// Keeps the credentials up with their files.
struct CredentialsRenewal: Service {
  /// How often the files are looked at: a renewed certificate is in use within two of these.
  static let defaultInterval = Duration.seconds(2)

  let credentials: TransportCredentials
  let interval: Duration
  let logger: Logger
  private let end = Gauge(label: "tls_certificate_not_after_seconds")

  init(_ credentials: TransportCredentials, every interval: Duration = defaultInterval, logger: Logger) {
    self.credentials = credentials
    self.interval = interval
    self.logger = logger
  }

  func run() async throws {
    end.record(credentials.contents.notAfter.wholeSeconds)
    do {
      try await cancelWhenGracefulShutdown {
        while true {
          // Whoever renews the files does so in steps; a look now and then finds the end of it without being told.
          try await Task.sleep(for: interval)
          look()
        }
      }
    } catch is CancellationError {
      // Told to stop.
    }
  }

  private func look() {
    switch credentials.renew() {
    case .unchanged: break
    case .renewed(let contents):
      end.record(contents.notAfter.wholeSeconds)
      logger.notice("certificate renewed", metadata: ["not_after": "\(contents.notAfter)"])
    case .refused(let refusal):
      logger.error("certificate not renewed: the old one stays in use", metadata: ["cause": "\(refusal)"])
    }
  }
}
