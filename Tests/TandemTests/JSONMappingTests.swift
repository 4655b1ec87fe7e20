import Reflection
import Testing

@Suite("protobuf's JSON mapping")
struct JSONMappingTests {
  let everything: Everything

  init() throws { everything = try Everything() }

  @Test(
    "agrees with protoc on the wire form, and gives the JSON back",
    arguments: [
      (#"{"aDouble":1.5,"aFloat":-0.25,"anInt32":-7}"#, "a_double: 1.5 a_float: -0.25 an_int32: -7"),
      (
        #"{"anInt64":"-9223372036854775808","aUint32":4294967295,"aUint64":"18446744073709551615"}"#,
        "an_int64: -9223372036854775808 a_uint32: 4294967295 a_uint64: 18446744073709551615"
      ),
      (
        #"{"aSint32":-1,"aSint64":"-2","aFixed32":3,"aFixed64":"4","aSfixed32":-5,"aSfixed64":"-6"}"#,
        "a_sint32: -1 a_sint64: -2 a_fixed32: 3 a_fixed64: 4 a_sfixed32: -5 a_sfixed64: -6"
      ),
      (
        #"{"aBool":true,"aString":"grüße\n","someBytes":"AP8Q"}"#,
        #"a_bool: true a_string: "grüße\n" some_bytes: "\000\377\020""#
      ),
      (#"{"mood":"MOOD_BAD","moods":["MOOD_GOOD",7]}"#, "mood: MOOD_BAD moods: MOOD_GOOD moods: 7"),
      (#"{"nested":{"nested":{}}}"#, "nested { nested {} }"),
      (#"{"numbers":[1,0,-1],"words":["","a"]}"#, #"numbers: 1 numbers: 0 numbers: -1 words: "" words: "a""#),
      (#"{"counts":{"a":"1"}}"#, #"counts { key: "a" value: 1 }"#),
      (
        #"{"byNumber":{"-3":{"aBool":true}},"flags":{"true":"yes"}}"#,
        #"byNumber { key: -3 value { a_bool: true } } flags { key: true value: "yes" }"#
      ),
      (#"{"text":""}"#, #"text: """#), (#"{"number":0}"#, "number: 0"), (#"{"message":{}}"#, "message {}"),
      (#"{"maybe":0}"#, "maybe: 0"), (#"{"doubles":[1,"NaN","-Infinity"]}"#, "doubles: 1 doubles: nan doubles: -inf"),
      (#"{"time":"2026-11-21T03:50:00.120Z"}"#, "time { seconds: 1795233000 nanos: 120000000 }"),
      (#"{"time":"0001-01-01T00:00:00Z"}"#, "time { seconds: -62135596800 }"),
      (#"{"duration":"-1.500s"}"#, "duration { seconds: -1 nanos: -500000000 }"),
      (#"{"mask":"aDouble,nested.anInt32"}"#, #"mask { paths: "a_double" paths: "nested.an_int32" }"#),
      (
        #"{"any":{"@type":"type.googleapis.com/test.Everything","aBool":true}}"#,
        #"any { type_url: "type.googleapis.com/test.Everything" value: "h\001" }"#
      ),
      (
        #"{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"1s"}}"#,
        #"any { type_url: "type.googleapis.com/google.protobuf.Duration" value: "\010\001" }"#
      ),
      (
        #"{"struct":{"a":[1,null,"x",true,{}]}}"#,
        #"struct { fields { key: "a" value { list_value { values { number_value: 1 } values { null_value: NULL_VALUE } values { string_value: "x" } values { bool_value: true } values { struct_value {} } } } } }"#
      ),
      (#"{"value":null}"#, "value { null_value: NULL_VALUE }"),
      (#"{"list":[1.5]}"#, "list { values { number_value: 1.5 } }"),
      (#"{"wrapped":"5","wrappedText":""}"#, "wrapped { value: 5 } wrapped_text {}"),
      (#"{"ODD":"x"}"#, #"odd_name: "x""#),
    ])
  func agrees(json: String, text: String) throws {
    let expected = try everything.encode(text: text)
    let message = try everything.schema.message("test.Everything", from: JSONValue(parsing: json))
    let ours = everything.schema.encode(message)
    // The mapping prints false booleans of any message as it would; protoc's own encoder leaves them out as we do.
    #expect(try everything.decode(ours) == everything.decode(expected))
    #expect(
      try everything.schema.json(everything.schema.decode(expected, as: "test.Everything")).text(.oneLine) == json)
  }

  @Test(
    "takes the other ways in which the mapping may be written",
    arguments: [
      (#"{"an_int64": 12, "a_string": "x"}"#, #"{"anInt64":"12","aString":"x"}"#),
      (#"{"anInt32": "5", "aUint32": 1e2, "aSint32": 3.0}"#, #"{"anInt32":5,"aUint32":100,"aSint32":3}"#),
      (#"{"mood": 1, "someBytes": "-_8"}"#, #"{"someBytes":"+/8=","mood":"MOOD_GOOD"}"#),
      (#"{"aBool": null, "nested": null, "aDouble": "1.5"}"#, #"{"aDouble":1.5}"#),
      (#"{"time": "2026-11-21T05:50:00.5+02:00"}"#, #"{"time":"2026-11-21T03:50:00.500Z"}"#),
      (#"{"anInt32": 0, "aString": "", "numbers": []}"#, "{}"), (#"{"aFloat": -0.0}"#, #"{"aFloat":-0}"#),
    ])
  func takes(json: String, canonical: String) throws {
    #expect(try everything.json(json) == canonical)
  }

  @Test(
    "refuses what does not fit, and says where",
    arguments: [
      (#"{"nested": {"telex": 1}}"#, #"nested: test.Everything has no field "telex""#),
      (#"{"anInt32": 2147483648}"#, "anInt32: 2147483648 is out of range, which is -2147483648 to 2147483647"),
      (#"{"anInt32": 1.5}"#, "anInt32: 1.5 is not an integer"), (#"{"aUint32": -1}"#, "aUint32: -1 is out of range"),
      (#"{"anInt64": " 1"}"#, "anInt64"), (#"{"anInt32": "+1"}"#, "anInt32"),
      (#"{"aBool": "true"}"#, "aBool: true or false"),
      (#"{"aString": 1}"#, "aString: a string should be here, not a number"), (#"{"someBytes": "a"}"#, "not base64"),
      (#"{"mood": "MOOD_UGLY"}"#, "mood: test.Mood has no value \"MOOD_UGLY\"; it has MOOD_UNSPECIFIED, MOOD_GOOD"),
      (#"{"words": ["a", null]}"#, "words[1]: null is no element"), (#"{"words": "a"}"#, "words: an array"),
      (#"{"text": "a", "number": 1}"#, "only one of text and number"),
      (#"{"an_int32": 1, "anInt32": 1}"#, "anInt32: the field is given twice"),
      (#"{"time": "yesterday"}"#, "time: a timestamp such as"), (#"{"time": "2026-02-30T00:00:00Z"}"#, "time"),
      (#"{"duration": "1"}"#, "duration: a duration such as"), (#"{"any": {"aBool": true}}"#, "any: \"@type\""),
      (#"{"byNumber": {"x": {}}}"#, "byNumber[\"x\"]"), (#"{"flags": {"1": "x"}}"#, "neither true nor false"),
      (#"[]"#, "test.Everything is an object, not an array"), (#"{"aFloat": 1e39}"#, "out of range"),
    ])
  func refuses(json: String, reason: String) throws {
    let error = try #require(throws: MappingError.self) {
      try everything.schema.message("test.Everything", from: JSONValue(parsing: json))
    }
    #expect(error.description.contains(reason), "\(error)")
  }

  @Test("shows fields at their default when asked")
  func defaults() throws {
    var printing = Schema.Printing()
    printing.showsDefaults = true
    let json = try everything.schema.json(DynamicMessage(typeName: "test.Everything"), printing)
    #expect(json["anInt64"] == .string("0") && json["mood"] == .string("MOOD_UNSPECIFIED"))
    #expect(json["numbers"] == .array([]) && json["counts"] == .object([]))
    #expect(json["maybe"] == nil && json["text"] == nil && json["nested"] == nil)
  }

  @Test(
    "refuses malformed and over-deep bytes without crashing",
    arguments: [[0x08], [0x0A, 0x05, 0x00], [0x00], [0x72, 0x01, 0xFF], [0xFF] + Array(repeating: 0xFF, count: 10)])
  func malformed(bytes: [UInt8]) {
    #expect(throws: WireError.self) { try everything.schema.decode(bytes, as: "test.Everything") }
  }

  @Test("refuses messages nested deeper than 100")
  func deep() {
    var bytes: [UInt8] = []
    for _ in 0..<101 {
      var length: [UInt8] = [UInt8(bytes.count & 0x7F)]
      if bytes.count > 0x7F { length = [UInt8(bytes.count & 0x7F) | 0x80, UInt8(bytes.count >> 7)] }
      bytes = [0x8A, 0x01] + length + bytes
    }
    #expect(throws: WireError.self) { try everything.schema.decode(bytes, as: "test.Everything") }
  }

  @Test("merges messages and keeps the last of a oneof, as the wire format has it")
  func merges() throws {
    let twice =
      try everything.encode(text: "nested { an_int32: 1 } number: 5")
      + everything.encode(text: #"nested { a_bool: true } text: "x""#)
    let json = try everything.schema.json(everything.schema.decode(twice, as: "test.Everything")).text(.oneLine)
    #expect(json == #"{"nested":{"anInt32":1,"aBool":true},"text":"x"}"#)
  }
}
