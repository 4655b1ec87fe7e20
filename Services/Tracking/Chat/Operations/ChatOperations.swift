import Environment
import Events
import Live

/// What the chat does, one use case a file, named by its verb.
///
/// An operation locks, lets the domain decide, stores the decision, and signals it after the commit. It takes the transaction of its caller, a call,
/// an event or what runs in the background, and begins none: a call stores its answer in the same one ([C-4]), and tries again from the beginning
/// after a conflict. What a stream asks for is one statement where it can be, given the database.
package struct ChatOperations: Sendable {
  let environment: Environment
  let events: Outbox
  package let signals: ChatSignals

  var clock: any WallClock { environment.clock }

  package init(events: Outbox, live: any LiveBus, environment: Environment) {
    (self.environment, self.events) = (environment, events)
    signals = ChatSignals(live: live)
  }
}
