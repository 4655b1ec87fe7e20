import Foundation
import Testing

@testable import tandem

@Suite("tandem load defaults")
struct LoadDefaultsTests {
  @Test(
    "[CA-5] [LE-8] a file is loaded by its name, with the command of its service",
    arguments: [
      ("goodbooks-10k.books-tidy.csv", SuiteService.catalog, "books"),
      ("goodbooks-10k.ratings-sample.csv", .catalog, "ratings"), ("ol_dump_latest.txt", .catalog, "books"),
      ("free-exercise-db.exercises.json", .catalog, "exercises"), ("wger.exercises-en.json", .catalog, "exercises"),
      ("sg-gyms-osm.geojson", .catalog, "gyms"), ("cities15000.txt", .lending, "places"),
      ("allCountries.txt", .lending, "places"), ("SG.txt", .lending, "places"),
      ("goodbooks-10k/books.csv", .catalog, "books"), ("goodbooks-10k/ratings.csv", .catalog, "ratings"),
      ("free-exercise-db/exercises.json", .catalog, "exercises"), ("wger/exercises-en.json", .catalog, "exercises"),
    ])
  func names(name: String, service: SuiteService, kind: String) throws {
    let file = try #require(DataFile(path: "/data/\(name)"))
    #expect(file.service == service && file.arguments.prefix(3) == ["load", kind, "/data/\(name)"])
  }

  @Test(
    "[CA-5] files of something else are passed over",
    arguments: [
      "README.md", "books.csv", "notes.txt", "a.json", "free-exercise-db.schema.json", "",
      "goodbooks-10k/tags.csv", "goodbooks-10k/book_tags.csv", "goodbooks-10k/to_read.csv",
      "free-exercise-db/package.json", "goodbooks-10k/old/books.csv",
    ])
  func others(name: String) { #expect(DataFile(path: "/data/\(name)") == nil) }

  @Test("[CA-5] a folder is read two deep, and ratings come after the records that they are of")
  func folder() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "data-\(UUID().uuidString)")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
    for name in ["books/goodbooks.ratings.csv", "books/goodbooks.zbooks.csv", "SG.txt", "README.md"] {
      let file = folder.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    let found = try DataFile.found(in: folder.path).map { $0.path.dropFirst(folder.path.count + 1) }
    #expect(found == ["SG.txt", "books/goodbooks.zbooks.csv", "books/goodbooks.ratings.csv"])
    #expect(throws: Complaint.self) { try DataFile.found(in: "/nowhere") }
  }
}
