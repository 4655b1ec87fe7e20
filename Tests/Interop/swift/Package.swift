// swift-tools-version: 6.2
import PackageDescription

// A service outside the suite: it depends on the suite's libraries, and its stubs are made by the suite's generator (`./generate`).

/// A library of the suite.
func tandem(_ name: String) -> Target.Dependency { .product(name: name, package: "tandem") }

/// The suite's modules of what the contract imports, and of what those import.
let imported = ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"]

let package = Package(
  name: "greeter",
  dependencies: [
    .package(name: "tandem", path: "../../.."),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
  ],
  targets: [
    .target(
      name: "CGreetingV1", dependencies: [tandem("CProtobufC")] + imported.map { tandem("C\($0)") },
      path: "Generated/CGreetingV1", exclude: ["descriptors.binpb"]),
    .target(
      name: "GreetingV1",
      dependencies: ["CGreetingV1", tandem("CProtobufC"), tandem("ProtobufC"), tandem("TTRPC")]
        + imported.flatMap { [tandem($0), tandem("C\($0)")] },
      path: "Generated/GreetingV1"),
    .executableTarget(
      name: "greeter",
      dependencies: [
        "GreetingV1", tandem("GoogleProtobuf"), tandem("TTRPC"), tandem("TTRPCServer"), tandem("TTRPCClient"),
        tandem("LoopExecutor"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    // Tests that have a suite for tests.
    .testTarget(
      name: "SuiteTests",
      dependencies: ["GoogleProtobuf", "TTRPC", "TandemCatalog", "TandemIdentity", "TandemMatching", "TandemTesting"]
        .map(tandem)),
  ],
  swiftLanguageModes: [.v6]
)
