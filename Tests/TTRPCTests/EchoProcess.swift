import Foundation
import TestSupport
import Testing

/// The `echo-server` executable, run as a process of its own: its memory is a server's alone.
final class EchoProcess {
  private let process = Process()
  private let output = Pipe()
  private let folder: URL
  let port: Int

  /// The executable beside this test's own.
  private static let executable: URL = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("echo-server")
  }()

  /// How many times what it needs the process may take: more than once only where a sanitizer keeps notes of its memory, and for a while
  /// what was freed.
  static let memoryFactor = ProcessInfo.processInfo.environment["SANITIZER_MEMORY_FACTOR"].flatMap { Int($0) } ?? 1

  /// - Parameter openFiles: how many descriptors it may have at a time; `nil` leaves it the test's own limit.
  init(_ arguments: [String], openFiles: Int? = nil) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("echo-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let arguments = arguments + ["--metrics-file", folder.appendingPathComponent("metrics").path]
    if let openFiles {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\"", Self.executable.path] + arguments
    } else {
      process.executableURL = Self.executable
      process.arguments = arguments
    }
    process.standardOutput = output
    let log = folder.appendingPathComponent("log").path
    try Data().write(to: URL(fileURLWithPath: log))
    let errors = try #require(FileHandle(forWritingAtPath: log))
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try Children.start { [process] in try process.run() }
    var line: [UInt8] = []
    while line.last != 0x0A {
      let byte = output.fileHandleForReading.readData(ofLength: 1)
      guard !byte.isEmpty else { break }
      line += byte
    }
    let digits = String(decoding: line, as: UTF8.self).split(separator: ":").last ?? ""
    port = try #require(Int(digits.trimmingCharacters(in: .whitespacesAndNewlines)), "echo-server did not start")
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Sends the signal that a supervisor stops it with.
  func terminate() { kill(process.processIdentifier, SIGTERM) }

  /// Waits until it has ended; returns its exit status.
  func exitStatus() async throws -> Int32 {
    try await until("the server has ended") { !process.isRunning }
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// What it has logged so far.
  func log() throws -> String { try String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8) }

  /// The processor time that it has taken, in all its threads.
  func processorTime() throws -> Duration {
    let facts = try String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
    // After the name, which is in brackets, come state, ten numbers, and the ticks as a user's program and in the system (proc(5)).
    let fields = facts[(facts.lastIndex(of: ")") ?? facts.startIndex)...].split(separator: " ")
    try #require(fields.count > 13)
    let ticks = try #require(Int(fields[12])) + (try #require(Int(fields[13])))
    return .milliseconds(ticks * 1_000 / sysconf(Int32(_SC_CLK_TCK)))
  }

  /// The most memory that the process ever had, in bytes.
  func peakMemory() throws -> Int { try memory("VmHWM:") }

  /// The memory that the process has, in bytes.
  func memory() throws -> Int { try memory("VmRSS:") }

  private func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
    return try #require(Int(line.filter(\.isNumber))) * 1_024
  }

  /// The value of a metric's series as it is exposed now.
  func metric(_ series: String) async throws -> Int {
    let line = try await exposition().split(separator: "\n").first { $0.hasPrefix(series) }
    return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
  }

  /// All metrics as they are exposed now.
  func exposition() async throws -> String {
    let file = folder.appendingPathComponent("metrics")
    try? FileManager.default.removeItem(at: file)
    kill(process.processIdentifier, SIGUSR1)
    try await until("the metrics are written") { FileManager.default.fileExists(atPath: file.path) }
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// Waits until the server has counted that many refusals.
  func refusals(_ reason: String, reach count: Int) async throws {
    let series = "rpc_server_refusals_total{reason=\"\(reason)\"}"
    try await until("\(count) are refused") { try await metric(series) >= count }
  }
}
