import Foundation
import Testing

/// The table of Services/Identity/ASVS.md names the tests that prove a requirement.
@Suite("the table of a standard", .ownThreads)
struct StandardTableTests {
  private static let project = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized

  private struct Row {
    let number: String
    let verdict: String
    let proof: String

    /// The tests named in the table.
    var tests: [String] {
      proof.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }
    }
  }

  private static func rows() throws -> [Row] {
    let table = try String(contentsOf: project.appendingPathComponent("Services/Identity/ASVS.md"), encoding: .utf8)
    return table.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 6, cells[1].first?.isNumber == true else { return nil }
      return Row(number: cells[1], verdict: cells[3], proof: cells[4])
    }
  }

  /// The texts of all Swift tests.
  private static func sources() throws -> String {
    let tests = project.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return try (files ?? []).filter { $0.lastPathComponent.hasSuffix("Tests.swift") }
      .map { try String(contentsOf: $0, encoding: .utf8) }.joined()
  }

  @Test("each of the 96 requirements of levels 1 and 2 is there once, with a verdict")
  func complete() throws {
    let rows = try Self.rows()
    let chapters = Dictionary(grouping: rows) { $0.number.prefix { $0 != "." } }.mapValues(\.count)

    #expect(chapters == ["6": 35, "7": 18, "8": 7, "9": 7, "10": 29])
    #expect(Set(rows.map(\.number)).count == 96)
    #expect(Set(rows.map(\.verdict)).isSubset(of: ["met", "n/a"]))
  }

  @Test("what is met names tests that are there, and what does not apply says why")
  func proven() throws {
    let sources = try Self.sources()
    for row in try Self.rows() {
      for test in row.tests {
        #expect(sources.contains("\"\(test)\""), "\(row.number) names a test that is not there: \(test)")
      }
      if row.verdict == "met" { #expect(!row.tests.isEmpty, "\(row.number) is met by no test") }
      #expect(!row.proof.isEmpty, "\(row.number) says nothing")
    }
  }
}
