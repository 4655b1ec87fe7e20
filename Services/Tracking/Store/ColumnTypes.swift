public import Postgres
public import TrackingDomain

// What columns hold, in the domain's types.

extension MemberState: ColumnValue {}
extension JourneyKind: ColumnValue {}
extension TravelMode: ColumnValue {}
extension JourneyOutcome: ColumnValue {}
extension ChangeKind: ColumnValue {}
extension PresenceKind: ColumnValue {}

/// A sum of `integer`.
extension Warnings: ColumnValue {
  public static var typeID: UInt32 { Int32.typeID }
  public static var arrayTypeID: UInt32 { Int32.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { rawValue.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Warnings? {
    Int32.read(bytes).map(Warnings.init(rawValue:))
  }
}
