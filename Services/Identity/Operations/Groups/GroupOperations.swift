import Environment
import Events
import IdentityDomain
import Identifiers
import Postgres

/// What identity does with groups and invitations to them ([ID-40] to [ID-44]). One use case a file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision and publishes it. It takes the transaction of its caller, and begins
/// none, but where a count of attempts is to outlast the refusal (``Throttles``): a call stores its answer in the same one ([C-4]), and tries again from the beginning after a conflict.
///
/// The answer to an invitation is one statement that ends it, so of concurrent ones (acceptance, decline, withdrawal, lapse, the end of the
/// group) one takes effect.
package struct GroupOperations: Sendable {
  let database: Database
  let environment: Environment
  let events: Outbox
  let notifier: Notifier
  let throttles: Throttles
  let memberships: Memberships
  let safety: SafetyOperations

  package init(
    database: Database, environment: Environment, events: Outbox, notifier: Notifier, throttles: Throttles,
    safety: SafetyOperations
  ) {
    (self.database, self.environment, self.events) = (database, environment, events)
    (self.notifier, self.throttles, self.safety) = (notifier, throttles, safety)
    memberships = Memberships(events: events, clock: environment.clock)
  }

  /// The time by which an invitation must have been made, or before, to have lapsed.
  package var lapse: Instant { Invitation.lapse(at: environment.clock.now) }
}
