import FieldViolations
import LendingDomain
import LendingStore
import TTRPC
import TandemLending

extension Loans {
  /// The most loans of one ISBN that a scan is compared with.
  private static let maxScanned: Int64 = 50

  /// What the caller can do now with a book of which only the ISBN is known ([LE-16]).
  package func findScanned(_ call: FindScannedRequest, _ context: CallContext) async throws -> FindScannedResponse {
    let user = try context.userID
    var bad = Violations()
    let scanned = bad.isbn(call.isbn)
    let isbn = try bad.all(scanned)
    let found = try await database.rows(ScannedLoans(userID: user, isbn: isbn, limit: Self.maxScanned))
    var (options, waiting) = ([ScanOption](), [Loan]())
    for loan in found {
      if let meaning = try loan.facts.meaning(ofScanBy: user) {
        options.append(ScanOption(meaning: meaning.wire, loan: shown(loan)))
      } else {
        waiting.append(shown(loan))
      }
    }
    options.append(ScanOption(meaning: .add))
    return FindScannedResponse(isbn: isbn.description, options: options, waiting: waiting)
  }
}
