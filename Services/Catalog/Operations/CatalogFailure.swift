/// Why an operation cannot be done although no rule is against it; what a rule refuses is a refusal of the domain.
package enum CatalogFailure: Error, Sendable, Hashable {
  /// The user deleted the account a moment ago, or never had one.
  case noAccount
  /// It is unknown whether lending retired the book; the job of the deletion asks again ([CA-24]).
  case lendingUnavailable
  /// Lending, which knows the towns without gyms, does not answer ([CA-2]).
  case townsUnavailable
}
