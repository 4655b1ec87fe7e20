import Foundation
import Testing

/// The schema of GPX 1.1, by which `xmllint` judges documents.
public enum GPXSchema {
  /// What the schema has against a document, a line for each fault; nothing for a valid one. Blocks its thread: for tests with `.ownThreads`.
  public static func faults(in document: [UInt8]) throws -> [String] {
    let file = NSTemporaryDirectory() + "tandem-gpx-\(UUID().uuidString).gpx"
    try Data(document).write(to: URL(fileURLWithPath: file))
    // A temporary file that stays is the system's to remove.
    defer { try? FileManager.default.removeItem(atPath: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/xmllint")
    process.arguments = ["--noout", "--nonet", "--schema", path, file]
    let errors = Pipe()
    process.standardError = errors
    try Children.start { try process.run() }
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus == 0 { return [] }
    // A document that is not well-formed, or not valid; anything else is no judgement.
    try #require([1, 3].contains(process.terminationStatus), "xmllint of libxml2-utils failed: \(said)")
    return said.split(separator: "\n").map { String($0).replacing(file, with: "") }
  }

  private static let path = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../TrackingTests/Data/gpx-1.1.xsd").standardized.path
}
