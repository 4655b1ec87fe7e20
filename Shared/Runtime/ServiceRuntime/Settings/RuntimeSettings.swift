import Live
import Logging
import LoopExecutor
import NIOCore
import TTRPCServer
import Telemetry

/// The settings that every service has.
public enum RuntimeSettings {
  /// The database of the service's schema.
  public static let databaseURL = Setting<String>.required(
    "database-url", .databaseURL,
    meaning:
      "the database that holds the service's schema; several hosts for failover; `gssencmode=prefer` for Kerberos",
    secrecy: .secretURL)
  /// The NATS servers that carry live messages.
  public static let busURL = Setting<[NATSServer]?>.optional(
    "bus-url", .natsServers,
    meaning: "NATS servers that carry live messages, for many replicas; without them the database does",
    secrecy: .secretURLs)
  /// The authorities of the NATS servers' certificates.
  public static let busAuthorities = Setting<String?>.optional(
    "bus-ca", .path, meaning: "PEM file of the authorities of tls:// servers of bus-url; without it the system's")
  /// The address of the RPC port.
  public static let listen = Setting<HostPort>(
    "listen", .address, default: "127.0.0.1:0", meaning: "where RPCs are answered; port 0 takes a free one")
  /// The address of the port for health and metrics.
  public static let adminListen = Setting<HostPort>(
    "admin-listen", .address, default: "127.0.0.1:0",
    meaning: "where /livez, /readyz and /metrics are answered by HTTP; port 0 takes a free one")
  /// The server's certificate chain.
  public static let tlsCertificate = Setting<String?>.optional(
    "tls-cert", .path, meaning: "PEM file of the RPC port's certificate and its chain")
  /// The certificate's key.
  public static let tlsKey = Setting<String?>.optional(
    "tls-key", .path, meaning: "PEM file of the certificate's private key")
  /// The authorities of clients' certificates.
  public static let tlsClientCA = Setting<String?>.optional(
    "tls-client-ca", .path,
    meaning: "PEM file of the authorities that services' certificates come from, callers' and called ones'")
  /// Whether clients need a certificate.
  public static let tlsClients = Setting<ClientCertificates>(
    "tls-clients", .choice, default: "optional",
    meaning: "whether clients need a certificate of tls-client-ca; one that is sent must be good in any case")
  /// Whether the RPC port has no TLS.
  public static let plaintext = Setting<Bool>(
    "plaintext", .flag, default: "false", meaning: "answers RPCs without TLS; never where others can listen in")
  /// The layout of log lines.
  public static let logFormat = Setting<LogLayout>(
    "log-format", .choice, default: "auto", meaning: "layout of log lines; auto is text on a terminal, else json")
  /// The least severe level that is logged.
  public static let logLevel = Setting<Logger.Level>(
    "log-level", .choice, default: "info", meaning: "the least severe lines that are logged")
  /// The collector that spans are exported to.
  public static let collector = Setting<CollectorAddress?>.optional(
    "otel-exporter-otlp-endpoint", .collector,
    meaning: "OTLP/HTTP collector that calls are recorded for, as spans; without it none are")
  /// Headers of the requests to the collector.
  public static let collectorHeaders = Setting<[HTTPHeader]?>.optional(
    "otel-exporter-otlp-headers", .headers, meaning: "HTTP headers for the collector, such as its key", secrecy: .secret
  )
  /// The share of traces that is recorded.
  public static let traceRatio = Setting<Double>(
    "otel-traces-sampler-arg", .ratio, default: "1",
    meaning: "share of traces that are recorded, of those that begin here; others as their caller says")
  /// Whether `serve` migrates first.
  public static let migrateAtStart = Setting<Bool>(
    "migrate-at-start", .flag, default: "true", meaning: "brings the schema up to date before serving")
  /// How long running calls may continue once the service stops.
  public static let shutdownGrace = Setting<Duration>(
    "shutdown-grace", .duration, default: RPCServer.defaultGrace,
    meaning: "how long running calls may go on after SIGTERM or SIGINT")
  /// How many event loops there are.
  public static let threads = Setting<Int>(
    "threads", .number(1...256), default: "\(LoopGroup.usableCores)",
    meaning: "event loops, a thread each; the default is one for each core")
  /// The time after which a process whose event loop hangs ends itself.
  public static let loopTimeout = Setting<Duration>(
    "loop-timeout", .positiveDuration, default: "5s",
    meaning: "after how long an event loop that does not turn ends the process, for its supervisor to start it again")
  /// The file for the addresses that the ports are bound to.
  public static let readyFile = Setting<String?>.optional(
    "ready-file", .path,
    meaning: "JSON file with the real addresses, written once the service is ready and removed when it stops")

  /// The file by which a suite that is tested has its clock moved.
  public static let developmentClock = Setting<String?>.optional(
    "development-clock", .path,
    meaning:
      "file with the microseconds by which the clock is ahead, 8 bytes, as `tandem test` has it; refused beyond loopback"
  )

  /// All of them, in the order of listings.
  static let all: [SettingDescription] =
    [
      databaseURL.description, busURL.description, busAuthorities.description, listen.description,
      adminListen.description, tlsCertificate.description,
      tlsKey.description, tlsClientCA.description, tlsClients.description, plaintext.description,
      logFormat.description, logLevel.description, collector.description, collectorHeaders.description,
      traceRatio.description, migrateAtStart.description, shutdownGrace.description, threads.description,
      loopTimeout.description, readyFile.description, developmentClock.description,
    ] + DatabaseSettings.all + PeerSettings.all + EventSettings.all + LimitSettings.all + JobSettings.all
}

/// The `log-format` setting.
public enum LogLayout: String, Sendable, CaseIterable {
  /// Text when standard error is a terminal, else JSON.
  case auto
  /// One JSON object a line.
  case json
  /// One readable line per event.
  case text
}
