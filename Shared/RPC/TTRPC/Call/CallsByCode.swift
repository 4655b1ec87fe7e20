import Metrics
import Synchronization

/// Counters of the calls of one method, by the code that they ended with.
///
/// A series is made when its code first occurs, OK's at once. Few methods ever end with more than a handful of the
/// seventeen codes, and a registry bounds the series of a name: a service of eighty methods would need more than a
/// thousand for codes that never occur.
package struct CallsByCode: ~Copyable, Sendable {
  private let label: String
  private let dimensions: [(String, String)]
  private let factory: any MetricsFactory
  private let counters = InlineArray<17, AtomicLazyReference<Counter>> { _ in AtomicLazyReference() }

  /// - Parameter dimensions: the labels of the method; the code is added.
  package init(_ label: String, _ dimensions: [(String, String)], factory: any MetricsFactory) {
    self.label = label
    self.dimensions = dimensions
    self.factory = factory
    _ = counter(of: .ok)
  }

  /// Counts a call that ended.
  package func add(_ code: Code) { counter(of: code).increment() }

  private func counter(of code: Code) -> Counter {
    let place = Int(code.rawValue)
    if let counter = counters[place].load() { return counter }
    // Of two made at the same time one is stored; both count in the same series.
    return counters[place].storeIfNil(
      Counter(label: label, dimensions: dimensions + [("code", code.name)], factory: factory))
  }
}
