import FieldMasks
import FieldViolations
import Geography
import Identifiers
import TandemTracking
import TrackingDomain
import TrackingHandlers

/// Positions, journeys, places and views of groups; and what replicas tell each other of them.
enum TrackingFuzzing {
  private static let now = Instant(microseconds: 1_768_478_400_000_000)

  static func run(_ bytes: UnsafeRawBufferPointer) {
    RequestFuzzing.run(readings, bytes)
    _ = FeedSignal.read(Array(bytes))
  }

  private static let readings: [RequestFuzzing.Reading] = [
    RequestFuzzing.reading(ReportBatchRequest.self) { judge($0.points) },
    RequestFuzzing.reading(ReportRequest.self) { judge($0.points) },
    RequestFuzzing.reading(WatchRequest.self) { call in
      for isFirst in [true, false] { check(try WatchOrder(call, isFirst: isFirst)) }
    },
    RequestFuzzing.reading(WatchGroupsRequest.self) { check(try WatchOrder($0)) },
    RequestFuzzing.reading(StartJourneyRequest.self) { call in
      var bad = Violations()
      let draft = try JourneyDraft(call, at: now, &bad)
      precondition(draft.arrivalAt > now && (1...100).contains(draft.groups.count))
      precondition(Set(draft.groups).count == draft.groups.count, "a group is named twice")
    },
    RequestFuzzing.reading(CreatePlaceRequest.self) { call in
      try draft(call.place ?? NamedPlace(), Set(PlaceDraft.Field.allCases))
    },
    RequestFuzzing.reading(UpdatePlaceRequest.self) { call in
      var bad = Violations()
      let fields: Set<PlaceDraft.Field> = bad.fields(
        named: call.updateMask, immutable: PlaceDraft.immutablePaths, otherwise: Set(PlaceDraft.Field.allCases))
      try draft(call.place ?? NamedPlace(), fields)
    },
    RequestFuzzing.reading(DeletePlaceRequest.self),
    RequestFuzzing.reading(ListPlacesRequest.self),
    RequestFuzzing.reading(StartSharingRequest.self),
    RequestFuzzing.reading(GetMembersRequest.self),
    RequestFuzzing.reading(GetPathRequest.self),
    RequestFuzzing.reading(ExportPathRequest.self),
    RequestFuzzing.reading(StartSOSRequest.self),
    RequestFuzzing.reading(CreateShareRequest.self),
    RequestFuzzing.reading(GetSharedJourneyRequest.self),
  ]

  /// What is believed is on Earth, in its time, and has finite measurements; and a place is judged by it.
  private static func judge(_ points: [Position]) {
    var fence = Presence.unknown
    let reported = points.prefix(500).map { ReportedPoint($0) }
    guard let newest = reported.compactMap(\.time).max() else { return }
    var clock = PhoneClock()
    let times = clock.read(newest, of: reported.count, at: now, alertSince: nil)
    for point in reported {
      guard case .success(let fix) = point.fix(by: times) else { continue }
      precondition((-90...90).contains(fix.point.latitude) && (-180...180).contains(fix.point.longitude))
      precondition(fix.time <= now && fix.time >= now - ReportedPoint.oldest)
      for number in [fix.accuracy, fix.altitude, fix.speed, fix.course] { precondition(number?.isFinite ?? true) }
      guard let centre = GeoPoint(latitude: 52, longitude: 179.99) else { continue }
      let place = Geofence(
        PlaceID(UUID7(high: 0, low: 0)), named: "", around: centre, within: Metres(50), since: now, presence: fence)
      fence = place.presence(after: fix).presence
    }
  }

  private static func check(_ order: WatchOrder) {
    precondition(order.add.count <= 200 && order.drop.count <= 200, "more groups than a stream may watch")
    precondition(Set(order.add.map(\.group)).count == order.add.count, "a group is watched twice")
    precondition(order.add.allSatisfy { $0.after ?? 0 >= 0 })
  }

  private static func draft(_ wire: NamedPlace, _ fields: Set<PlaceDraft.Field>) throws {
    var bad = Violations()
    let draft = PlaceDraft(wire, fields, &bad)
    try bad.check()
    if let radius = draft.radius { precondition(Geofence.radii.contains(radius)) }
    if let name = draft.name { precondition((1...60).contains(name.text.unicodeScalars.count)) }
    precondition(draft.groups?.count ?? 0 <= 100)
  }
}
