import Identifiers
import ImporterDomain
import WorkerPool

/// The content of a file as bytes, between the process that reads it and the service. The service believes nothing of it: any bytes are
/// decoded or refused.
package enum ContentCodec {
  /// Days from 1970-01-01 to the first and the last that a file can write, of the years 1 and 9999.
  private static let calendar: ClosedRange<Int64> = -719_162...2_932_896

  /// The last byte: output that was cut off has none.
  private static let end: UInt8 = 0xE5

  package static func encode(_ content: ActivityFileContent) -> [UInt8] {
    var writer = Writer()
    encode(content, &writer)
    return writer.bytes
  }

  private static func encode(_ content: ActivityFileContent, _ writer: inout Writer) {
    writer.text(content.format?.rawValue ?? "")
    writer.optional(content.fault) { writer, fault in
      writer.integer(Int64(fault.kind.rawValue))
      writer.text(fault.message)
      writer.integer(Int64(fault.offset))
      writer.integer(Int64(fault.line))
      writer.text(fault.member)
    }
    writer.batch(content.batch)
    writer.batch(content.local)
    writer.list(content.skipped) { writer, record in
      writer.text(record.member)
      writer.text(record.list)
      writer.integer(Int64(record.index))
      writer.text(record.message)
    }
    writer.integer(Int64(content.skippedCount))
    writer.bytes.append(end)
  }

  /// A part of the output of a reader that has activities alone.
  package static func framed(_ activities: [ImportedActivity]) -> [UInt8] {
    framed(ActivityFileContent(batch: ImportedBatch(activities: activities)), .further)
  }

  /// A part of the output of a reader: its place, its length, then itself.
  package static func framed(_ content: ActivityFileContent, _ place: ContentFrames.Place) -> [UInt8] {
    var writer = Writer()
    writer.bytes.append(place.rawValue)
    writer.integer(0)
    encode(content, &writer)
    let length = Int64(writer.bytes.count - ContentFrames.headerLength).littleEndian
    withUnsafeBytes(of: length) { writer.bytes.replaceSubrange(1..<ContentFrames.headerLength, with: $0) }
    return writer.bytes
  }

  /// The content; `nil` for bytes that are none.
  package static func decode(_ bytes: [UInt8], on thread: borrowing PoolThread) -> ActivityFileContent? {
    var reader = Reader(bytes: bytes)
    do throws(Malformed) {
      let format = try reader.text()
      var content = ActivityFileContent(format: .init(rawValue: format))
      guard format.isEmpty || content.format != nil else { return nil }
      content.fault = try reader.optional { reader throws(Malformed) in try Self.fault(&reader) }
      content.batch = try batch(&reader)
      content.local = try batch(&reader)
      content.skipped = try reader.list(FileLimits.skippedRecords) { reader throws(Malformed) in
        SkippedRecord(
          member: try reader.text(), list: try reader.text(), index: Int(try reader.integer(within: 0...Int64.max)),
          message: try reader.text())
      }
      content.skippedCount = Int(try reader.integer(within: Int64(content.skipped.count)...Int64(Int32.max)))
      guard try reader.byte() == end, reader.isAtEnd else { return nil }
      return content
    } catch { return nil }
  }

  private static func batch(_ reader: inout Reader) throws(Malformed) -> ImportedBatch {
    var batch = ImportedBatch()
    batch.activities = try reader.list(FileLimits.activities) { reader throws(Malformed) in
      try Self.activity(&reader)
    }
    batch.steps = try reader.list(FileLimits.measurements) { reader throws(Malformed) in
      let provider = try reader.text()
      let day = CivilDate(daysSince1970: Int(try reader.integer(within: calendar)))
      return ImportedSteps(
        provider: provider, day: day, steps: try reader.integer(),
        raw: try reader.optional { reader throws(Malformed) in try reader.text() })
    }
    batch.sleeps = try reader.list(FileLimits.measurements) { reader throws(Malformed) in
      ImportedSleep(
        provider: try reader.text(), externalID: try reader.text(), startedAt: try reader.instant(),
        endedAt: try reader.instant(), timeZone: try reader.text(), asleepSeconds: try reader.number(),
        raw: try reader.optional { reader throws(Malformed) in try reader.text() })
    }
    batch.weights = try reader.list(FileLimits.measurements) { reader throws(Malformed) in
      ImportedWeight(
        provider: try reader.text(), measuredAt: try reader.instant(), kilograms: try reader.number(),
        raw: try reader.optional { reader throws(Malformed) in try reader.text() })
    }
    return batch
  }

  private static func fault(_ reader: inout Reader) throws(Malformed) -> ActivityFileFault {
    guard let kind = ActivityFileFault.Kind(rawValue: UInt8(try reader.integer(within: 0...255))) else {
      throw Malformed()
    }
    let message = try reader.text()
    let offset = Int(try reader.integer(within: 0...Int64.max))
    let line = Int(try reader.integer(within: 0...Int64.max))
    return ActivityFileFault(kind, message, offset: offset, line: line, member: try reader.text())
  }

  private static func activity(_ reader: inout Reader) throws(Malformed) -> ImportedActivity {
    let (provider, externalID) = (try reader.text(), try reader.text())
    guard let sport = Sport(rawValue: try reader.text()) else { throw Malformed() }
    var activity = ImportedActivity(
      provider: provider, externalID: externalID, sport: sport, startedAt: try reader.instant(),
      timeZone: try reader.text(), durationSeconds: try reader.number())
    activity.movingSeconds = try reader.optional { reader throws(Malformed) in try reader.number() }
    activity.distanceMetres = try reader.optional { reader throws(Malformed) in try reader.number() }
    activity.energyKilocalories = try reader.optional { reader throws(Malformed) in try reader.number() }
    activity.heartRateAverage = try reader.optional { reader throws(Malformed) in try reader.number() }
    activity.heartRateMaximum = try reader.optional { reader throws(Malformed) in try reader.number() }
    activity.ascentMetres = try reader.optional { reader throws(Malformed) in try reader.number() }
    activity.elevationSource = ElevationSource(rawValue: try reader.text())
    activity.title = try reader.text()
    activity.device = try reader.text()
    activity.raw = try reader.optional { reader throws(Malformed) in try reader.text() }
    activity.track = try reader.optional { reader throws(Malformed) in
      guard let track = TrackCodec.decode(try reader.data()) else { throw Malformed() }
      reader.points += track.points.count
      guard reader.points <= FileLimits.recordPoints else { throw Malformed() }
      return track
    }
    return activity
  }
}

/// Bytes that are no content.
private struct Malformed: Error {}

private struct Writer {
  var bytes: [UInt8] = []

  mutating func integer(_ value: Int64) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
  mutating func number(_ value: Double) { integer(Int64(bitPattern: value.bitPattern)) }

  mutating func data(_ data: [UInt8]) {
    integer(Int64(data.count))
    bytes += data
  }

  mutating func text(_ text: String) { data(Array(text.utf8)) }

  mutating func optional<Value>(_ value: Value?, _ write: (inout Writer, Value) -> Void) {
    bytes.append(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }

  mutating func list<Element>(_ list: [Element], _ write: (inout Writer, Element) -> Void) {
    integer(Int64(list.count))
    for element in list { write(&self, element) }
  }

  mutating func batch(_ batch: ImportedBatch) {
    list(batch.activities) { $0.activity($1) }
    list(batch.steps) { writer, day in
      writer.text(day.provider)
      writer.integer(Int64(day.day.daysSince1970))
      writer.integer(day.steps)
      writer.optional(day.raw) { $0.text($1) }
    }
    list(batch.sleeps) { writer, sleep in
      writer.text(sleep.provider)
      writer.text(sleep.externalID)
      writer.integer(sleep.startedAt.microseconds)
      writer.integer(sleep.endedAt.microseconds)
      writer.text(sleep.timeZone)
      writer.number(sleep.asleepSeconds)
      writer.optional(sleep.raw) { $0.text($1) }
    }
    list(batch.weights) { writer, weight in
      writer.text(weight.provider)
      writer.integer(weight.measuredAt.microseconds)
      writer.number(weight.kilograms)
      writer.optional(weight.raw) { $0.text($1) }
    }
  }

  mutating func activity(_ activity: ImportedActivity) {
    text(activity.provider)
    text(activity.externalID)
    text(activity.sport.rawValue)
    integer(activity.startedAt.microseconds)
    text(activity.timeZone)
    number(activity.durationSeconds)
    for value in [
      activity.movingSeconds, activity.distanceMetres, activity.energyKilocalories, activity.heartRateAverage,
      activity.heartRateMaximum, activity.ascentMetres,
    ] { optional(value) { $0.number($1) } }
    text(activity.elevationSource?.rawValue ?? "")
    text(activity.title)
    text(activity.device)
    optional(activity.raw) { $0.text($1) }
    optional(activity.track?.storable) { $0.data(TrackCodec.encode($1)) }
  }
}

private struct Reader {
  let bytes: [UInt8]
  /// Of all tracks so far: a point in memory is many times its bytes here.
  var points = 0
  private var offset = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func byte() throws(Malformed) -> UInt8 {
    guard offset < bytes.count else { throw Malformed() }
    offset += 1
    return bytes[offset - 1]
  }

  mutating func integer() throws(Malformed) -> Int64 {
    guard bytes.count - offset >= 8 else { throw Malformed() }
    let value = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Int64.self) }
    offset += 8
    return Int64(littleEndian: value)
  }

  mutating func integer(within range: ClosedRange<Int64>) throws(Malformed) -> Int64 {
    let value = try integer()
    guard range.contains(value) else { throw Malformed() }
    return value
  }

  mutating func number() throws(Malformed) -> Double { Double(bitPattern: UInt64(bitPattern: try integer())) }
  mutating func instant() throws(Malformed) -> Instant { Instant(microseconds: try integer()) }

  mutating func data() throws(Malformed) -> [UInt8] {
    let count = Int(try integer(within: 0...Int64(bytes.count - offset)))
    guard count <= bytes.count - offset else { throw Malformed() }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  mutating func text() throws(Malformed) -> String {
    guard let text = String(validating: try data(), as: UTF8.self) else { throw Malformed() }
    return text
  }

  mutating func optional<Value>(_ read: (inout Reader) throws(Malformed) -> Value) throws(Malformed) -> Value? {
    try byte() == 0 ? nil : try read(&self)
  }

  mutating func list<Element>(
    _ most: Int, _ read: (inout Reader) throws(Malformed) -> Element
  ) throws(Malformed) -> [Element] {
    let count = try integer(within: 0...Int64(most))
    var list: [Element] = []
    for _ in 0..<count { list.append(try read(&self)) }
    return list
  }
}
