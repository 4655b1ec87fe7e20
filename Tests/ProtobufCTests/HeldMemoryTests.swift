import EchoV1
import GoogleProtobuf
import GoogleRPC
import KindsV1
import ProtobufDescriptor
import Testing

@testable import ProtobufC

@Suite("The memory of decoded messages")
struct HeldMemoryTests {
  /// The counted memory of the bytes, and the memory of their value by its own account.
  private static func measure<Message: ProtobufMessage>(
    _ type: Message.Type, _ bytes: [UInt8]
  ) throws -> (told: Int, taken: Int) {
    let arena = Arena(firstBlock: 65_536)
    var told = 0
    let message = try bytes.withUnsafeBytes { try Message.decode($0, in: arena, holding: &told) }
    return (told, MemoryLayout<Message>.size + Self.referred(message))
  }

  /// Bytes that a value refers to, as Swift's own types have it: 32 before the content of an array, a table or a long text.
  private static func referred(_ value: Any) -> Int {
    switch value {
    case let text as String: text.utf8.count > 15 ? 32 + text.utf8.count : 0
    case let list as any Listed: list.referredBytes { Self.referred($0) }
    default: Mirror(reflecting: value).children.reduce(0) { $0 + Self.referred($1.value) }
    }
  }

  @Test("is never told less than it is, for messages of every type of field", arguments: 0..<40)
  func random(seed: UInt64) throws {
    let everything = try Self.measure(
      Everything.self, RandomWire.message(Everything.cDescriptor, seed: seed))
    #expect(everything.told >= everything.taken)
  }

  @Test("is never told less than it is, for a message that keeps the fields it does not know")
  func unknownFields() throws {
    let files = try Self.measure(FileDescriptorSet.self, KindsV1.FileDescriptors.serialized)
    #expect(files.told >= files.taken)
  }

  @Test("is never told less than it is, for elements of two bytes")
  func tinyElements() throws {
    // Fields of one byte's tag that are lists: trees, kinds, names; texts; violations.
    func elements(_ field: UInt8) -> [UInt8] {
      [[UInt8]](repeating: [field << 3 | 2, 0], count: 1_000).flatMap(\.self)
    }
    for field: UInt8 in 1...3 {
      let measured = try Self.measure(Everything.self, elements(field))
      #expect(measured.told >= measured.taken && measured.taken > 4 * 2_000)
    }
    let violations = try Self.measure(BadRequest.self, elements(1))
    #expect(violations.told >= violations.taken && violations.taken > 20 * 2_000)
    let texts = try Self.measure(Names.self, elements(4))
    #expect(texts.told >= texts.taken && texts.taken > 7 * 2_000)
    let paths = try Self.measure(FieldMask.self, [[UInt8]](repeating: [0x0A, 1, 0x61], count: 1_000).flatMap(\.self))
    #expect(paths.told >= paths.taken)
  }

  @Test("is about what it is for ordinary messages: no more than twice")
  func ordinary() throws {
    let violation = BadRequest.FieldViolation(
      field: "profile.date_of_birth", description: "Please choose a valid date of birth", reason: "OUT_OF_RANGE_DATE")
    let request = BadRequest(fieldViolations: Array(repeating: violation, count: 100))
    let measured = try Self.measure(BadRequest.self, request.serialized())
    #expect(measured.told >= measured.taken && measured.told <= 2 * measured.taken)
  }

  @Test("types whose values have lists are known")
  func lists() {
    #expect(Everything.hasLists && Tree.hasLists && BadRequest.hasLists && Names.hasLists)
    #expect(!Msg.hasLists && !Timestamp.hasLists && !Kinds.Point.hasLists && !Nothing.hasLists)
  }
}

/// An array or a table, with the size of what is in it.
private protocol Listed {
  func referredBytes(_ referred: (Any) -> Int) -> Int
}

extension Array: Listed {
  fileprivate func referredBytes(_ referred: (Any) -> Int) -> Int {
    isEmpty ? 0 : reduce(32 + count * MemoryLayout<Element>.stride) { $0 + referred($1) }
  }
}

extension Dictionary: Listed {
  fileprivate func referredBytes(_ referred: (Any) -> Int) -> Int {
    guard !isEmpty else { return 0 }
    let pair = MemoryLayout<Key>.stride + MemoryLayout<Value>.stride
    return reduce(32 + capacity * pair) { $0 + referred($1.key) + referred($1.value) }
  }
}
