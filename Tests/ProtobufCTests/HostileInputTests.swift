import GoogleRPC
import KindsV1
import ProtobufC
import ProtobufDescriptor
import SeededNumbers
import Testing

@Suite struct HostileInputTests {
  @Test(
    "text that is not UTF-8 is refused wherever it stands, with the field's name",
    arguments: [
      (Self.field(9), "kinds.v1.Kinds.a_string"), (Self.field(38), "kinds.v1.Kinds.maybe_string"),
      (Self.field(68), "kinds.v1.Kinds.many_string[0]"), (Self.field(90), "kinds.v1.Kinds.chosen_text"),
    ])
  func invalidText(tag: [UInt8], name: String) {
    let wrong: [[UInt8]] = [
      [0xff], [0xc0, 0x80], [0x80], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0x61, 0xf0, 0x9f],
      Array(repeating: 0x61, count: 40) + [0xfe],
    ]
    for bytes in wrong {
      #expect(throws: ProtobufError.invalidUTF8(field: name)) {
        try Kinds(serialized: tag + [UInt8(bytes.count)] + bytes)
      }
    }
  }

  @Test("text that is not UTF-8 is refused in maps and in nested messages")
  func invalidTextWithin() {
    let entry: [UInt8] = [0x0a, 1, 0xff]
    #expect(throws: ProtobufError.invalidUTF8(field: "kinds.v1.Kinds.texts_by_text[0].key")) {
      try Kinds(serialized: Self.field(100) + [UInt8(entry.count)] + entry)
    }
    #expect(throws: ProtobufError.invalidUTF8(field: "kinds.v1.Tree.children[0].label")) {
      try Tree(serialized: [0x12, 3, 0x0a, 1, 0xff])
    }
  }

  @Test("the path of a text that is not UTF-8 leads through lists, maps, choices and recursion to the first of them")
  func pathOfInvalidText() throws {
    let wrong: [UInt8] = [0x1a, 2, 0x61, 0xff]  // the label of a Point
    let right: [UInt8] = [0x1a, 2, 0x61, 0x62]
    let list = Self.wrapped(right, 76) + Self.wrapped([], 76) + Self.wrapped(wrong, 76) + Self.wrapped(wrong, 76)
    let map =
      Self.wrapped([0x08, 1] + Self.wrapped(right, 2), 101) + Self.wrapped([0x08, 2] + Self.wrapped(wrong, 2), 101)
    let cases: [([UInt8], String)] = [
      (Self.wrapped(wrong, 17), "a_message.label"), (Self.wrapped(wrong, 46), "maybe_message.label"),
      (list, "many_message[2].label"), (Self.wrapped(wrong, 95), "chosen_message.label"),
      (map, "points_by_number[1].value.label"),
      (Self.field(68) + [1, 0x61] + Self.field(68) + [1, 0x80], "many_string[1]"),
      // Bytes before it may be anything.
      (Self.field(10) + [1, 0xff] + Self.wrapped(wrong, 46), "maybe_message.label"),
    ]
    for (bytes, path) in cases {
      #expect(throws: ProtobufError.invalidUTF8(field: "kinds.v1.Kinds.\(path)")) { try Kinds(serialized: bytes) }
    }
    let leaf = Self.wrapped(Self.wrapped([0x0a, 1, 0xff], 2), 2)
    #expect(throws: ProtobufError.invalidUTF8(field: "kinds.v1.Tree.children[0].children[0].label")) {
      try Tree(serialized: leaf)
    }
  }

  @Test("bytes need not be text")
  func anyBytes() throws {
    #expect(try Kinds(serialized: Self.field(10) + [2, 0xff, 0]).aBytes == [0xff, 0])
  }

  @Test("a message that ends within a field is malformed")
  func truncated() throws {
    let whole = Kinds(
      aDouble: 1, aInt64: 1 << 60, aString: "text", aMessage: .init(x: 5, label: "label"), manyFixed32: [1, 2, 3],
      choice: .chosenBytes([1, 2, 3]), textsByText: ["k": "v"]
    ).serialized()
    var ends = 0
    for length in 0..<whole.count {
      do throws(ProtobufError) {
        // A cut between two fields leaves a shorter message.
        let size = try Kinds(serialized: whole[..<length]).serialized().count
        #expect(size == length)
        ends += 1
      } catch {
        #expect(error == .malformed)
      }
    }
    #expect(ends == 7)
  }

  @Test("messages may lie 100 deep within each other and no deeper")
  func depth() throws {
    #expect(try Tree(serialized: Self.nested(100)).serialized() == Self.nested(100))
    #expect(throws: ProtobufError.tooDeep(limit: 100)) { try Tree(serialized: Self.nested(101)) }
    #expect(throws: ProtobufError.tooDeep(limit: 100)) { try Tree(serialized: Self.nested(200_000)) }
    #expect(throws: ProtobufError.tooDeep(limit: 100)) { try Everything(serialized: Self.wrapped(Self.nested(100), 3)) }
  }

  @Test("only types that can contain themselves are checked for depth")
  func recursiveTypes() {
    #expect(Tree.isRecursive && Everything.isRecursive && FileDescriptorSet.isRecursive)
    #expect(!Kinds.isRecursive && !Names.isRecursive && !Status.isRecursive && !MethodOptions.isRecursive)
  }

  @Test(
    "groups are malformed, known field or not", arguments: [[0x0b, 0x0c], [0x0b], [0x0c], [0xfb, 0x3f, 0xfc, 0x3f]])
  func groups(bytes: [UInt8]) {
    #expect(throws: ProtobufError.malformed) { try Kinds(serialized: bytes) }
    #expect(throws: ProtobufError.malformed) { try Tree(serialized: bytes) }
  }

  @Test(
    "lengths that the message does not have are malformed",
    arguments: [
      [0x7f], [0xff, 0xff, 0xff, 0x7f], [0xff, 0xff, 0xff, 0xff, 0x07], [0xff, 0xff, 0xff, 0xff, 0x0f],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
      Array(repeating: 0xff, count: 11),
    ])
  func lengths(length: [UInt8]) {
    for number in [9, 10, 16, 60, 62, 68, 76, 91, 100] as [UInt64] {
      #expect(throws: ProtobufError.malformed) { try Kinds(serialized: Self.field(number) + length + [1, 2, 3]) }
    }
    #expect(throws: ProtobufError.malformed) { try Tree(serialized: [0x12] + length + [1, 2, 3]) }
  }

  @Test("a required field that is missing is malformed")
  func required() throws {
    #expect(throws: ProtobufError.malformed) { try UninterpretedOption.NamePart(serialized: [0x0a, 1, 0x61]) }
    #expect(try UninterpretedOption.NamePart(serialized: [0x0a, 1, 0x61, 0x10, 1]).namePart == "a")
  }

  @Test("a message may have as many fields as the arena says and no more, known or not, in it or within it")
  func fieldCount() throws {
    let arena = Arena(firstBlock: 1024, fieldLimit: 100)
    let unknown: [UInt8] = [0xf8, 0x3f, 0]
    let known: [UInt8] = [0x28, 7]
    for field in [unknown, known, Self.field(76) + [0], Self.field(68) + [0]] {
      let fitting = Array(repeatElement(field, count: 100).joined())
      #expect(throws: Never.self) { try Self.decode(Kinds.self, fitting, arena) }
      #expect(throws: ProtobufError.tooManyFields(limit: 100)) {
        try Self.decode(Kinds.self, fitting + known + fitting, arena)
      }
    }
    let nested = Self.wrapped(Array(repeatElement([0x08, 1], count: 98).joined()), 17)
    #expect(throws: Never.self) { try Self.decode(Kinds.self, nested + known, arena) == Kinds() }
    #expect(throws: ProtobufError.tooManyFields(limit: 100)) { try Self.decode(Kinds.self, nested + nested, arena) }
    let children = Array(repeatElement([0x12, 0], count: 101).joined()) as [UInt8]
    #expect(throws: ProtobufError.tooManyFields(limit: 100)) { try Self.decode(Tree.self, children, arena) }
    #expect(try Self.decode(Kinds.self, Kinds(aString: "fine").serialized(), arena).aString == "fine")
  }

  @Test("a message that asks for more memory than the limit is refused, and the arena stays of use")
  func memory() throws {
    let arena = Arena(firstBlock: 1024, decodeLimit: 100_000)
    let bomb = Array(repeatElement([UInt8]([0x0a, 0]), count: 10_000).joined())  // 10,000 empty Kinds
    #expect(throws: ProtobufError.tooLarge) { try Self.decode(Everything.self, bomb, arena) }
    #expect(try Self.decode(Kinds.self, Kinds(aString: "fine").serialized(), arena).aString == "fine")
  }

  @Test("repeating a message to make it copied again and again is refused")
  func merging() {
    // `options` of a file, with one uninterpreted option each time: the lists are joined at every repetition.
    let once = Self.field(8) + [3, 0xba, 0x3e, 0]
    let bomb = Array(repeatElement(once, count: 40_000).joined())
    #expect(throws: ProtobufError.tooLarge) { try Self.decode(FileDescriptorProto.self, bomb, Arena(fieldLimit: .max)) }
  }

  @Test("random bytes are refused or read, and what was read can be written and read again", arguments: 0..<8)
  func noise(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<4_000 {
      let length = Int.random(in: 0..<120, using: &random)
      Self.tryAll((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
  }

  @Test("messages with some bytes changed are refused or read", arguments: 0..<16)
  func mutations(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let whole = RandomWire.message(Everything.cDescriptor, seed: seed)
    guard !whole.isEmpty else { return }
    for _ in 0..<400 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[place] = [0, 0x7f, 0x80, 0xff].randomElement(using: &random) ?? 0
        default: bytes.removeSubrange(place..<min(bytes.count, place + 3))
        }
        if bytes.isEmpty { break }
      }
      Self.tryAll(bytes)
    }
  }

  private static func decode<Message: ProtobufMessage>(
    _: Message.Type, _ bytes: [UInt8], _ arena: Arena
  ) throws -> Message {
    try bytes.withUnsafeBytes { try Message.decode($0, in: arena) }
  }

  private static func tryAll(_ bytes: [UInt8]) {
    tryOne(Everything.self, bytes)
    tryOne(Kinds.self, bytes)
    tryOne(Tree.self, bytes)
    tryOne(FileDescriptorSet.self, bytes)
    tryOne(Status.self, bytes)
  }

  private static func tryOne<Message: ProtobufMessage>(_: Message.Type, _ bytes: [UInt8]) {
    guard let message = try? Message(serialized: bytes) else { return }
    // Bytes are compared, because a NaN is not equal to itself.
    let again = message.serialized()
    #expect((try? Message(serialized: again))?.serialized() == again)
  }

  /// The tag of a field whose value has its length before it.
  private static func field(_ number: UInt64) -> [UInt8] {
    let tag = number << 3 | 2
    return tag < 0x80 ? [UInt8(tag)] : [UInt8(tag & 0x7f) | 0x80, UInt8(tag >> 7)]
  }

  /// A Tree with as many Trees within each other below it.
  private static func nested(_ depth: Int) -> [UInt8] {
    // Built from the outside: the lengths first, then written in reverse.
    var lengths: [Int] = []
    var length = 0
    for _ in 0..<depth {
      lengths.append(length)
      length += 1 + Self.varint(UInt64(length)).count
    }
    return lengths.reversed().flatMap { [0x12] + Self.varint(UInt64($0)) }
  }

  private static func wrapped(_ bytes: [UInt8], _ number: UInt64) -> [UInt8] {
    field(number) + varint(UInt64(bytes.count)) + bytes
  }

  private static func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
