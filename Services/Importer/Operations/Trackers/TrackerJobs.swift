import Jobs
import ProviderAdapters

extension JobKind where Payload == String {
  /// Continues an import from a provider; the payload is its id, and the key the id with the step that it continues at.
  ///
  /// Each provider has a kind, and by it places, of its own: one that hangs holds up no imports from others.
  package static func importPages(from provider: String) -> JobKind {
    Providers.all.contains { $0.id == provider } ? JobKind("import_pages_\(provider)", .imports) : importPages
  }

  /// Continues an import from a provider that is no more, and what releases scheduled that had one kind for all.
  package static let importPages = JobKind("import_pages", .imports)
  /// Imports what is new; payload and key are the id of the connection ([IM-6]).
  package static let syncTracker = JobKind("sync_tracker")
  /// Revokes the tokens of a connection that has ended; payload and key are its id ([IM-11]).
  package static let revokeTracker = JobKind("revoke_tracker", .revocations)
}

extension JobLimits {
  /// A run imports for some seconds, and what is left is another job.
  fileprivate static var imports: JobLimits {
    var limits = JobLimits()
    limits.duration = .seconds(60)
    // Of each provider; each may hold an answer of 8 MiB.
    limits.atOnce = 3
    limits.places = .own
    limits.firstPause = .seconds(2)
    return limits
  }

  /// A provider that is away for a while is told later, as long as ``Revocations/time``.
  fileprivate static var revocations: JobLimits {
    var limits = JobLimits()
    limits.firstPause = .seconds(30)
    // About one an hour.
    limits.attempts = 120
    limits.places = .own
    return limits
  }
}
