import CatalogDomain
import CatalogStore
import Timestamps
import struct GoogleType.Date
import enum GoogleType.DayOfWeek
import struct GoogleType.TimeOfDay
import Identifiers
import TandemCatalog

extension Gym {
  /// The days ahead whose hours are compared with those of an ordinary week.
  private static let daysAhead = 60

  /// - Parameters:
  ///   - zone: `nil` if unknown.
  ///   - now: the moment for which usage and opening state hold.
  init(_ stored: StoredGym, _ zone: ZoneOffsets?, at now: Instant) {
    let hours = CatalogDomain.OpeningHours(stored.openingHours)
    let state = Self.state(hours, zone, at: now)
    let usage = GymUsage(capacity: stored.capacity, report: stored.report, checkIns: stored.checkIns, at: now)
    self.init(
      gymID: stored.id.description, name: stored.name,
      point: Point(latitude: stored.point.latitude, longitude: stored.point.longitude),
      address: TandemCatalog.GymAddress(stored.address), phone: stored.phone, website: stored.website,
      timeZone: stored.timeZone ?? "",
      openingHours: stored.openingHours.isEmpty
        ? nil
        : TandemCatalog.OpeningHours(
          text: stored.openingHours, hours, today: CatalogDomain.OpeningHours.day(at: now, in: zone),
          exceptions: zone.flatMap { hours?.exceptions(from: now, in: $0, among: Self.daysAhead) } ?? []),
      openState: state.map { $0.isOpen ? .open : .closed } ?? .unspecified,
      nextChangeTime: state?.nextChange?.timestamp, usage: usage.map { Usage($0, at: now) })
  }

  private static func state(
    _ hours: CatalogDomain.OpeningHours?, _ zone: ZoneOffsets?, at now: Instant
  ) -> CatalogDomain.OpeningHours.State? {
    guard let hours else { return nil }
    if hours.isAlwaysOpen { return .alwaysOpen }
    return zone.map { hours.state(at: now, in: $0) }
  }
}

extension TandemCatalog.GymAddress {
  fileprivate init(_ address: CatalogDomain.GymAddress) {
    self.init(
      street: address.street, houseNumber: address.houseNumber, postcode: address.postcode, city: address.city,
      country: address.country)
  }
}

extension TandemCatalog.OpeningHours {
  private static let weekdays: [DayOfWeek] = [
    .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
  ]

  /// - Parameters:
  ///   - hours: `nil` if the text could not be parsed.
  ///   - today: whose season's week is shown; a day since 1970-01-01, like the exceptions.
  fileprivate init(text: String, _ hours: CatalogDomain.OpeningHours?, today: Int, exceptions: [Int]) {
    guard let hours else {
      self.init(text: text)
      return
    }
    self.init(
      text: text, understood: true,
      week: Self.weekdays.enumerated().map { place, weekday in
        WeekdayHours(weekday: weekday, spans: hours.spans(onWeekday: place, inSeasonOf: today).map { OpenSpan($0) })
      },
      exceptions: exceptions.map { day in
        DateHours(date: Date(daysSince1970: day), spans: hours.spans(onDay: day).map { OpenSpan($0) })
      }, hasPublicHolidayRule: hours.hasPublicHolidayRule)
  }
}

extension Date {
  fileprivate init(daysSince1970 day: Int) {
    let date = CivilDate(daysSince1970: day)
    self.init(year: Int32(date.year), month: Int32(date.month), day: Int32(date.day))
  }
}

extension OpenSpan {
  fileprivate init(_ span: CatalogDomain.OpeningHours.Span) {
    // 24:00 is the end of the day; a later time is one of the next day.
    let closes = span.closes > 1_440 ? span.closes - 1_440 : span.closes
    self.init(openTime: TimeOfDay(minute: span.opens), closeTime: TimeOfDay(minute: closes))
  }
}

extension TimeOfDay {
  fileprivate init(minute: Int) { self.init(hours: Int32(minute / 60), minutes: Int32(minute % 60)) }
}

extension Usage {
  fileprivate init(_ usage: GymUsage, at now: Instant) {
    self.init(
      percentage: Int32(usage.percentage), people: Int32(usage.people), capacity: Int32(usage.capacity),
      observeTime: usage.observedAt.timestamp, ageS: usage.age(at: now).components.seconds,
      source: usage.source == .report ? .reported : .checkIns)
  }
}
