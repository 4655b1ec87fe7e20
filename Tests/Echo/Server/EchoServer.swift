import ArgumentParser
import EchoV1
import Foundation
import Logging
import LoopExecutor
import Metrics
import NIOSSL
import TTRPC
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
      """)

  @Option(help: "The TCP port on 127.0.0.1; 0 takes a free one.")
  var port = 0

  @Option(help: "Event loops, a thread each.")
  var threads = 1

  @Option(help: "A PEM file with the certificate chain; without it the server speaks plaintext.")
  var tlsCert: String?

  @Option(help: "A PEM file with the certificate's private key.")
  var tlsKey: String?

  @Flag(help: "Ask for the access token that the second line then prints.")
  var authenticate = false

  @Option(help: "MiB that all connections together may have buffered.")
  var bufferedMib = 256

  @Option(help: "A file to write the metrics to at each SIGUSR1, in Prometheus' text format.")
  var metricsFile: String?

  @Option(help: "The least severe level that is logged, to stderr.")
  var logLevel = "warning"

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
    let server = RPCServer(
      address: try .init(ipAddress: "127.0.0.1", port: port), security: try security(),
      router: Router([Echo(), Deaf(), EchoReflection()]),
      interceptors: (gate.map { [$0] } ?? []) + [CallLogging(logger)], limits: limits,
      group: LoopGroup(threads: threads), logger: logger)
    let address = try await server.start()
    print("listening on 127.0.0.1:\(address.port ?? port)")
    if let gate { print("token \(gate.token)") }
    fflush(nil)
    async let _: Void = writeMetrics(of: registry)
    try await server.run()
  }

  private func writeMetrics(of registry: PrometheusRegistry) async {
    guard let metricsFile else { return }
    for await _ in await UnixSignalsSequence(trapping: .sigusr1) {
      do {
        // Renamed into place, so that nobody reads half of it.
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
    return .tls(try NIOSSLContext(configuration: configuration))
  }
}
