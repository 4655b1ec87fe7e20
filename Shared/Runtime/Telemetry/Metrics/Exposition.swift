/// Text in Prometheus' exposition format 0.0.4, built family by family.
struct Exposition {
  private(set) var text = ""

  mutating func begin(_ name: String, _ kind: FamilyKind, _ help: String) {
    let oneLine = help.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
      .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
    text += "# HELP \(name) \(oneLine)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  mutating func add(_ series: AnyObject, name: String, labels: String) {
    switch series {
    case let counter as CounterSeries: sample(name, labels, counter.value)
    case let counter as FloatingCounterSeries: sample(name, labels, counter.value)
    case let gauge as GaugeSeries: sample(name, labels, gauge.value)
    case let histogram as HistogramSeries: add(histogram, name: name, labels: labels)
    default: preconditionFailure("a series of unknown type \(type(of: series)) named \(name)")
    }
  }

  mutating func sample(_ name: String, _ labels: String, _ value: Double) {
    text += name
    if !labels.isEmpty { text += "{\(labels)}" }
    text += " \(Self.number(value))\n"
  }

  private mutating func add(_ histogram: HistogramSeries, name: String, labels: String) {
    let (cumulative, count, sum) = histogram.snapshot()
    let prefix = labels.isEmpty ? "" : "\(labels),"
    for (bound, count) in cumulative {
      sample("\(name)_bucket", "\(prefix)le=\"\(Self.number(bound))\"", Double(count))
    }
    sample("\(name)_bucket", "\(prefix)le=\"+Inf\"", Double(count))
    sample("\(name)_sum", labels, sum)
    sample("\(name)_count", labels, Double(count))
  }

  /// A number as Go's ParseFloat reads it, whole ones without a fraction.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if let whole = Int64(exactly: value), abs(whole) < 1 << 53 { return String(whole) }
    return "\(value)"
  }
}
