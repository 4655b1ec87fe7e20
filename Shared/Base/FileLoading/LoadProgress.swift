/// The progress of a load as one line for the operator.
package struct LoadProgress: Sendable, CustomStringConvertible {
  private let bytes: Int
  private let size: Int?
  private let records: Int
  private let elapsed: Duration

  /// - Parameter size: bytes of the whole file; `nil` where it is unknown.
  package init(bytes: Int, of size: Int?, records: Int, elapsed: Duration) {
    self.bytes = bytes
    self.size = size
    self.records = records
    self.elapsed = elapsed
  }

  /// Share of the file, records, records a second, and the time that is left at the rate so far.
  package var description: String {
    let share = size.map { $0 > 0 ? "\(min(100, bytes * 100 / $0)) %, " : "" } ?? ""
    return "\(share)\(Self.grouped(records)) records, \(Self.grouped(rate)) a second\(left)"
  }

  /// Records a second.
  package var rate: Int {
    let seconds = Self.seconds(elapsed)
    return seconds > 0 ? Int(Double(records) / seconds) : 0
  }

  private var left: String {
    guard let size, bytes > 0, bytes < size else { return "" }
    let seconds = Int((Self.seconds(elapsed) * Double(size - bytes) / Double(bytes)).rounded(.up))
    return seconds < 120 ? ", \(seconds) s left" : ", \((seconds + 59) / 60) min left"
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  /// `1,234,567`.
  package static func grouped(_ number: Int) -> String {
    var text = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }
}
