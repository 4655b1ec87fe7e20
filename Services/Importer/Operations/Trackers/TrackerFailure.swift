/// Why an operation on trackers cannot be done although no rule is against it; what a rule refuses is a `TrackerRefusal`.
package enum TrackerFailure: Error, Sendable, Hashable {
  /// The user deleted the account meanwhile.
  case noAccount
}
