import Environment
import Cryptography
import FieldViolations
import Idempotency
import Identifiers
import IdentityDomain
import IdentityOperations
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
  let operations: GroupOperations
  let pages: Pages
  let idempotency: IdempotencyStore
  let seal: Seal

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(database: Database, environment: Environment, seal: Seal, operations: GroupOperations) {
    (self.database, self.environment, self.operations, self.seal) = (database, environment, operations, seal)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
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
