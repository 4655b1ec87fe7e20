import FITFormat
import FileContents
import Foundation
import Geography
import Identifiers
import ImporterDomain
import TestSupport
import Testing

@testable import ActivityFiles

/// What `fitdecode` and `gpxpy` read of files, as lines (see `peer_records.py`).
private enum PeerRecords {
  static func lines(of paths: [String]) throws -> [String: [Substring]] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent()
    let process = Process()
    process.executableURL = tests.appending(path: "../../../.venv/bin/python").standardized
    process.arguments = [tests.appending(path: "peer_records.py").path] + paths
    let output = Pipe()
    process.standardOutput = output
    try Children.start { try process.run() }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the other parsers do not work; .ci/install installs them")
    var (files, path): ([String: [Substring]], String) = ([:], "")
    for line in text.split(separator: "\n") {
      if line.hasPrefix("file ") { path = String(line.dropFirst(5)) } else { files[path, default: []].append(line) }
    }
    return files
  }

  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  static func real(_ number: Double?) -> String {
    guard let number else { return "-" }
    return hexadecimal(withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) })
  }

  static func time(_ time: Instant?) -> String { time.map { "\($0.microseconds)" } ?? "-" }

  // MARK: What is read here, in the same form

  static func fit(_ bytes: [UInt8]) throws -> [String] {
    var (lines, found, developer): ([String], _, _) = ([], FITActivities(), FITDeveloperFields())
    var fault: FITFault?
    bytes.withUnsafeBytes { bytes in
      do throws(FITFault) {
        try FITReader.read(bytes) { message in
          developer.add(message)
          found.add(message)
          lines.append(Self.message(message, developer))
          if message.number == 20 { lines.append(found.samples.last.map(Self.sample) ?? "") }
        }
      } catch { fault = error }
    }
    if let fault { throw fault }
    return lines
  }

  private static func message(_ message: FITMessage, _ developer: FITDeveloperFields) -> String {
    var words = ["message", "\(message.number)"]
    for field in message.definition.fields {
      words.append("\(field.number)=\(values(message.values(of: field)))")
    }
    for field in message.definition.developerFields {
      let type = developer[field]?.type ?? .byte
      words.append("\(field.developer).\(field.number)=\(values(message.values(of: field, as: type)))")
    }
    if let time = message.headerTimestamp { words.append("+\(time)") }
    return words.joined(separator: " ")
  }

  private static func values(_ values: [FITValue?]) -> String {
    values.map { value in
      switch value {
      case .integer(let number): "\(number)"
      case .real(let number): real(number)
      case .text(let bytes), .bytes(let bytes): hexadecimal(bytes)
      case nil: "-"
      }
    }.joined(separator: ",")
  }

  private static func sample(_ sample: Sample) -> String {
    [
      "sample", time(sample.time), real(sample.position?.latitude), real(sample.position?.longitude),
      real(sample.elevation), real(sample.heartRate), real(sample.cadence), real(sample.distance), real(sample.power),
    ].joined(separator: " ")
  }

  static func gpx(_ bytes: [UInt8]) throws -> [String] {
    let document = GPXDocument()
    var source = MemorySource(bytes)
    try XMLReader.read(&source, document)
    return document.tracks.flatMap(\.track.segments).joined().map { sample in
      [
        "point", real(sample.position?.latitude), real(sample.position?.longitude), real(sample.elevation),
        time(sample.time), real(sample.heartRate),
      ].joined(separator: " ")
    }
  }

  /// What differs, at most five lines of each file.
  static func differences(_ path: String, _ own: [String], _ others: [Substring]) -> [String] {
    var differences = own.count == others.count ? [] : ["\(path): \(own.count) records, by others \(others.count)"]
    for (number, (one, other)) in zip(own, others).enumerated() where one != other {
      differences.append("\(path), record \(number):\n  \(one)\n  \(other)")
      if differences.count == 5 { break }
    }
    return differences
  }
}

@Suite("decoded records beside those of other parsers", .ownThreads, .timeLimit(.minutes(5)))
struct PeerRecordTests {
  private static func good(_ format: String) -> [SharedTracks.Row] {
    SharedTracks.rows.filter { $0.format == format && $0.error.isEmpty }
  }

  @Test(
    "[IM-10] every field of every message of the good FIT files, and every sample, is what fitdecode reads",
    .enabled(if: SharedTracks.isPresent, SharedTracks.comment))
  func fit() throws {
    try compare(Self.good("fit"), PeerRecords.fit)
  }

  @Test(
    "[IM-10] every point of the good GPX files is what gpxpy reads",
    .enabled(if: SharedTracks.isPresent, SharedTracks.comment))
  func gpx() throws {
    try compare(Self.good("gpx"), PeerRecords.gpx)
  }

  @Test("[IM-10] files of our own making are read as by fitdecode and gpxpy", arguments: ["fit", "gpx"])
  func made(format: String) throws {
    let bytes = format == "fit" ? MadeFile.fit() : MadeFile.gpx()
    let path = NSTemporaryDirectory() + "tandem-test-peer-\(UUID().uuidString).\(format)"
    try Data(bytes).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let own = try format == "fit" ? PeerRecords.fit(bytes) : PeerRecords.gpx(bytes)
    let others = try PeerRecords.lines(of: [path])[path] ?? []
    #expect(own.count >= 120 && PeerRecords.differences(format, own, others) == [])
  }

  private func compare(_ rows: [SharedTracks.Row], _ read: ([UInt8]) throws -> [String]) throws {
    let others = try PeerRecords.lines(of: rows.map { SharedTracks.file($0.path) })
    var differences: [String] = []
    for row in rows {
      let own = try read(try SharedTracks.bytes(row.path))
      differences += PeerRecords.differences(row.path, own, others[SharedTracks.file(row.path)] ?? [])
    }
    #expect(differences == [])
  }
}
