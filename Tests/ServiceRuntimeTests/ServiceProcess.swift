import Foundation
import TestSupport
import NIOPosix
import Synchronization

@testable import ServiceRuntime

/// The real `notes` executable, run as a process of its own.
final class ServiceProcess: Sendable {
  /// What a process that has ended leaves behind.
  struct Ending: Sendable {
    let status: Int32
    let output: String
    let complaints: [String]
  }

  private let process: Process
  private let output: FileHandle
  private let log: FileHandle
  private let unread = Mutex<[UInt8]>([])
  private let seen = Mutex<[String]>([])

  /// The executable beside this test's own.
  private static let executable: URL = {
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("notes")
  }()

  /// What it needs in any case, and no test is about.
  private static let needed = ["TANDEM_SEAL_KEY": "test:" + String(repeating: "A", count: 43)]

  /// Starts it with nothing in its environment but `environment` and a key to seal with.
  ///
  /// - Parameter openFiles: how many descriptors it may have at a time; `nil` leaves it the test's own limit.
  init(_ arguments: [String], environment: [String: String] = [:], openFiles: Int? = nil) throws {
    let process = Process()
    let (output, outputEnd) = try Self.stream()
    let (errors, errorsEnd) = try Self.stream()
    if let openFiles {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", "ulimit -n \(openFiles) && exec \"$0\" \"$@\"", Self.executable.path] + arguments
    } else {
      process.executableURL = Self.executable
      process.arguments = arguments
    }
    process.environment = Self.needed.merging(environment) { _, given in given }
    process.standardOutput = outputEnd
    process.standardError = errorsEnd
    process.standardInput = FileHandle.nullDevice
    try Children.start { [process] in try process.run() }
    try outputEnd.close()
    try errorsEnd.close()
    self.process = process
    self.output = output
    log = errors
  }

  /// A stream that no other process inherits: a database server that another test starts meanwhile would keep it open.
  private static func stream() throws -> (reading: FileHandle, writing: FileHandle) {
    var ends: [Int32] = [0, 0]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXError(.EMFILE) }
    return (
      FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
      FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    )
  }

  var pid: Int32 { process.processIdentifier }

  /// Sends a signal.
  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// The next line on standard error that contains `text`; nil when the process ends without one.
  func line(containing text: String) async throws -> String? {
    try await NIOThreadPool.singleton.runIfActive {
      while let line = self.nextLine() {
        if line.contains(text) { return line }
      }
      return nil
    }
  }

  /// Waits for the end; reads everything that is left.
  func ending() async throws -> Ending {
    try await NIOThreadPool.singleton.runIfActive {
      let data = self.output.readDataToEndOfFile()
      while self.nextLine() != nil {}
      self.process.waitUntilExit()
      return Ending(
        status: self.process.terminationStatus, output: String(decoding: data, as: UTF8.self),
        complaints: self.seen.withLock { $0 })
    }
  }

  /// One run from start to end.
  static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Ending {
    try await ServiceProcess(arguments, environment: environment).ending()
  }

  private func nextLine() -> String? {
    unread.withLock { bytes in
      while true {
        if let end = bytes.firstIndex(of: 0x0A) {
          let line = String(decoding: bytes[..<end], as: UTF8.self)
          bytes.removeSubrange(...end)
          seen.withLock { $0.append(line) }
          return line
        }
        let more = log.availableData
        if more.isEmpty { return nil }
        bytes.append(contentsOf: more)
      }
    }
  }
}
