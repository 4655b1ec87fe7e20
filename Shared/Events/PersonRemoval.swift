public import Identifiers
public import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

/// Removes what one table keeps of a person, or makes it nobody's ([C-9]).
///
/// It runs once for each person who leaves, in the transaction in which the service notes that they have; and again when the service missed
/// the news of it for good, so it must do no harm to who was removed before.
public protocol PersonRemoval: Statement where Row == Void {
  /// - Parameter person: the account's id.
  init(of person: UUID7)

  /// A query for everybody of whom the table keeps something, as one column of type `uuid`; nulls and repetitions are passed over.
  static var people: String { get }
}

extension ConsumerPlan {
  /// Removes the data of people whose accounts were deleted ([C-9]).
  ///
  /// A service that was away for longer than identity keeps events asks instead of everybody of whom it has something whether they have left.
  /// Identity answers by what it noted of departures: one that knows nobody has nobody removed.
  public static func accountDeletions(_ removals: [any PersonRemoval.Type]) -> ConsumerPlan {
    ConsumerPlan(
      of: "identity",
      effects: [
        EventEffect(of: AccountDeleted.self) { event, tx in
          guard let person = UUID7(event.message.userID) else { throw NoPerson() }
          try await remove(person, by: removals, tx)
        }
      ],
      rebuildRestoresAll: true,
      rebuild: { source in
        let departed = try await departed(removals, source)
        return { tx in for person in departed { try await remove(person, by: removals, tx) } }
      })
  }

  private static func remove(_ person: UUID7, by removals: [any PersonRemoval.Type], _ tx: Transaction) async throws {
    for removal in removals { try await remove(person, by: removal, tx) }
  }

  private static func remove<R: PersonRemoval>(_ person: UUID7, by removal: R.Type, _ tx: Transaction) async throws {
    try await tx.execute(R(of: person))
  }

  /// The event names nobody.
  private struct NoPerson: Error {}

  // MARK: When the news was missed

  /// People whom identity is asked about at a time: as many as it takes.
  private static let page = 1_000
  /// A page is one look at an index.
  private static let patience = Duration.seconds(10)

  /// Everybody of whom something is kept and whose account was deleted.
  private static func departed(
    _ removals: [any PersonRemoval.Type], _ source: RebuildSource
  ) async throws -> Set<UUID7> {
    var departed: Set<UUID7> = []
    for removal in removals { try await departed.formUnion(Self.departed(of: removal, source)) }
    return departed
  }

  private static func departed<R: PersonRemoval>(
    of removal: R.Type, _ source: RebuildSource
  ) async throws -> Set<UUID7> {
    let directory = DirectoryClient(source.producer)
    var departed: Set<UUID7> = []
    var last = UUID7(high: 0, low: 0)
    while true {
      let people = try await source.database.rows(PeopleKept<R>(after: last, limit: page))
      guard let end = people.last else { return departed }
      let answer = try await directory.findDeletedAccounts(
        FindDeletedAccountsRequest(userIds: people.map(\.description)), CallOptions(timeout: patience))
      departed.formUnion(answer.deletedUserIds.compactMap { UUID7($0) })
      if people.count < page { return departed }
      last = end
    }
  }
}

extension EventsSchema {
  /// The statements that a service asks its own tables by whose people have left: for the list that a test prepares.
  public static func statements(for removals: [any PersonRemoval.Type]) -> [any Statement.Type] {
    removals.flatMap { [$0, listing($0)] }
  }

  private static func listing<R: PersonRemoval>(_ removal: R.Type) -> any Statement.Type { PeopleKept<R>.self }
}

/// Some of the people of whom a table keeps something, in the order of their ids.
struct PeopleKept<R: PersonRemoval>: Statement {
  static var pace: Pace { .slow }
  typealias Row = UUID7
  static var sql: String {
    """
    select distinct kept.person from (\(R.people)) as kept (person) where kept.person > $1 order by kept.person limit $2
    """
  }
  let after: UUID7
  let limit: Int

  func bind(_ p: inout Parameters) {
    p.append(after)
    p.append(Int64(limit))
  }
}
