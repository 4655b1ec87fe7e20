// swift-tools-version: 6.2
import PackageDescription

// Who may use whom is written here once and enforced by the build
// (`--explicit-target-dependency-import-check error`, see the Makefile).

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

/// How programs are linked. The addresses that the loader puts into a program are packed: a service that starts touches less memory.
let linked: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"],
    .when(platforms: [.linux], configuration: .release))
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
func shared(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
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
  _ name: String, _ service: String, _ layer: String, _ dependencies: [Target.Dependency], resources: [Resource] = []
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
      "\(name)Store", name, "Store", ["Postgres", "Events", "Jobs", "Idempotency"],
      resources: [.embedInCode("Migrations/V0001_schema.sql")]),
    .executableTarget(
      name: executable, dependencies: ["ServiceRuntime", "Events", "Idempotency", .byName(name: "\(name)Store")],
      path: "Services/\(name)/Server",
      swiftSettings: strict, linkerSettings: linked),
  ]
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = [], exclude: [String] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, resources: resources,
    swiftSettings: strict)
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
  + generated("EchoV1", serves: true, in: "Tests/Echo/Generated")
  + generated(
    "NotesV1", ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"], serves: true, in: "Tests/Notes/Generated")
  + generated("KindsV1", ["GoogleProtobuf"], serves: true, in: "Tests/StubGeneratorTests/Golden/Generated")

let sharedLibraries: [Target] = [
  shared("Identifiers"),
  shared("Ambient", ["Identifiers"]),
  shared("ProtobufC", ["CProtobufC"]),
  // Without dependencies, so that a Domain may import it beside Identifiers.
  shared("FieldViolations"),
  shared("PlainWords"),
  shared("FileLoading"),
  shared("FieldMasks", ["FieldViolations", "GoogleProtobuf"]),
  shared("Repetition", [logging, lifecycle]),
  shared("LoopExecutor", [nioCore, nioPosix, nioConcurrencyHelpers, deque]),
  shared(
    "TTRPC",
    [
      "ProtobufC", "FieldViolations", "LoopExecutor", "GoogleProtobuf", "GoogleRPC", "TTRPCWire", "CTTRPCWire", nioCore,
      nioPosix, nioTLS, nioSSL,
      logging, metrics,
      tracing, lifecycle, deque,
    ]),
  shared("Postgres", ["CLibPQ", "LoopExecutor", "Identifiers", nioCore, nioPosix, logging, metrics, lifecycle, deque]),
  shared(
    "Events",
    [
      "TandemEvents", "TandemIdentity", "Postgres", "TTRPC", "Live", "Ambient", "Identifiers", "ProtobufC",
      "GoogleProtobuf", "GoogleRPC",
      logging, metrics, lifecycle, deque,
    ], resources: [.embedInCode("Migrations/events.sql")]),
  shared("Blocks", ["Events", "TandemEvents", "TandemIdentity", "Postgres", "TTRPC", "Identifiers"]),
  shared("Cryptography", ["COpenSSL", "CZxcvbn", "Ambient", "Identifiers"]),
  shared("Live", ["CNATS", "Postgres", "Cryptography", "LoopExecutor", "Ambient", logging, metrics, lifecycle, deque]),
  shared(
    "Idempotency",
    [
      "Postgres", "Events", "TTRPC", "FieldViolations", "Repetition", "Cryptography", "ProtobufC", "Ambient",
      "Identifiers",
      logging, lifecycle,
    ],
    resources: [.embedInCode("Migrations/replays.sql")]),
  shared("ClientAddresses", ["TTRPC"]),
  shared("Pagination", ["TTRPC", "FieldViolations", "Cryptography", "ProtobufC", "Ambient", "Identifiers"]),
  shared(
    "OutboundHTTP", ["Ambient", "Identifiers", httpClient, nioCore, nioSSL, lifecycle]),
  shared(
    "OAuth2", ["OutboundHTTP", "Cryptography", "Postgres", "Ambient", "Identifiers"],
    resources: [.embedInCode("Migrations/authorization_attempts.sql")]),
  shared("Images", ["CSpawn", "Cryptography"]),
  // The only program that has libvips in it, run once for each picture. Nothing depends on it: whatever did would be linked with libvips.
  .executableTarget(
    name: "image-decoder", dependencies: ["Images", "CVips"], path: "Shared/ImageDecoder", swiftSettings: strict,
    linkerSettings: linked),
  shared(
    "Pictures",
    [
      "Images", "Postgres", "Events", "TTRPC", "FieldViolations", "Repetition", "Cryptography", "Ambient",
      "Identifiers", logging, lifecycle,
    ],
    resources: [.embedInCode("Migrations/pictures.sql")]),
  shared("PictureSettings", ["Images", "Pictures", "ServiceRuntime"]),
  shared(
    "UserTokens",
    [
      "Cryptography", "Events", "TandemEvents", "TandemIdentity", "TTRPC", "Ambient", "Identifiers", logging, lifecycle,
    ]),
  shared(
    "Telemetry",
    [
      "Ambient", nioCore, nioPosix, nioHTTP1, nioSSL, logging, metrics, coreMetrics, tracing, lifecycle,
    ]),
  shared(
    "Jobs", ["Postgres", "Live", "Ambient", "Identifiers", "ProtobufC", logging, metrics, lifecycle],
    resources: [.embedInCode("Migrations/jobs.sql")]),
  shared(
    "ServiceRuntime",
    [
      "TTRPC", "Postgres", "Events", "Jobs", "Live", "UserTokens", "Telemetry", "Ambient", "Identifiers",
      "Cryptography",
      "LoopExecutor", "GRPCHealth", "TandemEvents", "TandemRPC", "ProtobufDescriptor", "ProtobufC", "GoogleRPC",
      nioCore, nioPosix, nioHTTP1, nioSSL, logging,
      metrics, tracing, lifecycle, signals, configuration, argumentParser,
    ]),
  shared(
    "TestSupport",
    [
      "CSpawn", "Postgres", "TTRPC", "Ambient", "Identifiers", "Cryptography", "LoopExecutor", nioCore, nioPosix,
      nioSSL,
      logging, deque,
    ]),
  .executableTarget(
    name: "StubGenerator", dependencies: ["ProtobufC", "ProtobufDescriptor", argumentParser],
    path: "Shared/StubGenerator", swiftSettings: strict),
]

let services: [Target] =
  [
    layer("IdentityDomain", "Identity", "Domain", ["Identifiers"]),
    layer(
      "IdentityStore", "Identity", "Store",
      ["IdentityDomain", "Postgres", "Events", "Jobs", "Idempotency", "OAuth2", "Pictures", "Identifiers"],
      resources: [
        "Migrations/V0001_accounts.sql", "Migrations/V0004_notifications.sql", "Migrations/V0005_reminder_jobs.sql",
        "Migrations/V0006_sealed_devices.sql",
        "Migrations/V0007_throttles.sql", "Migrations/V0008_password_resets.sql", "Migrations/V0009_blocks.sql",
        "Migrations/V0010_groups.sql", "Migrations/V0011_security_events.sql", "Migrations/V0012_account_locks.sql",
        "Migrations/V0014_profile_pictures.sql", "Migrations/V0015_passkeys.sql", "Migrations/V0016_departures.sql",
        "Migrations/V0017_badges.sql",
        "Migrations/V0018_username_reservations.sql",
        "Migrations/V0020_federated_identities.sql",
      ].map { .embedInCode($0) }),
    layer(
      "IdentityPush", "Identity", "Push",
      ["OutboundHTTP", "Ambient", "Identifiers", httpClient, nioCore, nioSSL, lifecycle]),
    layer(
      "IdentityFederation", "Identity", "Federation",
      ["IdentityDomain", "OAuth2", "OutboundHTTP", "Cryptography", "Ambient", "Identifiers"]),
    layer("IdentityPasskeys", "Identity", "Passkeys", ["Cryptography"]),
    layer("IdentityMail", "Identity", "Mail", ["CCurl", "Cryptography", "Ambient", "Identifiers"]),
    layer(
      "IdentityHandlers", "Identity", "Handlers",
      [
        "IdentityDomain", "IdentityStore", "IdentityMail", "IdentityPush", "TandemIdentity", "TandemNotification",
        "GoogleProtobuf", "GoogleType", "GoogleRPC", "TandemEvents", "Events", "UserTokens", "TTRPC", "ProtobufC",
        "FieldViolations", "FieldMasks", "Idempotency", "Pagination", "Repetition", "Jobs", "Live", "Cryptography",
        "Ambient", "Identifiers", "Postgres", "Images", "Pictures", "IdentityPasskeys", "ClientAddresses",
        "IdentityFederation", "OAuth2", logging, lifecycle,
      ]),
    .executableTarget(
      name: "identity",
      dependencies: [
        "IdentityHandlers", "IdentityStore", "IdentityMail", "IdentityPush", "IdentityDomain", "TandemIdentity",
        "TandemNotification", "ServiceRuntime", "Events", "Idempotency", "Cryptography", "Ambient", "Identifiers",
        "LoopExecutor", "Postgres",
        "TTRPC", nioCore, configuration, logging, metrics, lifecycle,
        "Pictures", "PictureSettings", "IdentityPasskeys", "IdentityFederation", "OAuth2", "OutboundHTTP",
      ], path: "Services/Identity/Server", swiftSettings: strict, linkerSettings: linked),
    layer("Reflection", "Tandem", "Reflection", ["ProtobufDescriptor", "ProtobufC"]),
    .executableTarget(
      name: "tandem",
      dependencies: [
        "CProcess", "Reflection", "ServiceRuntime", "TTRPC", "TandemRPC", "GRPCHealth", "TandemIdentity", "GoogleType",
        "GoogleProtobuf", "GoogleRPC", "ProtobufDescriptor", "ProtobufC", "Cryptography", "Postgres", "Jobs",
        "Ambient", "Identifiers", "LoopExecutor", argumentParser, nioCore, nioPosix, nioSSL, logging, configuration,
        signals,
      ], path: "Services/Tandem/CommandLine", swiftSettings: strict, linkerSettings: linked),
    layer("CatalogDomain", "Catalog", "Domain", ["Identifiers", "PlainWords"]),
    layer(
      "CatalogStore", "Catalog", "Store",
      ["CatalogDomain", "Blocks", "Postgres", "Events", "Jobs", "Idempotency", "Pictures", "Identifiers"],
      resources: [
        "Migrations/V0001_schema.sql", "Migrations/V0005_books.sql", "Migrations/V0006_blocks.sql",
        "Migrations/V0008_book_photos.sql", "Migrations/V0009_recommendations.sql", "Migrations/V0010_search.sql",
        "Migrations/V0011_exercises.sql", "Migrations/V0012_workouts.sql", "Migrations/V0013_return_comments.sql",
        "Migrations/V0014_gyms.sql",
      ].map { .embedInCode($0) }),
    layer(
      "CatalogHandlers", "Catalog", "Handlers",
      [
        "CatalogDomain", "CatalogStore", "TandemCatalog", "TandemLending", "TandemEvents", "GoogleProtobuf",
        "GoogleType", "Events",
        "TTRPC", "ProtobufC", "FieldViolations", "FieldMasks", "Idempotency", "Pagination", "Cryptography", "Ambient",
        "Identifiers", "Postgres", "ClientAddresses", "Images", "Pictures", "Jobs", "Repetition", logging, lifecycle,
      ]),
    layer(
      "CatalogSamples", "Catalog", "Samples", [],
      resources: ["books.csv", "exercises.json", "workouts.json", "gyms.geojson"].map { .embedInCode($0) }),
    layer(
      "CatalogLoading", "Catalog", "Loading",
      ["CatalogDomain", "CatalogStore", "FileLoading", "Postgres", "Ambient", "Identifiers"]),
    .executableTarget(
      name: "catalog",
      dependencies: [
        "CatalogHandlers", "CatalogLoading", "CatalogSamples", "CatalogStore", "TandemCatalog", "TandemLending",
        "TandemEvents", "ServiceRuntime", "Blocks", "Events", "CatalogDomain", "Ambient", "Idempotency",
        "Identifiers", "Jobs", "LoopExecutor", "Pictures", "PictureSettings", "Postgres", "TTRPC",
        argumentParser,
      ], path: "Services/Catalog/Server", swiftSettings: strict, linkerSettings: linked),
    layer("LendingDomain", "Lending", "Domain", ["Identifiers", "PlainWords"]),
    layer(
      "LendingStore", "Lending", "Store",
      ["LendingDomain", "Blocks", "Postgres", "Events", "Jobs", "Idempotency", "Identifiers"],
      resources: [
        "Migrations/V0001_schema.sql", "Migrations/V0005_loans.sql", "Migrations/V0006_places.sql",
        "Migrations/V0007_missed_news.sql",
      ].map { .embedInCode($0) }),
    layer(
      "LendingHandlers", "Lending", "Handlers",
      [
        "LendingDomain", "LendingStore", "TandemLending", "TandemCatalog", "TandemEvents", "GoogleProtobuf",
        "GoogleType", "Events", "Jobs", "TTRPC", "FieldViolations", "Idempotency", "Pagination", "Cryptography",
        "Ambient", "Identifiers", "Postgres", "ProtobufC", logging,
      ]),
    layer("LendingSamples", "Lending", "Samples", [], resources: [.embedInCode("places.txt")]),
    layer(
      "LendingLoading", "Lending", "Loading", ["LendingDomain", "LendingStore", "FileLoading", "Postgres"]),
    .executableTarget(
      name: "lending",
      dependencies: [
        "LendingHandlers", "LendingLoading", "LendingSamples", "LendingStore", "LendingDomain", "TandemLending",
        "TandemEvents", "ServiceRuntime", "Blocks", "Events", "FileLoading", "Idempotency", "Identifiers", "Ambient",
        "LoopExecutor", "Postgres",
        "TTRPC", argumentParser,
      ], path: "Services/Lending/Server", swiftSettings: strict, linkerSettings: linked),
  ] + ["Matching", "Tracking", "Importer"].flatMap(emptyService)

let proofs: [Target] = [
  .executableTarget(
    name: "echo-server",
    dependencies: [
      "EchoV1", "Ambient", "Cryptography", "Identifiers", "Telemetry", metrics, "GoogleProtobuf", "GoogleRPC", "TTRPC",
      "TandemRPC", "ProtobufC", "LoopExecutor", argumentParser, nioCore, nioSSL,
      logging, signals,
    ],
    path: "Tests/Echo/Server", swiftSettings: strict, linkerSettings: linked),
  .target(
    name: "ChaosTables", dependencies: ["Events", "Postgres"], path: "Tests/Chaos/Tables", swiftSettings: strict),
  .executableTarget(
    name: "chaos-teller",
    dependencies: [
      "ChaosTables", "Events", "TandemEvents", "ServiceRuntime", "Postgres", "LoopExecutor", lifecycle, logging,
    ], path: "Tests/Chaos/Teller", swiftSettings: strict),
  .executableTarget(
    name: "chaos-listener",
    dependencies: ["ChaosTables", "Events", "TandemEvents", "ServiceRuntime", "Postgres", "Identifiers"],
    path: "Tests/Chaos/Listener", swiftSettings: strict),
  .executableTarget(
    name: "jobs-probe", dependencies: ["Jobs", "Postgres", "ServiceRuntime", "Identifiers"], path: "Tests/Jobs/Probe",
    swiftSettings: strict),
  .executableTarget(
    name: "soak-mix", dependencies: ["EchoV1", "TTRPC", "ProtobufC", "LoopExecutor", argumentParser, signals],
    path: "Tests/Soak/Mix", swiftSettings: strict),
  .executableTarget(
    name: "enumeration-probe", dependencies: ["TandemIdentity", "TTRPC", "LoopExecutor", argumentParser, nioSSL],
    path: "Tests/Enumeration/Probe", swiftSettings: strict),
  .target(
    name: "FuzzTargets",
    dependencies: [
      "TTRPC", "TTRPCWire", "ProtobufC", "ProtobufDescriptor", "GoogleProtobuf", "GoogleRPC", "GRPCHealth", "EchoV1",
      "KindsV1", "TandemIdentity", "LoopExecutor", nioCore, nioEmbedded, logging, "IdentityPasskeys",
    ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
  .executableTarget(
    name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Fuzzer", swiftSettings: strict),
  .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay", swiftSettings: strict),
  tests("IdentifiersTests", ["Identifiers", "Ambient", "TestSupport"]),
  tests("LoopExecutorTests", ["LoopExecutor", nioCore, nioPosix]),
  tests("ProtobufCTests", ["ProtobufC", "GoogleProtobuf", "GoogleRPC", "ProtobufDescriptor", "EchoV1", "KindsV1"]),
  tests("StubGeneratorTests", ["StubGenerator", "ProtobufC", "ProtobufDescriptor"], exclude: ["Golden"]),
  tests(
    "TTRPCTests",
    [
      "echo-server", "TTRPC", "TTRPCWire", "ProtobufC", "EchoV1", "GRPCHealth", "GoogleRPC", "GoogleProtobuf",
      "LoopExecutor", "Cryptography", "Ambient", "Telemetry", "TestSupport", nioCore, nioPosix, nioEmbedded, nioSSL,
      logging, tracing, inMemoryTracing,
    ]),
  tests("PostgresTests", ["Postgres", "TestSupport", "LoopExecutor", "Identifiers", nioCore, nioPosix, logging]),
  tests(
    "LiveTests",
    ["Live", "Postgres", "Cryptography", "LoopExecutor", "Ambient", "Identifiers", "TestSupport", logging, lifecycle]),
  tests(
    "JobsTests",
    [
      "jobs-probe", "Jobs", "Postgres", "ServiceRuntime", "Ambient", "Identifiers", "LoopExecutor", "TestSupport",
      logging, lifecycle,
    ]),
  tests("CryptographyTests", ["Cryptography", "Ambient", "Identifiers", "TestSupport"]),
  tests(
    "TelemetryTests",
    ["Telemetry", "Ambient", "TestSupport", nioCore, nioPosix, nioHTTP1, logging, metrics, tracing, lifecycle]),
  tests(
    "ServiceRuntimeTests",
    [
      "ServiceRuntime", "matching", "MatchingStore", "Telemetry", "TTRPC", "Postgres", "Live", "GRPCHealth",
      "TandemRPC",
      "ProtobufDescriptor", "ProtobufC", "GoogleRPC", "LoopExecutor", "Cryptography", "Ambient", "TestSupport", nioCore,
      nioPosix, nioSSL, logging, metrics, tracing, lifecycle, argumentParser,
    ], exclude: ["otel_tap.py"]),
  tests("FieldViolationsTests", ["FieldViolations", "GoogleRPC", "TTRPC"]),
  tests(
    "NotesTests",
    [
      "NotesV1", "FieldMasks", "FieldViolations", "Idempotency", "Pagination", "GoogleProtobuf", "GoogleRPC", "TTRPC",
      "Postgres", "ServiceRuntime", "Cryptography", "Ambient", "Identifiers", "TestSupport", "LoopExecutor", logging,
    ]),
  tests(
    "EventsTests",
    [
      "Events", "TandemEvents", "Live", "ServiceRuntime", "chaos-teller", "chaos-listener", "ChaosTables", "Postgres",
      "TTRPC",
      "ProtobufC", "GoogleProtobuf", "GoogleRPC", "LoopExecutor", "Ambient", "Identifiers", "TestSupport",
      argumentParser,
      lifecycle, logging,
    ]),
  tests("IdentityDomainTests", ["IdentityDomain", "Identifiers"]),
  tests(
    "IdentityTests",
    [
      "identity", "IdentityHandlers", "IdentityStore", "IdentityMail", "IdentityPush", "IdentityDomain",
      "TandemIdentity", "TandemNotification", "matching", "MatchingStore", "Events", "TandemEvents", "UserTokens",
      "GRPCHealth", argumentParser, "GoogleType", "GoogleProtobuf", "GoogleRPC", "TTRPC", "Postgres", "Live",
      "ServiceRuntime", "Cryptography", "Ambient", "Identifiers", "TestSupport", "LoopExecutor", logging,
      "Images", "Pictures", "IdentityPasskeys", "ClientAddresses", "IdentityFederation", "OAuth2", "OutboundHTTP",
    ],
    exclude: [
      "Support/smtp_server.py", "Support/push_gateway.py", "Support/authenticator.py", "Support/openid_provider.py",
      "Support/hostile_provider.py",
    ]),
  tests("IdentityPasskeysTests", ["IdentityPasskeys"]),
  tests("IdentityFederationTests", ["IdentityFederation"]),
  tests("OAuth2Tests", ["OAuth2", "OutboundHTTP", "Ambient", "Identifiers", "TestSupport"]),
  tests("ImagesTests", ["Images", "TestSupport"]),
  tests("LendingDomainTests", ["LendingDomain", "Identifiers"]),
  tests(
    "LendingTests",
    [
      "lending", "LendingHandlers", "LendingLoading", "LendingStore", "LendingDomain", "TandemLending", "TandemEvents",
      "Blocks", "Events", "Jobs", "GoogleProtobuf", "GoogleType", "GoogleRPC", "TTRPC", "Postgres", "ServiceRuntime",
      "Cryptography", "Ambient", "Identifiers", "TestSupport", "LoopExecutor", "FileLoading", argumentParser, logging,
    ]),
  tests(
    "JourneyTests",
    [
      "identity", "IdentityStore", "TandemIdentity", "TandemNotification", "catalog", "CatalogStore", "TandemCatalog",
      "lending", "LendingStore", "LendingDomain", "TandemLending", "TandemEvents", "Events", "GoogleProtobuf",
      "GoogleType", "GoogleRPC", "TTRPC", "Postgres", "ServiceRuntime", "Cryptography", "Ambient", "Identifiers",
      "TestSupport", "LoopExecutor", argumentParser, logging,
    ]),
  tests("CatalogDomainTests", ["CatalogDomain", "Identifiers"]),
  tests(
    "CatalogTests",
    [
      "catalog", "CatalogHandlers", "CatalogLoading", "CatalogStore", "CatalogDomain", "TandemCatalog", "TandemEvents",
      "Blocks", "Events",
      "identity", "IdentityStore", "TandemIdentity", "GoogleProtobuf", "GoogleRPC", "TTRPC", "Postgres",
      "ServiceRuntime", "Images", "Jobs", "Cryptography", "Ambient", "Identifiers", "TestSupport", "LoopExecutor",
      argumentParser,
      logging, "GoogleType",
    ], exclude: ["Support/same_exercises.csv"]),
  tests(
    "AccessTests",
    [
      "identity", "catalog", "matching", "lending", "tracking", "importer", "Reflection", "TandemRPC",
      "TandemIdentity", "TandemNotification", "TandemCatalog", "TTRPC", "Postgres", "ServiceRuntime", "Cryptography",
      "Ambient", "Identifiers", "TestSupport", "LoopExecutor", logging,
    ]),
  tests(
    "TandemTests",
    [
      "tandem", "echo-server", "Reflection", "ProtobufDescriptor", "ProtobufC", "Cryptography", "Jobs", "Postgres",
      "Ambient", "Identifiers", "TestSupport",
    ]),
]

/// What the package of `Tests/Benchmarks` builds its load from.
let measured = [
  "Ambient", "CProtobufC", "Cryptography", "EchoV1", "Identifiers", "LoopExecutor", "Postgres", "ProtobufC", "TTRPC",
  "TandemCatalog", "TandemIdentity", "TandemLending",
]

let package = Package(
  name: "tandem",
  products: measured.map { .library(name: $0, targets: [$0]) },
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
    .package(
      url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["CommandLineArguments"]),
  ],
  targets: systemLibraries + contracts + sharedLibraries + services + proofs,
  swiftLanguageModes: [.v6]
)
