import FieldViolations
import ImporterDomain
import ImporterStore
import Pagination
import TTRPC
import TandemImporter

extension Trackers {
  /// A page of the caller's imports, the newest first ([C-5]).
  package func listImports(_ call: ListImportsRequest, _ context: CallContext) async throws -> ListImportsResponse {
    let user = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: ImportID.self)
    try bad.check()
    let found = try await database.rows(ImportsOfUser(userID: user, before: page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.importID }
    return ListImportsResponse(imports: shown.map { Import($0) }, nextPageToken: next)
  }
}
