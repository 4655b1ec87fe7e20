import GoogleProtobuf
import KindsV1
import ProtobufC
import ProtobufDescriptor
import Testing

@Suite struct RoundTripTests {
  @Test("random messages of every kind of field read as protobuf's own decoder reads them", arguments: 0..<12)
  func random(seed: UInt64) throws {
    // Messages one after the other are one message, with all their elements; that saves runs of protoc.
    let wire = (0..<16).flatMap { RandomWire.message(Everything.cDescriptor, seed: seed * 1000 + $0) }
    let ours = try Everything(serialized: wire)
    let theirs = try Protoc.decode("kinds.v1.Everything", wire)
    #expect(try Protoc.decode("kinds.v1.Everything", ours.serialized()) == theirs)
    #expect(try Everything(serialized: ours.serialized()) == ours)
    #expect(try Everything(serialized: Protoc.encode("kinds.v1.Everything", theirs)) == ours)
  }

  @Test("the descriptors of a contract read as protobuf's own decoder reads them")
  func descriptors() throws {
    for wire in [KindsV1.FileDescriptors.serialized, ProtobufDescriptor.FileDescriptors.serialized] {
      let ours = try FileDescriptorSet(serialized: wire)
      let theirs = try Protoc.decode("google.protobuf.FileDescriptorSet", wire)
      #expect(ours.file.count > 0)
      #expect(try Protoc.decode("google.protobuf.FileDescriptorSet", ours.serialized()) == theirs)
    }
  }

  @Test("a message with every field at its default is empty on the wire, and back")
  func defaults() throws {
    #expect(Kinds().serialized().isEmpty)
    #expect(try Kinds(serialized: []) == Kinds())
    #expect(try Nothing(serialized: []) == Nothing())
  }

  @Test("an optional field tells its default from absence")
  func presence() throws {
    let set = Kinds(maybeInt32: 0, maybeBool: false, maybeString: "", maybeBytes: [], maybeEnum: .unspecified)
    let back = try Kinds(serialized: set.serialized())
    #expect(back == set)
    #expect(back.maybeString == "")
    #expect(back.maybeInt64 == nil)
    #expect(back.maybeMessage == nil)
  }

  @Test("a chosen member of a oneof is told from no choice, whatever its value")
  func oneofs() throws {
    let choices: [Kinds.Choice] = [
      .chosenText(""), .chosenBytes([]), .chosenNumber(0), .chosenFlag(false), .chosenEnum(.unspecified),
      .chosenMessage(.init()), .chosenDuration(.init(seconds: -1, nanos: -5)),
    ]
    for choice in choices {
      #expect(try Kinds(serialized: Kinds(choice: choice).serialized()).choice == choice)
    }
  }

  @Test("text keeps the NUL characters in it")
  func embeddedNUL() throws {
    let names = Names(import: ["\u{0}", "a\u{0}"], requestID: "before\u{0}after", c: "\u{0}")
    #expect(try Names(serialized: names.serialized()) == names)
    let kinds = Kinds(choice: .chosenText("\u{0}x"), textsByText: ["\u{0}": "a\u{0}b"])
    #expect(try Kinds(serialized: kinds.serialized()) == kinds)
  }

  @Test("an enum's number without a name is kept")
  func unknownEnum() throws {
    let kinds = Kinds(anEnum: .unrecognized(12345), manyEnum: [.infrared, .unrecognized(-77), .default])
    let back = try Kinds(serialized: kinds.serialized())
    #expect(back == kinds)
    #expect(back.anEnum.rawValue == 12345)
    #expect(Colour(rawValue: 7) == .darkBlue)
  }

  @Test("equal messages give equal bytes, whatever the order in their dictionaries")
  func deterministic() {
    let keys = (0..<50).map { "key \($0)" }
    let there = Kinds(textsByText: Dictionary(uniqueKeysWithValues: keys.map { ($0, "v") }))
    let back = Kinds(textsByText: Dictionary(uniqueKeysWithValues: keys.reversed().map { ($0, "v") }))
    #expect(there.serialized() == back.serialized())
  }

  @Test("fields without a name are dropped from a message and kept in options")
  func unknownFields() throws {
    let wire: [UInt8] = [0x88, 0xb5, 0x18, 2]  // field 50001 (varint) = 2
    #expect(try Names(serialized: wire).serialized().isEmpty)
    let options = try MethodOptions(serialized: wire)
    #expect(options.unknownFields == [UnknownField(number: 50001, wireType: 0, bytes: [2])])
    #expect(options.unknownFields.varint(50001) == 2)
    #expect(options.unknownFields.varint(50002) == nil)
    #expect(options.serialized() == wire)
  }
}
