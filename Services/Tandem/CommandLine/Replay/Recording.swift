import Geography
import Glibc
import Identifiers
import Subprocess

/// What a GPX file recorded, in the order of the file.
struct Recording: Sendable, Equatable {
  struct Sample: Sendable, Equatable {
    /// Of samples between which the recorder did not pause.
    var segment: Int
    /// `nil` where the file has none.
    var time: Instant?
    /// `nil` for coordinates that are not on Earth.
    var place: GeoPoint?
    var altitudeM: Double?
  }

  var samples: [Sample]

  /// Why a recording cannot be used.
  struct Fault: Error, Equatable {
    /// With what to do.
    let reason: String
  }
}

extension Recording {
  /// Reads what `activity-file-reader --samples` writes.
  ///
  /// - Throws: the fault that the reader found; one for output that ends early.
  init(readerOutput text: String) throws(Fault) {
    samples = []
    for line in text.split(separator: "\n") {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      switch cells.first {
      case "end": return
      case "fault":
        let place = cells.count > 2 && cells[1] != "0" ? " (line \(cells[1]))" : ""
        throw Fault(reason: "\(cells.last ?? "it is broken")\(place); give a GPX file whose points have times")
      default:
        guard cells.count == 5, let segment = Int(cells[0]) else { throw Fault(reason: Self.unreadable) }
        let place = Double(cells[2]).flatMap { latitude in
          Double(cells[3]).flatMap { GeoPoint(latitude: latitude, longitude: $0) }
        }
        samples.append(
          Sample(
            segment: segment, time: Int64(cells[1]).map { Instant(microseconds: $0) }, place: place,
            altitudeM: Double(cells[4])))
      }
    }
    throw Fault(reason: Self.unreadable)
  }

  private static let unreadable = "it takes too much memory or time to read; split it"

  /// Where the bytes of a recording are.
  enum Source: Sendable {
    case file(String)
    case text(String)
  }

  /// Reads a GPX file in a process of its own that can do nothing else.
  init(_ source: Source) async throws {
    let reader = "\(Paths.programFolder)/activity-file-reader"
    guard Files.exists(reader) else {
      throw Complaint("\(reader) is missing, which reads files: install it beside tandem")
    }
    let configuration = Configuration(
      executable: .path(.init(reader)), arguments: ["--samples", "optional"])
    let output = try await Self.output(of: configuration, reading: source)
    do throws(Fault) { try self.init(readerOutput: output) } catch {
      guard case .file(let path) = source else { throw Complaint(error.reason) }
      throw Complaint("\(path) cannot be played: \(error.reason)")
    }
  }

  private static func output(of reader: Configuration, reading source: Source) async throws -> String {
    switch source {
    case .file(let path):
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else {
        throw Complaint(usage: "\(path) cannot be read: \(systemMessage()); name a GPX file")
      }
      return try await run(
        reader, input: .fileDescriptor(.init(rawValue: file), closeAfterSpawningProcess: true),
        output: .string(limit: maxOutput)
      ).standardOutput
    case .text(let text):
      return try await run(reader, input: .string(text), output: .string(limit: maxOutput)).standardOutput
    }
  }

  /// Bytes that the reader may write: a line for each of the points that it reads at most.
  private static let maxOutput = 256 << 20
}
