import Foundation
import Testing

/// A faked clock of a process, by libfaketime: the time of day alone, as when an operator sets it.
public struct FakeTime: Sendable {
  private let file: String
  private let library: String

  /// Shows the true time at first.
  ///
  /// - Parameter folder: the folder of the file with the time; the processes must be able to read it.
  public init(in folder: String) throws {
    file = "\(folder)/time"
    let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map { "/usr/lib/\($0)/faketime" }
    library = try #require(
      folders.map { "\($0)/libfaketimeMT.so.1" }.first { FileManager.default.fileExists(atPath: $0) },
      "Debian's package libfaketime is missing")
    try set(offset: "+0")
  }

  /// What the process needs in its environment.
  public var environment: [String: String] {
    [
      "LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": file, "FAKETIME_NO_CACHE": "1", "DONT_FAKE_MONOTONIC": "1",
      "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    ]
  }

  /// Sets the clock to the true time plus `offset`, `+2h` for example.
  public func set(offset: String) throws {
    // Processes of other users read it, a database server for one.
    let new = "\(file).new"
    try Data("\(offset)\n".utf8).write(to: URL(fileURLWithPath: new))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: new)
    try #require(rename(new, file) == 0)
  }
}
