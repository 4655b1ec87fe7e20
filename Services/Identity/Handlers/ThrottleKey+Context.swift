import ClientAddresses
import Cryptography
import IdentityDomain
import IdentityOperations
import IdentityStore
import Identifiers
import TTRPC

extension ThrottleKey {
  /// Attempts from the client's address.
  static func address(of context: CallContext, _ kind: ThrottleKind) -> ThrottleKey {
    ThrottleKey(kind, subject: Digest.sha256("address:\(context.clientNetwork)".utf8))
  }

  /// The throttles of a registration ([ID-17]).
  ///
  /// - Parameter email: `nil` if it is invalid.
  static func registration(of email: EmailAddress?, from context: CallContext) -> [ThrottleKey] {
    [.address(of: context, .registrationAddress), .everybody(.registrationAll)]
      + (email.map { [.domain(of: $0, .registrationDomain)] } ?? [])
  }

  /// The throttles of a request for a reset mail, whether or not the address is registered ([ID-8]).
  static func reset(of email: EmailAddress, from context: CallContext) -> [ThrottleKey] {
    [.email(email, .resetEmail), .address(of: context, .resetAddress)]
  }

  /// The throttles of a request for a passkey challenge ([ID-17]): the limit for all applies to unauthenticated clients
  /// only, so that they cannot keep users who are logged in from adding a passkey.
  static func passkeyStart(of account: UserID?, from context: CallContext) -> [ThrottleKey] {
    let address = ThrottleKey.address(of: context, .passkeyStartAddress)
    return account == nil ? [address, .everybody(.passkeyStartAll)] : [address]
  }
}
