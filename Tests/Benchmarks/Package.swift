// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that the suite can be built without the libraries it is compared with. `./run` (or `make bench`) drives it.

let strict: [SwiftSetting] = [.treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny")]

let grpcCore = Target.Dependency.product(name: "GRPCCore", package: "grpc-swift-2")
let grpcNIO = Target.Dependency.product(name: "GRPCNIOTransportHTTP2", package: "grpc-swift-nio-transport")
let grpcProtobuf = Target.Dependency.product(name: "GRPCProtobuf", package: "grpc-swift-protobuf")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let swiftProtobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")

/// A library of the suite.
func tandem(_ name: String) -> Target.Dependency {
  .product(name: name, package: "tandem")
}

let package = Package(
  name: "tandem-benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/grpc/grpc-swift-2", exact: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", exact: "2.9.2"),
    .package(url: "https://github.com/grpc/grpc-swift-protobuf", exact: "2.4.1"),
    .package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(name: "tandem", path: "../.."),
  ],
  targets: [
    .target(name: "Measure", swiftSettings: strict),
    .target(name: "GRPCEcho", dependencies: [grpcCore, grpcProtobuf, swiftProtobuf], swiftSettings: strict),
    .executableTarget(
      name: "grpc-swift-server", dependencies: ["GRPCEcho", grpcNIO, grpcCore, grpcProtobuf], swiftSettings: strict),
    .executableTarget(
      name: "grpc-swift-client",
      dependencies: ["GRPCEcho", "Measure", grpcNIO, grpcCore, grpcProtobuf, argumentParser], swiftSettings: strict),
    .executableTarget(
      name: "load",
      dependencies: [
        "Measure", argumentParser, tandem("EchoV1"), tandem("TandemCatalog"), tandem("TandemChat"),
        tandem("TandemIdentity"), tandem("TandemImporter"), tandem("TandemLending"), tandem("TandemMatching"),
        tandem("TandemTracking"),
        tandem("TTRPC"), tandem("TTRPCClient"), tandem("LoopExecutor"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "statements",
      dependencies: [
        "Measure", argumentParser, tandem("Postgres"), tandem("LoopExecutor"), tandem("SeededNumbers"),
        .product(name: "Logging", package: "swift-log"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "tokens",
      dependencies: ["Measure", argumentParser, tandem("Environment"), tandem("Cryptography"), tandem("Identifiers")],
      swiftSettings: strict),
    .target(
      name: "CBenchV1", dependencies: [tandem("CProtobufC")], path: "Generated/CBenchV1",
      exclude: ["descriptors.binpb"]),
    .target(
      name: "BenchV1", dependencies: ["CBenchV1", tandem("CProtobufC"), tandem("ProtobufC")], path: "Generated/BenchV1",
      swiftSettings: strict),
    .executableTarget(
      name: "codec",
      dependencies: [
        "Measure", "BenchV1", argumentParser, tandem("GatewayTranscoder"), tandem("ProtobufC"),
        tandem("WorkerPool"), swiftProtobuf,
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
