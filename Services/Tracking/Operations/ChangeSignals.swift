import Geography
import Identifiers
import Live
import Postgres
import TrackingDomain

/// Publishes stored changes to all replicas, so that they need not read the log ([TR-4]).
package struct ChangeSignals: Sendable {
  /// One channel for all groups: a replica subscribes once, however many groups are watched at it.
  package static let channel = LiveChannel("tracking.changes")
  /// Changes in one payload, which stays far below what the bus takes.
  private static let batch = 500

  private let live: any LiveBus

  package init(live: any LiveBus) { self.live = live }

  /// Publishes changes in the order of their groups' numbers. Call it after the commit.
  package func publish(_ changes: [NumberedChange]) {
    for start in stride(from: 0, to: changes.count, by: Self.batch) {
      var payload = SignalWriter()
      for change in changes[start..<min(start + Self.batch, changes.count)] { payload.append(change) }
      live.publish(payload.bytes, to: Self.channel)
    }
  }

  /// Takes the changes of a payload, up to the first that is malformed: another version of the service may have written it, and what is
  /// missing is read from the log.
  package static func read(_ payload: [UInt8], _ take: (ChangeSignal) -> Void) {
    payload.withUnsafeBytes { bytes in
      var reader = SignalReader(bytes)
      while let signal = reader.next() { take(signal) }
    }
  }
}

/// That a group has a change.
package struct ChangeSignal: Sendable {
  package let groupID: GroupID
  package let sequence: Int64
  /// The change; `nil` where it has to be read from the log.
  package let change: GroupChange?
}

// A change in a payload: group 16 bytes, number 8, user 16, kind 1, state 1, warnings 1, and a byte of which each bit says that a part
// follows: 1 position (latitude 8, longitude 8, time 8), 2 accuracy 8, 4 altitude 8, 8 speed 8, 16 course 8, 32 journey 16, 64 promised
// arrival 8, 128 estimated arrival 8. Integers and
// the bits of floating-point numbers are big-endian. Times are microseconds since 1970.

private struct SignalWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ numbered: NumberedChange) {
    let change = numbered.change
    bytes.reserveCapacity(bytes.count + 120)
    bytes += change.groupID.uuid.bytes
    append(UInt64(bitPattern: numbered.sequence))
    bytes += change.userID.uuid.bytes
    bytes.append(change.kind.code)
    bytes.append(change.state.code)
    bytes.append(UInt8(truncatingIfNeeded: change.warnings.rawValue))
    let position = change.position
    let parts: [Double?] = [position?.accuracy, position?.altitude, position?.speed, position?.course]
    var flags: UInt8 = position == nil ? 0 : 1
    for (place, part) in parts.enumerated() where part != nil { flags |= 2 << UInt8(place) }
    if change.journeyID != nil { flags |= 32 }
    if change.arrival != nil { flags |= 64 }
    if change.arrival?.estimatedAt != nil { flags |= 128 }
    bytes.append(flags)
    if let position {
      append(position.point.latitude.bitPattern)
      append(position.point.longitude.bitPattern)
      append(UInt64(bitPattern: position.time.microseconds))
    }
    for part in parts { if let part { append(part.bitPattern) } }
    if let journeyID = change.journeyID { bytes += journeyID.uuid.bytes }
    for time in [change.arrival?.promisedAt, change.arrival?.estimatedAt] {
      if let time { append(UInt64(bitPattern: time.microseconds)) }
    }
  }

  private mutating func append(_ value: UInt64) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }
}

private struct SignalReader {
  private var rest: Slice<UnsafeRawBufferPointer>

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes[...] }

  mutating func next() -> ChangeSignal? {
    guard let group = id().map({ GroupID($0) }), let sequence = number().map({ Int64(bitPattern: $0) }),
      let user = id().map({ UserID($0) }), let kind = byte(), let state = byte(), let warnings = byte(),
      let flags = byte()
    else { return nil }
    var position: Fix?
    if flags & 1 != 0 {
      guard let latitude = double(), let longitude = double(), let time = moment(),
        let point = GeoPoint(latitude: latitude, longitude: longitude)
      else { return nil }
      let parts = (0..<4).map { flags & (2 << UInt8($0)) == 0 ? nil : double() }
      position = Fix(
        point, at: time, accuracy: parts[0], altitude: parts[1],
        speed: parts[2], course: parts[3])
    }
    var journey: JourneyID?
    if flags & 32 != 0 {
      guard let id = id() else { return nil }
      journey = JourneyID(id)
    }
    var times: [Instant?] = [nil, nil]
    for (place, flag) in [64, 128].enumerated() where flags & UInt8(flag) != 0 {
      guard let time = moment() else { return nil }
      times[place] = time
    }
    // Names are in the log alone; and what another version writes may be unknown.
    guard let kind = ChangeKind(code: kind), !kind.hasName, let state = MemberState(code: state) else {
      return ChangeSignal(groupID: group, sequence: sequence, change: nil)
    }
    let change = GroupChange(
      kind, of: user, in: group, state: state, warnings: Warnings(rawValue: Int32(warnings)), position: position,
      journeyID: journey, arrival: times[0].map { ExpectedArrival(promisedAt: $0, estimatedAt: times[1]) })
    return ChangeSignal(groupID: group, sequence: sequence, change: change)
  }

  private mutating func byte() -> UInt8? { rest.popFirst() }

  private mutating func number() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest.removeFirst(8) }
    return UInt64(bigEndian: UnsafeRawBufferPointer(rebasing: rest.prefix(8)).loadUnaligned(as: UInt64.self))
  }

  /// The years 1 to 9999 in microseconds since 1970: a moment of another cannot be sent on.
  private static let moments: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

  private mutating func moment() -> Instant? {
    number().map { Int64(bitPattern: $0) }.flatMap { Self.moments.contains($0) ? Instant(microseconds: $0) : nil }
  }

  private mutating func double() -> Double? { number().map(Double.init(bitPattern:)) }

  private mutating func id() -> UUID7? {
    guard rest.count >= 16 else { return nil }
    defer { rest.removeFirst(16) }
    return UUID7(bytes: UnsafeRawBufferPointer(rebasing: rest.prefix(16)))
  }
}

extension ChangeKind {
  fileprivate static let codes: [ChangeKind] = [
    .position, .state, .joined, .left, .visibility, .placeReached, .placeLeft,
  ]
  /// Whether it is sent with the name of a member or of a place.
  fileprivate var hasName: Bool { self == .joined || self == .placeReached || self == .placeLeft }
  fileprivate var code: UInt8 { UInt8(Self.codes.firstIndex(of: self) ?? 255) }
  fileprivate init?(code: UInt8) {
    guard Self.codes.indices.contains(Int(code)) else { return nil }
    self = Self.codes[Int(code)]
  }
}

extension MemberState {
  fileprivate static let codes: [MemberState] = [.inactive, .active, .routing, .warning, .sos]
  fileprivate var code: UInt8 { UInt8(Self.codes.firstIndex(of: self) ?? 255) }
  fileprivate init?(code: UInt8) {
    guard Self.codes.indices.contains(Int(code)) else { return nil }
    self = Self.codes[Int(code)]
  }
}
