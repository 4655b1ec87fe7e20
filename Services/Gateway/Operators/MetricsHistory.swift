import Logging
import ServiceLifecycle
import Synchronization

/// The metrics of the last hour, sampled from the ports for health and metrics: a bounded ring for each process. It lasts as long as this
/// process, and is no replacement for Prometheus.
public final class MetricsHistory: Service {
  /// The names of the plots, in the order of their values.
  static let plots = [
    "calls", "failures", "slow_seconds", "cpu", "memory_bytes", "connections", "statements", "database_waits",
    "event_lag_seconds", "events_parked", "jobs_dead",
  ]
  static let interval = Duration.seconds(10)
  /// An hour.
  static let maxPoints = 360

  /// One moment of one process; a value that is unknown is `nil`.
  struct Point: Sendable {
    let time: Int64
    let values: [Double?]
  }

  private struct Track {
    var points: [Point] = []
    var last: (reading: Reading, time: ContinuousClock.Instant)?
    var text = ""
  }

  private let admin: AdminPort
  private let replicas: [Replica]
  private let now: @Sendable () -> Int64
  private let tracks = Mutex<[Replica: Track]>([:])

  /// - Parameter now: seconds since 1970.
  init(admin: AdminPort, replicas: [Replica], now: @escaping @Sendable () -> Int64) {
    (self.admin, self.replicas, self.now) = (admin, replicas, now)
  }

  public func run() async throws {
    do {
      try await cancelWhenGracefulShutdown {
        while true {
          await self.sample()
          // The figures are those of a moment; nothing tells when they change.
          try await Task.sleep(for: Self.interval)
        }
      }
    } catch is CancellationError {
      // The program stops.
    }
  }

  private func sample() async {
    await withDiscardingTaskGroup { group in
      for replica in replicas {
        group.addTask {
          // A process that does not answer leaves a gap.
          guard let page = try? await self.admin.page("/metrics", of: replica), page.status == 200 else { return }
          self.take(String(decoding: page.body, as: UTF8.self), of: replica)
        }
      }
    }
  }

  private func take(_ text: String, of replica: Replica) {
    let reading = Reading(Exposition(text))
    let (time, moment) = (now(), ContinuousClock.now)
    tracks.withLock { tracks in
      var track = tracks[replica] ?? Track()
      if let last = track.last {
        let seconds = (moment - last.time) / .seconds(1)
        track.points.append(Point(time: time, values: reading.values(since: last.reading, seconds: seconds)))
        track.points.removeFirst(max(0, track.points.count - Self.maxPoints))
      }
      (track.last, track.text) = ((reading, moment), text)
      tracks[replica] = track
    }
  }

  /// `{"seconds":10,"plots":[…],"processes":[{"service":…,"address":…,"times":[…],"values":{"calls":[…],…}}]}`
  var json: DeskJSON {
    let tracks = self.tracks.withLock { $0 }
    return .members([
      "seconds": .number(Self.interval / .seconds(1)), "plots": .list(Self.plots.map { .text($0) }),
      "processes": .list(
        replicas.map { replica in
          let points = tracks[replica]?.points ?? []
          return .members([
            "service": .text(replica.service), "address": .text(replica.address),
            "times": .list(points.map { .number(Double($0.time)) }),
            "values": .list(
              Self.plots.indices.map { plot in .list(points.map { .number($0.values[plot]) }) }),
          ])
        }),
    ])
  }

  /// Who follows whose events, as of the last sample: `[{"service":…,"producer":…,"consumer":…,"applied":…,"lagSeconds":…,…}]`
  var consumers: DeskJSON {
    let tracks = self.tracks.withLock { $0 }
    return .list(
      replicas.flatMap { replica in
        let exposition = Exposition(tracks[replica]?.text ?? "")
        return exposition.samples("events_applied_total").map { Self.consumer($0, in: exposition, of: replica) }
      })
  }

  private static func consumer(
    _ applied: Exposition.Sample, in exposition: Exposition, of replica: Replica
  ) -> DeskJSON {
    func value(_ name: String) -> Double? {
      exposition.samples(name).first { sample in
        sample.label("producer") == applied.label("producer") && sample.label("consumer") == applied.label("consumer")
      }?.value
    }
    let (sum, count) = (value("events_lag_seconds_sum"), value("events_lag_seconds_count"))
    let lag: Double? = if let sum, let count, count > 0 { sum / count } else { nil }
    return .members([
      "service": .text(replica.service), "address": .text(replica.address),
      "producer": .text(applied.label("producer").map(String.init)),
      "consumer": .text(applied.label("consumer").map(String.init)), "applied": .number(applied.value),
      "failures": .number(value("events_failures_total")), "lagSeconds": .number(lag),
      "parked": .number(value("events_parked")), "skipped": .number(value("events_skipped")),
      "blocked": .number(value("events_blocked")),
    ])
  }
}

/// What the plots need of one exposition.
struct Reading: Sendable {
  private var counters: [Double?]
  private var gauges: [Double?]
  private var buckets: [Double: Double]

  /// Codes that are the service's fault.
  private static let faults: Set<Substring> = ["INTERNAL", "UNKNOWN", "DATA_LOSS", "UNAVAILABLE", "DEADLINE_EXCEEDED"]
  /// The share of calls that are quicker.
  private static let quantile = 0.95

  init(_ exposition: Exposition) {
    counters = [
      exposition.sum("rpc_server_calls_total", "gateway_calls_total"),
      exposition.sum("rpc_server_calls_total", "gateway_calls_total") { sample in
        sample.label("code").map { Self.faults.contains(Substring($0.uppercased())) } ?? false
      },
      exposition.sum("process_cpu_seconds_total"), exposition.sum("postgres_statements_total"),
      exposition.sum("postgres_pool_waits_total"), exposition.sum("events_lag_seconds_sum"),
      exposition.sum("events_lag_seconds_count"),
    ]
    gauges = [
      exposition.sum("process_resident_memory_bytes"), exposition.sum("rpc_server_connections", "gateway_connections"),
      exposition.sum("events_parked"), exposition.sum("jobs_dead"),
    ]
    buckets = exposition.buckets("rpc_server_call_duration_seconds", "gateway_call_duration_seconds")
  }

  /// In the order of ``MetricsHistory/plots``.
  func values(since earlier: Reading, seconds: Double) -> [Double?] {
    let grown = zip(counters, earlier.counters).map { now, before -> Double? in
      guard let now else { return nil }
      // A process that was started again counts from zero.
      return max(0, now - min(now, before ?? 0))
    }
    let rate = { (index: Int) -> Double? in grown[index].map { seconds > 0 ? $0 / seconds : 0 } }
    let lag: Double? = if let sum = grown[5], let count = grown[6], count > 0 { sum / count } else { nil }
    return [
      rate(0), rate(1), slow(since: earlier), rate(2), gauges[0], gauges[1], rate(3), rate(4), lag, gauges[2],
      gauges[3],
    ]
  }

  /// The bound below which nearly all calls since then took, in seconds; `nil` without calls.
  private func slow(since earlier: Reading) -> Double? {
    let grown = buckets.map { (bound: $0.key, count: $0.value - (earlier.buckets[$0.key] ?? 0)) }
      .sorted { $0.bound < $1.bound }
    guard let all = grown.last?.count, all > 0 else { return nil }
    let bound = grown.first { $0.count >= all * Self.quantile }?.bound ?? .infinity
    return bound.isFinite ? bound : grown.last { $0.bound.isFinite }?.bound
  }
}
