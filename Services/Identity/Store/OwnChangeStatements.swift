import Expiry
import IdentityDomain

extension DeleteOldFormerMembers: ExpiryStatement {
  package static let kept = Lifetimes.formerMember
}
