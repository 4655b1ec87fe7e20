import KindsV1
import ProtobufC
import ProtobufDescriptor
import Testing

@Suite struct UnknownEnumTests {
  private static func request<Message: ProtobufMessage>(_: Message.Type, _ bytes: [UInt8]) throws -> Message {
    try bytes.withUnsafeBytes { try RequestDecoder<Message>().decode($0, in: Arena()) }
  }

  /// The paths and numbers of the unknown values in a request.
  private static func unknown<Message: ProtobufMessage>(_ message: Message) -> [String] {
    do {
      let read = try request(Message.self, message.serialized())
      #expect(read == message)
      return []
    } catch ProtobufError.unknownEnumValues(let values) {
      return values.map { "\($0.path) \($0.number)" }
    } catch {
      return ["\(error)"]
    }
  }

  private static let wrong = Kinds.Point(axis: .unrecognized(9))

  @Test(
    "[C-12] an unknown enum value in a request is refused with its path, wherever it stands",
    arguments: [
      (Kinds(anEnum: .unrecognized(-1)), "an_enum -1"), (Kinds(maybeEnum: .unrecognized(2)), "maybe_enum 2"),
      (Kinds(manyEnum: [.red, .unrecognized(3), .infrared]), "many_enum[1] 3"),
      (Kinds(choice: .chosenEnum(.unrecognized(101))), "chosen_enum 101"), (Kinds(aMessage: wrong), "a_message.axis 9"),
      (Kinds(maybeMessage: wrong), "maybe_message.axis 9"),
      (Kinds(manyMessage: [Kinds.Point(), Kinds.Point(axis: .x), wrong]), "many_message[2].axis 9"),
      (Kinds(choice: .chosenMessage(wrong)), "chosen_message.axis 9"),
      (Kinds(pointsByNumber: [1: Kinds.Point(axis: .x), 2: wrong]), "points_by_number[1].value.axis 9"),
      (Kinds(coloursByFlag: [false: .red, true: .unrecognized(8)]), "colours_by_flag[1].value 8"),
    ])
  func refused(message: Kinds, place: String) {
    #expect(Self.unknown(message) == [place])
    #expect(Self.unknown(Everything(kinds: [Kinds(), message])) == ["kinds[1].\(place)"])
  }

  @Test("[C-12] all unknown values are named at once, up to a hundred")
  func all() throws {
    let message = Kinds(anEnum: .unrecognized(50), aMessage: Self.wrong, manyEnum: [.unrecognized(1 << 30), .red])
    #expect(Self.unknown(message) == ["an_enum 50", "a_message.axis 9", "many_enum[0] 1073741824"])
    let many = Kinds(manyEnum: Array(repeating: .unrecognized(4), count: 100_000))
    #expect(Self.unknown(many).count == 100)
    let nested = Everything(kinds: Array(repeating: many, count: 3))
    #expect(Self.unknown(nested).count == 100)
  }

  @Test("[C-12] values that the contract names are taken, negative and unset ones among them")
  func taken() {
    #expect(Self.unknown(Kinds()).isEmpty)
    for colour in Colour.allCases {
      let message = Kinds(anEnum: colour, maybeEnum: colour, manyEnum: [colour], choice: .chosenEnum(colour))
      #expect(Self.unknown(message).isEmpty)
    }
    #expect(Self.unknown(Tree(label: "root", children: [Tree(label: "leaf")])).isEmpty)
  }

  @Test("[C-12] what is told of an unknown value names its enum")
  func enumeration() throws {
    let bytes = Kinds(aMessage: Self.wrong).serialized()
    #expect(
      throws: ProtobufError.unknownEnumValues([
        UnknownEnumValue(path: "a_message.axis", number: 9, enumeration: "kinds.v1.Kinds.Point.Axis")
      ])
    ) { try Self.request(Kinds.self, bytes) }
  }

  @Test("an unset enum of proto2 is none, though its enum may have no zero")
  func proto2() {
    #expect(Self.unknown(FieldDescriptorProto(name: "field")).isEmpty)
    #expect(Self.unknown(FieldDescriptorProto(type: .unrecognized(0))) == ["type 0"])
  }

  @Test("responses and events stay open: other decoding keeps an unknown value")
  func open() throws {
    let message = Kinds(anEnum: .unrecognized(9), manyMessage: [Self.wrong])
    #expect(try Kinds(serialized: message.serialized()) == message)
  }
}
