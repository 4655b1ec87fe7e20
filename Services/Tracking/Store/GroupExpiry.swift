import Expiry
import Postgres

extension DeleteGroups: ExpiryStatement {
  /// For so long viewers may resume: what changed in a group is not kept for longer.
  package static let kept = Duration.seconds(2 * 86_400)
}
