import Foundation

/// Callers that each wait for an answer before they call again, for a time that is run first and a time that is measured.
public struct ClosedLoop: Sendable {
  /// How many callers run at once.
  public var callers: Int
  /// Seconds that are run before anything counts.
  public var warm: Double
  /// Seconds that count.
  public var measured: Double
  /// The server's process, whose CPU time is read.
  public var serverPID: Int32

  /// A load of `callers` that counts `measured` seconds.
  public init(callers: Int, warm: Double, measured: Double, serverPID: Int32) {
    self.callers = callers
    self.warm = warm
    self.measured = measured
    self.serverPID = serverPID
  }

  /// Runs the load and says what it saw.
  ///
  /// - Parameters:
  ///   - executor: where the callers run; nil is the global pool.
  ///   - call: one call and the check of its answer; what it throws ends the load.
  public func run(
    on executor: (any TaskExecutor)? = nil, _ call: @escaping @Sendable () async throws -> Void
  ) async throws -> Measurement {
    _ = try await latencies(for: warm, on: executor, call)
    let server = ProcessUsage(pid: serverPID)
    let cpuBefore = server.cpuSeconds
    let begun = monotonicNanoseconds()
    let latencies = try await latencies(for: measured, on: executor, call)
    let elapsed = monotonicNanoseconds() - begun
    return Measurement(
      latencies: latencies, seconds: Double(elapsed) / 1e9, serverCPUSeconds: server.cpuSeconds - cpuBefore)
  }

  private func latencies(
    for seconds: Double, on executor: (any TaskExecutor)?, _ call: @escaping @Sendable () async throws -> Void
  ) async throws -> [UInt32] {
    let end = monotonicNanoseconds() + UInt64(seconds * 1e9)
    return try await withThrowingTaskGroup(of: [UInt32].self) { group in
      for _ in 0..<callers {
        group.addTask(executorPreference: executor) {
          try await Self.callUntil(end, call)
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
  }

  private static func callUntil(_ end: UInt64, _ call: @Sendable () async throws -> Void) async throws -> [UInt32] {
    var latencies: [UInt32] = []
    latencies.reserveCapacity(1 << 16)
    var sent = monotonicNanoseconds()
    while sent < end {
      try await call()
      let answered = monotonicNanoseconds()
      latencies.append(UInt32(clamping: answered - sent))
      sent = answered
    }
    return latencies
  }
}
