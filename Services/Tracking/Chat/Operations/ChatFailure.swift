/// Why an operation cannot be done although no rule is against it; what a rule refuses is a refusal of the domain.
package enum ChatFailure: Error, Sendable, Hashable {
  /// The user deleted the account a moment ago, or never had one.
  case noAccount
  /// Too many messages wait to be stored.
  case overloaded
  /// The service stops: nothing is stored any more.
  case stopping
}
