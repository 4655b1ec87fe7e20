import MatchingOperations

extension RunningMatching {
  /// The operations of the test, like those of the consumers of other services' events.
  var operations: SessionOperations {
    SessionOperations(
      database: own, environment: runtime.environment, events: runtime.events, jobs: runtime.jobs,
      identity: neighbours, catalog: neighbours, logger: runtime.logger)
  }
}
