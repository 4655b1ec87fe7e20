import FieldViolations
import Identifiers
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Directory {
  /// Lists a page of all blocks, for services that have missed events ([C-10], [C-5]).
  package func listBlocks(_ call: ListBlocksRequest, _ context: CallContext) async throws -> ListBlocksResponse {
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: UserID.self, UserID.self)
    try bad.check()
    let found = try await database.rows(BlocksAfter(page.after, limit: page.limit))
    let (shown, next) = try page.cut(found) { ($0.blocker, $0.blocked) }
    return ListBlocksResponse(
      blocks: shown.map { Block(blockerUserID: $0.blocker.description, blockedUserID: $0.blocked.description) },
      nextPageToken: next)
  }
}
