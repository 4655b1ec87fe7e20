/// Why an activity, or a link to one, is not changed as it is wished.
package enum ActivityRefusal: Error, Sendable, Hashable, CaseIterable {
  case noSuchActivity
  case noSuchSource
  /// An activity keeps one source.
  case onlySource
  /// The link was revoked, or never existed, or its activity is gone.
  case noSuchShare
  case tooManyShares
}
