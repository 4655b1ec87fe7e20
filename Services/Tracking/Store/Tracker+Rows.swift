import Geography
import Identifiers
import Postgres
import TrackingDomain

extension Tracker {
  /// A user's position and states from their rows.
  package init(
    _ row: LockTrackers.Row, _ journey: OpenJourneysOf.Row?, _ statuses: some Sequence<StatusesOf.Row>,
    _ places: some Sequence<GeofencesOf.Row>
  ) {
    self.init(
      row.userID,
      position: Fix(
        row.latitude, row.longitude, row.recordedAt, accuracy: row.accuracyM, altitude: row.altitudeM,
        speed: row.speedMps, course: row.course),
      receivedAt: row.receivedAt, determinedAt: row.determinedAt, heardAt: row.heardAt, isSilent: row.isSilent,
      trail: Trail(TrailPoint.unpacked(row.trail), isStop: row.isStanding),
      suspect: TrailPoint.unpacked(row.suspect).first, journey: journey.map { OpenJourney($0) },
      groups: statuses.map {
        GroupStatus(
          $0.groupID, MemberStatus($0.state, warnings: $0.warnings, isShared: $0.sharedSince != nil),
          sharedSince: $0.sharedSince, withheldSince: $0.withheldSince)
      }, checkAt: row.checkAt, progress: JourneyProgress.unpacked(row.progress), estimatedAt: row.estimatedAt,
      places: places.compactMap { Geofence($0) }, recentReports: RecentReports.unpacked(row.recentReports),
      phoneClock: PhoneClock.unpacked(row.phoneClock), pathDays: PathDays.unpacked(row.pathDays))
  }
}

extension RecentReports {
  /// The digests one after the other, 8 bytes each, big-endian.
  package var packed: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digests.count * 8)
    for digest in digests { withUnsafeBytes(of: digest.bigEndian) { bytes.append(contentsOf: $0) } }
    return bytes
  }

  /// The digests of ``packed``.
  package static func unpacked(_ bytes: [UInt8]) -> RecentReports {
    bytes.withUnsafeBytes { raw in
      RecentReports(
        stride(from: 0, through: raw.count - 8, by: 8).map { start in
          UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        })
    }
  }
}

extension PathDays {
  /// Of each day its number and that of the positions, 4 bytes each, big-endian.
  package var packed: [UInt8] {
    days.flatMap { day in
      [day.number, day.count].flatMap { withUnsafeBytes(of: $0.bigEndian, Array.init) }
    }
  }

  /// The days of ``packed``.
  package static func unpacked(_ bytes: [UInt8]) -> PathDays {
    bytes.withUnsafeBytes { raw in
      func word(_ place: Int) -> Int32 {
        Int32(bigEndian: raw.loadUnaligned(fromByteOffset: place, as: Int32.self))
      }
      return PathDays(stride(from: 0, through: raw.count - 8, by: 8).map { Day(word($0), count: word($0 + 4)) })
    }
  }
}

extension PhoneClock {
  /// The offset in microseconds, then the claimed time and that of the arrival of the last reading in microseconds since 1970, 8 bytes each,
  /// big-endian; nothing where nothing is known.
  package var packed: [UInt8] {
    guard let last else { return [] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24)
    for word in [offset.microseconds, last.claimed.microseconds, last.arrivedAt.microseconds] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  /// The clock of ``packed``.
  package static func unpacked(_ bytes: [UInt8]) -> PhoneClock {
    guard bytes.count == 24 else { return PhoneClock() }
    return bytes.withUnsafeBytes { raw in
      func word(_ place: Int) -> Int64 {
        Int64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * place, as: Int64.self))
      }
      return PhoneClock(
        offset: .microseconds(word(0)),
        last: Reading(Instant(microseconds: word(1)), at: Instant(microseconds: word(2))))
    }
  }
}

extension Duration {
  /// Whole ones; of times between the years 1 and 9999 it fits.
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

extension JourneyProgress {
  private static let byteCount = 16

  /// Marks one after the other, each metres and microseconds since 1970, 8 bytes each, big-endian.
  package var packed: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(marks.count * Self.byteCount)
    for mark in marks {
      for word in [mark.left.value.bitPattern, UInt64(bitPattern: mark.time.microseconds)] {
        withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

  /// The marks of ``packed``.
  package static func unpacked(_ bytes: [UInt8]) -> JourneyProgress {
    bytes.withUnsafeBytes { raw in
      JourneyProgress(
        stride(from: 0, through: raw.count - byteCount, by: byteCount).map { start in
          func word(_ place: Int) -> UInt64 {
            UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: start + 8 * place, as: UInt64.self))
          }
          return Mark(
            Metres(Double(bitPattern: word(0))), at: Instant(microseconds: Int64(bitPattern: word(1))))
        })
    }
  }
}

extension OpenJourney {
  fileprivate init(_ row: OpenJourneysOf.Row) {
    var plan: JourneyPlan?
    if let latitude = row.latitude, let longitude = row.longitude, let arrivalAt = row.arrivalAt,
      let destination = GeoPoint(latitude: latitude, longitude: longitude)
    {
      plan = JourneyPlan(to: destination, arrivingAt: arrivalAt)
    }
    self.init(row.id, startedAt: row.startedAt, plan: plan)
  }
}

extension TrailPoint {
  private static let byteCount = 24

  /// Points one after the other, each latitude, longitude and microseconds since 1970, 8 bytes each, big-endian.
  package static func packed(_ points: [TrailPoint]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(points.count * byteCount)
    for point in points {
      for word in [
        point.point.latitude.bitPattern, point.point.longitude.bitPattern, UInt64(bitPattern: point.time.microseconds),
      ] { withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) } }
    }
    return bytes
  }

  /// The points of ``packed(_:)``.
  package static func unpacked(_ bytes: [UInt8]) -> [TrailPoint] {
    bytes.withUnsafeBytes { raw in
      stride(from: 0, through: raw.count - byteCount, by: byteCount).compactMap { start in
        func word(_ place: Int) -> UInt64 {
          UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: start + 8 * place, as: UInt64.self))
        }
        return GeoPoint(latitude: Double(bitPattern: word(0)), longitude: Double(bitPattern: word(1))).map {
          TrailPoint($0, at: Instant(microseconds: Int64(bitPattern: word(2))))
        }
      }
    }
  }
}

extension PutTrackers {
  package init(_ trackers: [Tracker]) {
    let position = trackers.map(\.position)
    self.init(
      userIDs: trackers.map(\.userID), latitudes: position.map { $0?.point.latitude ?? Absent.number },
      longitudes: position.map { $0?.point.longitude ?? Absent.number },
      accuracies: position.map { $0?.accuracy ?? Absent.number },
      altitudes: position.map { $0?.altitude ?? Absent.number },
      speeds: position.map { $0?.speed ?? Absent.number }, courses: position.map { $0?.course ?? Absent.number },
      recordedAts: position.map { $0?.time ?? Absent.time }, receivedAts: trackers.map { $0.receivedAt ?? Absent.time },
      heardAts: trackers.map { $0.heardAt ?? Absent.time }, silent: trackers.map(\.isSilent),
      standing: trackers.map(\.trail.isStop), trails: trackers.map { TrailPoint.packed($0.trail.points) },
      suspects: trackers.map { TrailPoint.packed($0.suspect.map { [$0] } ?? []) },
      journeyIDs: trackers.map { $0.journey?.id ?? Absent.journey },
      checkAts: trackers.map { $0.checkAt ?? Absent.time }, progresses: trackers.map(\.progress.packed),
      estimatedAts: trackers.map { $0.estimatedAt ?? Absent.time },
      recentReports: trackers.map(\.recentReports.packed),
      phoneClocks: trackers.map(\.phoneClock.packed),
      determinedAts: trackers.map { $0.determinedAt ?? Absent.time }, pathDays: trackers.map(\.pathDays.packed)
    )
  }
}

extension PutStatuses {
  /// The statuses that differ from the stored ones.
  package init(_ trackers: [Tracker]) {
    let changed = trackers.flatMap { tracker in
      tracker.changedGroups.sorted().map { (tracker.userID, tracker.groups[$0]) }
    }
    self.init(
      userIDs: changed.map(\.0), groupIDs: changed.map(\.1.groupID), states: changed.map(\.1.status.state),
      warnings: changed.map(\.1.status.warnings), sharedSinces: changed.map { $0.1.sharedSince ?? Absent.time },
      withheldSinces: changed.map { $0.1.withheldSince ?? Absent.time })
  }
}

extension KeepShownPositions {
  /// The positions that groups see, from which the next ones are withheld.
  package init(_ trackers: [Tracker], now: Instant) {
    let kept = trackers.flatMap { tracker in
      tracker.groups.compactMap { group in group.keptPosition.map { (tracker.userID, group.groupID, $0) } }
    }
    let points = PointColumns(kept.map { ($0.0, RecordedFix($0.2, for: nil)) })
    self.init(
      now: now, userIDs: points.userIDs, groupIDs: kept.map(\.1), recordedAts: points.recordedAts,
      latitudes: points.latitudes, longitudes: points.longitudes, accuracies: points.accuracies,
      altitudes: points.altitudes, speeds: points.speeds, courses: points.courses)
  }
}

extension InsertPathPoints {
  package init(_ trackers: [Tracker]) {
    let points = PointColumns(trackers.flatMap { tracker in tracker.pathPoints.map { (tracker.userID, $0) } })
    self.init(
      userIDs: points.userIDs, recordedAts: points.recordedAts, latitudes: points.latitudes,
      longitudes: points.longitudes, accuracies: points.accuracies, altitudes: points.altitudes, speeds: points.speeds,
      courses: points.courses)
  }
}

extension InsertPathPointsOfGroups {
  package init(_ trackers: [Tracker]) {
    let points = PointColumns(trackers.flatMap { tracker in tracker.pathPoints.joined.map { (tracker.userID, $0) } })
    self.init(
      userIDs: points.userIDs, recordedAts: points.recordedAts, latitudes: points.latitudes,
      longitudes: points.longitudes, accuracies: points.accuracies, altitudes: points.altitudes, speeds: points.speeds,
      courses: points.courses, audiences: points.audiences)
  }
}

extension InsertLatePathPoints {
  package init(_ trackers: [Tracker]) {
    let points = PointColumns(trackers.flatMap { tracker in tracker.lateFixes.joined.map { (tracker.userID, $0) } })
    self.init(
      userIDs: points.userIDs, recordedAts: points.recordedAts, latitudes: points.latitudes,
      longitudes: points.longitudes, accuracies: points.accuracies, altitudes: points.altitudes, speeds: points.speeds,
      courses: points.courses, audiences: points.audiences)
  }
}

extension [RecordedFix] {
  /// Each time once: of two with the same time the first, for the groups of both where they are at the same point.
  fileprivate var joined: [RecordedFix] {
    var places: [Instant: Int] = [:]
    return reduce(into: []) { joined, next in
      guard let place = places[next.fix.time] else {
        places[next.fix.time] = joined.count
        return joined.append(next)
      }
      let known = joined[place]
      guard known.fix.point == next.fix.point, let some = known.groupIDs else { return }
      joined[place] = RecordedFix(known.fix, for: next.groupIDs.map { Set(some).union($0).sorted() })
    }
  }
}

/// Positions of users, column by column.
private struct PointColumns {
  let userIDs: [UserID]
  let recordedAts: [Instant]
  let latitudes, longitudes, accuracies, altitudes, speeds, courses: [Double]
  /// The groups that see them, as PostgreSQL writes an array; empty for all.
  var audiences: [String] { groupIDs.map { $0.map { "{\($0.map(\.description).joined(separator: ","))}" } ?? "" } }
  private let groupIDs: [[GroupID]?]

  init(_ points: [(UserID, RecordedFix)]) {
    let fixes = points.map(\.1.fix)
    groupIDs = points.map(\.1.groupIDs)
    userIDs = points.map(\.0)
    recordedAts = fixes.map(\.time)
    latitudes = fixes.map(\.point.latitude)
    longitudes = fixes.map(\.point.longitude)
    accuracies = fixes.map { $0.accuracy ?? Absent.number }
    altitudes = fixes.map { $0.altitude ?? Absent.number }
    speeds = fixes.map { $0.speed ?? Absent.number }
    courses = fixes.map { $0.course ?? Absent.number }
  }
}

extension EndJourneys {
  package init(_ ends: [JourneyEnd]) {
    self.init(journeyIDs: ends.map(\.journeyID), endedAts: ends.map(\.at), outcomes: ends.map(\.outcome))
  }
}
