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
    let file = try #require(contract.descriptors.file.first { $0.name == "kinds/v1/kinds.proto" })
    for (name, content) in try FileEmitter(context: FileContext(schema, file, module)).emit() {
      let committed = Contract.root.appending(path: "\(Self.golden)/Generated/KindsV1/\(name)")
      #expect(try String(contentsOf: committed, encoding: .utf8) == content, "run `make proto` and look at the change")
    }
  }

  @Test("protoc-c sees strings as bytes and optional fields as oneofs, and nothing that is not for C")
  func descriptorsForC() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      // Comment.
      message M {
        optional M.N before = 1;
        oneof choice { string text = 2; bytes raw = 3; }
        optional int32 number = 4 [deprecated = true];
        optional string name = 5;
        message N { repeated string words = 1; }
      }
      service S { rpc Call(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; } }
      """)
    let file = try #require(CDescriptors.make(from: contract.descriptors).file.last)
    #expect(file.service.isEmpty && file.sourceCodeInfo == nil)
    let message = try #require(file.messageType.first)
    let fields = Dictionary(uniqueKeysWithValues: message.field.map { ($0.plainName, $0) })
    let asBytes = [UnknownField(number: 1019, wireType: 2, bytes: [2, 8, 1])]
    for name in ["text", "name"] { #expect(fields[name]?.options?.unknownFields == asBytes) }
    #expect(message.nestedType.first?.field.first?.options?.unknownFields == asBytes)
    #expect(fields["raw"]?.options == nil && fields["number"]?.options?.deprecated == nil)
    #expect(message.field.allSatisfy { $0.proto3Optional == nil })
    #expect(message.oneofDecl.map(\.name) == ["choice", "_number", "_name"])
    #expect(message.field.map(\.oneofIndex) == [nil, 0, 0, 1, 2])
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
