import FITFormat
import FileContents
import Geography
import Identifiers
import ImporterDomain

/// What a FIT file of activities says, by the numbers of the profile.
struct FITActivities {
  private struct Session {
    var start: Instant?
    var elapsed: Double?
    var timer: Double?
    var distance: Double?
    var calories: Double?
    var heartRateAverage: Double?
    var heartRateMaximum: Double?
    var ascent: Double?
    var sport = Sport.other
    /// The fields that the model does not have, by their numbers in the profile.
    var others: [(number: UInt8, value: Double)] = []
  }

  /// Numbers of messages in the profile.
  private enum Message {
    static let (fileID, session, lap, record, activity, weight): (UInt16, UInt16, UInt16, UInt16, UInt16, UInt16) = (
      0, 18, 19, 20, 34, 30
    )
    /// Of a pool's length.
    static let length: UInt16 = 101
  }

  private(set) var records = 0
  private var laps = LapRecords()
  private var lengths = LapRecords()
  private(set) var samples: [Sample] = []
  private var sessions: [Session] = []
  private(set) var weights: [ImportedWeight] = []
  private(set) var developer = DeveloperSeries()
  /// The first of what the file has too much of; that is left out, and what else there is goes on being read.
  private(set) var excess: ActivityFileFault?
  private var device = ""
  private var offset: Int?
  /// When the device was started, in the protocol's seconds, for files whose times count from there.
  private var deviceStart: Int64?
  private var compressedDistance: (last: Int64, total: Int64)?
  /// Whether a sample's time counts from the start of the device.
  private var hasRelativeTimes = false

  /// 1989-12-31T00:00:00Z, from which the protocol counts, in seconds since 1970.
  private static let epoch: Int64 = 631_065_600
  /// What the protocol's type of times can say; a file may give a field a longer type.
  private static let times: ClosedRange<Int64> = 0...0xFFFF_FFFF
  /// Lower numbers count from the start of the device, not of the epoch (profile, `date_time`).
  private static let firstOfEpoch: Int64 = 0x1000_0000
  private static let firstAbsolute = Instant(microseconds: (epoch + firstOfEpoch) * 1_000_000)
  /// Degrees of a semicircle, the protocol's unit of positions.
  private static let semicircle = 180.0 / 2_147_483_648

  /// Bytes of a short record.
  private static let shortRecord = 16

  /// Makes room for the samples of a file of so many bytes, so that they need not be moved when there are more.
  mutating func reserve(fileBytes: Int) {
    samples.reserveCapacity(min(fileBytes / Self.shortRecord, FileLimits.points))
  }

  mutating func add(_ message: FITMessage) {
    developer.describe(message)
    switch message.number {
    case Message.record: addRecord(message)
    case Message.session: addSession(message)
    case Message.lap: addLap(message)
    case Message.length: addLength(message)
    case Message.fileID: identify(message)
    case Message.activity:
      if let local = message.integer(5), let utc = message.integer(253), Self.times.contains(local),
        Self.times.contains(utc)
      {
        if abs(local - utc) <= 14 * 3_600 { offset = Int(local - utc) }
        if utc < Self.firstOfEpoch, local >= Self.firstOfEpoch { deviceStart = local - utc }
      }
    case Message.weight:
      if let kilograms = message.number(0, scale: 100), let time = Self.time(message).flatMap({ absolute($0) }),
        isWithin(FileLimits.measurements, weights.count, "weighings", message)
      {
        weights.append(ImportedWeight(provider: "file", measuredAt: time, kilograms: kilograms))
      }
    default: break
    }
  }

  /// Whether there may be another of what there are so many already.
  private mutating func isWithin(_ most: Int, _ count: Int, _ what: String, _ message: FITMessage) -> Bool {
    if count < most { return true }
    if excess == nil {
      excess = ActivityFileFault(.tooMuch, "The file has more than \(most) \(what)", offset: message.offset)
    }
    return false
  }

  private static func time(_ message: FITMessage, _ field: UInt8 = 253) -> Instant? {
    let seconds = message.integer(field) ?? (field == 253 ? message.headerTimestamp.map(Int64.init) : nil)
    guard let seconds, times.contains(seconds) else { return nil }
    return Instant(microseconds: (seconds + epoch) * 1_000_000)
  }

  /// The values of a record with the scales of the profile.
  static func sample(_ message: FITMessage) -> Sample {
    var sample = Sample()
    sample.time = time(message)
    if let latitude = message.integer(0), let longitude = message.integer(1) {
      sample.position = GeoPoint(latitude: Double(latitude) * semicircle, longitude: Double(longitude) * semicircle)
    }
    sample.elevation = message.number(78, scale: 5, offset: 500) ?? message.number(2, scale: 5, offset: 500)
    sample.heartRate = message.number(3)
    sample.cadence = message.number(4)
    sample.distance = message.number(5, scale: 100)
    sample.power = message.number(7)
    return sample
  }

  private mutating func addRecord(_ message: FITMessage) {
    records += 1
    guard isWithin(FileLimits.points, samples.count, "points", message) else { return }
    var sample = Self.sample(message)
    if sample.distance == nil { sample.distance = unpackedDistance(message) }
    developer.add(message, of: Message.record, to: &sample)
    if let time = sample.time, time < Self.firstAbsolute { hasRelativeTimes = true }
    samples.append(sample)
  }

  /// The distance in the field `compressed_speed_distance`: 12 bits in sixteenths of a metre, which roll over.
  private mutating func unpackedDistance(_ message: FITMessage) -> Double? {
    guard let bytes = message.bytes(8), bytes.count == 3, bytes != [0xFF, 0xFF, 0xFF] else { return nil }
    let now = Int64(bytes[1] >> 4) | Int64(bytes[2]) << 4
    let before = compressedDistance ?? (last: now, total: now)
    let total = before.total + (now - before.last) & 0xFFF
    compressedDistance = (now, total)
    return Double(total) / 16
  }

  private mutating func addSession(_ message: FITMessage) {
    guard isWithin(FileLimits.activities, sessions.count, "activities", message) else { return }
    sessions.append(
      Session(
        start: Self.time(message, 2), elapsed: message.number(7, scale: 1_000), timer: message.number(8, scale: 1_000),
        distance: message.number(9, scale: 100), calories: message.number(11), heartRateAverage: message.number(16),
        heartRateMaximum: message.number(17), ascent: message.number(22),
        sport: Self.sport(message.integer(5), sub: message.integer(6)),
        others: Self.others(message)))
  }

  /// The session's fields that the model has: times, lengths and hearts, and what tells messages apart.
  private static let modelled: Set<UInt8> = [2, 5, 7, 8, 9, 11, 16, 17, 22, 253, 254]

  private static func others(_ message: FITMessage) -> [(number: UInt8, value: Double)] {
    message.definition.fields.compactMap { field in
      guard !modelled.contains(field.number), let value = message.values(of: field).first ?? nil,
        let number = value.number
      else { return nil }
      return (field.number, number)
    }
  }

  private mutating func addLap(_ message: FITMessage) {
    var lap = LapRecords.Lap(start: Self.time(message, 2), seconds: message.number(7, scale: 1_000))
    lap.add("timer_s", message.number(8, scale: 1_000))
    lap.add("distance_m", message.number(9, scale: 100))
    lap.add("energy_kcal", message.number(11))
    lap.add("heart_rate_avg_bpm", message.number(15))
    lap.add("heart_rate_max_bpm", message.number(16))
    lap.add("cadence_avg_per_min", message.number(17))
    lap.add("power_avg_w", message.number(19))
    lap.add("ascent_m", message.number(21))
    laps.add(lap)
  }

  private mutating func addLength(_ message: FITMessage) {
    var length = LapRecords.Lap(start: Self.time(message, 2), seconds: message.number(3, scale: 1_000))
    length.add("timer_s", message.number(4, scale: 1_000))
    length.add("strokes", message.number(5))
    if let stroke = message.integer(7) { length.add("stroke", word: Self.strokes[stroke] ?? "\(stroke)") }
    if let kind = message.integer(12) { length.add("type", word: kind == 0 ? "idle" : "active") }
    lengths.add(length)
  }

  /// The profile's `swim_stroke`.
  private static let strokes: [Int64: String] = [
    0: "freestyle", 1: "backstroke", 2: "breaststroke", 3: "butterfly", 4: "drill", 5: "mixed", 6: "im",
  ]

  private mutating func identify(_ message: FITMessage) {
    if let name = message.text(8) {
      device = name
    } else if let maker = message.integer(1) {
      device = "\(Self.makers[maker] ?? "maker \(maker)") \(message.integer(2).map(String.init) ?? "")"
    }
  }

  /// Some of the profile's `manufacturer`.
  private static let makers: [Int64: String] = [
    1: "Garmin", 23: "Suunto", 32: "Wahoo", 123: "Polar", 265: "Strava", 294: "COROS", 260: "Zwift",
  ]

  /// The profile's `sport`, and `sub_sport` where that says it better.
  private static func sport(_ number: Int64?, sub: Int64?) -> Sport {
    switch (number, sub) {
    // A treadmill's, and indoor running; yoga, Pilates and stretching; strength training and its machines; rowing machines; stairs.
    case (0, 1), (4, 1), (nil, 1), (0, 45), (4, 45): return .run
    case (_, 43), (_, 44), (_, 19): return .yoga
    case (0, 20), (4, 20), (10, 20): return .strength
    case (0, 14), (4, 14): return .row
    case (0, 5), (0, 6), (4, 5), (4, 6): return .ride
    default: break
    }
    return switch number {
    case 1: .run
    case 2, 21: .ride
    case 5: .swim
    case 10: .strength
    case 11: .walk
    case 12, 13, 14: .ski
    case 15: .row
    case 16, 17: .hike
    default: .other
    }
  }

  /// What is not stored of the file: sessions that have neither their times nor records, and laps that there are too many of.
  var leftOut: [SkippedRecord] {
    let empty = sessions.indices.filter { isEmpty(sessions[$0]) }.map {
      SkippedRecord(member: "", list: "sessions", index: $0, message: "The session has neither times nor records")
    }
    guard sessions.count > 1 else {
      return empty + [laps.leftOut(named: "laps"), lengths.leftOut(named: "lengths")].compactMap { $0 }
    }
    let lists = sessions.flatMap { session in
      let (start, seconds) = (session.start.flatMap { absolute($0) }, session.elapsed ?? 0)
      guard let start else { return [SkippedRecord]() }
      return [
        laps.leftOut(named: "laps", from: start, seconds: seconds),
        lengths.leftOut(named: "lengths", from: start, seconds: seconds),
      ].compactMap { $0 }
    }
    return empty + lists + [laps.excess(named: "laps"), lengths.excess(named: "lengths")].compactMap { $0 }
  }

  /// Whether nothing can be made of a session.
  private func isEmpty(_ session: Session) -> Bool {
    if session.elapsed != nil, session.start.flatMap({ absolute($0) }) != nil { return false }
    let own = samples.lazy.filter { $0.time != nil && (sessions.count == 1 || Self.contains(session, $0)) }
    return own.prefix(2).count < 2
  }

  /// An activity for each session, with the samples of its time; without sessions one of all samples.
  func activities(zone: String) -> [ImportedActivity] {
    let zone = offset.map { PlainValues.zone(ofOffset: $0) } ?? zone
    var samples = samples
    if hasRelativeTimes {
      for index in samples.indices { samples[index].time = samples[index].time.flatMap { absolute($0) } }
    }
    let sessions = sessions.map { session in
      var session = session
      session.start = session.start.flatMap { absolute($0) }
      return session
    }
    guard !sessions.isEmpty else {
      var made = activity(samples, sport: .other, zone: zone)
      made?.raw = developer.json(others: [], of: samples.indices, lists: lists(of: nil))
      return [made].compactMap { $0 }
    }
    if sessions.count == 1 {
      var made = activity(sessions[0], samples, zone: zone)
      made?.raw = developer.json(others: sessions[0].others, of: samples.indices, lists: lists(of: nil))
      return [made].compactMap { $0 }
    }
    return sessions.compactMap { session in
      let own = samples.indices.filter { Self.contains(session, samples[$0]) }
      var made = activity(session, own.map { samples[$0] }, zone: zone)
      made?.raw = developer.json(others: session.others, of: own, lists: lists(of: session))
      return made
    }
  }

  /// The moment of a time of the file, which may count from the start of the device; `nil` if that is not known.
  private func absolute(_ time: Instant) -> Instant? {
    time >= Self.firstAbsolute ? time : deviceStart.map { time + .seconds($0) }
  }

  /// The laps and lengths of a session; of all with `nil`.
  private func lists(of session: Session?) -> [(name: String, json: String?)] {
    let (start, seconds) = (session?.start, session?.elapsed ?? 0)
    return [
      ("laps", laps.json(from: start, seconds: seconds)), ("lengths", lengths.json(from: start, seconds: seconds)),
    ]
  }

  /// The activity of a session with its samples.
  private func activity(_ session: Session, _ samples: [Sample], zone: String) -> ImportedActivity? {
    let made =
      activity(samples, sport: session.sport, zone: zone) ?? Self.empty(session, zone: zone, device: device)
    return made.map { Self.complete($0, session) }
  }

  private func activity(_ samples: [Sample], sport: Sport, zone: String) -> ImportedActivity? {
    var recorded = RecordedTrack()
    recorded.segments = [samples]
    var activity = recorded.activity(sport: sport, zone: zone, title: "", device: device)
    if activity?.elevationSource != nil { activity?.elevationSource = .gps }
    return activity
  }

  private static func contains(_ session: Session, _ sample: Sample) -> Bool {
    guard let time = sample.time, let start = session.start else { return false }
    return time >= start && time.seconds(since: start) <= (session.elapsed ?? 0)
  }

  private static func empty(_ session: Session, zone: String, device: String) -> ImportedActivity? {
    guard let start = session.start, let elapsed = session.elapsed else { return nil }
    return ImportedActivity(
      provider: "file", externalID: "", sport: session.sport, startedAt: start, timeZone: zone,
      durationSeconds: elapsed, device: device)
  }

  /// The device's own figures are more exact than those of its samples.
  private static func complete(_ activity: ImportedActivity, _ session: Session) -> ImportedActivity {
    var activity = activity
    if let start = session.start { activity = activity.starting(at: start) }
    if let elapsed = session.elapsed, elapsed > 0 { activity.durationSeconds = max(elapsed, activity.durationSeconds) }
    activity.movingSeconds = session.timer ?? activity.movingSeconds
    activity.distanceMetres = session.distance ?? activity.distanceMetres
    activity.energyKilocalories = session.calories
    activity.heartRateAverage = session.heartRateAverage ?? activity.heartRateAverage
    activity.heartRateMaximum = session.heartRateMaximum ?? activity.heartRateMaximum
    activity.ascentMetres = session.ascent ?? activity.ascentMetres
    return activity
  }
}
