import Events
import Identifiers
import Postgres
import ServiceRuntime
import TandemEvents
import TestSupport

/// A service that knows the members of groups by identity's events alone, as one that shows groups live must.
///
/// It applies every event unchecked: a duplicate or early one fails here, and blocks all later ones.
struct Mirror: TandemService {
  static let service = ServiceDescription(name: "tracking", purpose: "Mirrors groups", migrations: migrations)
  static let schema = TestSchema("tracking", migrations)

  private static let migrations = [
    EventsSchema.events(version: 1),
    Migration(
      version: 2, name: "members",
      sql: """
        create table members (
          group_id uuid not null, person uuid not null, membership uuid not null unique, primary key (group_id, person)
        )
        """),
    EventsSchema.eventsUpkeep(version: 3),
  ]

  static func build(_ runtime: Runtime) async throws -> ServedService {
    let handlers = [
      EventHandler(of: GroupMemberAdded.self) { event, tx in
        let added = event.message
        let member = try MirroredMember(added.groupID, added.userID, added.membershipID)
        try await tx.execute(AddMirrored(member: member))
      },
      EventHandler(of: GroupMemberRemoved.self) { event, tx in
        let removed = event.message
        let member = try MirroredMember(removed.groupID, removed.userID, removed.membershipID)
        guard try await tx.first(RemoveMirrored(member: member)) != nil else { throw OutOfOrder() }
      },
    ]
    return ServedService(follows: [EventSubscription(of: "identity", handlers: handlers)])
  }
}

/// The event is not a possible next one.
private struct OutOfOrder: Error {}

private struct MirroredMember {
  let group: UUID7
  let user: UUID7
  let membership: UUID7

  init(_ group: String, _ user: String, _ membership: String) throws {
    guard let group = UUID7(group), let user = UUID7(user), let membership = UUID7(membership) else {
      throw OutOfOrder()
    }
    (self.group, self.user, self.membership) = (group, user, membership)
  }

  func bind(_ p: inout Parameters) {
    p.append(group)
    p.append(user)
    p.append(membership)
  }
}

private struct AddMirrored: Statement {
  typealias Row = Void
  static let sql = "insert into members (group_id, person, membership) values ($1, $2, $3)"
  let member: MirroredMember
  func bind(_ p: inout Parameters) { member.bind(&p) }
}

private struct RemoveMirrored: SingleRowStatement {
  typealias Row = UUID7
  static let sql = "delete from members where group_id = $1 and person = $2 and membership = $3 returning person"
  let member: MirroredMember
  func bind(_ p: inout Parameters) { member.bind(&p) }
}
