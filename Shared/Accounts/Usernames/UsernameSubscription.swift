public import Events
public import Identifiers
public import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

extension EventSubscription {
  /// This consumer of identity's accounts, which also stores usernames ([ID-22]).
  ///
  /// It is one consumer, because changes of a username and the deletion of its account arrive in one order. It begins
  /// with the first event. Where events that it needs are gone, it resyncs: it asks identity for all usernames, and
  /// receives changes during that as events afterwards.
  ///
  /// - Parameter renamed: stores what follows from new names of some users, in the transaction that stores the names.
  public func keepingUsernames(renamed: NamesStored? = nil) -> EventSubscription {
    let naming = EventHandler(batchesOf: AccountNamed.self) { events, tx in
      let names = try events.map { try Naming(wire: $0.message.userID, $0.message.username) }
      // Of several names of one user the last one.
      let last = Dictionary(names.map { ($0.user, $0) }) { $1 }
      try await Self.store(Array(last.values), renamed, tx)
    }
    let (others, prepareOthers) = (resync, preparation)
    return EventSubscription(
      of: producer, name: name, beginning: .first, handlers: handlers + [naming],
      preparation: { events, tx in
        try await prepareOthers?(events, tx)
        try await Self.holdingUsers(events, tx)
      },
      resync: { source in
        let (names, storeOthers) = (try await Self.missedNames(source), try await others?(source))
        return { tx in
          for start in stride(from: 0, to: names.count, by: Self.namesStored) {
            try await Self.store(Array(names[start..<min(start + Self.namesStored, names.count)]), renamed, tx)
          }
          try await storeOthers?(tx)
        }
      })
  }

  public typealias NamesStored = @Sendable ([UserID], Transaction) async throws -> Void

  private static func store(_ names: [Naming], _ renamed: NamesStored?, _ tx: Transaction) async throws {
    guard let renamed else { return try await tx.execute(NameUsers(names)) }
    let changed = try await tx.rows(NewNames(among: names)).map(\.userID)
    try await tx.execute(NameUsers(names))
    if !changed.isEmpty { try await renamed(changed, tx) }
  }

  /// Usernames stored by one statement.
  private static let namesStored = 5_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// A page takes identity one lookup in an index.
  private static let timeout = Duration.seconds(10)

  /// The usernames that differ from identity's, or are not stored: few, where few events were missed.
  ///
  /// They stay right until they are stored: only a replica that has resynced changes usernames meanwhile, and then
  /// nothing is stored here, because the consumer's position has moved.
  private static func missedNames(_ source: ResyncSource) async throws -> [Naming] {
    let directory = DirectoryClient(source.producer)
    var (missed, call) = ([Naming](), ListUsernamesRequest(pageSize: pageSize))
    repeat {
      let page = try await directory.listUsernames(call, CallOptions(timeout: timeout))
      let given = try page.users.map { try Naming(wire: $0.userID, $0.username) }
      missed += try await source.database.rows(NewNames(among: given)).map { Naming($0.userID, $0.username) }
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return missed
  }
}
