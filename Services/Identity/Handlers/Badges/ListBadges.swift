import IdentityStore
import TTRPC
import TandemNotification

extension Badges {
  /// The caller's badges, those awarded last first ([ID-64]).
  package func listBadges(_ call: ListBadgesRequest, _ context: CallContext) async throws -> ListBadgesResponse {
    ListBadgesResponse(badges: try await database.rows(BadgesOf(try context.userID)).map { Badge($0) })
  }
}
