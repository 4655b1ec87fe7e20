import CoreMetrics
import Synchronization

/// A count that only grows, until it is reset.
final class CounterSeries: CounterHandler {
  private let count = Atomic<Int64>(0)

  var value: Double { Double(count.load(ordering: .relaxed)) }

  func increment(by amount: Int64) {
    guard amount > 0 else { return }
    count.wrappingAdd(amount, ordering: .relaxed)
  }

  func reset() { count.store(0, ordering: .relaxed) }
}

/// A fractional count that only grows, until it is reset.
final class FloatingCounterSeries: FloatingPointCounterHandler {
  private let sum = AtomicDouble()

  var value: Double { sum.value }

  func increment(by amount: Double) {
    guard amount > 0, amount.isFinite else { return }
    sum.add(amount)
  }

  func reset() { sum.set(0) }
}

/// A value that goes up and down; serves swift-metrics' meters and its recorders that do not aggregate.
final class GaugeSeries: MeterHandler, RecorderHandler {
  private let current = AtomicDouble()

  var value: Double { current.value }

  func set(_ value: Int64) { current.set(Double(value)) }
  func set(_ value: Double) { current.set(value) }
  func increment(by amount: Double) { current.add(amount) }
  func decrement(by amount: Double) { current.add(-amount) }
  func record(_ value: Int64) { current.set(Double(value)) }
  func record(_ value: Double) { current.set(value) }
}

/// A double that is added to without a lock.
struct AtomicDouble: ~Copyable, Sendable {
  private let bits = Atomic<UInt64>(0)

  var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func add(_ amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let (exchanged, original) = bits.weakCompareExchange(expected: old, desired: new, ordering: .relaxed)
      if exchanged { return }
      old = original
    }
  }
}
