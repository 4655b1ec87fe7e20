import Foundation

/// Which enums of domains belong to which of the contract; read from `Proto/enums.json`.
struct EnumMaps: Decodable, Equatable {
  /// What one Swift target maps.
  struct Target: Decodable, Equatable {
    /// Folder of the target, relative to the root of the repository.
    var folder: String
    var enums: [EnumMap]
  }

  var targets: [Target]

  static func read(_ path: String) throws -> EnumMaps {
    do {
      return try JSONDecoder().decode(EnumMaps.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
      throw GeneratorError(element: path, reason: "cannot be read as maps of enums: \(error)")
    }
  }
}

/// An enum of the contract and one of a domain: cases of one name belong together unless `cases` says otherwise.
struct EnumMap: Decodable, Equatable {
  enum Direction: String, Decodable {
    case toContract
    case toDomain
  }

  /// Full name in the contract: `tandem.identity.v1.Gender`.
  var contract: String
  /// Module and name in Swift: `IdentityDomain.Gender`.
  var domain: String
  /// The domain's case by the contract's value, `null` for none. A value that is not named here belongs to the case of its name, and
  /// `…_UNSPECIFIED` to none.
  var cases: [String: String?]?
  /// `nil` for both.
  var only: Direction?
  /// The property with the contract's value; `wire` if it is not named.
  var property: String?
}
