import Synchronization

/// Carries values out of a closure that may run anywhere.
public final class Gathered<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// Nothing yet.
  public init() {}

  /// What was added, in order.
  public var all: [Value] { values.withLock { $0 } }

  /// Adds one.
  public func add(_ value: Value) { values.withLock { $0.append(value) } }
}
