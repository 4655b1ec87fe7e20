import FITFormat
import ImporterDomain

/// What applications on the device recorded beside the profile's fields: a value of each of their fields for each record.
struct DeveloperSeries {
  private struct Series {
    let name: String
    let units: String
    /// By the number of the record; NaN where there is none.
    var values: [Double] = []

    /// Of several values of a record the first.
    mutating func set(_ value: Double, at record: Int) {
      guard values.count <= record else { return }
      values += repeatElement(.nan, count: record - values.count)
      values.append(value)
    }
  }

  private var described = FITDeveloperFields()
  private var series: [Series] = []
  /// Indices of series by developer and field.
  private var places: [UInt16: Int] = [:]
  private var records = 0
  /// A field of the profile that the model does not have.
  private var temperatures = Series(name: "temperature", units: "C")

  /// The number of `temperature` of a record in the profile.
  private static let temperature: UInt8 = 13
  /// Fields of which values are kept; devices have a few.
  private static let maxFields = 16
  /// Bytes of JSON beyond which the values are left out, and only their number, least, greatest and mean are kept.
  private static let maxSeriesLength = 256 << 10

  /// Reads a message that may describe a field.
  mutating func describe(_ message: FITMessage) { described.add(message) }

  /// Reads a record's fields. One that stands for a field of the profile is the sample's, if it has none.
  mutating func add(_ message: FITMessage, of number: UInt16, to sample: inout Sample) {
    defer { records += 1 }
    if let degrees = message.number(Self.temperature) { temperatures.set(degrees, at: records) }
    for field in message.definition.developerFields {
      guard let description = described[field], let value = message.number(of: field, description) else { continue }
      if description.nativeMessage ?? number == number { Self.fill(&sample, description.nativeField, value) }
      let key = UInt16(field.developer) << 8 | UInt16(field.number)
      guard let place = places[key] ?? place(key, description) else { continue }
      series[place].set(value, at: records)
    }
  }

  /// Begins a series; `nil` if there are too many.
  private mutating func place(_ key: UInt16, _ description: FITDeveloperFields.Description) -> Int? {
    guard series.count < Self.maxFields else { return nil }
    places[key] = series.count
    series.append(Series(name: description.name, units: description.units))
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
  ///   - lists: further members, whose values are JSON.
  func json(
    others: [(number: UInt8, value: Double)], of records: some Collection<Int>,
    lists: [(name: String, json: String?)] = []
  ) -> String? {
    var parts: [String] = []
    if !others.isEmpty {
      let fields = others.map { "\"\($0.number)\":\(Self.text($0.value))" }
      parts.append("\"session\":{\(fields.joined(separator: ","))}")
    }
    let own = places.sorted { $0.key < $1.key }.compactMap { Self.json(series[$0.value], of: records) }
    if !own.isEmpty { parts.append("\"developer\":[\(own.joined(separator: ","))]") }
    if let degrees = Self.json(temperatures, of: records) { parts.append("\"temperature\":\(degrees)") }
    parts += lists.compactMap { list in list.json.map { "\"\(list.name)\":\($0)" } }
    return parts.isEmpty ? nil : "{\(parts.joined(separator: ","))}"
  }

  private static func json(_ series: Series, of records: some Collection<Int>) -> String? {
    let all = series.values
    let own = records.map { $0 < all.count ? all[$0] : .nan }
    let values = own.filter(\.isFinite)
    guard let least = values.min(), let greatest = values.max() else { return nil }
    var json = "{\"name\":\(quoted(series.name)),\"units\":\(quoted(series.units)),"
    let list = own.map { text(of: $0) }.joined(separator: ",")
    if list.utf8.count <= maxSeriesLength / 4 {
      json += "\"values\":[\(list)]}"
    } else {
      let mean = values.reduce(0, +) / Double(values.count)
      json += "\"count\":\(values.count),\"least\":\(text(least)),\"greatest\":\(text(greatest)),"
      json += "\"mean\":\(text(mean))}"
    }
    return json
  }

  private static func text(of value: Double) -> String { value.isFinite ? text(value) : "null" }

  /// A number as JSON.
  static func text(_ value: Double) -> String {
    Int64(exactly: value).map(String.init) ?? "\(value)"
  }

  /// A text as a string of JSON.
  static func quoted(_ text: String) -> String {
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
