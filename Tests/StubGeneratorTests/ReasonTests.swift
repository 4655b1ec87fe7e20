import ProtobufDescriptor
import Testing

@testable import StubGenerator

@Suite("reasons of refusals")
struct ReasonTests {
  @Test("[C-3] what the comments of services and methods name becomes an enum with the status codes")
  func reasons() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {
        // INVALID_ARGUMENT `OF_A_FIELD` is not read.
        int32 number = 1;
      }
      // Keeps things. A thing of somebody else is NOT_FOUND `THING_NOT_FOUND`.
      service Things {
        // Adds a thing; `NOT_A_REASON` comes without a code.
        //
        // - INVALID_ARGUMENT `NAME_REQUIRED`, `NAME_INVALID`,
        //   `THING_ID_INVALID`.
        // - RESOURCE_EXHAUSTED `TOO_MANY_THINGS`: there are a thousand,
        //   or more. Try `later`.
        rpc Add(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        // - NOT_FOUND `THING_NOT_FOUND`: again.
        // - ABORTED `TOO_MANY_THINGS`.
        rpc Get(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
      }
      """)
    let modules = Self.modules(of: contract)
    let schema = try Schema(contract.descriptors, modules)
    let file = try #require(contract.descriptors.file.first { $0.name == "test.proto" })
    let context = FileContext(schema, file, modules.modules[0])
    let swift = try #require(ReasonEmitter([context], modules.modules[0]).emit())
    #expect(
      swift.hasSuffix(
        """
        public enum TestReason: String, RefusalReason, CaseIterable {
          /// INVALID_ARGUMENT.
          case nameInvalid = "NAME_INVALID"
          /// INVALID_ARGUMENT.
          case nameRequired = "NAME_REQUIRED"
          /// INVALID_ARGUMENT.
          case thingIDInvalid = "THING_ID_INVALID"
          /// NOT_FOUND: again.
          case thingNotFound = "THING_NOT_FOUND"
          /// RESOURCE_EXHAUSTED or ABORTED: there are a thousand, or more. Try `later`.
          case tooManyThings = "TOO_MANY_THINGS"

          /// The first one, where methods refuse with several.
          public var code: Code {
            switch self {
            case
              .nameInvalid,
              .nameRequired,
              .thingIDInvalid: .invalidArgument
            case
              .thingNotFound: .notFound
            case
              .tooManyThings: .resourceExhausted
            }
          }
        }

        """), "\(swift)")
  }

  @Test(
    "[C-3] a service says for each method with what it refuses: what its comment names, and what that of the service does"
  )
  func refusalsOfMethods() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {}
      // Keeps things: NOT_FOUND `THING_NOT_FOUND`.
      service Things {
        // - ABORTED `THING_TAKEN`: another has it.
        rpc Add(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        // Forgets it.
        rpc Remove(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
      }
      service Others { rpc Get(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; } }
      """)
    let modules = Self.modules(of: contract)
    let schema = try Schema(contract.descriptors, modules)
    let file = try #require(contract.descriptors.file.first { $0.name == "test.proto" })
    let made = try FileEmitter(context: FileContext(schema, file, modules.modules[0])).emit()
    let services = try #require(made.first { $0.name.hasSuffix("services.swift") }?.content)
    #expect(
      services.contains(
        """
        extension ThingsService {
          public static var refusals: [String: Set<String>] {
            [
              "Add": ["THING_NOT_FOUND", "THING_TAKEN"],
              "Remove": ["THING_NOT_FOUND"],
            ]
          }
        }
        """), "\(services)")
    #expect(!services.contains("extension OthersService {\n  public static var refusals"))
  }

  @Test("[C-3] a comment that refers to the errors of another method, or of a service, has their reasons")
  func references() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {}
      // Keeps things: NOT_FOUND `THING_NOT_FOUND`.
      service Things {
        // - FAILED_PRECONDITION `TAKEN`, `THING_BROKEN`: the field `STATE` says so.
        // - INVALID_ARGUMENT `NAME_INVALID`: too long.
        rpc Add(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        // - INVALID_ARGUMENT: the reasons of Add, and `ID_INVALID`.
        rpc Rename(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        // - The errors of Rename and Add.
        rpc Replace(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
      }
      // Errors as of Things.
      service Others { rpc Get(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; } }
      """)
    let modules = Self.modules(of: contract)
    let schema = try Schema(contract.descriptors, modules)
    let file = try #require(contract.descriptors.file.first { $0.name == "test.proto" })
    let reasons = Reasons([FileContext(schema, file, modules.modules[0])])
    let things = "tandem.test.v1.Things"
    let names = ["Add", "Rename", "Replace"].map { reasons.names(of: $0, in: things) }
    #expect(names[0] == ["NAME_INVALID", "TAKEN", "THING_BROKEN", "THING_NOT_FOUND"])
    #expect(names[1] == ["ID_INVALID", "NAME_INVALID", "THING_NOT_FOUND"])
    #expect(names[2] == ["ID_INVALID"] + names[0])
    #expect(reasons.names(of: "Get", in: "tandem.test.v1.Others") == ["THING_NOT_FOUND"])
  }

  private static func modules(of contract: Contract) -> ModuleMap {
    ModuleMap(modules: [
      .init(name: "TandemTest", folder: "Generated", files: ["test.proto"]),
      .init(
        name: "Others", folder: "Generated",
        files: contract.descriptors.file.compactMap(\.name).filter { $0 != "test.proto" }),
    ])
  }

  @Test("[C-3] reasons become data: codes, meaning, remedy, whether to repeat the call, and the methods")
  func data() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package tandem.test.v1;
      import "tandem/rpc/v1/options.proto";
      message M {}
      // Keeps things.
      service Things {
        // - FAILED_PRECONDITION `THING_TAKEN`: as in Get.
        // - RESOURCE_EXHAUSTED `A_DAY`, `A_WEEK` with google.rpc.RetryInfo: ten of them.
        // - RESOURCE_EXHAUSTED `TOO_MANY`: a thousand.
        rpc Add(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
        // - FAILED_PRECONDITION `THING_TAKEN` "It is taken" by another user.
        rpc Get(M) returns (M) { option (tandem.rpc.v1.access) = ACCESS_USER; }
      }
      """)
    let schema = try Schema(contract.descriptors, Self.modules(of: contract))
    let all = ReasonsDocument(schema).reasons
    let own = all.filter { $0.package == "tandem.test.v1" }
    #expect(own.map(\.reason) == ["A_DAY", "A_WEEK", "THING_TAKEN", "TOO_MANY"])
    #expect(own.map(\.retryable) == [true, true, false, false])
    #expect(own.map(\.retryInfo) == [true, true, false, false])
    #expect(own.map(\.meaning) == ["ten of them.", "ten of them.", "\"It is taken\" by another user.", "a thousand."])
    #expect(own[2].methods == ["tandem.test.v1.Things.Add", "tandem.test.v1.Things.Get"])
    #expect(own.allSatisfy { !$0.remedy.isEmpty })
    let common = all.filter { $0.package == "tandem.rpc.v1" }
    for name in ["OVERLOADED", "CONCURRENT_CHANGE", "TOKEN_EXPIRED", "MESSAGE_TOO_LARGE", "INTERNAL"] {
      #expect(common.contains { $0.reason == name }, "\(name) is missing")
    }
    #expect(common.first { $0.reason == "OVERLOADED" }?.codes == ["RESOURCE_EXHAUSTED"])
    #expect(common.first { $0.reason == "OVERLOADED" }?.retryable == true)
  }

  @Test("A contract of another package imports google/* and tandem/rpc from modules that the suite has made")
  func imports() throws {
    let contract = try Contract(
      """
      syntax = "proto3";
      package others.v1;
      import "google/protobuf/timestamp.proto";
      import "tandem/rpc/v1/options.proto";
      message At { google.protobuf.Timestamp time = 1; }
      service Clocks { rpc Get(At) returns (At) { option (tandem.rpc.v1.access) = ACCESS_USER; } }
      """)
    let own = ModuleMap(modules: [.init(name: "OthersV1", folder: "Generated", files: ["test.proto"])])
    #expect(throws: GeneratorError.self) { try Schema(contract.descriptors, own) }
    let suite = try ModuleMap.read(Contract.root.appending(path: "Proto/modules.json").path)
    let schema = try Schema(contract.descriptors, own.using([suite]))
    let file = try #require(schema.files.first { $0.path == "test.proto" })
    let made = try FileEmitter(context: FileContext(schema, file, own.modules[0])).emit()
    #expect(made.first?.content.contains("GoogleProtobuf.Timestamp") == true)
    #expect(made.last?.content.contains("access: .user") == true)
  }
}
