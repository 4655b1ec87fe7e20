import Foundation
import ProtobufDescriptor
import Testing

@testable import StubGenerator

@Suite struct RefusalTests {
  @Test("[C-1] a method of the suite without access is refused with its file, line and name")
  func access() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      message M {}
      service S {
        rpc Call(M) returns (M);
      }
      """)
    let complaint = try #require(contract.complaint())
    #expect(
      complaint.hasPrefix("test.proto:5: tandem.test.v1.S.Call: declares no access; add `option (tandem.rpc.v1.access)")
    )
  }

  @Test(
    "[C-1] who may call a method for services, and nothing else of that kind, has to be said",
    arguments: [
      ("ACCESS_SERVICE", "", "declares no callers; add `option (tandem.rpc.v1.callers) = \"NAME\";`"),
      ("ACCESS_USER", "option (tandem.rpc.v1.callers) = \"catalog\";", "declares callers, which only a method with"),
      ("ACCESS_SERVICE", "option (tandem.rpc.v1.callers) = \"Catalog\";", "its caller \"Catalog\" is no name of a"),
      ("ACCESS_SERVICE", "option (tandem.rpc.v1.callers) = \"\";", "its caller \"\" is no name of a certificate"),
      ("ACCESS_SERVICE", "option (tandem.rpc.v1.callers) = \"gateway\";", "its caller is a gateway, which may only"),
      (
        "ACCESS_SERVICE",
        "option (tandem.rpc.v1.callers) = \"lending\"; option (tandem.rpc.v1.callers) = \"lending\";",
        "declares a caller twice"
      ),
      (
        "ACCESS_SERVICE", "option (tandem.rpc.v1.callers_at) = { callers: [\"lending\"] };",
        "has options that cannot be read"
      ),
      ("ACCESS_SERVICE", "option (tandem.rpc.v1.callers_at) = { server: \"lending\" };", "declares no callers"),
      (
        "ACCESS_SERVICE", "option (tandem.rpc.v1.callers_at) = { server: \"L\" callers: [\"lending\"] };",
        "its server \"L\" is no name of a service"
      ),
      (
        "ACCESS_SERVICE",
        """
        option (tandem.rpc.v1.callers) = "lending"; option (tandem.rpc.v1.callers_at) = { server: "a" callers: ["lending"] };
        """, "declares callers and callers_at; keep one"
      ),
      (
        "ACCESS_USER", "option (tandem.rpc.v1.max_request_bytes) = 0;",
        "its max_request_bytes is not within 1 and 4194304"
      ),
      ("ACCESS_USER", "option (tandem.rpc.v1.max_request_bytes) = 4194305;", "its max_request_bytes is not within 1"),
    ])
  func callers(access: String, option: String, complaint: String) throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {}
      service S {
        rpc Call(M) returns (M) { option (tandem.rpc.v1.access) = \(access); \(option) }
      }
      """)
    let actual = try #require(contract.complaint())
    #expect(actual.hasPrefix("test.proto:6: tandem.test.v1.S.Call: \(complaint)"), "\(actual)")
  }

  @Test(
    "an event without a topic, or with a key that is not made of its own text, is refused",
    arguments: [
      ("key: \"id\"", "its topic \"\" is not 1 to 60 of"),
      ("topic: \"Books\" key: \"id\"", "its topic \"Books\" is not"),
      ("topic: \"books\"", "its event has no key; name the fields"),
      ("topic: \"books\" key: \"ids\"", "the key of its event names \"ids\", which is not a string field"),
      ("topic: \"books\" key: \"count\"", "the key of its event names \"count\", which is not"),
      ("topic: \"books\" key: [\"id\", \"id\"] key_if_empty: \"id\"", "key_if_empty stands for one field"),
      ("topic: \"books\" key: \"id\" key_if_empty: \"all\"", "the key of its event names \"all\", which is not"),
    ])
  func events(option: String, complaint: String) throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {
        option (tandem.rpc.v1.event) = { \(option) };
        string id = 1;
        int32 count = 2;
        repeated string all = 3;
      }
      """)
    let actual = try #require(contract.complaint())
    #expect(actual.hasPrefix("test.proto:4: tandem.test.v1.M: \(complaint)"), "\(actual)")
  }

  @Test("a method of a published contract needs no access and is public")
  func publishedAccess() throws {
    let made = try Contract(
      "syntax = \"proto3\"; package grpc.test; message M {} service S { rpc Call(M) returns (M); }"
    )
    .generate()
    #expect(made["test.services.swift"]?.contains("access: .public") == true)
  }

  @Test(
    "what Swift could not say is refused with its line and a cure",
    arguments: [
      (
        "enum E {\n  UNRECOGNIZED = 0;\n}", "test.proto:4: test.v1.E.UNRECOGNIZED: its Swift name unrecognized is taken"
      ),
      ("message String {}", "test.proto:3: test.v1.String: generated code needs the Swift type of that name"),
      (
        "message M {\n  M next = 1;\n}",
        "test.proto:4: test.v1.M.next: a message that contains itself must do so in a repeated field"
      ),
      (
        "message A { B b = 1; }\nmessage B { oneof x { A a = 1; } }",
        "test.proto:3: test.v1.A.b: a message that contains itself"
      ),
      (
        "message M {\n  message Choice {}\n  oneof choice { int32 a = 1; }\n}",
        "test.proto:5: test.v1.M.choice: its Swift name is taken"
      ),
      (
        "message M {}\nservice S {\n  rpc All(M) returns (M);\n}",
        "test.proto:5: test.v1.S.All: its Swift name all is taken"
      ),
    ])
  func names(content: String, complaint: String) throws {
    let contract = try Contract("syntax = \"proto3\";\npackage test.v1;\n" + content)
    let actual = try #require(contract.complaint())
    #expect(actual.hasPrefix(complaint), "\(actual)")
  }

  @Test("two names that become one are refused where protoc lets them pass")
  func collisions() throws {
    let fields = try Contract(
      "syntax = \"proto2\"; package test.v1;\nmessage M {\n  optional int32 request_id = 1;\n  optional int32 requestID = 2;\n}"
    )
    #expect(
      fields.complaint() == "test.proto:4: test.v1.M.requestID: its Swift name requestID is taken; rename the field")
    let values = try Contract("syntax = \"proto2\"; package test.v1;\nenum E {\n  E_A_B = 0;\n  E_A__B = 1;\n}")
    #expect(values.complaint() == "test.proto:4: test.v1.E.E_A__B: its Swift name aB is taken; rename the value")
  }

  @Test("groups are refused")
  func groups() throws {
    let contract = try Contract("syntax = \"proto2\"; package test.v1; message M { optional group G = 1 {} }")
    #expect(contract.complaint() == "test.proto:1: test.v1.M.g: groups are not supported")
  }

  @Test("a file that no module has is refused")
  func unmapped() throws {
    let contract = try Contract("syntax = \"proto3\"; message M {}")
    #expect(throws: GeneratorError.self) { try Schema(contract.descriptors, ModuleMap(modules: [])) }
  }

  @Test("a module map that cannot be read is refused with its path")
  func unreadable() {
    #expect { try ModuleMap.read("/nowhere/modules.json") } throws: { "\($0)".hasPrefix("/nowhere/modules.json: ") }
  }
}
