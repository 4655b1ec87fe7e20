import Environment
import Blocks
import CatalogConsumers
import CatalogOperations
import CatalogStore
import Events
import Identifiers
import IdentityConsumers
import IdentityHandlers
import LendingConsumers
import LendingDomain
import LendingStore
import MatchingConsumers
import ProtobufC
import TandemEvents
import Usernames

/// The first byte chooses what is read; the rest is the event as it travels.
enum EventFuzzing {
  private typealias Reading = @Sendable (Event) throws -> Void

  /// What each consumer reads of the events that it follows.
  private static let readings: [Reading] = [
    reading(AccountDeleted.self) { UUID7($0.message.userID) },
    reading(AccountNamed.self) { try Naming(wire: $0.message.userID, $0.message.username) },
    reading(UserBlocked.self) { try Block(wire: $0.message.blockerUserID, $0.message.blockedUserID) },
    reading(UserUnblocked.self) { try Block(wire: $0.message.blockerUserID, $0.message.blockedUserID) },
    reading(SessionRevoked.self) { UUID7($0.message.sessionID) },
    reading(BookListed.self) { try PutBook($0) },
    reading(BookDeleted.self) { try BookID($0) },
    reading(BookStatusChanged.self) { try BookAvailability($0) },
    reading(BookStatusChanged.self) { try PastLoan($0) },
    reading(ReturnCommented.self) { try ReturnComment($0, .system) },
    reading(CheckedIn.self) { try WirePresence($0) },
    reading(NotificationRequested.self) { RequestedNotice($0.message, of: "matching") },
    reading(SessionSucceeded.self) { try WireSession($0) },
    reading(ActivityStored.self) { try WireActivity($0) },
    reading(ActivityRemoved.self) { UUID7($0.message.activityID) },
    reading(TrackerImported.self) { UUID7($0.message.userID) },
    reading(ProfileChanged.self) { try ReportedProfile($0) },
  ]

  private static func reading<E: PublishedEvent, Fact>(
    _ type: E.Type, _ read: @escaping @Sendable (ReceivedEvent<E>) throws -> Fact
  ) -> Reading {
    { event in _ = try read(try ReceivedEvent(event)) }
  }

  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.first else { return }
    do {
      try readings[Int(first) % readings.count](
        try Event(serialized: UnsafeRawBufferPointer(rebasing: bytes.dropFirst())))
    } catch {
      // Any refusal is fine; the process must not end.
    }
  }
}
