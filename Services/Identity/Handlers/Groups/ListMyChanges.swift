import Base64
import Cryptography
import FieldViolations
import Identifiers
import IdentityDomain
import IdentityStore
import Pagination
import Postgres
import TTRPC
import TandemIdentity
import Timestamps

extension Groups {
  /// What changed in the caller's profile, groups and their members since an earlier call ([C-11]).
  package func listMyChanges(
    _ call: ListMyChangesRequest, _ context: CallContext
  ) async throws -> ListMyChangesResponse {
    let user = try context.userID
    var bad = Violations()
    if call.pageSize < 0 { bad.add("page_size", "The page_size cannot be negative", IdentityReason.pageSizeInvalid) }
    let since = bad.require(
      "since", ChangeToken(call.since, of: user, seal: seal), "This is no token of this list; begin without one",
      IdentityReason.changeTokenInvalid)
    let token = try bad.all(since)
    // Before the changes are read: should the numbers begin anew meanwhile, the next call finds it out.
    let epoch = try await database.first(NumberingEpoch()) ?? 0
    let isVoid = token.isVoid(in: epoch, at: environment.clock.now)
    let from = isVoid ? .beginning : token.position
    let size = call.pageSize == 0 ? Pages.defaultSize : min(Int(call.pageSize), Pages.largestSize)
    let found = try await database.rows(
      OwnChanges(
        userID: user, afterTransaction: from.transaction, afterKind: from.kind, afterGroupID: from.group,
        afterMemberID: from.member, limit: Int64(size) + 1))
    let rows = found.prefix(size)
    let next = ChangeToken(
      position: rows.last.map { ChangePosition($0) } ?? from,
      issue: ChangeToken.Issue(epoch: epoch, time: environment.clock.now))
    return ListMyChangesResponse(
      changes: try await changes(Array(rows), of: user), nextSince: try next.text(of: user, seal: seal),
      more: found.count > size, reset: isVoid)
  }

  private func changes(_ rows: [OwnChanges.Row], of user: UserID) async throws -> [OwnChange] {
    let hasProfile = rows.contains { $0.kind == ChangePosition.profile }
    let profile =
      hasProfile ? try await database.first(OwnProfile(now: environment.clock.now, userID: user)) : nil
    return rows.compactMap { row in
      switch row.kind {
      case ChangePosition.profile: profile.map { OwnChange(profile: Profile($0)) }
      case ChangePosition.group: OwnChange(ofGroup: row)
      default: OwnChange(ofMember: row)
      }
    }
  }
}

extension OwnChange {
  fileprivate init(ofGroup row: OwnChanges.Row) {
    guard let name = row.groupName, let count = row.memberCount, let revision = row.revision,
      let createdAt = row.createdAt
    else {
      self.init(formerGroup: FormerGroup(groupID: row.groupID.description))
      return
    }
    let stored = StoredGroup(
      id: row.groupID, name: name, memberCount: count, revision: revision, createdAt: createdAt)
    self.init(group: Group(stored))
  }

  fileprivate init(ofMember row: OwnChanges.Row) {
    let (group, user) = (row.groupID.description, row.memberID.description)
    guard let username = row.username, let joinedAt = row.joinedAt else {
      self.init(formerMember: FormerMember(groupID: group, userID: user))
      return
    }
    let member = GroupMember(userID: user, username: username, joinTime: joinedAt.timestamp)
    self.init(member: ChangedMember(groupID: group, member: member))
  }
}

/// A place in the order of changes: a transaction, as events number it, and what was changed in it.
private struct ChangePosition {
  static let (profile, group): (Int32, Int32) = (0, 1)

  let transaction: Int64
  let kind: Int32
  let group: GroupID
  let member: UserID

  /// Before everything.
  static let beginning = ChangePosition(
    transaction: 0, kind: -1, group: GroupID(UUID7(high: 0, low: 0)), member: UserID(UUID7(high: 0, low: 0)))

  init(transaction: Int64, kind: Int32, group: GroupID, member: UserID) {
    (self.transaction, self.kind, self.group, self.member) = (transaction, kind, group, member)
  }

  init(_ row: OwnChanges.Row) {
    self.init(transaction: row.transaction, kind: row.kind, group: row.groupID, member: row.memberID)
  }
}

/// A position as clients store it, with where and when they were told it.
private struct ChangeToken {
  struct Issue {
    /// Another one begins where the database is restored.
    let epoch: Int64
    let time: Instant
  }

  let position: ChangePosition
  /// `nil` for the beginning.
  let issue: Issue?

  init(position: ChangePosition, issue: Issue?) { (self.position, self.issue) = (position, issue) }

  /// Whether what happened since is not known any more, or a client with the token knows what this database does not.
  func isVoid(in epoch: Int64, at now: Instant) -> Bool {
    guard let issue else { return false }
    return issue.epoch != epoch || now - issue.time > Lifetimes.changeToken
  }

  /// The position of a token; the beginning for an empty text, `nil` for any other one that is no token of the user.
  init?(_ text: String, of user: UserID, seal: Seal) {
    guard !text.isEmpty else {
      self.init(position: .beginning, issue: nil)
      return
    }
    guard let sealed = Base64URL.decode(text), sealed.count < 256,
      let bytes = try? seal.open(sealed, associated: Self.binding(user))
    else { return nil }
    var rest = bytes[...]
    guard let epoch = Int64(from: &rest), let time = Int64(from: &rest), let transaction = Int64(from: &rest),
      let kind = Int64(from: &rest),
      let group = GroupID(from: &rest), let member = UserID(from: &rest), rest.isEmpty
    else { return nil }
    self.init(
      position: ChangePosition(
        transaction: transaction, kind: Int32(truncatingIfNeeded: kind), group: group, member: member),
      issue: Issue(epoch: epoch, time: Instant(microseconds: time)))
  }

  func text(of user: UserID, seal: Seal) throws -> String {
    var bytes: [UInt8] = []
    (issue?.epoch ?? 0).write(to: &bytes)
    (issue?.time.microseconds ?? 0).write(to: &bytes)
    position.transaction.write(to: &bytes)
    Int64(position.kind).write(to: &bytes)
    position.group.write(to: &bytes)
    position.member.write(to: &bytes)
    return Base64URL.encode(try seal.seal(bytes, associated: Self.binding(user)))
  }

  private static func binding(_ user: UserID) -> [UInt8] { Array("own changes \(user)".utf8) }
}
