import Identifiers
import IdentityDomain
import Postgres

// What columns hold, in the domain's types.

extension Badge: ColumnValue {}
extension ContactVisibility: ColumnValue {}
extension DeliveryChannel: ColumnValue {}
extension DeliveryContent: ColumnValue {}
extension EmailChangePurpose: ColumnValue {}
extension Gender: ColumnValue {}
extension Interest: ColumnValue {}
extension Level: ColumnValue {}
extension LinkMailContent: ColumnValue {}
extension NotificationKind: ColumnValue {}
extension ReminderPlan.State: ColumnValue {}
extension ReportReason: ColumnValue {}
extension SecurityEventKind: ColumnValue {}
extension SecurityNoticeKind: ColumnValue {}
extension SettledState: ColumnValue {}
extension Strength: ColumnValue {}
extension ThrottleKind: ColumnValue {}

/// `smallint`, the rank.
extension DeliveryUrgency: ColumnValue {
  public static var typeID: UInt32 { Int16.typeID }
  public static var arrayTypeID: UInt32 { Int16.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { rawValue.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> DeliveryUrgency? {
    Int16.read(bytes).flatMap(DeliveryUrgency.init(rawValue:))
  }
}

/// `bigint`, the millimetres.
extension Distance: ColumnValue {
  public static var typeID: UInt32 { Int64.typeID }
  public static var arrayTypeID: UInt32 { Int64.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { millimetres.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Distance? {
    Int64.read(bytes).map { Distance(storedMillimetres: $0) }
  }
}

/// `date`. A stored date was checked before.
extension DateOfBirth: ColumnValue {
  public static var typeID: UInt32 { CivilDate.typeID }
  public static var arrayTypeID: UInt32 { CivilDate.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { date.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> DateOfBirth? {
    CivilDate.read(bytes).map { DateOfBirth(stored: $0) }
  }
}

/// `text`.
extension TimeZoneName: ColumnValue {
  public static var typeID: UInt32 { String.typeID }
  public static var arrayTypeID: UInt32 { String.arrayTypeID }
  public static func reads(typeID id: UInt32) -> Bool { String.reads(typeID: id) }
  public func write(to buffer: inout ParameterBytes) { description.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> TimeZoneName? {
    String.read(bytes).flatMap { TimeZoneName($0) }
  }
}

/// `int2`, the minutes after midnight.
extension LocalTime: ColumnValue {
  public static var typeID: UInt32 { Int16.typeID }
  public static var arrayTypeID: UInt32 { Int16.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { minuteOfDay.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> LocalTime? {
    Int16.read(bytes).flatMap(LocalTime.init(minuteOfDay:))
  }
}

/// `int2[]`, the days' numbers.
extension Weekdays: ColumnValue {
  public static var typeID: UInt32 { [Int16].typeID }
  public static var arrayTypeID: UInt32 { [Int16].arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { numbers.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Weekdays? {
    [Int16].read(bytes).flatMap { Weekdays($0) }
  }
}
