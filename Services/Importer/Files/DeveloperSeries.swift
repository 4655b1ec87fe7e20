import FITFormat
import ImporterDomain

/// What applications on the device recorded beside the profile's fields: a value of each of their fields for each record.
struct DeveloperSeries {
  private struct Series {
    let description: FITDeveloperFields.Description
    /// By the number of the record; NaN where there is none.
    var values: [Double]
  }

  private var described = FITDeveloperFields()
  private var series: [Series] = []
  /// Indices of series by developer and field.
  private var places: [UInt16: Int] = [:]
  private var records = 0

  /// Fields of which values are kept; devices have a few.
  private static let mostFields = 16
  /// Bytes of JSON beyond which the values are left out, and only their number, least, greatest and mean are kept.
  private static let longestSeries = 256 << 10

  /// Reads a message that may describe a field.
  mutating func describe(_ message: FITMessage) { described.add(message) }

  /// Reads a record's fields. One that stands for a field of the profile is the sample's, if it has none.
  mutating func add(_ message: FITMessage, of number: UInt16, to sample: inout Sample) {
    defer { records += 1 }
    for field in message.definition.developerFields {
      guard let description = described[field], let value = message.number(of: field, description) else { continue }
      if description.nativeMessage ?? number == number { Self.fill(&sample, description.nativeField, value) }
      let key = UInt16(field.developer) << 8 | UInt16(field.number)
      guard let place = places[key] ?? place(key, description) else { continue }
      series[place].values += repeatElement(.nan, count: records - series[place].values.count)
      series[place].values.append(value)
    }
  }

  /// Begins a series; `nil` if there are too many.
  private mutating func place(_ key: UInt16, _ description: FITDeveloperFields.Description) -> Int? {
    guard series.count < Self.mostFields else { return nil }
    places[key] = series.count
    series.append(Series(description: description, values: []))
    return series.count - 1
  }

  private static func fill(_ sample: inout Sample, _ native: UInt8?, _ value: Double) {
    switch native {
    case 3: sample.heartRate = sample.heartRate ?? value
    case 4: sample.cadence = sample.cadence ?? value
    case 5: sample.distance = sample.distance ?? value
    case 7: sample.power = sample.power ?? value
    default: break
    }
  }

  /// `{"session":{"24":34},"developer":[{"name":"Power","units":"Watts","values":[251.5,null]}]}`; `nil` if there is nothing.
  ///
  /// - Parameters:
  ///   - others: fields of the session by their numbers in the profile.
  ///   - records: the numbers of the activity's records.
  func json(others: [(number: UInt8, value: Double)], of records: some Collection<Int>) -> String? {
    var parts: [String] = []
    if !others.isEmpty {
      let fields = others.map { "\"\($0.number)\":\(Self.text($0.value))" }
      parts.append("\"session\":{\(fields.joined(separator: ","))}")
    }
    let lists = places.sorted { $0.key < $1.key }.compactMap { Self.json(series[$0.value], of: records) }
    if !lists.isEmpty { parts.append("\"developer\":[\(lists.joined(separator: ","))]") }
    return parts.isEmpty ? nil : "{\(parts.joined(separator: ","))}"
  }

  private static func json(_ series: Series, of records: some Collection<Int>) -> String? {
    let own = records.map { $0 < series.values.count ? series.values[$0] : .nan }
    let values = own.filter(\.isFinite)
    guard let least = values.min(), let greatest = values.max() else { return nil }
    var json = "{\"name\":\(quoted(series.description.name)),\"units\":\(quoted(series.description.units)),"
    let list = own.map { text(of: $0) }.joined(separator: ",")
    if list.utf8.count <= longestSeries / 4 {
      json += "\"values\":[\(list)]}"
    } else {
      let mean = values.reduce(0, +) / Double(values.count)
      json += "\"count\":\(values.count),\"least\":\(text(least)),\"greatest\":\(text(greatest)),"
      json += "\"mean\":\(text(mean))}"
    }
    return json
  }

  private static func text(of value: Double) -> String { value.isFinite ? text(value) : "null" }

  private static func text(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }

  /// A text as a string of JSON.
  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\u{0}"..<"\u{20}": quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
