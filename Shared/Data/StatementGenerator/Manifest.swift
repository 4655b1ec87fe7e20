import Foundation

/// `Queries/queries.json` beside a schema's SQL: what PostgreSQL cannot know.
struct Manifest: Decodable {
  /// The enum that the lists are added to, for example `LendingSchema`.
  let name: String
  /// The schema of a service; absent for a library, whose tables lie in the schemas of the services that use it.
  let schema: String?
  /// The access of what is generated, where a query says nothing else: `package`, or `internal` by default.
  let access: String?
  /// Modules that generated files import beside `Postgres`.
  let imports: [String]
  /// Folders of the libraries whose tables, fragments and statements it uses, from the root.
  let libraries: [String]?
  /// The migrations in order: files of `Migrations` without their number and ending; a library's as `Events/events`.
  let migrations: [String]
  /// Swift types by the columns that hold them: `table.column`, or `*.name` for every column and parameter of a name.
  let types: [String: [String]]?
}

/// A folder with `Queries` and `Migrations`.
struct Folder {
  /// From the root, for example `Services/Lending/Store`.
  let path: String
  let manifest: Manifest
  let items: [QueryFile]
  /// The files of `Migrations` by their names without number and ending.
  let migrations: [String: MigrationFile]

  /// `Events` of `Shared/Data/Events`.
  var library: String { path.split(separator: "/").last.map(String.init) ?? path }

  static func read(_ path: String, root: URL) throws -> Folder {
    let folder = root.appending(path: path)
    let place = "\(path)/Queries/queries.json"
    let manifest: Manifest
    do {
      manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: root.appending(path: place)))
    } catch {
      throw GeneratorError(place: place, reason: "\(error)")
    }
    let files = try names(in: folder.appending(path: "Queries"), ending: ".sql")
    let items = try files.map { file in
      let text = try String(contentsOf: folder.appending(path: "Queries/\(file)"), encoding: .utf8)
      return try QueryFile(path: "\(path)/Queries/\(file)", text: text)
    }
    return Folder(path: path, manifest: manifest, items: items, migrations: try migrations(of: path, folder))
  }

  private static func migrations(of path: String, _ folder: URL) throws -> [String: MigrationFile] {
    var found: [String: MigrationFile] = [:]
    for file in try names(in: folder.appending(path: "Migrations"), ending: ".sql") {
      let text = try String(contentsOf: folder.appending(path: "Migrations/\(file)"), encoding: .utf8)
      let migration = MigrationFile(path: "\(path)/Migrations/\(file)", file: file, text: text)
      found[migration.name] = migration
    }
    return found
  }

  private static func names(in folder: URL, ending: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(ending) }.sorted()
  }
}

/// A file of `Migrations`: `V0005_loans.sql` of a service, or `events.sql` of a library.
struct MigrationFile {
  let path: String
  let file: String
  let text: String

  /// `5` of `V0005_loans.sql`.
  var number: Int? {
    guard file.hasPrefix("V") else { return nil }
    return Int(file.dropFirst().prefix { $0 != "_" })
  }

  /// `loans` of `V0005_loans.sql`.
  var name: String {
    let stem = file.dropLast(4)
    return String(number == nil ? stem : stem.drop { $0 != "_" }.dropFirst())
  }
}
