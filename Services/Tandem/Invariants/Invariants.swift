/// What holds in each service's database at any moment, as queries that find what breaks it: see the `.sql` files beside this one.
///
/// A file has one query for each invariant, below a comment of one line that names the rule and says what holds, and ended by a
/// semicolon. A query returns a text for each violation, which names the rows by their ids and tells nothing else.
public struct Invariant: Sendable, Equatable {
  /// What holds, with the ids of its rules.
  public let title: String
  /// Finds violations: one column, a text.
  public let query: String

  /// The services that have invariants.
  public static let services = ["identity", "matching", "catalog", "lending", "tracking", "importer"]

  /// The invariants of a service's schema; none for an unknown service.
  public static func all(of service: String) -> [Invariant] {
    switch service {
    case "identity": parse(PackageResources.identity_sql)
    case "matching": parse(PackageResources.matching_sql)
    case "catalog": parse(PackageResources.catalog_sql)
    case "lending": parse(PackageResources.lending_sql)
    case "tracking": parse(PackageResources.tracking_sql)
    case "importer": parse(PackageResources.importer_sql)
    default: []
    }
  }

  /// Reads the file's form. What stands above the first comment is no part of an invariant.
  static func parse(_ bytes: [UInt8]) -> [Invariant] {
    var invariants: [Invariant] = []
    var (title, lines): (String?, [Substring]) = (nil, [])
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("-- ") {
        (title, lines) = (String(line.dropFirst(3)), [])
      } else if let named = title {
        lines.append(line.hasSuffix(";") ? line.dropLast() : line)
        guard line.hasSuffix(";") else { continue }
        invariants.append(Invariant(title: named, query: lines.joined(separator: "\n")))
        title = nil
      }
    }
    return invariants
  }
}
