import Base64
import Cryptography
import FieldViolations
import Identifiers
import MatchingDomain
import MatchingStore
import Pagination
import Postgres
import TTRPC
import TandemMatching

extension Sessions {
  /// What changed in the caller's sessions since an earlier call ([C-11]).
  package func listSessionChanges(
    _ call: ListSessionChangesRequest, _ context: CallContext
  ) async throws -> ListSessionChangesResponse {
    let user = try context.userID
    var bad = Violations()
    if call.pageSize < 0 { bad.add("page_size", "The page_size cannot be negative", MatchingReason.pageSizeInvalid) }
    let since = bad.require(
      "since", try ChangePosition(call.since, of: user, seal: seal), "This is no token of this list; begin without one",
      MatchingReason.changeTokenInvalid)
    let from = try bad.all(since)
    // Before the changes are read: should the numbers begin anew meanwhile, the next call finds it out.
    guard let numbering = try await database.first(ChangeNumbering(transaction: from.transaction)),
      from.isKnown(to: numbering)
    else {
      throw BadFields(
        "since", "The database was restored since; begin without a token", MatchingReason.changeTokenInvalid)
    }
    let size = call.pageSize == 0 ? Pages.defaultSize : min(Int(call.pageSize), Pages.largestSize)
    let found = try await database.rows(
      ChangedSessions(
        userID: user, afterTransaction: from.transaction, afterSessionID: from.session, limit: Int64(size) + 1))
    let changes = found.prefix(size)
    let position =
      changes.last.map { ChangePosition(transaction: $0.transaction, session: $0.sessionID, epoch: numbering.epoch) }
      ?? ChangePosition(transaction: from.transaction, session: from.session, epoch: numbering.epoch)
    let present = changes.filter(\.present).map(\.sessionID)
    return ListSessionChangesResponse(
      changed: try await sessions(present, of: user),
      deletedSessionIds: changes.filter { !$0.present }.map(\.sessionID.description),
      nextChangeToken: try position.token(of: user, seal: seal), hasMore: found.count > size)
  }

  private func sessions(_ ids: [SessionID], of user: UserID) async throws -> [Session] {
    guard !ids.isEmpty else { return [] }
    let stored = try await database.rows(SessionsByIDs(sessionIDs: ids))
    let given = Set(try await database.rows(FeedbackGivenBy(userID: user, sessionIDs: ids)))
    let byID = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
    let now = environment.clock.now
    // One that the user left meanwhile comes with the next call as deleted.
    return ids.compactMap { byID[$0] }.filter { $0.facts.hasParticipant(user) }
      .map { Session($0, gaveFeedback: given.contains($0.id), at: now) }
  }
}

/// A place in the order of changes: a transaction, as the log of events numbers them, and a session changed in it.
private struct ChangePosition {
  let transaction: Int64
  let session: SessionID
  /// What the number of the transaction is of; `nil` for the beginning, and in tokens from before they had it.
  private let epoch: Int64?

  init(transaction: Int64, session: SessionID, epoch: Int64?) {
    (self.transaction, self.session, self.epoch) = (transaction, session, epoch)
  }

  /// Whether what a client with the position knows is what this database told.
  func isKnown(to numbering: ChangeNumbering.Row) -> Bool {
    if let epoch { epoch == numbering.epoch } else { !numbering.isLost }
  }

  /// The position of a token; the beginning for an empty one, `nil` for any other text.
  init?(_ token: String, of user: UserID, seal: Seal) throws {
    guard !token.isEmpty else {
      self.init(transaction: 0, session: SessionID(UUID7(high: 0, low: 0)), epoch: nil)
      return
    }
    guard let sealed = Base64URL.decode(token), sealed.count < 256,
      let bytes = try? seal.open(sealed, associated: Self.binding(user))
    else { return nil }
    var rest = bytes[...]
    guard let transaction = Int64(from: &rest), let session = SessionID(from: &rest) else { return nil }
    let epoch = Int64(from: &rest)
    guard rest.isEmpty else { return nil }
    self.init(transaction: transaction, session: session, epoch: epoch)
  }

  func token(of user: UserID, seal: Seal) throws -> String {
    var bytes: [UInt8] = []
    transaction.write(to: &bytes)
    session.write(to: &bytes)
    epoch?.write(to: &bytes)
    return Base64URL.encode(try seal.seal(bytes, associated: Self.binding(user)))
  }

  private static func binding(_ user: UserID) -> [UInt8] { Array("session changes \(user)".utf8) }
}
