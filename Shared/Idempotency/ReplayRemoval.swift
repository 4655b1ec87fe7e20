public import Events
public import Identifiers
public import Postgres

/// Forgets what the requests of a person who leaves were answered ([C-9]).
public struct DeleteReplaysOfPerson: PersonRemoval {
  /// Nothing comes back.
  public typealias Row = Void
  /// Finds the rows by the first column of their key.
  public static let sql = "delete from replays where caller = $1"
  private let caller: String

  /// - Parameter person: the account's id, by which its requests are kept.
  public init(of person: UUID7) { caller = person.description }

  /// The one parameter.
  public func bind(_ p: inout Parameters) { p.append(caller) }
}
