import Identifiers
import LendingDomain
import LendingStore
import Postgres

/// What a user can do with a book of which only the ISBN is known ([LE-16]).
package struct Scan: Sendable {
  /// The loans that a scan means something for, with its meaning.
  package var options: [(meaning: ScanMeaning, loan: StoredLoan)] = []
  /// The loans that the user has confirmed and that wait for the other party.
  package var waiting: [StoredLoan] = []
}

extension LoanOperations {
  /// The most loans of one ISBN that a scan is compared with.
  private static let maxScanned: Int64 = 50

  /// What a user's scan of an ISBN means now ([LE-16]).
  package func findScanned(_ isbn: ISBN, by user: UserID) async throws -> Scan {
    var scan = Scan()
    for loan in try await database.rows(ScannedLoans(userID: user, isbn: isbn, limit: Self.maxScanned)) {
      if let meaning = try loan.facts.meaning(ofScanBy: user) {
        scan.options.append((meaning, loan))
      } else {
        scan.waiting.append(loan)
      }
    }
    return scan
  }
}
