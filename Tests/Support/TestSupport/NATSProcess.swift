import Foundation
import Testing

/// A real nats-server of the test's own, on a free port of the loopback, that ends with the test's process.
///
/// `@unchecked Sendable`: one test uses it, one step after the other.
public final class NATSProcess: @unchecked Sendable {
  private let folder: String
  private let options: [String]
  private var process: Process?
  private let port: Int

  /// Starts a server with these options besides those of its place.
  public static func start(_ options: [String] = []) async throws -> NATSProcess {
    let server = try NATSProcess(options)
    try await server.start()
    return server
  }

  private init(_ options: [String]) throws {
    folder = NSTemporaryDirectory() + "tandem-nats-\(UUID().uuidString)"
    self.options = options
    port = try FreePort.take()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// `host:port`.
  public var address: String { "127.0.0.1:\(port)" }

  /// Starts it, the second time on the port of the first.
  public func start() async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    // The end of this process closes the pipe, however it comes.
    let script = #"PATH=$PATH:/usr/sbin; nats-server "$@" & server=$!; cat >/dev/null; kill -9 $server; wait $server"#
    process.arguments =
      ["-c", script, "sh", "-a", "127.0.0.1", "-p", "\(port)", "--ports_file_dir", folder] + options
    process.standardInput = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try Children.start { try process.run() }
    self.process = process
    _ = try await eventually("nats-server listens; .ci/install installs it") { self.isListening ? true : nil }
  }

  /// Whether there is the file that the server writes when it listens.
  private var isListening: Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { $0.hasSuffix(".ports") }
  }

  /// Kills it.
  public func stop() {
    guard let process else { return }
    self.process = nil
    try? (process.standardInput as? Pipe)?.fileHandleForWriting.close()
    process.waitUntilExit()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".ports") {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}
