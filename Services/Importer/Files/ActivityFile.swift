import FITFormat
import FileContents
import Identifiers
import ImporterDomain

/// Reads files of trackers of every format.
package enum ActivityFile {
  /// Takes activities of an archive while the rest of it is read; returns their bytes.
  package typealias Taker = ([ImportedActivity]) -> Int

  /// Reads a file to its end, or to the first fault.
  ///
  /// - Parameter zone: of activities whose format does not say.
  package static func read(_ source: some ByteSource, zone: String) -> ActivityFileContent {
    var taken: [ImportedActivity] = []
    var content = read(source, zone: zone) { activities in
      taken += activities
      return 0
    }
    content.batch.activities = taken + content.batch.activities
    return content
  }

  /// The same, and passes activities of archives on in between, so that no more than some are in memory.
  ///
  /// - Returns: the content without these.
  package static func read(_ source: some ByteSource, zone: String, _ take: Taker) -> ActivityFileContent {
    var source = source
    do throws(ActivityFileFault) {
      let start = try source.first(startLength)
      if start.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
        return archive(PrefixedSource(start, source), zone: zone, take)
      }
      if isGzip(start) { return try unpacked(PrefixedSource(start, source), zone: zone) }
      return single(PrefixedSource(start, source), start, zone: zone)
    } catch { return ActivityFileContent(fault: error) }
  }

  /// Enough for every format to be recognised.
  private static let startLength = 512

  private static func isGzip(_ start: [UInt8]) -> Bool { start.starts(with: [0x1F, 0x8B]) }

  /// A file that was compressed by itself (RFC 1952), as archives of providers have them too.
  private static func unpacked(_ source: some ByteSource, zone: String) throws(ActivityFileFault) -> ActivityFileContent
  {
    let archive = try ArchiveMembers(source, .gzip)
    guard try archive.next() else { throw ActivityFileFault(.unsupported, unsupported, offset: 0) }
    var member = MemberSource(archive: archive)
    let start = try member.first(startLength)
    return single(PrefixedSource(start, member), start, zone: zone)
  }

  /// A file that is no archive; one of which nothing is stored says so.
  private static func single(_ source: some ByteSource, _ start: [UInt8], zone: String) -> ActivityFileContent {
    var content = recognized(source, start, zone: zone)
    content.nameIfEmpty()
    return content
  }

  private static func recognized(_ source: some ByteSource, _ start: [UInt8], zone: String) -> ActivityFileContent {
    if FITReader.isFIT(start) { return fit(source, zone: zone) }
    // A byte order mark, white space, then an element.
    let text = start.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D, 0xFF, 0xFE, 0x00].contains($0) }
    if text.first == UInt8(ascii: "[") || text.first == UInt8(ascii: "{") { return document(source, zone: zone) }
    guard text.first == UInt8(ascii: "<") else {
      return ActivityFileContent(fault: ActivityFileFault(.unsupported, unsupported, offset: 0))
    }
    return xml(source, zone: zone)
  }

  private static let unsupported =
    "The file is neither GPX, TCX, FIT, an export of Apple Health, an archive of these nor one of Fitbit or Google"

  // MARK: FIT

  private static func fit(_ source: some ByteSource, zone: String) -> ActivityFileContent {
    var (source, content) = (source, ActivityFileContent(format: .fit))
    do throws(ActivityFileFault) {
      let bytes = try source.all(atMost: FileLimits.fileBytes)
      var found = FITActivities()
      found.reserve(fileBytes: bytes.count)
      content.fault = bytes.withUnsafeBytes { bytes in
        do throws(FITFault) {
          try FITReader.read(bytes) { found.add($0) }
          return nil
        } catch { return ActivityFileFault(.broken, error.description, offset: error.offset) }
      }
      // It came before the end of what could be read.
      content.fault = found.excess ?? content.fault
      content.batch = ImportedBatch(activities: found.activities(zone: zone), weights: found.weights)
      if content.fault == nil { content.skip(found.leftOut) }
    } catch { content.fault = error }
    return content
  }

  // MARK: XML

  /// Finds out by the root element which document it is.
  private final class AnyDocument {
    private(set) var document: (any XMLVisitor)?

    func begin(_ root: XMLName) throws(XMLRefusal) -> any XMLVisitor {
      let found: any XMLVisitor =
        switch root {
        case "gpx": GPXDocument()
        case "TrainingCenterDatabase": TCXDocument()
        case "HealthData": AppleHealth()
        default: throw XMLRefusal(kind: .unsupported, message: ActivityFile.unsupported)
        }
      document = found
      return found
    }
  }

  /// A source that refuses what is too long for a single activity, unless it is an export of Apple Health.
  private struct BoundedSource<Rest: ByteSource>: ByteSource {
    var rest: Rest
    let document: AnyDocument
    var count = 0

    mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int {
      let read = try rest.read(into: buffer)
      count += read
      guard count <= FileLimits.fileBytes || document.document is AppleHealth else {
        throw ActivityFileFault(.tooLong, "The file is too long: 64 MiB is the most", offset: count)
      }
      return read
    }
  }

  private static func xml(_ source: some ByteSource, zone: String) -> ActivityFileContent {
    let document = AnyDocument()
    var (bounded, fault): (_, ActivityFileFault?) = (BoundedSource(rest: source, document: document), nil)
    do throws(ActivityFileFault) { try XMLReader.read(&bounded, document.begin) } catch { fault = error }
    switch document.document {
    case let gpx as GPXDocument:
      var content = ActivityFileContent(
        format: .gpx, batch: ImportedBatch(activities: gpx.activities(zone: zone)), fault: fault)
      if fault == nil { content.skip(gpx.tracksWithoutTimes, "The track has no two points with a time") }
      if fault == nil, gpx.tracks.isEmpty, gpx.counts.waypoints + gpx.counts.routePoints > 0 {
        content.skip([0], "The file has no track, only routes or waypoints")
      }
      return content
    case let tcx as TCXDocument:
      var content = ActivityFileContent(
        format: .tcx, batch: ImportedBatch(activities: tcx.activities(zone: zone)), fault: fault)
      if fault == nil {
        content.skip(tcx.activitiesWithoutTimes, "The activity has neither times nor laps")
        content.skip(tcx.lapsLeftOut)
      }
      return content
    case let health as AppleHealth:
      var content = ActivityFileContent(format: .appleHealth, batch: health.batch, fault: fault)
      content.skip(health.unreadableRecords, of: health.unreadableCount)
      return content
    default: return ActivityFileContent(fault: fault)
    }
  }

  // MARK: Documents of archives

  /// A JSON document that is uploaded by itself.
  ///
  /// - Parameter name: as in an archive; empty if only its beginning tells what it is.
  package static func document(
    _ source: some ByteSource, named name: String = "", zone: String
  ) -> ActivityFileContent {
    var (source, content) = (source, ActivityFileContent())
    var documents = ArchiveDocuments(zone: zone)
    do throws(ActivityFileFault) {
      let start = try source.first(ArchiveDocument.startLength)
      guard let document = ArchiveDocument(name, start) else {
        throw ActivityFileFault(.unsupported, unsupported, offset: 0)
      }
      content.format = .takeout
      try documents.read(PrefixedSource(start, source), as: document, member: name)
    } catch { content.fault = error }
    content.add(documents)
    return content
  }

  // MARK: Archives

  private static func archive(_ source: some ByteSource, zone: String, _ take: Taker) -> ActivityFileContent {
    var found = FoundInArchive(zone: zone)
    do throws(ActivityFileFault) {
      try read(try ArchiveMembers(source), within: "", at: 1, &found, take)
    } catch { found.content.fault = error }
    for route in found.unnamedRoutes.sorted() {
      found.documents.skip(
        SkippedRecord(member: route, list: "", index: 0, message: "No workout of the export has this route"))
    }
    if let health = found.health {
      var unreadable = ActivityFileContent()
      unreadable.skip(health.unreadableRecords, of: health.unreadableCount)
      found.documents.skip(unreadable, member: found.healthMember)
      found.content.batch += health.days
      health.forEachActivity(routes: found.routes) { activity in
        found.add(ImportedBatch(activities: [activity]))
        found.tell(take)
      }
    }
    found.nameUnread()
    found.content.add(found.documents)
    return found.content
  }

  /// What the members of an archive contain together.
  private struct FoundInArchive {
    var content = ActivityFileContent(format: .takeout)
    var health: AppleHealth?
    /// The member that it is.
    var healthMember = ""
    /// Tracks by the names of their files, as bytes: there may be many until their workouts are known.
    var routes: [String: (start: Instant, track: [UInt8])] = [:]
    /// The members of the routes, by the same names.
    private var routeMembers: [String: String] = [:]
    var documents: ArchiveDocuments
    /// Members that are not read, by their folders and the ends of their names: the first of each, and how many there are.
    private var unread: [String: (first: String, count: Int, isDocument: Bool)] = [:]
    /// All so far, also those that were told.
    private(set) var activityCount = 0
    /// Bytes of what was told.
    private(set) var bytes = 0
    private(set) var routeBytes = 0
    /// Points of the activities that are still to be told.
    private var points = 0

    init(zone: String) { documents = ArchiveDocuments(zone: zone) }

    mutating func add(_ batch: ImportedBatch) {
      content.batch += batch
      activityCount += batch.activities.count
      points += batch.activities.reduce(0) { $0 + ($1.track?.points.count ?? 0) }
    }

    mutating func add(_ route: Track, from start: Instant, named name: String) {
      let track = TrackCodec.encode(route.storable)
      routeBytes += track.count
      let file = name.split(separator: "/").last.map(String.init) ?? name
      if let earlier = routeMembers[file] {
        documents.skip(
          SkippedRecord(member: earlier, list: "", index: 0, message: "Another route of the archive has the same name"))
      }
      (routes[file], routeMembers[file]) = ((start, track), name)
    }

    /// The members that are routes of no workout.
    var unnamedRoutes: [String] {
      routeMembers.filter { file, _ in health.map { !$0.names(file) } ?? true }.map(\.value)
    }

    /// Notes a member that is not read, beside others like it.
    ///
    /// - Parameter isDocument: whether files of trackers may have its format.
    mutating func passOver(_ name: String, isDocument: Bool) {
      let folder = name.lastIndex(of: "/").map { name[..<$0] } ?? ""
      let file = name[(name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex)...]
      let key = "\(folder)/.\(file.lastIndex(of: ".").map { file[$0...].lowercased() } ?? "")"
      if let known = unread[key] {
        unread[key] = (known.first, known.count + 1, known.isDocument)
      } else if unread.count < FileLimits.skippedRecords {
        unread[key] = (name, 1, isDocument)
      }
    }

    /// Names what was not read: of documents in any case, of pictures, tables and the like where there was nothing else.
    mutating func nameUnread() {
      let isEmpty =
        activityCount + documents.activityCount == 0 && content.batch.isEmpty && documents.isEmpty
        && documents.skippedCount == 0
      for (first, count, isDocument) in unread.values.sorted(by: { $0.first < $1.first }) where isDocument || isEmpty {
        let others = count > 1 ? "It and \(count - 1) more like it in its folder are" : "It is"
        documents.skip(
          SkippedRecord(member: first, list: "", index: 0, message: "\(others) nothing that is read of an archive"))
      }
    }

    /// Passes the activities on once there are enough.
    mutating func tell(_ take: Taker) {
      guard points >= FileLimits.pointsAtOnce else { return }
      bytes += take(content.batch.activities)
      (content.batch.activities, points) = ([], 0)
    }
  }

  /// Reads the members of an archive. One that cannot be read is noted and passed over.
  ///
  /// - Parameters:
  ///   - folder: what comes before the names of its members: the archive that it is in.
  ///   - depth: 1 for the file itself.
  private static func read(
    _ archive: ArchiveMembers, within folder: String, at depth: Int, _ found: inout FoundInArchive, _ take: Taker
  ) throws(ActivityFileFault) {
    while try archive.next() {
      let name = folder + archive.name
      do throws(ActivityFileFault) {
        try read(MemberSource(archive: archive), named: name, at: depth, &found, take)
      } catch {
        // What is made to do harm is not passed over, in whichever layer it is.
        guard !archive.isBroken, error.message != ArchiveMembers.unpacksToTooMuch else { throw named(error, name) }
        found.documents.skip(error, member: name)
      }
      found.tell(take)
      guard found.bytes <= FileLimits.recordBytes, found.routeBytes <= FileLimits.routeBytes else {
        throw ActivityFileFault(.tooMuch, "The archive has too many points", offset: 0, member: name)
      }
      guard found.activityCount + found.documents.activityCount <= FileLimits.activities else {
        throw ActivityFileFault(.tooMuch, "The archive has too many activities", offset: 0, member: name)
      }
    }
  }

  private static func read(
    _ member: MemberSource, named name: String, at depth: Int, _ found: inout FoundInArchive, _ take: Taker
  ) throws(ActivityFileFault) {
    var source = member
    switch kind(name) {
    case .xml:
      let start = try source.first(startLength)
      // Its name is in the language of the phone; `export_cda.xml` beside it is another document.
      guard String(decoding: start, as: UTF8.self).contains("HealthData") else {
        return found.passOver(name, isDocument: true)
      }
      let document = AppleHealth()
      found.content.format = .appleHealth
      found.healthMember = name
      var whole = PrefixedSource(start, source)
      found.health = document
      try XMLReader.read(&whole, document)
    case .route:
      let document = GPXDocument()
      try XMLReader.read(&source, document)
      guard let track = document.track(), let start = document.start else {
        throw ActivityFileFault(.broken, "The route has no two points with a time", offset: 0)
      }
      found.add(track, from: start, named: name)
    case .file:
      let start = try source.first(startLength)
      let one =
        isGzip(start)
        ? try unpacked(PrefixedSource(start, source), zone: found.documents.zone)
        : single(PrefixedSource(start, source), start, zone: found.documents.zone)
      if let fault = one.fault { throw fault }
      found.documents.skip(one, member: name)
      found.add(one.batch)
    case .document:
      let start = try source.first(ArchiveDocument.startLength)
      guard let document = ArchiveDocument(name, start) else { return found.passOver(name, isDocument: true) }
      try found.documents.read(PrefixedSource(start, source), as: document, member: name)
    case .archive:
      guard depth < FileLimits.archiveDepth else {
        throw ActivityFileFault(.tooMuch, "It is an archive in an archive in an archive", offset: 0)
      }
      try read(try ArchiveMembers(source), within: name + "/", at: depth + 1, &found, take)
    case .other: found.passOver(name, isDocument: false)
    }
  }

  private enum Member {
    case xml
    case route
    case file
    case document
    case archive
    case other
  }

  private static func kind(_ name: String) -> Member {
    let name = name.lowercased()
    if name.hasSuffix(".xml") { return .xml }
    if name.contains("workout-routes/"), name.hasSuffix(".gpx") { return .route }
    if name.hasSuffix(".json") { return .document }
    if name.hasSuffix(".zip") { return .archive }
    let plain = name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    return [".gpx", ".tcx", ".fit"].contains { plain.hasSuffix($0) } ? .file : .other
  }

  private static func named(_ fault: ActivityFileFault, _ member: String) -> ActivityFileFault {
    var fault = fault
    fault.member = member
    return fault
  }
}

extension ActivityFileContent {
  fileprivate mutating func add(_ documents: ArchiveDocuments) {
    batch += documents.records.whole
    local = documents.records.local
    (skipped, skippedCount) = (documents.skipped, documents.skippedCount)
  }

  /// Notes what is not stored of a file without any fault: the places in it, from 0.
  fileprivate mutating func skip(_ places: [Int], _ message: String) {
    skippedCount += places.count
    skipped += places.prefix(FileLimits.skippedRecords).map {
      SkippedRecord(member: "", list: "", index: $0, message: message)
    }
  }

  /// Notes what is not stored of a file.
  ///
  /// - Parameter count: how much it is, if more than is listed.
  fileprivate mutating func skip(_ records: [SkippedRecord], of count: Int? = nil) {
    skippedCount += count ?? records.count
    skipped += records.prefix(max(0, FileLimits.skippedRecords - skipped.count))
  }

  /// Says that a file which can be read has nothing that is stored.
  fileprivate mutating func nameIfEmpty() {
    guard fault == nil, skippedCount == 0, batch.isEmpty, local.isEmpty else { return }
    let message =
      switch format {
      case .fit: "The file has neither activities nor weighings"
      case .gpx: "The file has no track"
      case .tcx: "The file has no activity"
      case .appleHealth: "The export has neither workouts, steps, nights nor weighings"
      case .takeout, nil: "The document has no records"
      }
    skip([0], message)
  }
}

extension ImportedBatch {
  fileprivate var isEmpty: Bool { activities.isEmpty && steps.isEmpty && sleeps.isEmpty && weights.isEmpty }
}
