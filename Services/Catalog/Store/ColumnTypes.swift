import CatalogDomain
import Identifiers
import Postgres

// How types of the domain are stored. Each of these meets a requirement of ColumnValue, whose comments hold for all of them.

extension BookStatus: ColumnValue {}
extension MuscleGroup: ColumnValue {}
extension Equipment: ColumnValue {}
extension ExerciseLevel: ColumnValue {}
extension ExerciseCategory: ColumnValue {}

/// `int2`. A stored rating was checked before.
extension Stars: ColumnValue {
  public static var typeID: UInt32 { Int16.typeID }
  public static var arrayTypeID: UInt32 { Int16.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { count.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Stars? { Int16.read(bytes).map { Stars(stored: $0) } }
}

/// `int4`.
extension CountEffect: ColumnValue {
  package static var typeID: UInt32 { Int32.typeID }
  package static var arrayTypeID: UInt32 { Int32.arrayTypeID }
  package func write(to buffer: inout ParameterBytes) { rawValue.write(to: &buffer) }
  package static func read(_ bytes: UnsafeRawBufferPointer) -> CountEffect? {
    Int32.read(bytes).flatMap(CountEffect.init(rawValue:))
  }
}

/// `int4`: grams. A stored weight was checked before.
extension Weight: ColumnValue {
  public static var typeID: UInt32 { Int32.typeID }
  public static var arrayTypeID: UInt32 { Int32.arrayTypeID }
  public func write(to buffer: inout ParameterBytes) { grams.write(to: &buffer) }
  public static func read(_ bytes: UnsafeRawBufferPointer) -> Weight? { Int32.read(bytes).map { Weight(stored: $0) } }
}
