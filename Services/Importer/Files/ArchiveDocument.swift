import FileContents
import ProviderDocuments

/// A JSON document of an archive of Fitbit or Google.
enum ArchiveDocument {
  /// Fitbit's: what its list contains, and its lists that are members.
  case fitbit(FitbitDocument.List?, [String: FitbitDocument.List])
  /// Google Fit's: one session.
  case session

  /// Bytes by which a document is recognised.
  static let startLength = 4_096

  /// What a document is; `nil` for one that is not read.
  ///
  /// - Parameters:
  ///   - name: of a member of an archive; empty for a document that is uploaded by itself.
  ///   - start: its first bytes.
  init?(_ name: String, _ start: [UInt8]) {
    let file = name.lowercased().split(separator: "/").last.map(String.init) ?? ""
    let text = String(decoding: start, as: UTF8.self)
    if file.hasPrefix("exercise-") {
      self = .fitbit(.activities, [:])
    } else if file.hasPrefix("sleep-") {
      self = .fitbit(.sleep, [:])
    } else if file.hasPrefix("steps-") {
      self = .fitbit(.steps, [:])
    } else if text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "[" {
      // Documents by the minute do not say what they count: only their names do.
      if text.contains("\"dateOfSleep\"") {
        self = .fitbit(.sleep, [:])
      } else if text.contains("\"logId\""), text.contains("\"activityName\"") {
        self = .fitbit(.activities, [:])
      } else {
        return nil
      }
    } else if text.contains("\"fitnessActivity\"") {
      self = .session
    } else if Self.marks.contains(where: text.contains) {
      self = .fitbit(nil, Self.webAPI)
    } else {
      return nil
    }
  }

  /// Names that the answers of Fitbit's Web API have near their beginnings.
  private static let marks = [
    "\"logId\"", "\"dateOfSleep\"", "\"awakeCount\"", "\"awakeningsCount\"", "\"bmi\"", "\"activities-steps\"",
  ]
  private static let webAPI: [String: FitbitDocument.List] = [
    "activities": .activities, "sleep": .sleep, "weight": .weight, "activities-steps": .steps,
  ]
}

/// What the JSON documents of an archive contain together.
struct ArchiveDocuments {
  let zone: String
  private(set) var records = DocumentRecords()
  private(set) var skipped: [SkippedRecord] = []
  private(set) var skippedCount = 0

  init(zone: String) { self.zone = zone }

  /// Whether there are no records.
  var isEmpty: Bool {
    let (batch, local) = (records.batch, records.local)
    return activityCount + records.stepDays + batch.sleeps.count + local.sleeps.count + batch.weights.count
      + local.weights.count == 0
  }

  var activityCount: Int { records.batch.activities.count + records.local.activities.count }

  /// Reads a document to its end. A record that is broken is noted and passed over.
  ///
  /// - Throws: the fault of a document in which no further record can be found.
  mutating func read(
    _ source: some ByteSource, as document: ArchiveDocument, member: String
  ) throws(ActivityFileFault) {
    let zone = zone
    switch document {
    case .session:
      var source = source
      // A byte more than it may have tells that it is too long.
      let bytes = try source.first(FileLimits.elementBytes + 1)
      note("", 0, member) { (records) throws(RecordRefusal) in
        guard bytes.count <= FileLimits.elementBytes else { throw RecordRefusal("It is too long") }
        try GoogleFitSession.add(try Self.value(bytes), zone: zone, to: &records)
      }
    case .fitbit(let own, let lists):
      var elements = JSONElements(source, lists: Set(lists.keys))
      while let element = try elements.next() {
        guard let list = element.list.isEmpty ? own : lists[element.list] else { continue }
        note(element.list, element.index, member) { (records) throws(RecordRefusal) in
          guard let bytes = element.bytes else { throw RecordRefusal("It is too long") }
          try FitbitDocument.add(try Self.value(bytes), of: list, zone: zone, to: &records)
        }
        try check()
      }
    }
    try check()
  }

  private static func value(_ bytes: [UInt8]) throws(RecordRefusal) -> JSONValue {
    do { return try JSONValue(bytes) } catch {
      throw RecordRefusal(error == .tooDeep ? "It is nested too deep" : "It is no JSON")
    }
  }

  /// Notes a member that could not be read, and goes on behind it.
  mutating func skip(_ fault: ActivityFileFault, member: String) {
    let place = fault.line > 0 ? " (line \(fault.line), byte \(fault.offset))" : " (byte \(fault.offset))"
    skip(SkippedRecord(member: member, list: "", index: 0, message: fault.message + place))
  }

  /// Notes what could not be read of a member, of which more may have been counted than is listed.
  mutating func skip(_ content: ActivityFileContent, member: String) {
    for record in content.skipped {
      skip(SkippedRecord(member: member, list: record.list, index: record.index, message: record.message))
    }
    skippedCount += content.skippedCount - content.skipped.count
  }

  mutating func skip(_ record: SkippedRecord) {
    skippedCount += 1
    if skipped.count < FileLimits.skippedRecords { skipped.append(record) }
  }

  private mutating func note(
    _ list: String, _ index: Int, _ member: String, _ add: (inout DocumentRecords) throws(RecordRefusal) -> Void
  ) {
    do throws(RecordRefusal) { try add(&records) } catch {
      skip(SkippedRecord(member: member, list: list, index: index, message: error.message))
    }
  }

  /// Refuses more than a file may contain.
  private func check() throws(ActivityFileFault) {
    let (batch, local) = (records.batch, records.local)
    guard activityCount <= FileLimits.activities,
      batch.sleeps.count + local.sleeps.count <= FileLimits.measurements,
      batch.weights.count + local.weights.count <= FileLimits.measurements,
      records.stepDays <= FileLimits.measurements, records.rawBytes <= FileLimits.rawBytes
    else { throw ActivityFileFault(.tooMuch, "The archive has too many records", offset: 0) }
  }
}
