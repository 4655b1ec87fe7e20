/// Why an operation cannot be done although no rule is against it; what a rule refuses is a ``LendingDomain/LoanRefusal``.
package enum LoanFailure: Error, Sendable, Hashable, CaseIterable {
  /// The user deleted the account a moment ago, or never had one.
  case noAccount
  /// A transaction that had not locked the book changed the same loan; should not happen, and nothing is overwritten.
  case changedMeanwhile
  /// The book is unknown here, and the catalog cannot be asked.
  case catalogUnavailable
}
