import Foundation

/// What one load saw: the same four figures from every peer, printed as one line of JSON.
public struct Measurement: Sendable {
  /// Answers a second.
  public let rate: Double
  /// Half of the answers took no longer, in microseconds.
  public let p50Microseconds: Double
  /// 99 of 100 answers took no longer, in microseconds.
  public let p99Microseconds: Double
  /// The server's CPU time for an answer, in microseconds.
  public let cpuMicroseconds: Double

  init(latencies: [UInt32], seconds: Double, serverCPUSeconds: Double) {
    let sorted = latencies.sorted()
    let count = Double(max(sorted.count, 1))
    func quantile(_ part: Double) -> Double {
      sorted.isEmpty ? 0 : Double(sorted[Int(Double(sorted.count - 1) * part)]) / 1000
    }
    rate = Double(sorted.count) / seconds
    p50Microseconds = quantile(0.5)
    p99Microseconds = quantile(0.99)
    cpuMicroseconds = serverCPUSeconds / count * 1e6
  }

  /// The line that `run` reads.
  public var json: String {
    """
    {"rate":\(rate),"p50_us":\(p50Microseconds),"p99_us":\(p99Microseconds),"cpu_us":\(cpuMicroseconds)}
    """
  }
}
