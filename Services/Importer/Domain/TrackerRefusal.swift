/// Why something is not done with a tracker, or an import from one.
package enum TrackerRefusal: Error, Sendable, Hashable {
  case noSuchTracker
  case notConnected
  /// The user has to consent again first.
  case consentNeeded
  case tooManyAttempts
  /// The attempt was never begun, belongs to another user, has expired or was used.
  case attemptInvalid
  /// Another user has connected the same account of the provider.
  case trackerOfAnother
  case noSuchImport
  case importRunning(ImportID)
  /// The user has begun many imports; how long until there may be another.
  case tooManyImports(Duration)
  /// Operators have paused the provider, or an import of it ends at this moment; when it may be tried again.
  case unavailable(after: Duration)
  /// A call of a webhook that does not prove to be the provider's.
  case webhookUntrusted
  /// A call of a webhook that no provider documents.
  case webhookMalformed
}
