/// Why an operation cannot be done although no rule is against it; what a rule refuses is a refusal of the domain.
package enum IdentityFailure: Error, Sendable, Hashable, CaseIterable {
  /// The user deleted the account a moment ago, or never had one.
  case noAccount
  /// A transaction that this one had not locked out made the same change; nothing is overwritten.
  case changedMeanwhile
  /// The caller's own session ended meanwhile.
  case sessionEnded
  /// What the service has to know is not known yet.
  case starting
}
