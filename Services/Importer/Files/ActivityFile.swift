import FITFormat
import FileContents
import Identifiers
import ImporterDomain

/// Reads files of trackers of every format.
package enum ActivityFile {
  /// Reads a file to its end, or to the first fault.
  ///
  /// - Parameter zone: of activities whose format does not say.
  package static func read(_ source: some ByteSource, zone: String) -> ActivityFileContent {
    var source = source
    do throws(ActivityFileFault) {
      let start = try source.first(startLength)
      if start.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
        return archive(PrefixedSource(start, source), zone: zone)
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

  /// A file that is no archive.
  private static func single(_ source: some ByteSource, _ start: [UInt8], zone: String) -> ActivityFileContent {
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
      return ActivityFileContent(
        format: .gpx, batch: ImportedBatch(activities: gpx.activities(zone: zone)), fault: fault)
    case let tcx as TCXDocument:
      return ActivityFileContent(
        format: .tcx, batch: ImportedBatch(activities: tcx.activities(zone: zone)), fault: fault)
    case let health as AppleHealth:
      return ActivityFileContent(format: .appleHealth, batch: health.batch(routes: [:]), fault: fault)
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

  private static func archive(_ source: some ByteSource, zone: String) -> ActivityFileContent {
    var content = ActivityFileContent(format: .takeout)
    var (health, routes): (AppleHealth?, [String: (start: Instant, track: Track)]) = (nil, [:])
    var (points, documents) = (0, ArchiveDocuments(zone: zone))
    do throws(ActivityFileFault) {
      let archive = try ArchiveMembers(source)
      while try archive.next() {
        let member = MemberSource(archive: archive)
        switch kind(archive.name) {
        case .health:
          let document = AppleHealth()
          health = document
          content.format = .appleHealth
          var source = member
          do throws(ActivityFileFault) { try XMLReader.read(&source, document) } catch {
            throw named(error, archive.name)
          }
        case .route:
          let document = GPXDocument()
          var source = member
          do throws(ActivityFileFault) { try XMLReader.read(&source, document) } catch {
            throw named(error, archive.name)
          }
          guard let track = document.track(), let start = document.start else { continue }
          points += track.points.count
          routes[archive.name.split(separator: "/").last.map(String.init) ?? archive.name] = (start, track)
        case .file:
          var source = member
          let start = try source.first(startLength)
          let found =
            isGzip(start)
            ? try unpacked(PrefixedSource(start, source), zone: zone)
            : single(PrefixedSource(start, source), start, zone: zone)
          content.batch += found.batch
          points += found.batch.activities.reduce(0) { $0 + ($1.track?.points.count ?? 0) }
          if let fault = found.fault { throw named(fault, archive.name) }
        case .document:
          var source = member
          let start = try source.first(ArchiveDocument.startLength)
          guard let document = ArchiveDocument(archive.name, start) else { continue }
          do throws(ActivityFileFault) {
            try documents.read(PrefixedSource(start, source), as: document, member: archive.name)
          } catch { throw named(error, archive.name) }
        case .other: continue
        }
        guard points <= maxPoints else {
          throw ActivityFileFault(.tooMuch, "The archive has too many points", offset: 0, member: archive.name)
        }
        guard content.batch.activities.count + documents.activityCount <= FileLimits.activities else {
          throw ActivityFileFault(.tooMuch, "The archive has too many activities", offset: 0, member: archive.name)
        }
      }
    } catch { content.fault = error }
    if let health { content.batch += health.batch(routes: routes) }
    content.add(documents)
    return content
  }

  /// Points of all activities of an archive, so that they fit into the memory of the reader.
  private static let maxPoints = 1_000_000

  private enum Member {
    case health
    case route
    case file
    case document
    case other
  }

  private static func kind(_ name: String) -> Member {
    let name = name.lowercased()
    if name.hasSuffix("export.xml"), name.hasPrefix("apple_health_export") || !name.contains("/") { return .health }
    if name.contains("workout-routes/"), name.hasSuffix(".gpx") { return .route }
    if name.hasSuffix(".json") { return .document }
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
}
