// swift-tools-version: 6.2
import PackageDescription

// Who may use whom is written here once and enforced by the build
// (`--explicit-target-dependency-import-check error`, see the Makefile).
//
// It is one long file because a manifest is compiled alone: it cannot import another file of the package, and what it reads from
// disk the build does not notice when it changes. So it is a table: a line or two for each module, in the order of the layers.

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error), .enableUpcomingFeature("ExistentialAny"),
  // Generic code of one module that another uses is compiled for its types: rows and messages are read several times as fast.
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// For modules whose state one event loop owns. That accesses do not overlap is checked at run time where the tests run, in debug builds; in
/// optimised ones every call would pay for it many times.
let confined: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]
let confinedModules: Set<String> = ["LoopExecutor", "Postgres", "ProtobufC", "TTRPC"]

/// How programs are linked: so that a service that starts touches less memory (see memory.md of the handbook).
let linked: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"] + ["-z", "pack-relative-relocs", "--no-export-dynamic"].flatMap { ["-Xlinker", $0] },
    .when(platforms: [.linux], configuration: .release))
]

/// The same with the C++ library inside, for programs none of whose libraries bring the shared one.
let linkedWithoutCXX =
  linked + [
    .unsafeFlags(
      ["-L\(Context.packageDirectory)/Shared/Linking"], .when(platforms: [.linux], configuration: .release))
  ]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioConcurrencyHelpers = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "Metrics", package: "swift-metrics")
let coreMetrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
let inMemoryTracing = Target.Dependency.product(name: "InMemoryTracing", package: "swift-distributed-tracing")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals = Target.Dependency.product(name: "UnixSignals", package: "swift-service-lifecycle")
let configuration = Target.Dependency.product(name: "Configuration", package: "swift-configuration")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")

/// A library of `Shared/`.
func shared(_ name: String, uses dependencies: Target.Dependency..., resources: [Resource] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Shared/\(name)", resources: resources,
    swiftSettings: confinedModules.contains(name) ? strict + confined : strict)
}

/// The two targets of one proto package: protoc-c's C, and the Swift made from it by StubGenerator.
func generated(
  _ name: String, _ imports: [String] = [], serves: Bool = false, in folder: String = "Proto/Generated"
) -> [Target] {
  [
    .target(
      name: "C\(name)", dependencies: ["CProtobufC"] + imports.map { .byName(name: "C\($0)") },
      path: "\(folder)/C\(name)"),
    .target(
      name: name,
      dependencies: (["CProtobufC", "ProtobufC", "C\(name)"] + imports.flatMap { [$0, "C\($0)"] }
        + (serves ? ["TTRPC"] : [])).map { .byName(name: $0) },
      path: "\(folder)/\(name)", swiftSettings: strict),
  ]
}

/// A library or executable of one service; `layer` is its folder.
func layer(
  _ name: String, _ service: String, _ layer: String, uses dependencies: Target.Dependency...,
  resources: [Resource] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Services/\(service)/\(layer)", resources: resources,
    swiftSettings: strict)
}

/// A service that owns a schema, follows who leaves and answers health, and nothing more yet.
func emptyService(_ name: String) -> [Target] {
  let executable = name.lowercased()
  return [
    layer(
      "\(name)Store", name, "Store", uses: "Postgres", "Events", "Jobs", "Idempotency",
      resources: migrations(["V0001_schema"])),
    .executableTarget(
      name: executable,
      dependencies: ["ServiceRuntime", "Events", "Expiry", "Idempotency", .byName(name: "\(name)Store")],
      path: "Services/\(name)/Server",
      swiftSettings: strict, linkerSettings: linkedWithoutCXX),
  ]
}

/// A program, in the folder `path`.
func program(
  _ name: String, _ path: String, linked settings: [LinkerSetting] = linkedWithoutCXX,
  uses dependencies: Target.Dependency...
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: path, swiftSettings: strict, linkerSettings: settings)
}

/// A program that only the build and tests run.
func tool(_ name: String, _ path: String, uses dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// Steps of a schema, by their files' names.
func migrations(_ names: [String]) -> [Resource] { names.map { .embedInCode("Migrations/\($0).sql") } }

/// A suite of tests.
func tests(_ name: String, uses dependencies: Target.Dependency..., exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict)
}

let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CProtobufC", path: "Shared/CProtobufC", pkgConfig: "libprotobuf-c",
    providers: [.apt(["libprotobuf-c-dev"])]),
  .systemLibrary(name: "CLibPQ", path: "Shared/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
  .systemLibrary(name: "COpenSSL", path: "Shared/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
  .systemLibrary(
    name: "CCurl", path: "Shared/CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(name: "CNATS", path: "Shared/CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
  .systemLibrary(name: "CVips", path: "Shared/CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
  .systemLibrary(name: "CSpawn", path: "Shared/CSpawn"),
  .systemLibrary(name: "CAllocator", path: "Shared/CAllocator"),
  .systemLibrary(name: "CAffinity", path: "Shared/CAffinity"),
  .systemLibrary(name: "CSocketFilter", path: "Shared/CSocketFilter"),
  .target(name: "CStacks", path: "Shared/CStacks"),
  .systemLibrary(name: "CSeccomp", path: "Shared/CSeccomp"),
  .systemLibrary(name: "CZxcvbn", path: "Shared/CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
  .systemLibrary(name: "CProcess", path: "Services/Tandem/CProcess"),
]

let contracts: [Target] =
  generated("GoogleProtobuf")
  + generated("ProtobufDescriptor")
  + generated("GoogleType")
  + generated("GoogleRPC", ["GoogleProtobuf"])
  + generated("TTRPCWire", ["GoogleRPC", "GoogleProtobuf"])
  + generated("GRPCHealth", serves: true)
  + generated("TandemRPC", ["ProtobufDescriptor"], serves: true)
  + generated("TandemEvents", ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"], serves: true)
  + generated(
    "TandemIdentity", ["GoogleProtobuf", "GoogleType", "TandemNotification", "TandemRPC", "ProtobufDescriptor"],
    serves: true)
  + generated(
    "TandemNotification", ["GoogleProtobuf", "GoogleType", "TandemRPC", "ProtobufDescriptor"], serves: true)
  + generated(
    "TandemCatalog", ["GoogleProtobuf", "GoogleType", "TandemRPC", "ProtobufDescriptor"], serves: true)
  + generated("TandemLending", ["GoogleProtobuf", "GoogleType", "TandemRPC", "ProtobufDescriptor"], serves: true)

let testContracts: [Target] =
  generated("EchoV1", serves: true, in: "Tests/Echo/Generated")
  + generated(
    "NotesV1", ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"], serves: true, in: "Tests/Notes/Generated")
  + generated("KindsV1", ["GoogleProtobuf"], serves: true, in: "Tests/StubGeneratorTests/Golden/Generated")

let sharedLibraries: [Target] = [
  shared("Identifiers"),
  shared("Ambient", uses: "Identifiers"),
  shared("ProtobufC", uses: "CProtobufC"),
  // Without dependencies, so that a Domain may import it beside Identifiers.
  shared("FieldViolations"),
  shared("PlainWords"),
  shared("SeededNumbers"),
  shared("FileLoading"),
  shared("Timestamps", uses: "Identifiers", "GoogleProtobuf"),
  shared("FieldMasks", uses: "FieldViolations", "GoogleProtobuf"),
  shared("Repetition", uses: logging, lifecycle),
  shared("Expiry", uses: "Postgres", "Repetition", "Ambient", "Identifiers", logging, lifecycle),
  shared("LoopExecutor", uses: "CAffinity", nioCore, nioPosix, nioConcurrencyHelpers, deque),
  shared(
    "TTRPC", uses: "CAllocator", "CSocketFilter", "ProtobufC", "FieldViolations", "LoopExecutor", "GoogleProtobuf",
    "GoogleRPC",
    "TTRPCWire",
    "CTTRPCWire", nioCore, nioPosix, nioTLS, nioSSL, logging, metrics, tracing, lifecycle, deque),
  shared(
    "Postgres", uses: "CLibPQ", "LoopExecutor", "Identifiers", nioCore, nioPosix, logging, metrics, lifecycle, deque),
  shared(
    "Events", uses: "TandemEvents", "TandemIdentity", "Postgres", "TTRPC", "Live", "Ambient", "Identifiers",
    "ProtobufC", "Timestamps", "GoogleProtobuf", "GoogleRPC", logging, metrics, lifecycle, deque,
    resources: migrations(["events", "events_upkeep"])),
  shared("Blocks", uses: "Events", "TandemEvents", "TandemIdentity", "Postgres", "TTRPC", "Identifiers"),
  shared("Usernames", uses: "Events", "TandemEvents", "TandemIdentity", "Postgres", "TTRPC", "Identifiers"),
  shared("Cryptography", uses: "COpenSSL", "CZxcvbn", "Ambient", "Identifiers", deque),
  shared(
    "Live", uses: "CNATS", "Postgres", "Cryptography", "LoopExecutor", "Ambient", logging, metrics, lifecycle, deque),
  shared(
    "Idempotency", uses: "Postgres", "Events", "Expiry", "TTRPC", "FieldViolations", "Cryptography", "ProtobufC",
    "Ambient", "Identifiers", resources: migrations(["replays"])),
  shared("ClientAddresses", uses: "TTRPC"),
  shared("Pagination", uses: "TTRPC", "FieldViolations", "Cryptography", "ProtobufC", "Ambient", "Identifiers"),
  shared("OutboundHTTP", uses: "Ambient", "Identifiers", httpClient, nioCore, nioSSL, lifecycle),
  shared(
    "OAuth2", uses: "OutboundHTTP", "Cryptography", "Postgres", "Expiry", "Ambient", "Identifiers",
    resources: migrations(["authorization_attempts"])),
  shared("Images", uses: "CSpawn", "Cryptography"),
  // The only program that has libvips in it, run once for each picture. Nothing depends on it: whatever did would be linked with libvips.
  program("image-decoder", "Shared/ImageDecoder", linked: linked, uses: "Images", "SystemCallFilter", "CVips"),
  shared("SystemCallFilter", uses: "CSeccomp"),
  shared(
    "Pictures", uses: "Images", "Postgres", "Events", "Expiry", "TTRPC", "FieldViolations", "Cryptography", "Ambient",
    "Identifiers", logging, resources: migrations(["pictures"])),
  shared("PictureSettings", uses: "Images", "Pictures", "ServiceRuntime", "SystemCallFilter", logging),
  shared(
    "UserTokens", uses: "Cryptography", "Events", "TandemEvents", "TandemIdentity", "TTRPC", "Ambient", "Identifiers",
    logging, lifecycle),
  shared(
    "Telemetry", uses: "Ambient", nioCore, nioPosix, nioHTTP1, nioSSL, logging, metrics, coreMetrics, tracing,
    lifecycle),
  shared(
    "Jobs", uses: "Postgres", "Live", "Ambient", "Identifiers", "ProtobufC", logging, metrics, lifecycle,
    resources: migrations(["jobs"])),
  shared(
    "ServiceRuntime", uses: "CStacks", "TTRPC", "Postgres", "Events", "Jobs", "Live", "UserTokens", "Telemetry",
    "Ambient",
    "ClientAddresses", "Identifiers", "Cryptography", "LoopExecutor", "GRPCHealth", "TandemEvents", "TandemRPC",
    "ProtobufDescriptor",
    "ProtobufC", "GoogleRPC", nioCore, nioPosix, nioHTTP1, nioSSL, logging, metrics, tracing, lifecycle, signals,
    configuration, argumentParser),
  shared("ContractRules", uses: "ProtobufC", "ProtobufDescriptor"),
  tool(
    "StubGenerator", "Shared/StubGenerator", uses: "ContractRules", "ProtobufC", "ProtobufDescriptor", argumentParser),
]

let services: [Target] =
  [
    layer("IdentityDomain", "Identity", "Domain", uses: "Identifiers"),
    layer(
      "IdentityStore", "Identity", "Store", uses: "IdentityDomain", "Postgres", "Events", "Expiry", "Jobs",
      "Idempotency", "OAuth2", "Pictures", "Identifiers",
      resources: migrations([
        "V0001_accounts", "V0004_notifications", "V0005_reminder_jobs", "V0006_sealed_devices", "V0007_throttles",
        "V0008_password_resets", "V0009_blocks", "V0010_groups", "V0011_security_events", "V0012_account_locks",
        "V0014_profile_pictures", "V0015_passkeys", "V0016_departures", "V0017_badges", "V0018_username_reservations",
        "V0020_federated_identities", "V0021_session_proofs", "V0023_refilling_throttles",
      ])),
    layer(
      "IdentityPush", "Identity", "Push", uses: "OutboundHTTP", "Ambient", "Identifiers", httpClient, nioCore, nioSSL,
      lifecycle),
    layer(
      "IdentityFederation", "Identity", "Federation", uses: "IdentityDomain", "OAuth2", "OutboundHTTP", "Cryptography",
      "Ambient", "Identifiers"),
    layer("IdentityPasskeys", "Identity", "Passkeys", uses: "Cryptography"),
    layer("IdentityMail", "Identity", "Mail", uses: "CCurl", "Cryptography", "Ambient", "Identifiers"),
    layer(
      "IdentityHandlers", "Identity", "Handlers", uses: "IdentityDomain", "IdentityStore", "IdentityMail",
      "IdentityPush", "TandemIdentity", "TandemNotification", "GoogleProtobuf", "GoogleType", "GoogleRPC",
      "TandemEvents", "Events", "UserTokens", "TTRPC", "ProtobufC", "FieldViolations", "FieldMasks", "Idempotency",
      "Timestamps",
      "Pagination", "Repetition", "Jobs", "Live", "Cryptography", "Ambient", "Identifiers", "Postgres", "Images",
      "Pictures", "IdentityPasskeys", "ClientAddresses", "IdentityFederation", "OAuth2", logging, lifecycle),
    program(
      "identity", "Services/Identity/Server", uses: "IdentityHandlers", "IdentityStore", "IdentityMail", "IdentityPush",
      "IdentityDomain", "TandemIdentity", "TandemNotification", "ServiceRuntime", "Events", "Expiry", "Idempotency",
      "Cryptography", "Ambient", "Identifiers", "LoopExecutor", "Postgres", "TTRPC", nioCore, configuration, logging,
      metrics, lifecycle, "Pictures", "PictureSettings", "IdentityPasskeys", "IdentityFederation", "OAuth2",
      "OutboundHTTP"),
    layer("Reflection", "Tandem", "Reflection", uses: "ContractRules", "ProtobufDescriptor", "ProtobufC"),
    program(
      "tandem", "Services/Tandem/CommandLine", uses: "CProcess", "Reflection", "ServiceRuntime", "TTRPC", "TandemRPC",
      "GRPCHealth", "TandemIdentity", "GoogleType", "GoogleProtobuf", "GoogleRPC", "ProtobufDescriptor", "ProtobufC",
      "Cryptography", "Postgres", "Events", "Jobs", "Ambient", "Identifiers", "LoopExecutor", argumentParser, nioCore,
      nioPosix,
      nioSSL, logging, configuration, signals),
    layer("CatalogDomain", "Catalog", "Domain", uses: "Identifiers", "PlainWords", "SeededNumbers"),
    layer(
      "CatalogStore", "Catalog", "Store", uses: "CatalogDomain", "Blocks", "Usernames", "Postgres", "Events", "Expiry",
      "Jobs", "Idempotency", "Pictures", "Identifiers",
      resources: migrations([
        "V0001_schema", "V0005_books", "V0006_blocks", "V0008_book_photos", "V0009_recommendations", "V0010_search",
        "V0011_exercises", "V0012_workouts", "V0013_return_comments", "V0014_gyms", "V0015_ratings",
        "V0016_search_parts",
      ])),
    layer(
      "CatalogHandlers", "Catalog", "Handlers", uses: "CatalogDomain", "CatalogStore", "TandemCatalog", "TandemLending",
      "TandemEvents", "GoogleProtobuf", "GoogleType", "Events", "TTRPC", "ProtobufC", "FieldViolations", "FieldMasks",
      "Timestamps", "Idempotency", "Pagination", "Cryptography", "Ambient", "Identifiers", "Postgres",
      "ClientAddresses",
      "Images",
      "Pictures", "Jobs", "Repetition", logging, lifecycle),
    layer(
      "CatalogSamples", "Catalog", "Samples",
      resources: ["books.csv", "ratings.csv", "exercises.json", "workouts.json", "gyms.geojson"].map {
        .embedInCode($0)
      }),
    layer(
      "CatalogLoading", "Catalog", "Loading", uses: "CatalogDomain", "CatalogStore", "FileLoading", "Jobs", "Postgres",
      "Ambient", "Identifiers"),
    program(
      "catalog", "Services/Catalog/Server", uses: "CatalogHandlers", "CatalogLoading", "CatalogSamples", "CatalogStore",
      "TandemCatalog", "TandemLending", "TandemEvents", "ServiceRuntime", "Blocks", "Usernames", "Events", "Expiry",
      "CatalogDomain", "Ambient", "Idempotency", "Identifiers", "Jobs", "LoopExecutor", "Pictures", "PictureSettings",
      "Postgres", "TTRPC", argumentParser),
    layer("LendingDomain", "Lending", "Domain", uses: "Identifiers", "PlainWords"),
    layer(
      "LendingStore", "Lending", "Store", uses: "LendingDomain", "Blocks", "Usernames", "Postgres", "Events", "Jobs",
      "Idempotency", "Identifiers",
      resources: migrations(["V0001_schema", "V0005_loans", "V0006_places", "V0007_missed_news"])),
    layer(
      "LendingHandlers", "Lending", "Handlers", uses: "LendingDomain", "LendingStore", "TandemLending", "TandemCatalog",
      "TandemEvents", "GoogleProtobuf", "GoogleType", "Events", "Jobs", "TTRPC", "FieldViolations", "Idempotency",
      "Pagination", "Cryptography", "Ambient", "Identifiers", "Postgres", "ProtobufC", logging),
    layer("LendingSamples", "Lending", "Samples", resources: [.embedInCode("places.txt")]),
    layer("LendingLoading", "Lending", "Loading", uses: "LendingDomain", "LendingStore", "FileLoading", "Postgres"),
    program(
      "lending", "Services/Lending/Server", uses: "LendingHandlers", "LendingLoading", "LendingSamples", "LendingStore",
      "LendingDomain", "TandemLending", "TandemEvents", "ServiceRuntime", "Blocks", "Usernames", "Events", "Expiry",
      "FileLoading",
      "Idempotency", "Identifiers", "Ambient", "LoopExecutor", "Postgres", "TTRPC", argumentParser),
  ] + ["Matching", "Tracking", "Importer"].flatMap(emptyService)

let proofs: [Target] = [
  shared(
    "TestSupport", uses: "CSpawn", "Postgres", "TTRPC", "Ambient", "Identifiers", "SeededNumbers", "Cryptography",
    "LoopExecutor", nioCore, nioPosix, nioSSL, logging, deque),
  shared(
    "TestServices", uses: "TestSupport", "ServiceRuntime", "Events", "TandemEvents", "TTRPC", "Postgres", "Ambient",
    "Cryptography", "LoopExecutor", logging),
  program(
    "echo-server", "Tests/Echo/Server", uses: "EchoV1", "Ambient", "Cryptography", "Identifiers", "Telemetry", metrics,
    "GoogleProtobuf", "GoogleRPC", "TTRPC", "TandemRPC", "ProtobufC", "LoopExecutor", argumentParser, nioCore, nioSSL,
    logging, signals),
  .target(
    name: "ChaosTables", dependencies: ["Events", "Postgres"], path: "Tests/Chaos/Tables", swiftSettings: strict),
  tool(
    "chaos-teller", "Tests/Chaos/Teller", uses: "ChaosTables", "Events", "TandemEvents", "ServiceRuntime", "Postgres",
    "LoopExecutor", lifecycle, logging),
  tool(
    "chaos-listener", "Tests/Chaos/Listener", uses: "ChaosTables", "Events", "TandemEvents", "ServiceRuntime",
    "Postgres", "Identifiers"),
  .systemLibrary(name: "CSystemCall", path: "Tests/SystemCalls/CSystemCall"),
  tool("system-call-probe", "Tests/SystemCalls/Probe", uses: "SystemCallFilter", "CSystemCall"),
  .target(name: "HostileClients", path: "Tests/HostileClients", swiftSettings: strict),
  tool("jobs-probe", "Tests/Jobs/Probe", uses: "Jobs", "Postgres", "ServiceRuntime", "Identifiers"),
  tool(
    "soak-mix", "Tests/Soak/Mix", uses: "EchoV1", "TTRPC", "ProtobufC", "SeededNumbers", "LoopExecutor", argumentParser,
    signals),
  tool(
    "enumeration-probe", "Tests/Enumeration/Probe", uses: "TandemIdentity", "TTRPC", "LoopExecutor", argumentParser,
    nioSSL),
  .target(
    name: "FuzzTargets",
    dependencies: [
      "TTRPC", "TTRPCWire", "ProtobufC", "ProtobufDescriptor", "GoogleProtobuf", "GoogleRPC", "GRPCHealth", "EchoV1",
      "KindsV1", "TandemIdentity", "LoopExecutor", nioCore, nioEmbedded, logging, "IdentityPasskeys", "TandemEvents",
      "Events", "Blocks", "Usernames", "CatalogHandlers", "CatalogStore", "LendingHandlers", "LendingStore",
      "LendingDomain", "IdentityHandlers", "Ambient", "Identifiers",
    ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
  tool("fuzz", "Tests/Fuzz/Fuzzer", uses: "FuzzTargets"),
  .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay", swiftSettings: strict),
  tests("IdentifiersTests", uses: "Identifiers", "Ambient", "TestSupport"),
  tests("LoopExecutorTests", uses: "LoopExecutor", "TestSupport", nioCore, nioPosix),
  tests(
    "ProtobufCTests", uses: "ProtobufC", "GoogleProtobuf", "GoogleRPC", "ProtobufDescriptor", "EchoV1", "KindsV1",
    "SeededNumbers"),
  tests("StubGeneratorTests", uses: "StubGenerator", "ProtobufC", "ProtobufDescriptor", exclude: ["Golden"]),
  tests(
    "TTRPCTests", uses: "echo-server", "HostileClients", "TTRPC", "TTRPCWire", "ProtobufC", "EchoV1", "GRPCHealth",
    "GoogleRPC",
    "GoogleProtobuf", "LoopExecutor", "Cryptography", "Ambient", "Telemetry", "TestSupport", nioCore, nioPosix,
    nioEmbedded, nioSSL, logging, tracing, inMemoryTracing),
  tests(
    "PostgresTests", uses: "Postgres", "TestSupport", "LoopExecutor", "Identifiers", "SeededNumbers", nioCore, nioPosix,
    logging),
  tests(
    "LiveTests", uses: "Live", "Postgres", "Cryptography", "LoopExecutor", "Ambient", "Identifiers", "TestSupport",
    logging, lifecycle),
  tests(
    "JobsTests", uses: "jobs-probe", "Jobs", "Postgres", "ServiceRuntime", "Ambient", "Identifiers", "LoopExecutor",
    "TestSupport", logging, lifecycle),
  tests("CryptographyTests", uses: "Cryptography", "Ambient", "Identifiers", "TestSupport"),
  tests(
    "TelemetryTests", uses: "Telemetry", "Ambient", "TestSupport", nioCore, nioPosix, nioHTTP1, logging, metrics,
    tracing, lifecycle),
  tests(
    "ServiceRuntimeTests", uses: "ServiceRuntime", "matching", "MatchingStore", "Telemetry", "TTRPC", "Postgres",
    "Live", "GRPCHealth", "TandemRPC", "ProtobufDescriptor", "ProtobufC", "GoogleRPC", "LoopExecutor", "Cryptography",
    "Ambient", "Identifiers", "TestSupport", nioCore, nioPosix, nioSSL, logging, metrics, tracing, lifecycle,
    argumentParser,
    exclude: ["otel_tap.py"]),
  tests("FieldViolationsTests", uses: "FieldViolations", "GoogleRPC", "TTRPC"),
  tests(
    "NotesTests", uses: "NotesV1", "Expiry", "FieldMasks", "FieldViolations", "Idempotency", "Pagination",
    "GoogleProtobuf", "GoogleRPC", "TTRPC", "Postgres", "ServiceRuntime", "Cryptography", "Ambient", "Identifiers",
    "TestServices", "TestSupport", "LoopExecutor", logging),
  tests(
    "EventsTests", uses: "Events", "TandemEvents", "Live", "ServiceRuntime", "chaos-teller", "chaos-listener",
    "ChaosTables", "Postgres", "TTRPC", "ProtobufC", "GoogleProtobuf", "GoogleRPC", "LoopExecutor", "Ambient",
    "Identifiers", "TestServices", "TestSupport", argumentParser, lifecycle, logging),
  tests("IdentityDomainTests", uses: "IdentityDomain", "Identifiers"),
  tests(
    "IdentityTests", uses: "identity", "HostileClients", "IdentityHandlers", "IdentityStore", "IdentityMail",
    "IdentityPush",
    "IdentityDomain", "TandemIdentity", "TandemNotification", "matching", "MatchingStore", "Events", "TandemEvents",
    "UserTokens", "GRPCHealth", argumentParser, "GoogleType", "GoogleProtobuf", "GoogleRPC", "TTRPC", "Postgres",
    "Live", "ServiceRuntime", "Cryptography", "Ambient", "Identifiers", "TestServices", "TestSupport", "LoopExecutor",
    logging, "Images", "Pictures", "IdentityPasskeys", "ClientAddresses", "IdentityFederation", "OAuth2",
    "OutboundHTTP",
    exclude: [
      "Support/smtp_server.py", "Support/push_gateway.py", "Support/authenticator.py", "Support/openid_provider.py",
      "Support/hostile_provider.py",
    ]),
  tests("IdentityPasskeysTests", uses: "IdentityPasskeys"),
  tests("IdentityFederationTests", uses: "IdentityFederation"),
  tests("OAuth2Tests", uses: "OAuth2", "OutboundHTTP", "Ambient", "Identifiers", "TestSupport"),
  tests("ImagesTests", uses: "Images", "TestSupport"),
  tests("LendingDomainTests", uses: "LendingDomain", "Identifiers"),
  tests(
    "LendingTests", uses: "lending", "LendingHandlers", "LendingLoading", "LendingStore", "LendingDomain",
    "TandemLending", "TandemEvents", "Blocks", "Usernames", "Events", "Jobs", "GoogleProtobuf", "GoogleType",
    "GoogleRPC", "TTRPC",
    "Postgres",
    "ServiceRuntime", "Cryptography", "Ambient", "Identifiers", "TestServices", "TestSupport", "LoopExecutor",
    "FileLoading", argumentParser, logging),
  tests(
    "JourneyTests", uses: "identity", "IdentityStore", "TandemIdentity", "TandemNotification", "catalog",
    "CatalogStore", "TandemCatalog", "lending", "LendingStore", "LendingDomain", "TandemLending", "TandemEvents",
    "Events", "GoogleProtobuf", "GoogleType", "GoogleRPC", "TTRPC", "Postgres", "ServiceRuntime", "Cryptography",
    "Ambient", "Identifiers", "TestServices", "TestSupport", "LoopExecutor", argumentParser, logging),
  tests("CatalogDomainTests", uses: "CatalogDomain", "Identifiers", "SeededNumbers"),
  tests(
    "CatalogTests", uses: "catalog", "CatalogHandlers", "CatalogLoading", "CatalogStore", "CatalogDomain",
    "TandemCatalog", "TandemEvents", "Blocks", "Usernames", "Events", "identity", "IdentityStore", "TandemIdentity",
    "GoogleProtobuf",
    "GoogleRPC", "TTRPC", "Postgres", "ServiceRuntime", "Images", "Jobs", "Cryptography", "Ambient", "Identifiers",
    "SeededNumbers", "TestServices", "TestSupport", "LoopExecutor", argumentParser, logging, "GoogleType",
    exclude: ["Support/same_exercises.csv"]),
  tests(
    "AccessTests", uses: "identity", "catalog", "matching", "lending", "tracking", "importer", "Reflection",
    "TandemRPC", "TandemIdentity", "TandemNotification", "TandemCatalog", "TandemLending", "TTRPC", "Postgres",
    "ServiceRuntime",
    "Cryptography", "Ambient", "Identifiers", "TestSupport", "LoopExecutor", nioCore, nioPosix, nioHTTP1, nioSSL,
    logging),
  tests(
    "TandemTests", uses: "tandem", "echo-server", "Reflection", "ProtobufDescriptor", "ProtobufC", "Cryptography",
    "Events", "Jobs", "Postgres", "Ambient", "Identifiers", "TestSupport"),
]

/// What the package of `Tests/Benchmarks` builds its load from.
let measured = [
  "Ambient", "CProtobufC", "Cryptography", "EchoV1", "Identifiers", "LoopExecutor", "Postgres", "ProtobufC",
  "SeededNumbers", "TTRPC", "TandemCatalog", "TandemIdentity", "TandemLending",
]

/// Set where only the programs are built, for images (without `Tests/`, so that a change there is no reason to build again) and by `make programs`.
let isForProgramsOnly = Context.environment["TANDEM_PROGRAMS_ONLY"] != nil

let package = Package(
  name: "tandem",
  products: isForProgramsOnly ? [] : measured.map { .library(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["CommandLineArguments"]),
  ],
  targets: systemLibraries + contracts + sharedLibraries + services
    + (isForProgramsOnly ? [] : testContracts + proofs),
  swiftLanguageModes: [.v6]
)
