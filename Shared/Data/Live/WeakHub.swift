import Synchronization

/// A weak reference to a hub, for callbacks that must not keep it alive.
final class WeakHub: Sendable {
  private struct Reference {
    weak var hub: LiveHub?
  }

  private let reference = Mutex(Reference())

  var value: LiveHub? { reference.withLock { $0.hub } }

  func set(_ hub: LiveHub) { reference.withLock { $0.hub = hub } }
}
