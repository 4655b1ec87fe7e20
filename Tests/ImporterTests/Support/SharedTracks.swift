import Foundation
import Testing

/// The real files of trackers beside the repository, with what is in each; tests over them are skipped where they are absent.
enum SharedTracks {
  struct Row: Sendable, CustomTestStringConvertible {
    let path: String
    let format: String
    let segments: Int?
    let points: Int?
    let timed: Int?
    let waypoints: Int?
    let routePointsOrRecords: Int?
    let error: String

    var testDescription: String { path }
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../shared/data").standardizedFileURL

  static var isPresent: Bool { FileManager.default.fileExists(atPath: folder.appending(path: "tracks/INDEX.csv").path) }

  static let comment: Comment = "../shared/data/tracks is absent"

  /// The file's own path.
  static func file(_ path: String) -> String { folder.appending(path: path).path }

  static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: path))) }

  static let rows: [Row] = {
    guard isPresent,
      let text = String(
        data: FileManager.default.contents(atPath: folder.appending(path: "tracks/INDEX.csv").path) ?? Data(),
        encoding: .utf8)
    else {
      return []
    }
    return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Row(
        path: cells[0], format: cells[1], segments: Int(cells[6]), points: Int(cells[7]), timed: Int(cells[9]),
        waypoints: Int(cells[10]), routePointsOrRecords: Int(cells[11]),
        error: cells.dropFirst(23).joined(separator: ","))
    }
  }()
}
