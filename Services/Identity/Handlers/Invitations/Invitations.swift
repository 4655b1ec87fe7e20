import Cryptography
import Environment
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

/// Invitations to groups, from the invitee's and the group's side; one file for each method.
package struct Invitations: InvitationsService {
  let database: Database
  let operations: GroupOperations
  let pages: Pages
  let idempotency: IdempotencyStore

  /// - Parameter seal: for page tokens and for responses that are stored for repeated requests ([C-4], [C-5]).
  package init(database: Database, environment: Environment, seal: Seal, operations: GroupOperations) {
    (self.database, self.operations) = (database, operations)
    pages = Pages(seal: seal, clock: environment.clock)
    idempotency = IdempotencyStore(database: database, seal: seal, clock: environment.clock)
  }

  /// The time by which an invitation must have been made, or before, to have lapsed.
  var lapse: Instant { operations.lapse }
}

extension GroupInvitation {
  /// An open invitation as `viewer` sees it: the invitee's address is shown to the inviter only.
  init(_ stored: StoredInvitation, to group: StoredGroup, for viewer: UserID) {
    self.init(
      invitationID: stored.invitationID.description, state: .pending, group: Group(group),
      inviterUserID: stored.inviterID.description, inviterUsername: stored.inviterUsername,
      email: viewer == stored.inviterID ? stored.email : "", createTime: stored.invitedAt.timestamp,
      expireTime: (stored.invitedAt + Lifetimes.invitation).timestamp)
  }
}

/// A validated request about one invitation.
struct InvitationOrder {
  let id: InvitationID
  let requestID: UUID7?

  init(_ invitationID: String, requestID: String) throws {
    var bad = Violations()
    self.requestID = bad.requestID(requestID)
    let named = bad.require(
      "invitation_id", InvitationID(invitationID), "This is no invitation's id", IdentityReason.invitationIDInvalid)
    id = try bad.all(named)
  }
}
