import Foundation
import ProtobufC
import ProtobufDescriptor
import Testing

@testable import StubGenerator

@Suite struct GoldenTests {
  private static let golden = "Tests/StubGeneratorTests/Golden"

  @Test("one of everything becomes the code that is committed, which other tests run")
  func everything() throws {
    let contract = try Contract(files: ["kinds/v1/kinds.proto"], includes: ["Proto", Self.golden])
    let modules = try ModuleMap.read(Contract.root.appending(path: "Proto/modules.json").path)
    let schema = try Schema(contract.descriptors, modules)
    let module = try #require(modules.module(of: "kinds/v1/kinds.proto"))
    for (path, content) in try ModuleEmitter(schema: schema, module: module).emit() {
      let committed = try Data(contentsOf: Contract.root.appending(path: path))
      #expect(committed == content, "\(path): run `make proto` and look at the change")
    }
  }

  @Test("in C strings are bytes and optional fields oneofs, and every field has a line")
  func sources() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      message M {
        optional M.N before = 1;
        oneof choice { string text = 2; bytes raw = 3; }
        optional int32 number = 4;
        repeated sint64 packed = 7;
        repeated E unpacked = 6 [packed = false];
        message N { repeated string words = 1; }
      }
      enum E { E_NONE = 0; E_LOW = -1; E_HIGH = 7; }
      message Nothing {}
      """)
    let module = ModuleMap.Module(name: "Test", folder: "Generated", files: ["test.proto"])
    let c = CEmitter(try Schema(contract.descriptors, ModuleMap(modules: [module])), module, contract.descriptors.file)
    #expect(c.imports.isEmpty)
    for line in [
      "struct Tandem__Test__V1__M {\n  ProtobufCMessage base;\n  Tandem__Test__V1__M__N *before;\n  size_t n_packed;\n  int64_t *packed;\n",
      "  Tandem__Test__V1__M__ChoiceCase choice_case;\n  union {\n    ProtobufCBinaryData text;\n    ProtobufCBinaryData raw;\n  };\n",
      "  Tandem__Test__V1__M__NumberCase _number_case;\n  union {\n    int32_t number;\n  };\n",
    ] { #expect(c.header.contains(line), "missing: \(line)") }
    for line in [
      "FIELD(NONE, MESSAGE, 1, \"before\", before, &tandem__test__v1__m__n__descriptor)",
      "ONEOF(choice_case, NONE, BYTES, 2, \"text\", text, NULL)",
      "ONEOF(_number_case, NONE, INT32, 4, \"number\", number, NULL)",
      "PACKED(n_packed, REPEATED, SINT64, 7, \"packed\", packed, NULL)",
      "REPEATED(n_unpacked, REPEATED, ENUM, 6, \"unpacked\", unpacked, &tandem__test__v1__e__descriptor)",
      "tandem__test__v1__m__by_name[] = {0, 3, 5, 2, 1, 4};",
      "tandem__test__v1__m__ranges[] = {{1, 0}, {6, 4}, {0, 6}};",
      "tandem__test__v1__e__ranges[] = {{-1, 0}, {7, 2}, {0, 3}};",
      "EMPTY(tandem__test__v1__nothing, \"tandem.test.v1.Nothing\")",
    ] { #expect(c.source.contains(line), "missing: \(line)") }
  }

  @Test("methods carry their kind, access, callers, idempotency and limit, and comments become documentation")
  func services() throws {
    let made = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {}
      // What S is for.
      //
      // More.
      service S {
        // Public.
        rpc Open(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_PUBLIC; option idempotency_level = IDEMPOTENT; }
        rpc Own(M) returns (stream M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        rpc Gather(stream M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        rpc Inner(stream M) returns (stream M) {
          option (tandem.rpc.v1.access) = ACCESS_SERVICE;
          option (tandem.rpc.v1.callers) = "catalog";
          option (tandem.rpc.v1.callers) = "usage-feed";
        }
        rpc Shared(M) returns (M) {
          option (tandem.rpc.v1.access) = ACCESS_SERVICE;
          option (tandem.rpc.v1.callers_at) = { server: "lending" callers: ["catalog", "identity"] };
          option (tandem.rpc.v1.callers_at) = { server: "identity" callers: ["lending"] };
          option (tandem.rpc.v1.max_request_bytes) = 1000;
        }
      }
      """
    ).generate()
    let services = try #require(made["test.services.swift"])
    for line in [
      "public protocol SService: RPCService {\n  /// See ``SClient/open``.\n  func open(",
      "/// What S is for.\n///\n/// More.\npublic struct SClient: Sendable {", "  /// Public.\n  public func open(",
      "name: \"Open\", kind: .unary, access: .public, idempotent: true, maxRequestBytes: 65536)",
      "name: \"Own\", kind: .serverStreaming, access: .user, idempotent: false)",
      "name: \"Inner\", kind: .bidirectional, access: .service, idempotent: false, callers: [\"catalog\", \"usage-feed\"])",
      "name: \"Shared\", kind: .unary, access: .service, idempotent: false, "
        + "callers: [\"identity\": [\"lending\"], \"lending\": [\"catalog\", \"identity\"]], maxRequestBytes: 1000)",
      "name: \"Gather\", kind: .clientStreaming, access: .user, idempotent: false)",
      "public static let all: [MethodDescriptor] = [open, own, gather, inner, shared]",
    ] { #expect(services.contains(line), "missing: \(line)") }
  }

  @Test("an event carries its topic and key, and a request for a page of a list is one")
  func eventsAndPages() throws {
    let made = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message Lent {
        option (tandem.rpc.v1.event) = { topic: "lending.books" key: "book_id" };
        string book_id = 1;
      }
      message Blocked {
        option (tandem.rpc.v1.event) = { topic: "blocks" key: ["blocker_id", "blocked_id"] };
        string blocker_id = 1;
        string blocked_id = 2;
      }
      message Noticed {
        option (tandem.rpc.v1.event) = { topic: "notices" key: "about" key_if_empty: "id" };
        string id = 1;
        string about = 2;
      }
      """
    ).generate()
    let messages = try #require(made["test.messages.swift"])
    for line in [
      "public struct Lent: ProtobufMessage, PublishedEvent {",
      "public static let topic = EventTopic(\"lending.books\")\n  public var eventKey: String { bookID }\n",
      "public var eventKey: String { \"\\(blockerID)/\\(blockedID)\" }",
      "public var eventKey: String { about.isEmpty ? id : about }",
    ] { #expect(messages.contains(line), "missing: \(line)") }
  }

  @Test(
    "a request for a page, and one that carries an id, are known by their fields",
    arguments: [
      ("int32 page_size = 1; string page_token = 2;", "ProtobufMessage, PagedRequest"),
      ("int64 page_size = 1; string page_token = 2;", "ProtobufMessage"),
      ("string request_id = 1;", "ProtobufMessage, IdempotentRequest"),
      ("bytes request_id = 1;", "ProtobufMessage"),
    ])
  func requestProtocols(fields: String, protocols: String) throws {
    let made = try Contract("syntax = \"proto3\"; package tandem.test.v1; message M { \(fields) }").generate()
    #expect(try #require(made["test.messages.swift"]).contains("public struct M: \(protocols) {"))
  }

  @Test("each kind of method has a handler and a call of its own shape")
  func kinds() throws {
    let made = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {}
      message N {}
      service S {
        rpc One(M) returns (N) { option (tandem.rpc.v1.access) = ACCESS_PUBLIC; }
        rpc Up(stream M) returns (N) { option (tandem.rpc.v1.access) = ACCESS_PUBLIC; }
        rpc Down(M) returns (stream N) { option (tandem.rpc.v1.access) = ACCESS_PUBLIC; }
        rpc Both(stream M) returns (stream N) { option (tandem.rpc.v1.access) = ACCESS_PUBLIC; }
      }
      """
    ).generate()
    let services = try #require(made["test.services.swift"])
    for line in [
      "func one(_ request: M, _ context: CallContext) async throws -> N\n",
      "func up(_ requests: MessageStream<M>, _ context: CallContext) async throws -> N\n",
      "func down(_ request: M, _ responses: MessageWriter<N>, _ context: CallContext) async throws\n",
      "func both(_ requests: MessageStream<M>, _ responses: MessageWriter<N>, _ context: CallContext) async throws\n",
      "router.unary(SMethods.one)", "router.clientStreaming(SMethods.up)", "router.serverStreaming(SMethods.down)",
      "router.bidirectional(SMethods.both)",
      "_ body: (RequestWriter<M>) async throws -> Void\n  ) async throws -> N {",
      "_ body: (MessageStream<N>) async throws -> Result\n  ) async throws -> Result {",
      "_ body: (RequestWriter<M>, MessageStream<N>) async throws -> Result\n  ) async throws -> Result {",
    ] { #expect(services.contains(line), "missing: \(line)") }
  }

  @Test("a client without .proto files gets comments of the module's own files, after all imports")
  func reflection() throws {
    let contract = try Contract(files: ["tandem/identity/v1/profiles.proto"], includes: ["Proto"])
    let set = ReflectionSet(files: contract.descriptors.file).make(for: ["tandem/identity/v1/profiles.proto"])
    var seen: Set<String> = []
    for file in set.file {
      #expect(file.dependency.allSatisfy(seen.contains))
      seen.insert(file.path)
      #expect((file.sourceCodeInfo != nil) == (file.path == "tandem/identity/v1/profiles.proto"))
    }
    #expect(seen.contains("google/protobuf/descriptor.proto"))
    let locations = set.file.last?.sourceCodeInfo?.location ?? []
    #expect(!locations.isEmpty && locations.allSatisfy { $0.leadingComments != nil || $0.trailingComments != nil })
    let method = set.file.last?.service.first?.method.first
    #expect(method?.options?.unknownFields.varint(50001) == 2, "custom options pass through")
  }
}
