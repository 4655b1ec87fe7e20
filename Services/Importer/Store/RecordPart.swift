import Identifiers
import Postgres

/// How much of a user's records one transaction deletes.
package enum RecordPart {
  /// Reports, unless their tracks are long.
  package static let sources: Int64 = 200
  /// Bytes of tracks, which lie in pieces of 2 KB beside the rows.
  package static let bytes: Int64 = 64 << 20
  /// Rows of what is small.
  package static let rows: Int64 = 5_000
}

extension DeleteSomeSources {
  /// - Parameters:
  ///   - provider: `nil` for all.
  ///   - remembered: when the user deleted them; `nil` where they may be imported again.
  package init(of user: UserID, by provider: String?, remembered: Instant? = nil) {
    self.init(
      userID: user, provider: provider, limit: RecordPart.sources, bytes: RecordPart.bytes, rememberedAt: remembered)
  }
}
