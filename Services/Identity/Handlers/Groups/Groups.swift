import Environment
import Cryptography
import Events
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import Postgres
import TTRPC
import TandemIdentity
import Timestamps
import VisibleText

// The contract has a type of the same name; in this module the name means the domain's.
typealias Membership = IdentityDomain.Membership

/// Groups of users who look out for each other; one file for each method.
package struct Groups: GroupsService {
  let database: Database
  let environment: Environment
  let notifier: Notifier
  let memberships: Memberships
  let events: Outbox
  let pages: Pages
  let idempotency: IdempotencyStore
  let throttles: Throttles
  let seal: Seal

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(database: Database, environment: Environment, seal: Seal, events: Outbox, notifier: Notifier) {
    self.database = database
    self.environment = environment
    self.events = events
    self.notifier = notifier
    self.seal = seal
    memberships = Memberships(events: events, clock: environment.clock)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
    throttles = Throttles(database: database, clock: environment.clock)
  }
}

extension Group {
  /// The group as its members see it.
  init(_ stored: StoredGroup) {
    self.init(
      groupID: stored.id.description, name: stored.name, memberCount: Int32(stored.memberCount), etag: stored.etag,
      createTime: stored.createdAt.timestamp)
  }
}

extension StoredGroup {
  /// Changes whenever the group is renamed ([C-11]).
  var etag: String { "\(revision)" }
}

extension Violations {
  /// A group's id; `nil`, with a violation, when it is invalid.
  mutating func groupID(_ field: String, _ text: String) -> GroupID? {
    require(field, GroupID(text), "This is no group's id", IdentityReason.groupIDInvalid)
  }

  /// A group's name; `nil`, with a violation, when it is invalid.
  mutating func groupName(_ text: String) -> GroupName? {
    require("group.name", GroupName.read(text), IdentityReason.groupNameInvalid)
  }
}

extension Membership.JoinRefusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .groupFull: .groupFull
    case .tooManyGroups:
      Status(IdentityReason.tooManyGroups, "You are in as many groups as a person can be")
    }
  }
}

extension Invitation.Refusal: StatusConvertible {
  public var status: Status {
    switch self {
    case .alreadyMember: Status(IdentityReason.alreadyAMember, "already a group member")
    case .groupFull: .groupFull
    case .alreadyInvited: Status(IdentityReason.alreadyInvited, "already invited")
    case .invitedRecently:
      Status(
        IdentityReason.invitedRecently, "The person was invited to the group not long ago, and cannot be again yet")
    case .tooManyOpen:
      Status(
        IdentityReason.tooManyOpenInvitations,
        "As many of your invitations are open as may be; wait for answers, or withdraw some")
    }
  }
}

extension Status {
  fileprivate static let groupFull = Status(
    IdentityReason.groupFull, "The group has as many members as a group can have")
}
