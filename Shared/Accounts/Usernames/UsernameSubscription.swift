public import Events
import Postgres
import TTRPC
import TandemEvents
import TandemIdentity

extension EventSubscription {
  /// This consumer of identity's accounts, which also keeps what users are called, as identity tells it ([ID-22]).
  ///
  /// It is one consumer, because a name and its owner's departure are told in one order. It begins with the first name that was ever told. Where
  /// that news is gone, or other that it needs, identity is asked for all names; what changes meanwhile is told again afterwards.
  public func keepingUsernames() -> EventSubscription {
    let naming = EventHandler(of: AccountNamed.self) { event, tx in
      try await tx.execute(NameUsers([Naming(wire: event.message.userID, event.message.username)]))
    }
    let others = resync
    return EventSubscription(
      of: producer, name: name, beginning: .first, handlers: handlers + [naming],
      resync: { source in
        let (names, storeOthers) = (try await Self.missedNames(source), try await others?(source))
        return { tx in
          for start in stride(from: 0, to: names.count, by: Self.namesStored) {
            try await tx.execute(NameUsers(Array(names[start..<min(start + Self.namesStored, names.count)])))
          }
          try await storeOthers?(tx)
        }
      })
  }

  /// Names that are stored by one statement.
  private static let namesStored = 5_000
  /// The largest page of a list.
  private static let pageSize: Int32 = 200
  /// A page is one look at an index.
  private static let timeout = Duration.seconds(10)

  /// The names that are kept otherwise than identity says, or not at all: few, where little was missed.
  ///
  /// They stay right until they are stored: nobody else changes names meanwhile but a replica that has resynced, and then nothing is stored, for the
  /// consumer's position has moved.
  private static func missedNames(_ source: ResyncSource) async throws -> [Naming] {
    let directory = DirectoryClient(source.producer)
    var (missed, call) = ([Naming](), ListUsernamesRequest(pageSize: pageSize))
    repeat {
      let page = try await directory.listUsernames(call, CallOptions(timeout: timeout))
      let told = try page.users.map { try Naming(wire: $0.userID, $0.username) }
      missed += try await source.database.rows(NewNames(among: told))
      call.pageToken = page.nextPageToken
    } while !call.pageToken.isEmpty
    return missed
  }
}
