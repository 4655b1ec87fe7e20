import GatewayTranscoder
import GoogleRPC
import KindsV1
import TandemIdentity
import Testing
import WorkerPool

@Suite struct TranscoderTests {
  private let contract: Contract
  private let kinds: Contract.MessageReference

  init() throws {
    contract = try Contract(
      descriptorSets: [
        KindsV1.FileDescriptors.serialized, TandemIdentity.FileDescriptors.serialized,
        GoogleRPC.FileDescriptors.serialized,
      ],
      types: ["kinds.v1.Kinds", "google.rpc.ErrorInfo", "google.protobuf.FieldMask"])
    kinds = try #require(contract.message(named: "kinds.v1.Kinds"))
  }

  private func read(
    _ json: String, _ unknown: UnknownMembers = .discarded, as name: String = "kinds.v1.Kinds"
  ) throws -> [UInt8] {
    let type = try #require(contract.message(named: name))
    return try Array(json.utf8).withUnsafeBufferPointer {
      try contract.protobuf(fromJSON: $0, type, unknown: unknown, in: .assumed())
    }
  }

  private func write(_ wire: [UInt8], as name: String = "kinds.v1.Kinds") throws -> String {
    let type = try #require(contract.message(named: name))
    return String(
      decoding: try wire.withUnsafeBufferPointer { try contract.json(fromProtobuf: $0, type, in: .assumed()) },
      as: UTF8.self)
  }

  /// What the text says once it has been through protobuf.
  private func round(_ json: String) throws -> String { try write(try read(json)) }

  private func refusal(_ json: String, _ unknown: UnknownMembers = .discarded) throws -> String? {
    do {
      _ = try read(json, unknown)
      return nil
    } catch let error as TranscodingError {
      return error.description
    }
  }

  @Test(
    "[GATE-2] every spelling of a value is read, and one is written",
    arguments: [
      (#"{"aInt64":"9007199254740993"}"#, #"{"aInt64":"9007199254740993"}"#),
      (#"{"aInt64":9007199254740993}"#, #"{"aInt64":"9007199254740993"}"#),
      (#"{"a_int64":-9223372036854775808}"#, #"{"aInt64":"-9223372036854775808"}"#),
      (#"{"aUint64":18446744073709551615}"#, #"{"aUint64":"18446744073709551615"}"#),
      (#"{"aInt32":1.0}"#, #"{"aInt32":1}"#), (#"{"aInt32":"1e3"}"#, #"{"aInt32":1000}"#),
      (#"{"aInt32":1200e-2}"#, #"{"aInt32":12}"#), (#"{"aInt32":0}"#, "{}"),
      (#"{"maybeInt32":0}"#, #"{"maybeInt32":0}"#),
      (#"{"aDouble":"NaN"}"#, #"{"aDouble":"NaN"}"#), (#"{"aFloat":"-Infinity"}"#, #"{"aFloat":"-Infinity"}"#),
      (#"{"aDouble":"1.5"}"#, #"{"aDouble":1.5}"#), (#"{"aBytes":"-_8"}"#, #"{"aBytes":"+/8="}"#),
      (#"{"aBytes":"+/8="}"#, #"{"aBytes":"+/8="}"#), (#"{"anEnum":"COLOUR_RED"}"#, #"{"anEnum":"COLOUR_RED"}"#),
      (#"{"anEnum":1}"#, #"{"anEnum":"COLOUR_RED"}"#), (#"{"anEnum":-5}"#, #"{"anEnum":"COLOUR_INFRARED"}"#),
      (#"{"anEnum":77}"#, #"{"anEnum":77}"#), (#"{"anEnum":"COLOUR_OF_TOMORROW"}"#, "{}"),
      (#"{"aString":null,"aMessage":null,"manyInt32":null}"#, "{}"), (#"{"aMessage":{}}"#, #"{"aMessage":{}}"#),
      (#"{"aString":"\u00e4\ud834\udd1e\n\""}"#, #"{"aString":"ä𝄞\n\""}"#),
      (#"{"aString":"\u0000"}"#, #"{"aString":"\u0000"}"#),
      (#"{"createTime":"2026-11-23T18:00:00.120+01:00"}"#, #"{"createTime":"2026-11-23T17:00:00.120Z"}"#),
      (#"{"createTime":"0001-01-01T00:00:00Z"}"#, #"{"createTime":"0001-01-01T00:00:00Z"}"#),
      (#"{"chosenDuration":"-1.5s"}"#, #"{"chosenDuration":"-1.500s"}"#),
      (#"{"chosenText":""}"#, #"{"chosenText":""}"#),
      (#"{"manyUnpacked":[1,2],"manyInt32":[3]}"#, #"{"manyUnpacked":[1,2],"manyInt32":[3]}"#),
      (#" { "unknown" : [ { "a" : [ 1 , -0.5e3 , "x" , true , null ] } ] , "aBool" : true } "#, #"{"aBool":true}"#),
      (#"{"\u0061Bool":true}"#, #"{"aBool":true}"#),
    ])
  func spellings(json: String, expected: String) throws {
    #expect(try round(json) == expected)
  }

  @Test(
    "[GATE-2] what is wrong is refused with the field's path",
    arguments: [
      (#"{"aInt32":2147483648}"#, "a_int32 is not a whole number of its range"),
      (#"{"aInt32":1.5}"#, "a_int32 is not a whole number of its range"),
      (#"{"aUint32":-1}"#, "a_uint32 is not a whole number of its range"),
      (#"{"aInt64":"9223372036854775808"}"#, "a_int64 is not a whole number of its range"),
      (#"{"aInt32":1e1000000000000}"#, "a_int32 is not a whole number of its range"),
      (#"{"aInt32":" 1"}"#, "a_int32 is not a whole number of its range"),
      (#"{"aDouble":1e400}"#, "a_double is not a number of its range"),
      (#"{"aBool":"true"}"#, "a_bool is not true or false"),
      (#"{"aBool":1}"#, "a_bool is not true or false"), (#"{"aString":1}"#, "a_string is not a string"),
      (#"{"aBytes":"a"}"#, "a_bytes is not base64"), (#"{"aBytes":"?x"}"#, "a_bytes is not base64"),
      (#"{"manyMessage":[{"x":1},{"x":"y"}]}"#, "many_message[1].x is not a whole number of its range"),
      (#"{"manyInt32":[null]}"#, "many_int32[0] is null, which no element of a list can be"),
      (#"{"manyInt32":1}"#, "many_int32 is not a list"), (#"{"aMessage":[]}"#, "a_message is not an object"),
      (#"{"aBool":true,"aBool":true}"#, "a_bool is given twice"),
      (#"{"aBool":true,"a_bool":true}"#, "a_bool is given twice"),
      (#"{"chosenText":"x","chosenFlag":true}"#, "chosen_flag is given beside another member of its choice"),
      (#"{"aString":"\ud834"}"#, "a_string has half of a surrogate pair, which is no character"),
      (#"{"aString":"\udd1e\ud834"}"#, "a_string has half of a surrogate pair, which is no character"),
      (#"{"createTime":"2026-02-29T00:00:00Z"}"#, "create_time is not a time such as 2026-11-23T18:00:00Z"),
      (#"{"createTime":"yesterday"}"#, "create_time is not a time such as 2026-11-23T18:00:00Z"),
      (#"{"chosenDuration":"1"}"#, "chosen_duration is not a duration such as 1.5s"),
      (#"[]"#, "The message is not an object"),
      ("", "The message is not well-formed JSON: a value is expected at byte 0"),
      (#"{"aBool":true"#, "The message is not well-formed JSON: \"}\" is expected at byte 13"),
      (#"{"aBool":true}x"#, "The message is not well-formed JSON: the text goes on after its end at byte 14"),
      (#"{"aBool":true,}"#, "The message is not well-formed JSON: \"\"\" is expected at byte 14"),
      (#"{"aInt32":01}"#, "The message is not well-formed JSON: \"}\" is expected at byte 10"),
    ])
  func refusals(json: String, expected: String) throws {
    let said = try refusal(json)
    // Where a number is not one, its own field is named.
    #expect(said == expected || json.contains("01") && said?.contains("well-formed") == true)
  }

  @Test("[GATE-2] members that the message does not have are refused where that is asked for")
  func strictness() throws {
    let long = String(repeating: "n", count: 100_000)
    #expect(try refusal("{\"\(long)\":1}", .refused) == "\(long.prefix(100)) is not a field")
    // One character, of many scalars.
    let accents = "a" + String(repeating: "\u{301}", count: 100_000)
    let said = try refusal("{\"\(accents)\":1}", .refused)
    #expect(try #require(said).utf8.count < 300)
    #expect(try refusal(#"{"nope":1}"#, .refused) == "nope is not a field")
    #expect(
      try refusal(#"{"anEnum":"NOPE"}"#, .refused) == "an_enum is not one of the names that it may have")
  }

  @Test(
    "[GATE-2] nesting is limited without recursion, in fields and in what is skipped",
    arguments: [
      String(repeating: #"{"x":"#, count: 10_000), #"{"x":"# + String(repeating: "[", count: 10_000),
      String(repeating: "[", count: 10_000),
    ])
  func depth(json: String) throws {
    #expect(try refusal(json) != nil)
  }

  @Test(
    "[GATE-2] invalid UTF-8 is refused, wherever it stands",
    arguments: [
      #"{"aString":""#, #"{""#, #"{"nope":""#,
    ])
  func invalidUTF8(start: String) throws {
    for bad: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]] {
      let text = Array(start.utf8) + bad + Array(#"":"x"}"#.utf8)
      #expect(throws: TranscodingError.self) {
        try text.withUnsafeBufferPointer { try contract.protobuf(fromJSON: $0, kinds, in: .assumed()) }
      }
    }
  }

  @Test("[GATE-2] a map's entries, their order and the last of a key")
  func maps() throws {
    let json = #"{"reason":"R","metadata":{"a":"1","b":"2"}}"#
    let wire = try read(json, as: "google.rpc.ErrorInfo")
    #expect(try write(wire, as: "google.rpc.ErrorInfo") == json)
    #expect(throws: TranscodingError.self) {
      try read(#"{"metadata":{"a":"1","a":"2"}}"#, as: "google.rpc.ErrorInfo")
    }
    let twice = wire + (try read(#"{"metadata":{"a":"3"}}"#, as: "google.rpc.ErrorInfo"))
    #expect(try write(twice, as: "google.rpc.ErrorInfo") == #"{"reason":"R","metadata":{"a":"3","b":"2"}}"#)
  }

  @Test("[GATE-2] field masks are written in camel case, and refused where that cannot be undone")
  func masks() throws {
    let wire = try read(#""displayName,address.postCode""#, as: "google.protobuf.FieldMask")
    #expect(wire == [0x0A, 12] + Array("display_name".utf8) + [0x0A, 17] + Array("address.post_code".utf8))
    #expect(try write(wire, as: "google.protobuf.FieldMask") == #""displayName,address.postCode""#)
    #expect(throws: TranscodingError.self) { try read(#""display_name""#, as: "google.protobuf.FieldMask") }
  }

  @Test("[GATE-2] bytes that are no message are refused, whatever they are")
  func garbage() throws {
    var state: UInt64 = 33
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<(state % 40) {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        bytes.append(UInt8(truncatingIfNeeded: state >> 33))
      }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // Both readers must end; most of it is refused.
      _ = try? bytes.withUnsafeBufferPointer { try contract.json(fromProtobuf: $0, kinds, in: .assumed()) }
      _ = try? bytes.withUnsafeBufferPointer { try contract.protobuf(fromJSON: $0, kinds, in: .assumed()) }
    }
  }
}
