import Base64
import Cryptography
import FieldViolations
import Identifiers
import LendingDomain
import LendingStore
import Pagination
import TTRPC
import TandemLending

extension Loans {
  /// The caller's requests and loans that were created or changed since an earlier call ([C-11]).
  package func listLoanChanges(
    _ call: ListLoanChangesRequest, _ context: CallContext
  ) async throws -> ListLoanChangesResponse {
    let user = try context.userID
    var bad = Violations()
    if call.pageSize < 0 { bad.add("page_size", "The page_size cannot be negative", LendingReason.pageSizeInvalid) }
    let since = bad.require(
      "since", try ChangePosition(call.since, of: user, seal: seal), "This is no token of this list; begin without one",
      LendingReason.changeTokenInvalid)
    let from = try bad.all(since)
    // Before the changes are read: should the numbers begin anew meanwhile, the next call finds it out.
    guard let numbering = try await database.first(ChangeNumbering(transaction: from.transaction)),
      from.isKnown(to: numbering)
    else {
      throw BadFields(
        "since", "The database was restored since; begin without a token", LendingReason.changeTokenInvalid)
    }
    let size = call.pageSize == 0 ? Pages.defaultSize : min(Int(call.pageSize), Pages.largestSize)
    let found = try await database.rows(
      ChangedLoans(
        userID: user, afterTransaction: from.transaction, afterLoanID: from.loan.uuid, limit: Int64(size) + 1))
    let changes = found.prefix(size)
    let position =
      changes.last.map { ChangePosition(transaction: $0.transaction, loan: $0.loanID, epoch: numbering.epoch) }
      ?? ChangePosition(transaction: from.transaction, loan: from.loan, epoch: numbering.epoch)
    let loans = try await loans(changes.map(\.loanID), of: user)
    return ListLoanChangesResponse(
      changed: loans, nextChangeToken: try position.token(of: user, seal: seal), hasMore: found.count > size)
  }

  private func loans(_ ids: [LoanID], of user: UserID) async throws -> [Loan] {
    guard !ids.isEmpty else { return [] }
    let stored = try await database.rows(LoansByIDs(loanIDs: ids))
    let byID = Dictionary(stored.map { ($0.id, $0) }) { first, _ in first }
    return ids.compactMap { byID[$0] }.filter { $0.ownerID == user || $0.borrowerID == user }.map { shown($0) }
  }
}

/// A place in the order of changes: a transaction, as the log of events numbers them, and a loan changed in it.
private struct ChangePosition {
  let transaction: Int64
  let loan: LoanID
  /// What the number of the transaction is of; `nil` for the beginning, and in tokens from before they had it.
  private let epoch: Int64?

  init(transaction: Int64, loan: LoanID, epoch: Int64?) {
    (self.transaction, self.loan, self.epoch) = (transaction, loan, epoch)
  }

  /// Whether what a client with the position knows is what this database told.
  func isKnown(to numbering: ChangeNumbering.Row) -> Bool {
    if let epoch { epoch == numbering.epoch } else { !numbering.isLost }
  }

  /// The position of a token; the beginning for an empty one, `nil` for any other text.
  init?(_ token: String, of user: UserID, seal: Seal) throws {
    guard !token.isEmpty else {
      // Loans from before changes were numbered have the transaction 0.
      self.init(transaction: 0, loan: LoanID(UUID7(high: 0, low: 0)), epoch: nil)
      return
    }
    guard let sealed = Base64URL.decode(token), sealed.count < 256,
      let bytes = try? seal.open(sealed, associated: Self.binding(user))
    else { return nil }
    var rest = bytes[...]
    guard let transaction = Int64(from: &rest), let loan = LoanID(from: &rest) else { return nil }
    let epoch = Int64(from: &rest)
    guard rest.isEmpty else { return nil }
    self.init(transaction: transaction, loan: loan, epoch: epoch)
  }

  func token(of user: UserID, seal: Seal) throws -> String {
    var bytes: [UInt8] = []
    transaction.write(to: &bytes)
    loan.write(to: &bytes)
    epoch?.write(to: &bytes)
    return Base64URL.encode(try seal.seal(bytes, associated: Self.binding(user)))
  }

  private static func binding(_ user: UserID) -> [UInt8] { Array("loan changes \(user)".utf8) }
}
