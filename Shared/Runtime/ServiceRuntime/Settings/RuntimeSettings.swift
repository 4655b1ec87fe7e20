import Live
import Logging
import LoopExecutor
import NIOCore
import TTRPC
import Telemetry

/// The settings that every service has.
public enum RuntimeSettings {
  /// The database of the service's schema.
  public static let databaseURL = Setting<String>.required(
    "database-url", .databaseURL,
    meaning: "the database that holds the service's schema; several hosts for failover", secrecy: .secretURL)
  /// The NATS servers that carry live messages.
  public static let busURL = Setting<[NATSServer]?>.optional(
    "bus-url", .natsServers,
    meaning: "NATS servers that carry live messages, for many replicas; without them the database does",
    secrecy: .secretURLs)
  /// Whom the NATS servers' certificates must come from.
  public static let busAuthorities = Setting<String?>.optional(
    "bus-ca", .path, meaning: "PEM file of the authorities of tls:// servers of bus-url; without it the system's")
  /// Where RPCs are answered.
  public static let listen = Setting<HostPort>(
    "listen", .address, default: "127.0.0.1:0", meaning: "where RPCs are answered; port 0 takes a free one")
  /// Where health and metrics are answered.
  public static let adminListen = Setting<HostPort>(
    "admin-listen", .address, default: "127.0.0.1:0",
    meaning: "where /livez, /readyz and /metrics are answered by HTTP; port 0 takes a free one")
  /// The server's certificate chain.
  public static let tlsCertificate = Setting<String?>.optional(
    "tls-cert", .path, meaning: "PEM file of the RPC port's certificate and its chain")
  /// The certificate's key.
  public static let tlsKey = Setting<String?>.optional(
    "tls-key", .path, meaning: "PEM file of the certificate's private key")
  /// Whom clients' certificates must come from.
  public static let tlsClientCA = Setting<String?>.optional(
    "tls-client-ca", .path,
    meaning: "PEM file of the authorities that services' certificates come from, callers' and called ones'")
  /// Whether clients need a certificate.
  public static let tlsClients = Setting<ClientCertificates>(
    "tls-clients", .choice, default: "optional",
    meaning: "whether clients need a certificate of tls-client-ca; one that is sent must be good in any case")
  /// Whether TLS is left out.
  public static let plaintext = Setting<Bool>(
    "plaintext", .flag, default: "false", meaning: "answers RPCs without TLS; never where others can listen in")
  /// How log lines look.
  public static let logFormat = Setting<LogLayout>(
    "log-format", .choice, default: "auto", meaning: "layout of log lines; auto is text on a terminal, else json")
  /// Which log lines are written.
  public static let logLevel = Setting<Logger.Level>(
    "log-level", .choice, default: "info", meaning: "the least severe lines that are logged")
  /// Where spans go.
  public static let collector = Setting<CollectorAddress?>.optional(
    "otel-exporter-otlp-endpoint", .collector,
    meaning: "OTLP/HTTP collector that calls are recorded for, as spans; without it none are")
  /// What the collector wants to see.
  public static let collectorHeaders = Setting<[HTTPHeader]?>.optional(
    "otel-exporter-otlp-headers", .headers, meaning: "HTTP headers for the collector, such as its key", secrecy: .secret
  )
  /// How much is recorded.
  public static let traceRatio = Setting<Double>(
    "otel-traces-sampler-arg", .ratio, default: "1",
    meaning: "share of traces that are recorded, of those that begin here; others as their caller says")
  /// Whether `serve` migrates first.
  public static let migrateAtStart = Setting<Bool>(
    "migrate-at-start", .flag, default: "true", meaning: "brings the schema up to date before serving")
  /// How long running calls may go on once the service is told to stop.
  public static let shutdownGrace = Setting<Duration>(
    "shutdown-grace", .duration, default: RPCServer.defaultGrace,
    meaning: "how long running calls may go on after SIGTERM or SIGINT")
  /// How many event loops there are.
  public static let threads = Setting<Int>(
    "threads", .number(1...256), default: "\(LoopGroup.usableCores)",
    meaning: "event loops, a thread each; the default is one for each core")
  /// When a process whose event loop hangs ends itself.
  public static let loopTimeout = Setting<Duration>(
    "loop-timeout", .positiveDuration, default: "5s",
    meaning: "after how long an event loop that does not turn ends the process, for its supervisor to start it again")
  /// Where the real addresses are written.
  public static let readyFile = Setting<String?>.optional(
    "ready-file", .path,
    meaning: "JSON file with the real addresses, written once the service is ready and removed when it stops")

  /// All of them, in the order of listings.
  static let all: [SettingDescription] =
    [
      databaseURL.description, busURL.description, busAuthorities.description, listen.description,
      adminListen.description, tlsCertificate.description,
      tlsKey.description, tlsClientCA.description, tlsClients.description, plaintext.description,
      logFormat.description, logLevel.description, collector.description, collectorHeaders.description,
      traceRatio.description, migrateAtStart.description, shutdownGrace.description, threads.description,
      loopTimeout.description, readyFile.description,
    ] + DatabaseSettings.all + PeerSettings.all + EventSettings.all + LimitSettings.all + JobSettings.all
}

/// The `log-format` setting.
public enum LogLayout: String, Sendable, CaseIterable {
  /// Text when a terminal reads it, else JSON.
  case auto
  /// One JSON object a line.
  case json
  /// One readable line.
  case text
}
