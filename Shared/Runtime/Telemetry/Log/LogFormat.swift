import Logging

/// The layout of log lines.
public enum LogFormat: String, Sendable, CaseIterable {
  /// One JSON object a line, for machines.
  case json
  /// One readable line, for a user at a terminal.
  case text
}

/// The destination and layout of log lines; makes the log handlers of one process.
public struct LogOutput: Sendable {
  /// The executable the lines come from, e.g. `identity`.
  public let service: String
  public let format: LogFormat
  /// Whether the level is coloured by terminal escapes; only `text` is ever coloured.
  public let colour: Colour
  /// The writer of the finished lines.
  public let writer: LogWriter

  /// Whether colours are written, as terminal escapes.
  public enum Colour: Sendable {
    /// Plain bytes.
    case never
    /// The level in colour; the caller has checked `NO_COLOR` and that the output is a terminal.
    case always
  }

  /// Describes an output; nothing is written before the first line.
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

  /// Makes this the output of every `Logger` of the process. Call it at most once, first in `main`.
  public func bootstrap(level: Logger.Level) {
    LoggingSystem.bootstrap(
      { label, provider in
        var handler = LineLogHandler(label: label, output: self, level: level)
        handler.metadataProvider = provider
        return handler
      }, metadataProvider: nil)
  }
}

/// Formats each event as one line and passes it to the writer; never blocks.
public struct LineLogHandler: LogHandler {
  /// The least severe level that is written.
  public var logLevel: Logger.Level
  /// Written with every line of this logger.
  public var metadata: Logger.Metadata = [:]
  /// Adds metadata of the current task.
  public var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let output: LogOutput

  public init(label: String, output: LogOutput, level: Logger.Level = .info) {
    self.label = label
    self.output = output
    self.logLevel = level
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  /// Writes the event; metadata of the call site override those of the provider, which override the logger's.
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
