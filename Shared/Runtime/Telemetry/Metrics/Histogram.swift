import CoreMetrics
import Synchronization

/// Counts observations in fixed buckets; recording is a scan over the bounds and two atomic additions.
///
/// `@unchecked Sendable`: `bounds` and `scale` never change, and the counters are atomics at a fixed address that is freed only in deinit.
final class HistogramSeries: TimerHandler, RecorderHandler, @unchecked Sendable {
  private let bounds: Buckets
  private let counts: UnsafeMutablePointer<Atomic<UInt64>>
  private let sum = AtomicDouble()

  init(_ bounds: Buckets) {
    self.bounds = bounds
    counts = .allocate(capacity: bounds.upperBounds.count + 1)
    for index in 0...bounds.upperBounds.count { (counts + index).initialize(to: Atomic(0)) }
  }

  deinit {
    counts.deinitialize(count: bounds.upperBounds.count + 1)
    counts.deallocate()
  }

  /// Adds one duration; a negative one, from a clock that went back, counts as zero.
  func recordNanoseconds(_ duration: Int64) { record(Double(max(0, duration)) * 1e-9) }

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    guard !value.isNaN else { return }
    let index = bounds.index(of: value)
    counts[index].wrappingAdd(1, ordering: .relaxed)
    sum.add(value)
  }

  /// What has been counted: each bound with the number of observations at or below it, then all, then their sum.
  func snapshot() -> (cumulative: [(bound: Double, count: UInt64)], count: UInt64, sum: Double) {
    var total: UInt64 = 0
    var cumulative: [(bound: Double, count: UInt64)] = []
    for (index, bound) in bounds.upperBounds.enumerated() {
      total += counts[index].load(ordering: .relaxed)
      cumulative.append((bound, total))
    }
    total += counts[bounds.upperBounds.count].load(ordering: .relaxed)
    return (cumulative, total, sum.value)
  }
}

/// The inclusive upper bounds of a histogram's buckets, ascending; what is above the last counts in `+Inf`.
public struct Buckets: Sendable, Equatable {
  let upperBounds: [Double]

  /// - Parameter upperBounds: finite; sorted here, repeats dropped.
  public init(_ upperBounds: [Double]) {
    self.upperBounds = Array(Set(upperBounds.filter(\.isFinite))).sorted()
  }

  /// Durations from 100 µs to 30 s, in seconds: wide enough for a cached read and for a slow import.
  public static let seconds = Buckets([
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ])

  /// Sizes from 64 bytes to 4 MiB, the largest frame.
  public static let bytes = Buckets((3...11).map { Double(1 << (2 * $0)) })

  /// Counts from 1 to 10,000, by ones, twos and fives.
  public static let counts = Buckets([1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000])

  @inline(__always)
  func index(of value: Double) -> Int {
    upperBounds.withUnsafeBufferPointer { bounds in
      var index = 0
      while index < bounds.count && value > bounds[index] { index += 1 }
      return index
    }
  }
}
