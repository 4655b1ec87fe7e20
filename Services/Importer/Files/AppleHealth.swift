import FileContents
import Geography
import Identifiers
import ImporterDomain

/// An export of Apple Health, read in one pass with memory in proportion to days, nights and workouts, not to its length.
final class AppleHealth: XMLVisitor {
  private enum Kinds {
    static let (steps, mass, sleep) = (
      XMLName("HKQuantityTypeIdentifierStepCount"), XMLName("HKQuantityTypeIdentifierBodyMass"),
      XMLName("HKCategoryTypeIdentifierSleepAnalysis")
    )
    static let inBed = XMLName("HKCategoryValueSleepAnalysisInBed")
    static let awake = XMLName("HKCategoryValueSleepAnalysisAwake")
    static let zone = XMLName("HKTimeZone")
  }

  /// The provider of all its records.
  static let provider = "apple-health"

  private struct DaySource: Hashable {
    let day: Int
    let source: UInt64
  }

  private struct Night {
    var start: Instant
    var end: Instant
    var asleep: Double
    /// Of the zone, in seconds.
    let offset: Int
  }

  private(set) var isHealth = false
  private var steps: [DaySource: Double] = [:]
  /// Of each device.
  private var stages: [UInt64: [Night]] = [:]
  private var nightCount = 0
  private var weights: [ImportedWeight] = []
  private(set) var workouts: [(activity: ImportedActivity, routes: [String])] = []
  private var workout: (activity: ImportedActivity, routes: [String])?
  /// The positions of the present workout, in exports that have them in place.
  private var route = RecordedTrack()
  private var routePoints = 0
  /// The places of workouts, and of records of the kinds that are read, which lack their times or values.
  private(set) var unreadableRecords: [SkippedRecord] = []
  private(set) var unreadableCount = 0
  private var workoutCount = 0
  private var recordCount = 0
  /// The names of the routes that workouts have.
  private var named: Set<String> = []

  /// Days of a trackers' lifetime, times its devices; more is no export.
  private static let maxDays = 200_000
  /// Samples of sleep: some dozens for each night.
  private static let maxStages = 2_000_000
  /// Samples of sleep that are this close are of one night.
  private static let nightGap: Duration = .seconds(2 * 3_600)

  func begin(_ name: XMLName, _ attributes: XMLAttributes) throws(XMLRefusal) -> Bool {
    switch name {
    case "Record": try record(attributes)
    case "Workout": begin(workout: attributes)
    case "WorkoutStatistics": if workout != nil { statistics(attributes) }
    case "FileReference":
      attributes.forEach { name, value in
        if name == "path", let name = PlainValues.text(value).split(separator: "/").last {
          workout?.routes.append(String(name))
          named.insert(String(name))
        }
      }
    case "MetadataEntry": if workout != nil { metadata(attributes) }
    case "Location": if workout != nil { try locate(attributes) }
    case "HealthData": isHealth = true
    default: break
    }
    return false
  }

  func end(_ name: XMLName, _ text: XMLText) throws(XMLRefusal) {
    guard name == "Workout", let done = workout else { return }
    workout = nil
    defer { route = RecordedTrack() }
    guard workouts.count < FileLimits.activities else {
      throw XMLRefusal(kind: .tooMuch, message: "The export has more than \(FileLimits.activities) workouts")
    }
    var finished = done
    if let made = route.activity(sport: .other, zone: "UTC", title: "", device: ""), let track = made.track {
      finished.activity = Self.activity(done.activity, (made.startedAt, track))
    }
    workouts.append(finished)
  }

  private func locate(_ attributes: XMLAttributes) throws(XMLRefusal) {
    var (sample, latitude, longitude) = (Sample(), Double?.none, Double?.none)
    attributes.forEach { name, value in
      switch name {
      case "date": sample.time = PlainValues.time(value)?.instant
      case "latitude": latitude = PlainValues.number(value)
      case "longitude": longitude = PlainValues.number(value)
      case "altitude": sample.elevation = PlainValues.number(value)
      default: break
      }
    }
    if let latitude, let longitude { sample.position = GeoPoint(latitude: latitude, longitude: longitude) }
    routePoints += 1
    guard routePoints <= Self.maxRoutePoints else {
      throw XMLRefusal(kind: .tooMuch, message: "The export has too many positions")
    }
    try route.add(sample)
  }

  /// Positions of all workouts of an export, so that they fit into the memory of the reader.
  private static let maxRoutePoints = 1_000_000

  // MARK: Records

  private func record(_ attributes: XMLAttributes) throws(XMLRefusal) {
    var (type, source): (XMLName?, UInt64) = (nil, 0)
    var (value, unit, start, end):
      (UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?)
    attributes.forEach { name, text in
      switch name {
      case "type": type = XMLName(text)
      case "value": value = text
      case "unit": unit = text
      case "startDate": start = text
      case "endDate": end = text
      case "sourceName": source = XMLName(text).value
      default: break
      }
    }
    recordCount += 1
    guard let type, [Kinds.steps, Kinds.mass, Kinds.sleep].contains(type) else { return }
    guard let value, let start, PlainValues.time(start) != nil else { return noteUnreadable("Record", recordCount - 1) }
    switch type {
    case Kinds.steps: try addSteps(value, start, source)
    case Kinds.mass: try addWeight(value, unit, start)
    default: try addSleep(XMLName(value), start, end, source)
    }
  }

  private func noteUnreadable(_ list: String, _ index: Int) {
    unreadableCount += 1
    guard unreadableRecords.count < FileLimits.skippedRecords else { return }
    unreadableRecords.append(
      SkippedRecord(member: "", list: list, index: index, message: "It has no time or no value"))
  }

  /// Whether a workout names a route, by the name of its file.
  func names(_ route: String) -> Bool { named.contains(route) }

  private func addSteps(
    _ value: UnsafePointer<CChar>, _ start: UnsafePointer<CChar>, _ source: UInt64
  ) throws(XMLRefusal) {
    guard let count = PlainValues.number(value), count > 0, let moment = PlainValues.time(start) else { return }
    let local = moment.instant.wholeSeconds + Int64(moment.offset ?? 0)
    let day = Int(local >= 0 ? local / 86_400 : (local - 86_399) / 86_400)
    steps[DaySource(day: day, source: source), default: 0] += count
    guard steps.count <= Self.maxDays else {
      throw XMLRefusal(kind: .tooMuch, message: "The export has steps of too many days")
    }
  }

  private func addWeight(
    _ value: UnsafePointer<CChar>, _ unit: UnsafePointer<CChar>?, _ start: UnsafePointer<CChar>
  ) throws(XMLRefusal) {
    guard let number = PlainValues.number(value), let moment = PlainValues.time(start) else { return }
    guard weights.count < FileLimits.measurements else {
      throw XMLRefusal(kind: .tooMuch, message: "The export has too many weighings")
    }
    let kilograms = number * (Self.kilograms[unit.map { PlainValues.text($0) } ?? "kg"] ?? 0)
    weights.append(ImportedWeight(provider: Self.provider, measuredAt: moment.instant, kilograms: kilograms))
  }

  private static let kilograms = ["kg": 1, "g": 0.001, "lb": 0.453_592_37, "st": 6.350_293_18, "oz": 0.028_349_523_125]

  private func addSleep(
    _ value: XMLName, _ start: UnsafePointer<CChar>, _ end: UnsafePointer<CChar>?, _ source: UInt64
  ) throws(XMLRefusal) {
    guard value != Kinds.inBed, value != Kinds.awake, let from = PlainValues.time(start),
      let to = end.flatMap({ PlainValues.time($0) }), from.instant < to.instant
    else { return }
    nightCount += 1
    guard nightCount <= Self.maxStages else {
      throw XMLRefusal(kind: .tooMuch, message: "The export has too many nights")
    }
    stages[source, default: []].append(
      Night(
        start: from.instant, end: to.instant, asleep: to.instant.seconds(since: from.instant),
        offset: from.offset ?? 0))
  }

  /// The nights of a device: its stages, which an export has in any order, and of which those that overlap count once.
  private static func nights(of stages: [Night]) -> [Night] {
    var nights: [Night] = []
    for stage in stages.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      guard var last = nights.last, stage.start - last.end <= nightGap else {
        nights.append(stage)
        continue
      }
      last.asleep += max(0, min(stage.asleep, stage.end.seconds(since: last.end)))
      last.end = max(last.end, stage.end)
      nights[nights.count - 1] = last
    }
    return nights
  }

  // MARK: Workouts

  private func begin(workout attributes: XMLAttributes) {
    var texts: [XMLName: String] = [:]
    attributes.forEach { texts[$0] = PlainValues.text($1) }
    workoutCount += 1
    guard let start = texts["startDate"].flatMap({ PlainValues.time($0) }),
      let end = texts["endDate"].flatMap({ PlainValues.time($0) })
    else { return noteUnreadable("Workout", workoutCount - 1) }
    let kind = texts["workoutActivityType"] ?? ""
    let source = texts["sourceName"] ?? ""
    let length = end.instant.seconds(since: start.instant)
    var activity = ImportedActivity(
      provider: Self.provider, externalID: "\(kind) \(start.instant.microseconds / 1_000_000) \(source)",
      sport: Sport(named: kind), startedAt: start.instant,
      timeZone: start.offset.map { PlainValues.zone(ofOffset: $0) } ?? "UTC",
      durationSeconds: max(length, 0), device: source)
    activity.distanceMetres = Self.number(texts["totalDistance"], texts["totalDistanceUnit"], Self.metres)
    activity.energyKilocalories = Self.number(
      texts["totalEnergyBurned"], texts["totalEnergyBurnedUnit"], Self.kilocalories)
    activity.movingSeconds = Self.number(texts["duration"], texts["durationUnit"], Self.secondsOf)
    workout = (activity, [])
  }

  private static func number(_ text: String?, _ unit: String?, _ factors: [String: Double]) -> Double? {
    guard let text, let value = PlainValues.number(text), value > 0, let factor = factors[unit ?? ""] else {
      return nil
    }
    return value * factor
  }

  private static let metres = ["km": 1_000, "mi": 1_609.344, "m": 1, "ft": 0.3048, "yd": 0.9144]
  private static let kilocalories = ["kcal": 1, "Cal": 1, "kJ": 1 / 4.184, "cal": 0.001]
  private static let secondsOf = ["min": 60.0, "s": 1, "hr": 3_600]

  private func statistics(_ attributes: XMLAttributes) {
    var texts: [XMLName: String] = [:]
    attributes.forEach { texts[$0] = PlainValues.text($1) }
    guard let type = texts["type"] else { return }
    if type.hasPrefix("HKQuantityTypeIdentifierDistance") {
      workout?.activity.distanceMetres = Self.number(texts["sum"], texts["unit"], Self.metres)
    } else if type == "HKQuantityTypeIdentifierActiveEnergyBurned" {
      workout?.activity.energyKilocalories = Self.number(texts["sum"], texts["unit"], Self.kilocalories)
    } else if type == "HKQuantityTypeIdentifierHeartRate" {
      workout?.activity.heartRateAverage = texts["average"].flatMap { PlainValues.number($0) }
      workout?.activity.heartRateMaximum = texts["maximum"].flatMap { PlainValues.number($0) }
    }
  }

  private func metadata(_ attributes: XMLAttributes) {
    var (isZone, zone) = (false, "")
    attributes.forEach { name, value in
      if name == "key" { isZone = XMLName(value) == Kinds.zone }
      if name == "value" { zone = PlainValues.text(value) }
    }
    if isZone, zone.contains("/") { workout?.activity.timeZone = zone }
  }

  // MARK: Result

  /// The records of an export whose routes are in it.
  var batch: ImportedBatch {
    var batch = days
    forEachActivity(routes: [:]) { batch.activities.append($0) }
    return batch
  }

  /// The workouts with their routes, one after the other.
  ///
  /// - Parameter routes: tracks as bytes, by the names of their files.
  func forEachActivity(
    routes: [String: (start: Instant, track: [UInt8])], _ visit: (ImportedActivity) -> Void
  ) {
    for workout in workouts {
      let own = workout.routes.compactMap { name in
        routes[name].flatMap { route in TrackCodec.decode(route.track).map { (start: route.start, track: $0) } }
      }
      visit(Self.activity(workout.activity, Self.whole(own)))
    }
  }

  /// The records without the workouts. Of devices that counted the same day, the one with most steps counts.
  var days: ImportedBatch {
    var days: [Int: Double] = [:]
    for (key, count) in steps { days[key.day] = max(days[key.day] ?? 0, count) }
    let sleeps = countedNights.map { night in
      ImportedSleep(
        provider: Self.provider, externalID: "\(night.start.microseconds / 1_000_000)", startedAt: night.start,
        endedAt: night.end, timeZone: PlainValues.zone(ofOffset: night.offset),
        asleepSeconds: night.asleep)
    }
    return ImportedBatch(
      steps: days.sorted { $0.key < $1.key }.map {
        ImportedSteps(
          provider: Self.provider, day: CivilDate(daysSince1970: $0.key), steps: Int64(min($0.value, 1e9).rounded()))
      }, sleeps: sleeps, weights: weights)
  }

  /// The nights of all devices, in order; of those that overlap the one with most sleep, so that no hour counts twice.
  private var countedNights: [Night] {
    let all = stages.values.flatMap { Self.nights(of: $0) }.sorted {
      ($0.start, $0.end, $0.asleep, $0.offset) < ($1.start, $1.end, $1.asleep, $1.offset)
    }
    var counted: [Night] = []
    for night in all {
      guard let last = counted.last, night.start < last.end else {
        counted.append(night)
        continue
      }
      if night.asleep > last.asleep { counted[counted.count - 1] = night }
    }
    return counted
  }

  /// The routes of a workout as one: it has another for each pause in some versions.
  private static func whole(_ routes: [(start: Instant, track: Track)]) -> (start: Instant, track: Track)? {
    guard let first = routes.min(by: { $0.start < $1.start }) else { return nil }
    guard routes.count > 1 else { return first }
    let points = routes.flatMap { route in
      let shift = route.start.seconds(since: first.start)
      return route.track.points.map { point in
        var point = point
        point.elapsedSeconds += shift
        return point
      }
    }
    return (first.start, Track(points: points))
  }

  /// The workout with its route, whose times count from the workout's start.
  private static func activity(
    _ workout: ImportedActivity, _ route: (start: Instant, track: Track)?
  ) -> ImportedActivity {
    guard let route else { return workout }
    var activity = workout
    let shift = route.start.seconds(since: workout.startedAt)
    activity.track = Track(
      points: route.track.points.map { point in
        var point = point
        point.elapsedSeconds = max(0, point.elapsedSeconds + shift)
        return point
      })
    if activity.distanceMetres == nil { activity.distanceMetres = route.track.lengthMetres }
    activity.ascentMetres = Progress.ascent(of: route.track)
    activity.elevationSource = activity.ascentMetres == nil ? nil : .gps
    return activity
  }
}
