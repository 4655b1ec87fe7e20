import Expiry
import Postgres

extension DeleteExpiredShares: ExpiryStatement {
  package static let kept = Duration.zero
}
