import Identifiers
import Postgres
import SeededNumbers
import TestSupport
import Testing

/// Gives its parameter back.
struct Echo<Value: EchoValue>: SingleRowStatement {
  static var sql: String { "select $1::\(Value.typeName)" }
  let value: Value
  func bind(_ p: inout Parameters) { p.append(value) }
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Value { try row.next() }
}

struct EchoNull<Value: EchoValue>: SingleRowStatement {
  static var sql: String { "select $1::\(Value.typeName)" }
  func bind(_ p: inout Parameters) { p.append(Value?.none) }
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> Value? { try row.next() }
}

struct EchoArray<Value: EchoValue>: SingleRowStatement {
  static var sql: String { "select $1::\(Value.typeName)[]" }
  let values: [Value]
  func bind(_ p: inout Parameters) { p.append(values) }
  static func decode(_ row: borrowing RowReader) throws(ColumnError) -> [Value] { try row.next() }
}

/// A value whose round trip is tested.
protocol EchoValue: ColumnValue, Equatable {
  static var typeName: String { get }
  static var extremes: [Self] { get }
  static func random(_ generator: inout SplitMix) -> Self
}

extension Int16: EchoValue {
  static var typeName: String { "int2" }
  static var extremes: [Int16] { [.min, -1, 0, 1, .max] }
  static func random(_ generator: inout SplitMix) -> Int16 { Int16(truncatingIfNeeded: generator.next()) }
}
extension Int32: EchoValue {
  static var typeName: String { "int4" }
  static var extremes: [Int32] { [.min, -1, 0, 1, .max] }
  static func random(_ generator: inout SplitMix) -> Int32 { Int32(truncatingIfNeeded: generator.next()) }
}
extension Int64: EchoValue {
  static var typeName: String { "int8" }
  static var extremes: [Int64] { [.min, -1, 0, 1, .max] }
  static func random(_ generator: inout SplitMix) -> Int64 { Int64(bitPattern: generator.next()) }
}
extension Bool: EchoValue {
  static var typeName: String { "bool" }
  static var extremes: [Bool] { [true, false] }
  static func random(_ generator: inout SplitMix) -> Bool { generator.next() & 1 == 1 }
}
extension Float: EchoValue {
  static var typeName: String { "float4" }
  static var extremes: [Float] { [-.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity] }
  static func random(_ generator: inout SplitMix) -> Float { .random(in: -1e30...1e30, using: &generator) }
}
extension Double: EchoValue {
  static var typeName: String { "float8" }
  static var extremes: [Double] { [-.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity] }
  static func random(_ generator: inout SplitMix) -> Double { .random(in: -1e300...1e300, using: &generator) }
}
extension String: EchoValue {
  static var typeName: String { "text" }
  static var extremes: [String] { ["", "'\\\"", "e\u{301}", "👩‍👩‍👧‍👦", "\u{1}\n\t", "{a,b}"] }
  static func random(_ generator: inout SplitMix) -> String {
    let length = Int.random(in: 0...40, using: &generator)
    let scalars = (0..<length).compactMap { _ in Unicode.Scalar(UInt32.random(in: 1...0x10ffff, using: &generator)) }
    return String(String.UnicodeScalarView(scalars))
  }
}
extension Array: EchoValue where Element == UInt8 {
  static var typeName: String { "bytea" }
  static var extremes: [[UInt8]] { [[], [0], [0, 0, 255], [UInt8](repeating: 0x5c, count: 3)] }
  static func random(_ generator: inout SplitMix) -> [UInt8] {
    (0..<Int.random(in: 0...300, using: &generator)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }
}
extension UUID7: EchoValue {
  static var typeName: String { "uuid" }
  static var extremes: [UUID7] { [UUID7(high: 0, low: 0), UUID7(high: .max, low: .max)] }
  static func random(_ generator: inout SplitMix) -> UUID7 { UUID7(high: generator.next(), low: generator.next()) }
}
extension Identifier: EchoValue {
  static var typeName: String { "uuid" }
  static var extremes: [Identifier] { UUID7.extremes.map { Identifier($0) } }
  static func random(_ generator: inout SplitMix) -> Identifier { Identifier(UUID7.random(&generator)) }
}
extension Instant: EchoValue {
  static var typeName: String { "timestamptz" }
  static var extremes: [Instant] { [0, -1, -210_866_803_200_000_000, 1_763_696_045_123_456].map(Instant.init) }
  static func random(_ generator: inout SplitMix) -> Instant {
    Instant(microseconds: .random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator))
  }
}
extension CivilDate: EchoValue {
  static var typeName: String { "date" }
  static var extremes: [CivilDate] { [-719_162, -1, 0, 10_957, 2_932_896].map { CivilDate(daysSince1970: $0) } }
  static func random(_ generator: inout SplitMix) -> CivilDate {
    CivilDate(daysSince1970: .random(in: -719_162...2_932_896, using: &generator))
  }
}

@Suite("Values", .timeLimit(.minutes(5)))
struct ValueTests {
  enum Subject {}

  static let types: [any EchoValue.Type] = [
    Int16.self, Int32.self, Int64.self, Bool.self, Float.self, Double.self, String.self, [UInt8].self, UUID7.self,
    Identifier<Subject>.self, Instant.self, CivilDate.self,
  ]

  @Test("a value comes back as it was sent, alone, in an array and as null", arguments: types)
  func roundTrip(_ type: any EchoValue.Type) async throws {
    try await Self.check(type)
  }

  private static func check<Value: EchoValue>(_ type: Value.Type) async throws {
    try await Database.withNotes { (database) async throws in
      var generator = SplitMix(seed: 20_261_121)
      let values = Value.extremes + (0..<200).map { _ in Value.random(&generator) }
      for value in values { #expect(try await database.first(Echo(value: value)) == value) }
      #expect(try await database.first(EchoArray(values: values)) == values)
      #expect(try await database.first(EchoArray<Value>(values: [])) == [])
      #expect(try await database.rows(EchoNull<Value>()) == [nil])
    }
  }

  @Test("a text is taken as a literal would be: as an enum, as JSON, as an address")
  func textAsAnything() async throws {
    try await Database.withNotes { (database) async throws in
      #expect(try await database.first(AsJSON(text: #"{"a": 1}"#)) == #"{"a": 1}"#)
    }
  }

  @Test("a null where the row expects a value is an error that names the column")
  func unexpectedNull() async throws {
    try await Database.withNotes { (database) async throws in
      let error = await #expect(throws: PostgresError.self) { try await database.first(NullAnswer()) }
      #expect(error?.kind == .column)
      #expect(error?.message == "column answer is null")
    }
  }

  @Test("a statement that does not fit the schema is named before it is run")
  func statementCheck() async throws {
    try await TestDatabase.with([notes]) { (database) async throws in
      let url = database.url(of: "notes")
      #expect(try await StatementCheck.problems(of: [AddNote.self, NoteIDs.self], url: url) == [])
      let problems = try await StatementCheck.problems(of: [NoteIDs.self, Nonsense.self], url: url)
      #expect(problems.count == 1)
      #expect(problems.first?.hasPrefix("Nonsense: 42601") == true)
    }
  }

  @Test("a time or a date without end is an error, not a moment")
  func infinity() async throws {
    try await Database.withNotes { (database) async throws in
      await #expect(throws: PostgresError.self) { try await database.first(Forever()) }
    }
  }
}

struct AsJSON: SingleRowStatement {
  typealias Row = String
  static let sql = "select $1::jsonb"
  let text: String
  func bind(_ p: inout Parameters) { p.append(text) }
}

struct NullAnswer: SingleRowStatement {
  typealias Row = Int64
  static let sql = "select null::int8 as answer"
}

struct Forever: SingleRowStatement {
  typealias Row = Instant
  static let sql = "select 'infinity'::timestamptz"
}
