import Logging

/// How a log line is laid out.
public enum LogFormat: String, Sendable, CaseIterable {
  /// One JSON object a line, for machines.
  case json
  /// One readable line, for a user at a terminal.
  case text
}

/// Where log lines go and what they look like; makes the handlers of one process.
public struct LogOutput: Sendable {
  /// The executable the lines come from, e.g. `identity`.
  public let service: String
  /// The layout of every line.
  public let format: LogFormat
  /// Whether the level is coloured by terminal escapes; only `text` is ever coloured.
  public let colour: Colour
  /// What takes the finished lines.
  public let writer: LogWriter

  /// Whether terminal escapes are written.
  public enum Colour: Sendable {
    /// Plain bytes.
    case never
    /// The level in colour; the caller has looked at `NO_COLOR` and at whether a terminal reads it.
    case always
  }

  /// Describes the output; nothing is written before the first line.
  public init(service: String, format: LogFormat, colour: Colour = .never, writer: LogWriter = .standardError) {
    self.service = service
    self.format = format
    self.colour = colour
    self.writer = writer
  }

  /// A logger that writes here whatever the process-wide logging system is; tests use it.
  public func logger(_ label: String, level: Logger.Level = .info) -> Logger {
    Logger(label: label) { LineLogHandler(label: $0, output: self, level: level) }
  }

  /// Makes this the output of every `Logger` of the process. To be called at most once, first thing in `main`.
  public func bootstrap(level: Logger.Level) {
    LoggingSystem.bootstrap(
      { label, provider in
        var handler = LineLogHandler(label: label, output: self, level: level)
        handler.metadataProvider = provider
        return handler
      }, metadataProvider: nil)
  }
}

/// Renders each event as one line and hands it to the writer; never blocks.
public struct LineLogHandler: LogHandler {
  /// The least severe level that is written.
  public var logLevel: Logger.Level
  /// Written with every line of this logger.
  public var metadata: Logger.Metadata = [:]
  /// Adds metadata of the current task.
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let output: LogOutput

  /// A handler for one logger.
  public init(label: String, output: LogOutput, level: Logger.Level = .info) {
    self.label = label
    self.output = output
    self.logLevel = level
  }

  /// One entry of the logger's own metadata.
  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes the event; what the call site says wins over the provider, which wins over the logger.
  public func log(event: LogEvent) {
    var merged = metadata
    if let provided = metadataProvider?.get() { merged.merge(provided) { $1 } }
    if let given = event.metadata { merged.merge(given) { $1 } }
    if let error = event.error { merged["error"] = "\(error)" }
    let line = LogLine(
      time: Timestamp.now(), level: event.level, service: output.service, label: label,
      message: event.message.description, metadata: merged)
    switch output.format {
    case .json: output.writer.write(line.json())
    case .text: output.writer.write(line.text(colour: output.colour))
    }
  }
}
