import ArgumentParser
import Foundation

/// Makes Swift from SQL: statements from named queries, and the list of a schema's migrations.
@main
struct StatementGenerator: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "StatementGenerator",
    abstract: "Makes Swift from the SQL in Queries and Migrations, and from what PostgreSQL says about it.",
    discussion: """
      Each folder that has Queries/queries.json gets a folder Generated. Its migrations are run in a schema of the given
      database, which should be one to throw away, and its queries are prepared there.

      Shared/Data/generate-statements starts such a database and does all of it.
      """)

  @Argument(help: "Folders with Queries and Migrations, from the root.") var folders: [String]
  @Option(help: "A database in which schemas may be made.") var databaseURL: String
  @Option(help: "Folder that the folders are relative to.") var root: String = "."
  @Option(help: "Where to write, if not to the root.") var output: String?

  func run() throws {
    let rootURL = URL(fileURLWithPath: root)
    var known: [String: Folder] = [:]
    func read(_ path: String) throws -> Folder {
      if let folder = known[path] { return folder }
      let folder = try Folder.read(path, root: rootURL)
      known[path] = folder
      for library in folder.manifest.libraries ?? [] { _ = try read(library) }
      return folder
    }
    let all = try folders.map(read)
    var failures: [any Error] = []
    for (number, folder) in all.enumerated() {
      let libraries = try (folder.manifest.libraries ?? []).map(read)
      let generation = Generation(folder: folder, libraries: libraries, number: number)
      do {
        let files = try generation.files(url: databaseURL)
        try Self.write(files, to: URL(fileURLWithPath: output ?? root).appending(path: "\(folder.path)/Generated"))
      } catch let mistakes as Mistakes {
        failures += mistakes.all
      } catch {
        failures.append(error)
      }
    }
    for failure in failures { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
    if !failures.isEmpty { throw ExitCode.failure }
  }

  /// Replaces what is in `folder`.
  private static func write(_ files: [String: String], to folder: URL) throws {
    let manager = FileManager.default
    try manager.createDirectory(at: folder, withIntermediateDirectories: true)
    for file in try manager.contentsOfDirectory(atPath: folder.path) where files[file] == nil {
      try manager.removeItem(at: folder.appending(path: file))
    }
    for (name, text) in files {
      let file = folder.appending(path: name)
      // A file that did not change is not compiled again.
      if (try? Data(contentsOf: file)) == Data(text.utf8) { continue }
      try Data(text.utf8).write(to: file)
    }
  }
}

/// All that is wrong in a folder.
struct Mistakes: Error {
  let all: [any Error]
}

/// What is made of one folder.
struct Generation {
  let folder: Folder
  let libraries: [Folder]
  /// Distinguishes the schemas of the folders in the database.
  let number: Int

  /// The texts of the files of `Generated` by their names.
  ///
  /// - Throws: ``Mistakes``.
  func files(url: String) throws -> [String: String] {
    let scratch = try Scratch(url: url)
    try migrate(scratch)
    let describer = Describer(
      scratch: scratch, types: SwiftTypes(folder.manifest), expansion: try expansion(), tables: try tables(scratch))
    let writer = SwiftWriter(folder: folder)
    var files: [String: String] = [:]
    var (mistakes, names) = ([any Error](), [String]())
    var lists: [String: [DescribedQuery.Field]] = [:]
    var described: [(QueryFile, [DescribedQuery])] = []
    for file in folder.items {
      var queries: [DescribedQuery] = []
      for query in file.queries {
        do {
          let one = try describer.describe(query)
          try merge(one.lists, into: &lists, query)
          queries.append(one)
          names.append(query.name)
        } catch {
          mistakes.append(error)
        }
      }
      described.append((file, queries))
    }
    for (file, queries) in described {
      let values = file.columns.compactMap { list in lists[list.name].map { writer.columns(list, $0) } }
      for list in file.columns where lists[list.name] == nil && mistakes.isEmpty {
        mistakes.append(GeneratorError(place: list.place, reason: "no query returns the columns \(list.name)"))
      }
      guard !queries.isEmpty || !values.isEmpty else { continue }
      let source = file.path.split(separator: "/").last.map(String.init) ?? ""
      files[Self.swiftName(source)] =
        ([writer.head(source, imports: folder.manifest.imports)] + values + queries.map(writer.statement))
        .joined(separator: "\n")
    }
    guard mistakes.isEmpty else { throw Mistakes(all: mistakes) }
    // A service lists what it uses of its libraries; a library lists its own.
    let used = folder.manifest.schema == nil ? [] : libraries
    files["Lists.swift"] =
      writer.head("queries.json", imports: used.map(\.library)) + "\n" + writer.lists(names, libraries: used)
    return files
  }

  /// `book-photos.sql` as `BookPhotos.swift`.
  private static func swiftName(_ file: String) -> String {
    file.dropLast(4).split(whereSeparator: { $0 == "_" || $0 == "-" }).map {
      $0.prefix(1).uppercased() + $0.dropFirst()
    }
    .joined() + ".swift"
  }

  private func merge(
    _ new: [String: [DescribedQuery.Field]], into lists: inout [String: [DescribedQuery.Field]], _ query: Query
  ) throws {
    for (name, fields) in new {
      guard let known = lists[name] else {
        lists[name] = fields
        continue
      }
      for (old, new) in zip(known, fields) where old.type != new.type {
        throw GeneratorError(
          place: query.place,
          reason: "\(query.name) returns \(new.name) of \(name) as \(new.type), a query before it as \(old.type): "
            + "write `as \"name!\"` in the list where it is never null")
      }
    }
  }

  private func expansion() throws -> Expansion {
    var (fragments, columns) = ([String: Fragment](), [String: ColumnList]())
    for file in (libraries + [folder]).flatMap(\.items) {
      for fragment in file.fragments {
        if let other = fragments.updateValue(fragment, forKey: fragment.name) {
          throw GeneratorError(place: fragment.place, reason: "\(fragment.name) is at \(other.place) too")
        }
      }
    }
    for file in folder.items { for list in file.columns { columns[list.name] = list } }
    return Expansion(fragments: fragments, columns: columns)
  }

  private func migrate(_ scratch: Scratch) throws {
    try run(scratch, "\(folder.path)/Queries/queries.json") { scratch throws(Scratch.Failure) in
      try scratch.enter(schema: folder.manifest.schema ?? "library_\(number)")
    }
    let own = Set(folder.manifest.migrations.filter { !$0.contains("/") })
    for (name, file) in folder.migrations where !own.contains(name) {
      throw GeneratorError(place: file.path, reason: "is not among the migrations of queries.json")
    }
    for (place, name) in folder.manifest.migrations.enumerated() {
      let parts = name.split(separator: "/").map(String.init)
      let owner = parts.count == 2 ? libraries.first { $0.library == parts[0] } : folder
      guard let file = owner?.migrations[parts[parts.count - 1]] else {
        throw GeneratorError(place: "\(folder.path)/Queries/queries.json", reason: "there is no migration \(name)")
      }
      if let number = file.number, number != place + 1 {
        throw GeneratorError(place: file.path, reason: "it is migration \(place + 1) of queries.json: number it so")
      }
      try run(scratch, file.path) { scratch throws(Scratch.Failure) in try scratch.run(file.text) }
    }
  }

  private func run(
    _ scratch: Scratch, _ path: String, _ work: (Scratch) throws(Scratch.Failure) -> Void
  ) throws {
    do {
      try work(scratch)
    } catch {
      throw GeneratorError(place: error.line.map { "\(path):\($0)" } ?? path, reason: error.message)
    }
  }

  private func tables(_ scratch: Scratch) throws -> Set<String> {
    do {
      return Set(
        try scratch.run(
          "select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')"
        ).compactMap { $0.first.flatMap { $0 } })
    } catch {
      throw GeneratorError(place: folder.path, reason: error.message)
    }
  }
}
