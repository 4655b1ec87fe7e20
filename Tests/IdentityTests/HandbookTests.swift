import Foundation
import ServiceRuntime
import Testing

@testable import identity

/// The handbook's page on security says what limits there are, by which defaults.
@Suite("limits in the handbook")
struct HandbookTests {
  private static let page = URL(filePath: #filePath).appending(path: "../../../Shared/Handbook/security.md")
    .standardized

  /// The first two cells of each row that is about a setting.
  private static func rows() throws -> [(setting: String, value: String)] {
    try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 3, cells[0].hasPrefix("`"), cells[0].hasSuffix("`") else { return nil }
      return (String(cells[0].dropFirst().dropLast()), cells[1])
    }
  }

  /// The text of every test, and of the scripts beside them.
  private static func tests() throws -> String {
    let folder = URL(filePath: #filePath).appending(path: "../..").standardized
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var texts: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" || file.pathExtension.isEmpty, !file.hasDirectoryPath else {
        if ["Generated", ".build", "node_modules"].contains(file.lastPathComponent) { files?.skipDescendants() }
        continue
      }
      texts.append(String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }
    return texts.joined(separator: "\n")
  }

  @Test("every test that the table of shares names exists by that name")
  func shares() throws {
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| A") }
    #expect(rows.count == 12)
    let tests = try Self.tests()
    let names = rows.flatMap { row in
      row.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter { !$0.offset.isMultiple(of: 2) }
        .map { String($0.element) }
    }
    #expect(names.count > 20)
    #expect(names.filter { !tests.contains("\"\($0)") } == [])
  }

  @Test("each is a setting with that default, and none of the settings that limit is left out")
  func limits() throws {
    let defaults = Dictionary(
      uniqueKeysWithValues: Identity.service.allSettings.map { ($0.key, $0.defaultText ?? "") })
    let rows = try Self.rows()
    for row in rows { #expect(defaults[row.setting] == row.value, "\(row.setting)") }
    let named = Set(rows.map(\.setting))
    #expect(named.count == rows.count)
    let marks = ["max-", "-share", "-time", "-timeout", "-of-address", "-of-domain", "-in-all"]
    let limiting = defaults.keys.filter { key in marks.contains { key.contains($0) } }
    #expect(limiting.filter { !named.contains($0) }.sorted() == [])
  }
}
