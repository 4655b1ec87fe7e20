/// One step of a schema, from the file of its name.
public struct Migration: Sendable, Hashable {
  /// Its number in the order of steps, from 1.
  public let version: Int
  /// A short name of what it does: `accounts` of `V0001_accounts.sql`.
  public let name: String
  /// Kept as bytes: those of a program's own files are part of the program, and a text would be a copy that is not used
  /// after the start.
  private let bytes: [UInt8]

  /// Its statements, run in one transaction with the schema as the search path.
  public var sql: String { String(decoding: bytes, as: UTF8.self) }

  public init(version: Int, name: String, sql: String) {
    self.init(version: version, name: name, bytes: Array(sql.utf8))
  }

  /// A step whose statements are UTF-8 bytes.
  public init(version: Int, name: String, bytes: [UInt8]) {
    self.version = version
    self.name = name
    self.bytes = bytes
  }

  /// The step with the content and the name of `file`, for example `V0001_accounts.sql`.
  public init(file: String, bytes: [UInt8]) {
    let parts = file.split(separator: "_", maxSplits: 1)
    let digits = parts.first?.dropFirst() ?? ""
    guard file.hasPrefix("V"), file.hasSuffix(".sql"), parts.count == 2, let version = Int(digits) else {
      preconditionFailure("\(file): a migration's file is named V0001_name.sql")
    }
    self.init(version: version, name: String(parts[1].dropLast(4)), bytes: bytes)
  }

  /// `V0001_accounts.sql`.
  public var file: String {
    let digits = "\(version)"
    return "V" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "_\(name).sql"
  }
}

/// Why a schema could not be migrated. Each description is one line that says what to do.
public enum MigrationError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file differs from the one that was run on the database.
  case edited(schema: String, file: String)
  /// The database has run a migration that the program lacks although it has later ones.
  case missing(schema: String, version: Int, name: String)
  /// The versions of the program's migrations are not 1, 2, 3, ….
  case gap(file: String)
  /// A migration failed; nothing of it remains.
  case failed(file: String, reason: String)

  public var description: String {
    switch self {
    case .edited(let schema, let file):
      "\(file) was edited after it was run on schema \(schema): restore the file and put the change into a new migration"
    case .missing(let schema, let version, let name):
      "schema \(schema) has run migration \(version) (\(name)), which this program lacks: start a program that has it"
    case .gap(let file):
      "\(file) does not follow its predecessor: number the migrations 1, 2, 3 without gaps"
    case .failed(let file, let reason):
      "\(file) failed and was undone: \(reason)"
    }
  }
}
