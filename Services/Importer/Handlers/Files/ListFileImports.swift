import FieldViolations
import Identifiers
import ImporterDomain
import ImporterOperations
import ImporterStore
import Pagination
import TTRPC
import TandemImporter

extension Activities {
  /// A page of the caller's imports of files, the newest first ([IM-10], [C-5]).
  package func listFileImports(
    _ call: ListFileImportsRequest, _ context: CallContext
  ) async throws -> ListFileImportsResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: ImportID.self)
    try bad.check()
    let rows = try await database.rows(FileImportsOfUser(userID: user, before: page.after, limit: page.limit))
    let interrupted = environment.clock.now - files.maxImportTime
    let (shown, next) = try page.cut(rows) { $0.id }
    return ListFileImportsResponse(imports: shown.map { FileImport($0, interrupted: interrupted) }, nextPageToken: next)
  }
}
