import FieldViolations
import LendingDomain
import LendingOperations
import TTRPC
import TandemLending

extension Loans {
  /// What the caller can do now with a book of which only the ISBN is known ([LE-16]).
  package func findScanned(_ call: FindScannedRequest, _ context: CallContext) async throws -> FindScannedResponse {
    let user = try context.userID
    var bad = Violations()
    let scanned = bad.isbn(call.isbn)
    let isbn = try bad.all(scanned)
    let scan = try await operations.findScanned(isbn, by: user)
    var options = scan.options.map { ScanOption(meaning: $0.meaning.wire, loan: shown($0.loan)) }
    options.append(ScanOption(meaning: .add))
    return FindScannedResponse(isbn: isbn.description, options: options, waiting: scan.waiting.map { shown($0) })
  }
}
