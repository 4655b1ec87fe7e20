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
    let modules = ModuleMap(modules: [
      .init(name: "TandemTest", folder: "Generated", files: ["test.proto"]),
      .init(
        name: "Others", folder: "Generated",
        files: contract.descriptors.file.compactMap(\.name).filter { $0 != "test.proto" }),
    ])
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
          /// NOT_FOUND.
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
}
