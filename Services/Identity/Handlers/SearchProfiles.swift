import FieldViolations
import IdentityDomain
import IdentityStore
import Pagination
import TTRPC
import TandemIdentity

extension Profiles {
  /// Lists a page of the users whose usernames begin with a text, without those hidden from the caller by a block
  /// ([ID-24], [C-10]).
  package func searchProfiles(
    _ call: SearchProfilesRequest, _ context: CallContext
  ) async throws -> SearchProfilesResponse {
    let viewer = try context.userID
    var bad = Violations()
    let page = try pages.page(of: call, context, &bad, by: String.self)
    let named = bad.require("prefix", UsernamePrefix(call.prefix), UsernamePrefix.refusal, IdentityReason.prefixInvalid)
    let prefix = try bad.all(named)
    let found = try await database.rows(
      ProfilesByPrefix(
        now: clock.now, viewerID: viewer, prefix: prefix.key, after: page.after ?? "", limit: page.limit))
    let (shown, next) = try page.cut(found) { $0.profile.username.lowercased() }
    return SearchProfilesResponse(
      profiles: shown.map { Profile($0.profile, isOfFellow: $0.isOfFellow, to: viewer) }, nextPageToken: next)
  }
}
