import Testing

@testable import StubGenerator

@Suite struct NameTests {
  @Test(
    "fields are spelled as Swift spells properties",
    arguments: [
      ("request_id", "requestID"), ("id", "id"), ("type_url", "typeURL"), ("url_of_id", "urlOfID"),
      ("class", "`class`"),
      ("self", "self_"), ("init", "init_"), ("camelCase", "camelCase"), ("part_2b", "part2b"),
      ("timeout_nano", "timeoutNano"),
    ])
  func members(proto: String, swift: String) { #expect(SwiftName.member(proto) == swift) }

  @Test(
    "enum values lose the enum's name",
    arguments: [
      ("COLOUR_DARK_RED", "Colour", "darkRed"), ("LEVEL_UNSPECIFIED", "Level", "unspecified"),
      ("NOT_SERVING", "Status", "notServing"),
      ("COLOUR_DEFAULT", "Colour", "`default`"), ("KIND_3D", "Kind", "_3d"), ("COLOUR", "Colour", "colour"),
      ("GRPC_KIND_A", "GRPCKind", "grpcKindA"),
    ])
  func cases(value: String, name: String, swift: String) { #expect(SwiftName.enumCase(value, of: name) == swift) }

  @Test(
    "names in C are those that protoc-c gives",
    arguments: [
      ("google.protobuf.UInt64Value", "Google__Protobuf__UInt64Value", "google__protobuf__uint64_value"),
      ("tandem.v1.FooBar.MEntry", "Tandem__V1__FooBar__MEntry", "tandem__v1__foo_bar__mentry"),
      ("a_b.Msg", "AB__Msg", "a_b__msg"),
    ])
  func types(proto: String, type: String, function: String) {
    #expect(CName.type(proto) == type)
    #expect(CName.function(proto) == function)
  }

  @Test("keywords of C++ have an underscore in C")
  func keywords() {
    #expect(CName.field("class") == "class_")
    #expect(CName.field("bY") == "by")
    #expect(CName.oneofCase("theKind") == "the_kind_case")
  }
}
