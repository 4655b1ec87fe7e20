import Environment
import Events

/// What identity does where users want nothing to do with others: blocks, and reports to operators ([ID-26], [C-10]). One use case a file,
/// named by its verb; as ``GroupOperations``, they take the transaction of their caller.
package struct SafetyOperations: Sendable {
  let environment: Environment
  let events: Outbox
  let throttles: Throttles

  package init(environment: Environment, events: Outbox, throttles: Throttles) {
    (self.environment, self.events, self.throttles) = (environment, events, throttles)
  }
}
