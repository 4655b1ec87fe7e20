import CoreMetrics
import Synchronization

/// Keeps a process's metrics and exposes them in Prometheus' text format 0.0.4.
///
/// Recording is lock-free; only making, dropping and exposing a series takes the lock. Two handlers of the same name
/// and labels share one series. A family keeps at most `seriesLimit` label sets: further ones are counted in one series
/// whose every label value is `_other`, so that totals stay right and memory bounded.
public final class PrometheusRegistry: MetricsFactory, Sendable {
  /// The value of the `Content-Type` header that the exposition is served with.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private let seriesLimit: Int
  private let state = Mutex(RegistryState())

  /// - Parameter seriesLimit: label sets per family; 1,000 is several times what a service needs.
  public init(seriesLimit: Int = 1000) { self.seriesLimit = seriesLimit }

  /// Sets a metric's description, and for a recorder its buckets. Applies to series made afterwards.
  ///
  /// - Parameter label: as passed to swift-metrics; the suffix that the exposition adds may be left out.
  public func describe(_ label: String, _ help: String, buckets: Buckets? = nil) {
    state.withLock { $0.descriptions[MetricName.sanitized(label)] = Description(help: help, buckets: buckets) }
  }

  /// A counter; exposed with the suffix `_total`.
  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(.counter, MetricName.sanitized(label, suffix: "_total"), dimensions, describedBy: label) { _ in
      CounterSeries()
    }
  }

  /// A counter of fractions; exposed with the suffix `_total`.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(.counter, MetricName.sanitized(label, suffix: "_total"), dimensions, describedBy: label) { _ in
      FloatingCounterSeries()
    }
  }

  /// A gauge.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    gauge(label, dimensions)
  }

  /// A histogram when it aggregates, else a gauge.
  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    guard aggregate else { return gauge(label, dimensions) }
    let name = MetricName.sanitized(label)
    return series(.histogram, name, dimensions, describedBy: label) { description in
      HistogramSeries(description?.buckets ?? (name.hasSuffix("_bytes") ? .bytes : .counts))
    }
  }

  /// A histogram in seconds; exposed with the suffix `_seconds`.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(.histogram, MetricName.sanitized(label, suffix: "_seconds"), dimensions, describedBy: label) {
      HistogramSeries($0?.buckets ?? .seconds)
    }
  }

  /// Drops the series once every handler of it was destroyed.
  public func destroyCounter(_ handler: any CounterHandler) { drop(handler) }
  /// Drops the series once every handler of it was destroyed.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { drop(handler) }
  /// Drops the series once every handler of it was destroyed.
  public func destroyMeter(_ handler: any MeterHandler) { drop(handler) }
  /// Drops the series once every handler of it was destroyed.
  public func destroyRecorder(_ handler: any RecorderHandler) { drop(handler) }
  /// Drops the series once every handler of it was destroyed.
  public func destroyTimer(_ handler: any TimerHandler) { drop(handler) }

  /// All metrics as text format 0.0.4, families and series in a fixed order, the process's own metrics last.
  public func exposition() -> String {
    let families = state.withLock { state in
      state.families.map { name, family in
        (name, family.kind, family.help, family.series.map { ($0, $1.handler) }.sorted { $0.0 < $1.0 })
      }
    }
    var text = Exposition()
    for (name, kind, help, series) in families.sorted(by: { $0.0 < $1.0 }) where !series.isEmpty {
      text.begin(name, kind, help)
      for (labels, handler) in series { text.add(handler, name: name, labels: labels) }
    }
    ProcessMetrics.read().write(to: &text)
    return text.text
  }

  private func gauge(_ label: String, _ dimensions: [(String, String)]) -> GaugeSeries {
    series(.gauge, MetricName.sanitized(label), dimensions, describedBy: label) { _ in GaugeSeries() }
  }

  /// The series of a name and labels, made if it is new. A series that cannot be exposed because the name is taken by
  /// another kind is returned all the same: a misnamed metric must not stop a service.
  private func series<Handler: AnyObject & Sendable>(
    _ kind: FamilyKind, _ name: String, _ dimensions: [(String, String)], describedBy label: String,
    make: (Description?) -> Handler
  ) -> Handler {
    let labels = MetricName.labels(dimensions, kind: kind)
    return state.withLock { state in
      let description =
        state.descriptions[name] ?? state.descriptions[MetricName.sanitized(label)]
      // In place: a service makes hundreds of series at its start, and copying a family would copy all of its series.
      let (handler, key) = state.families[name, default: Family(kind: kind, help: description?.help ?? label)]
        .series(of: labels, kind, atMost: seriesLimit) { make(description) }
      if let key { state.places[ObjectIdentifier(handler)] = (name, key) }
      return handler
    }
  }

  private func drop(_ handler: AnyObject) {
    state.withLock { state in
      let id = ObjectIdentifier(handler)
      guard let (name, key) = state.places[id], var series = state.families[name]?.series[key] else { return }
      series.holders -= 1
      if series.holders > 0 {
        state.families[name]?.series[key] = series
      } else {
        state.families[name]?.series[key] = nil
        state.places[id] = nil
      }
    }
  }
}

/// The type of a metric family, named as in the exposition's TYPE line.
enum FamilyKind: String, Sendable {
  case counter, gauge, histogram
}

private struct RegistryState: Sendable {
  var descriptions: [String: Description] = [:]
  var families: [String: Family] = [:]
  var places: [ObjectIdentifier: (family: String, labels: String)] = [:]
}

private struct Description: Sendable {
  let help: String
  let buckets: Buckets?
}

private struct Family: Sendable {
  let kind: FamilyKind
  let help: String
  /// By the rendered labels, e.g. `method="Login",code="OK"`.
  var series: [String: Series] = [:]

  /// The series of these labels, with its key where it is new and exposed.
  mutating func series<Handler: AnyObject & Sendable>(
    of labels: [(String, String)], _ kind: FamilyKind, atMost limit: Int, make: () -> Handler
  ) -> (handler: Handler, newKey: String?) {
    guard kind == self.kind else { return (make(), nil) }
    var key = MetricName.text(labels)
    if series[key] == nil && series.count >= limit { key = MetricName.text(labels.map { ($0.0, "_other") }) }
    guard let known = series[key] else {
      let handler = make()
      series[key] = Series(handler: handler, holders: 1)
      return (handler, key)
    }
    guard let handler = known.handler as? Handler else { return (make(), nil) }
    series[key]?.holders += 1
    return (handler, nil)
  }
}

private struct Series: Sendable {
  let handler: any AnyObject & Sendable
  var holders: Int
}
