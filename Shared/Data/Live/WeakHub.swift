import Synchronization

/// A hub that is known to what tells it things, without being kept by it.
final class WeakHub: Sendable {
  private struct Reference {
    weak var hub: LiveHub?
  }

  private let reference = Mutex(Reference())

  var value: LiveHub? { reference.withLock { $0.hub } }

  func set(_ hub: LiveHub) { reference.withLock { $0.hub = hub } }
}
