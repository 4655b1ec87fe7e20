import ArgumentParser
import EchoV1
import Foundation
import Logging
import LoopExecutor
import Metrics
import NIOSSL
import TTRPC
import TTRPCServer
import Telemetry
import UnixSignals

@main
struct EchoServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "echo-server",
    abstract: "Serves echo.v1.Echo, for peers of any language, raw-frame tests and benchmarks.",
    discussion: """
      Examples:
        echo-server --port 0                     a free port, printed on the first line
        echo-server --tls-cert c.pem --tls-key k.pem
        echo-server --tls-cert c.pem --tls-key k.pem --tls-client-ca ca.pem

      SIGTERM and SIGINT stop it as they stop a service: new calls are refused, running ones have the grace period.
      """)

  @Option(help: "The TCP port on 127.0.0.1; 0 takes a free one.")
  var port = 0

  @Option(help: "Event loops, a thread each.")
  var threads = 1

  @Option(help: "A PEM file with the certificate chain; without it the server speaks plaintext.")
  var tlsCert: String?

  @Option(help: "A PEM file with the certificate's private key.")
  var tlsKey: String?

  @Option(help: "A PEM file with the authorities that clients must have a certificate of; without it they need none.")
  var tlsClientCa: String?

  @Option(help: "Seconds that running calls may go on after SIGTERM or SIGINT.")
  var grace = Int(RPCServer.defaultGrace.components.seconds)

  @Flag(help: "Ask for the access token that the second line then prints.")
  var authenticate = false

  @Option(help: "MiB that all connections together may have buffered.")
  var bufferedMib = 256

  @Option(help: "A file to write the metrics to at each SIGUSR1, in Prometheus' text format.")
  var metricsFile: String?

  @Option(help: "The least severe level that is logged, to stderr.")
  var logLevel = "warning"

  func validate() throws {
    guard (tlsCert == nil) == (tlsKey == nil) else { throw ValidationError("--tls-cert and --tls-key go together.") }
    guard tlsClientCa == nil || tlsCert != nil else { throw ValidationError("--tls-client-ca needs --tls-cert.") }
    guard (0...65_535).contains(port) else { throw ValidationError("--port is a number from 0 to 65535.") }
    guard (1...1_024).contains(threads) else { throw ValidationError("--threads is a number from 1 to 1024.") }
    guard grace >= 0 else { throw ValidationError("--grace is 0 or more.") }
    guard (1...65_536).contains(bufferedMib) else {
      throw ValidationError("--buffered-mib is a number from 1 to 65536.")
    }
    guard Logger.Level(rawValue: logLevel) != nil else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--log-level is one of \(levels).")
    }
  }

  func run() async throws {
    let level = logLevel
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = Logger.Level(rawValue: level) ?? .warning
      return handler
    }
    let registry = PrometheusRegistry()
    MetricsSystem.bootstrap(registry)
    let logger = Logger(label: "echo-server")
    let gate = authenticate ? try TokenGate(.system) : nil
    var limits = RPCServer.Limits()
    limits.connectionsPerAddress = limits.connections
    limits.bufferedBytes = bufferedMib << 20
    // All its methods are open to anyone, and the mixes of load have streams that last.
    limits.anonymousStreamDuration = limits.streamDuration
    let server = RPCServer(
      address: try .init(ipAddress: "127.0.0.1", port: port), security: try security(),
      router: Router([Echo(), Deaf(), EchoReflection()]),
      interceptors: (gate.map { [$0] } ?? []) + [CallLogging(logger)], limits: limits,
      grace: .seconds(grace), group: LoopGroup(threads: threads), logger: logger)
    // Heard from the first line on.
    let stops = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let looks = await UnixSignalsSequence(trapping: .sigusr1)
    let address = try await server.start()
    print("listening on 127.0.0.1:\(address.port ?? port)")
    if let gate { print("token \(gate.token)") }
    fflush(nil)
    async let _: Void = writeMetrics(of: registry, at: looks)
    for await _ in stops { break }
    await server.stop()
  }

  private func writeMetrics(of registry: PrometheusRegistry, at looks: UnixSignalsSequence) async {
    guard let metricsFile else { return }
    for await _ in looks {
      do {
        // Renamed into place, so that readers see it complete or not at all.
        try registry.exposition().write(toFile: metricsFile, atomically: true, encoding: .utf8)
      } catch {
        Logger(label: "echo-server").error("the metrics cannot be written", metadata: ["cause": "\(error)"])
      }
    }
  }

  private func security() throws -> RPCServer.Security {
    guard let tlsCert, let tlsKey else { return .plaintext }
    let chain = try NIOSSLCertificate.fromPEMFile(tlsCert).map { NIOSSLCertificateSource.certificate($0) }
    let key = try NIOSSLPrivateKey(file: tlsKey, format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: .privateKey(key))
    configuration.minimumTLSVersion = .tlsv13
    // A client that does not react to the GoAway must not delay the server's stop.
    configuration.shutdownTimeout = .seconds(1)
    if let tlsClientCa {
      configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(tlsClientCa))
      configuration.certificateVerification = .noHostnameVerification
    }
    return .tls(try NIOSSLContext(configuration: configuration))
  }
}
