/// Why an operation cannot be done although no rule is against it; what a rule refuses is a refusal of the domain.
package enum MatchingFailure: Error, Sendable, Hashable, CaseIterable {
  /// The user deleted the account a moment ago, or never had one.
  case noAccount
  /// A transaction that had not locked the session changed it; should not happen, and nothing is overwritten.
  case changedMeanwhile
  /// The gym is not known here, and the catalog cannot be asked.
  case catalogUnavailable
  /// The profile is not known here, and identity cannot be asked.
  case identityUnavailable
}
