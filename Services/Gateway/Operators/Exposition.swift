/// Metrics in Prometheus' text format, as the ports for health and metrics write them.
struct Exposition {
  struct Sample {
    let name: Substring
    let labels: Substring
    let value: Double

    /// The value of a label; escapes are left as they are.
    func label(_ name: String) -> Substring? {
      guard let start = labels.firstRange(of: "\(name)=\"")?.upperBound else { return nil }
      return labels[start...].prefix { $0 != "\"" }
    }
  }

  private let byName: [Substring: [Sample]]

  init(_ text: String) {
    var byName: [Substring: [Sample]] = [:]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else { continue }
      let series = line[..<space]
      let name = series.prefix { $0 != "{" }
      let labels = series.dropFirst(name.count).drop { $0 == "{" }
      byName[name, default: []].append(
        Sample(name: name, labels: labels.hasSuffix("}") ? labels.dropLast() : labels, value: value))
    }
    self.byName = byName
  }

  func samples(_ name: String) -> [Sample] { byName[name[...]] ?? [] }

  /// The sum over all labels; `nil` without the metric.
  func sum(_ names: String..., where isCounted: (Sample) -> Bool = { _ in true }) -> Double? {
    let found = names.flatMap(samples)
    return found.isEmpty ? nil : found.filter(isCounted).reduce(0) { $0 + $1.value }
  }

  /// Cumulative counts by their upper bounds, over all labels.
  func buckets(_ names: String...) -> [Double: Double] {
    names.flatMap { samples("\($0)_bucket") }.reduce(into: [:]) { found, sample in
      guard let text = sample.label("le") else { return }
      found[text == "+Inf" ? .infinity : Double(text) ?? .infinity, default: 0] += sample.value
    }
  }
}
