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

/// For modules whose state one event loop, or one thread, owns. That accesses do not overlap is checked at run time where the tests run, in debug builds; in
/// optimised ones every call would pay for it many times.
let confined: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]
let confinedModules: Set<String> = [
  "LoopExecutor", "Postgres", "ProtobufC", "TTRPC", "TTRPCFrames", "TTRPCConnection", "TTRPCServer", "TTRPCClient",
  "ActivityFiles",
]

func settings(of name: String) -> [SwiftSetting] { confinedModules.contains(name) ? strict + confined : strict }

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
      ["-L\(Context.packageDirectory)/Shared/SystemLibraries/Linking"],
      .when(platforms: [.linux], configuration: .release))
  ]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioConcurrencyHelpers = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioWebSocket = Target.Dependency.product(name: "NIOWebSocket", package: "swift-nio")
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
let subprocess = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let httpClient = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let nioHTTP2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioExtras = Target.Dependency.product(name: "NIOExtras", package: "swift-nio-extras")
let nioHTTPTypes = Target.Dependency.product(name: "NIOHTTPTypes", package: "swift-nio-extras")
let nioHTTPTypesHTTP1 = Target.Dependency.product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras")
let nioHTTPTypesHTTP2 = Target.Dependency.product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")

/// Whether a module has SQL: its migrations become part of the program, and of its queries Shared/Data/StatementGenerator makes Swift.
func hasSQL(_ name: String) -> Bool { name.hasSuffix("Store") || schemas.contains(name) }
let schemas: Set<String> = [
  "AccountDeletions", "Blocks", "Events", "Idempotency", "Jobs", "OAuth2", "Pictures", "Usernames",
]

/// The queries of a module, which are not compiled.
func queries(of name: String) -> [String] { hasSQL(name) ? ["Queries"] : [] }

/// The migrations of a module; usernames lie in a table of others.
func migrations(of name: String) -> [Resource] {
  hasSQL(name) && name != "Usernames" ? [.embedInCode("Migrations")] : []
}

/// A library of `Shared/`: `room/name`.
func shared(_ path: String, uses dependencies: Target.Dependency...) -> Target {
  let name = String(path.drop { $0 != "/" }.dropFirst())
  return .target(
    name: name, dependencies: dependencies, path: "Shared/\(path)", exclude: queries(of: name),
    resources: migrations(of: name), swiftSettings: settings(of: name))
}

/// A library that only tests use.
func support(_ name: String, uses dependencies: Target.Dependency...) -> Target {
  .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", swiftSettings: strict)
}

/// The two targets of one proto package, both made by StubGenerator: C for libprotobuf-c, and Swift.
func generated(
  _ name: String, _ imports: [String] = [], serves: Bool = false, in folder: String = "Proto/Generated"
) -> [Target] {
  [
    .target(
      name: "C\(name)", dependencies: ["CProtobufC"] + imports.map { .byName(name: "C\($0)") },
      path: "\(folder)/C\(name)", exclude: ["descriptors.binpb"]),
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
    name: name, dependencies: dependencies, path: "Services/\(service)/\(layer)", exclude: queries(of: name),
    resources: resources + migrations(of: name), swiftSettings: settings(of: name))
}

/// Set to `image` where what is built is deployed.
let isForImage = Context.environment["TANDEM_PROGRAMS_ONLY"] == "image"

/// The programs that the image has as one, which is whichever of them it is called as (`Services/Suite`).
let suite = ["identity", "matching", "catalog", "lending", "tracking", "importer", "gateway", "tandem"]

/// A program, in the folder `path`. For the image one of the suite is a library, whose `@main` is a function of its name.
///
/// - Parameter development: folders of it that are not deployed; the program knows that it has them by `DEVELOPMENT`.
func program(
  _ name: String, _ path: String, linked settings: [LinkerSetting] = linkedWithoutCXX, development: [String] = [],
  uses dependencies: Target.Dependency...
) -> Target {
  if isForImage && suite.contains(name) {
    let entry = ["-entry-point-function-name", "\(name)_main"].flatMap { ["-Xfrontend", $0] }
    return .target(
      name: name, dependencies: dependencies, path: path, exclude: development,
      swiftSettings: strict + [.unsafeFlags(entry)])
  }
  let hasAll = !isForImage && !development.isEmpty
  return .executableTarget(
    name: name, dependencies: dependencies, path: path, exclude: isForImage ? development : [],
    swiftSettings: strict + (hasAll ? [.define("DEVELOPMENT")] : []), linkerSettings: settings)
}

/// A program that only the build and tests run.
func tool(_ name: String, _ path: String, uses dependencies: Target.Dependency...) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// A suite of tests.
func tests(_ name: String, uses dependencies: Target.Dependency..., exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", exclude: exclude, swiftSettings: strict)
}

let systemLibraries: [Target] = [
  .systemLibrary(
    name: "CProtobufC", path: "Shared/SystemLibraries/CProtobufC", pkgConfig: "libprotobuf-c",
    providers: [.apt(["libprotobuf-c-dev"])]),
  .systemLibrary(
    name: "CLibPQ", path: "Shared/SystemLibraries/CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
  .systemLibrary(
    name: "COpenSSL", path: "Shared/SystemLibraries/COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]
  ),
  .systemLibrary(
    name: "CCurl", path: "Shared/SystemLibraries/CCurl", pkgConfig: "libcurl",
    providers: [.apt(["libcurl4-openssl-dev"])]),
  .systemLibrary(
    name: "CNATS", path: "Shared/SystemLibraries/CNATS", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
  .systemLibrary(
    name: "CVips", path: "Shared/SystemLibraries/CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
  .systemLibrary(
    name: "CExpat", path: "Shared/SystemLibraries/CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
  .systemLibrary(
    name: "CArchive", path: "Shared/SystemLibraries/CArchive", pkgConfig: "libarchive",
    providers: [.apt(["libarchive-dev"])]),
  .systemLibrary(name: "CSpawn", path: "Shared/SystemLibraries/CSpawn"),
  .systemLibrary(name: "CAllocator", path: "Shared/SystemLibraries/CAllocator"),
  .systemLibrary(name: "CAffinity", path: "Shared/SystemLibraries/CAffinity"),
  .target(name: "CStacks", path: "Shared/SystemLibraries/CStacks"),
  .target(
    name: "CCommonPasswords", path: "Shared/SystemLibraries/CCommonPasswords", exclude: ["add", "prefixes.bin"]),
  .systemLibrary(name: "CSeccomp", path: "Shared/SystemLibraries/CSeccomp"),
  .systemLibrary(name: "CZlib", path: "Shared/SystemLibraries/CZlib", providers: [.apt(["zlib1g-dev"])]),
  .systemLibrary(name: "CZxcvbn", path: "Shared/SystemLibraries/CZxcvbn", providers: [.apt(["libzxcvbn-dev"])]),
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
  + generated("TandemImporter", ["GoogleProtobuf", "GoogleType", "TandemRPC", "ProtobufDescriptor"], serves: true)
  + generated("TandemMatching", ["GoogleProtobuf", "GoogleType", "TandemRPC", "ProtobufDescriptor"], serves: true)
  + generated("TandemTracking", ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"], serves: true)
  + generated("TandemChat", ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"], serves: true)

let testContracts: [Target] =
  generated("EchoV1", serves: true, in: "Tests/Echo/Generated")
  + generated(
    "NotesV1", ["GoogleProtobuf", "TandemRPC", "ProtobufDescriptor"], serves: true, in: "Tests/Notes/Generated")
  + generated("KindsV1", ["GoogleProtobuf"], serves: true, in: "Tests/StubGeneratorTests/Golden/Generated")

let sharedLibraries: [Target] = [
  shared("Base/Identifiers"),
  shared("Base/Environment", uses: "Identifiers"),
  shared("RPC/ProtobufC", uses: "CProtobufC"),
  // Without dependencies, so that a Domain may import it beside Identifiers.
  shared("Base/FieldViolations"),
  shared("Base/TextNormalization"),
  shared("Base/VisibleText", uses: "FieldViolations"),
  shared("Base/SeededNumbers"),
  shared("Base/Base64"),
  shared("Base/JSONText"),
  shared("Base/AsyncSignal"),
  shared("Base/Backoff"),
  shared("Base/Geography"),
  shared("Base/GPX", uses: "Geography", "Identifiers"),
  shared("Base/WorkerPool", uses: deque),
  shared("Base/FileLoading"),
  shared("Data/Batches", uses: "AsyncSignal", "Identifiers"),
  shared("RPC/Timestamps", uses: "Identifiers", "GoogleProtobuf"),
  shared("RPC/FieldMasks", uses: "FieldViolations", "GoogleProtobuf"),
  shared("Base/PeriodicTask", uses: logging, lifecycle),
  shared("Data/Expiry", uses: "Postgres", "PeriodicTask", "Environment", "Identifiers", logging, lifecycle),
  shared("Base/SilentPeers", uses: nioCore, nioPosix),
  shared("Base/LoopExecutor", uses: "CAffinity", nioCore, nioPosix, nioConcurrencyHelpers, deque),
  // The RPC runtime in layers. What stubs and handlers see comes first and brings no sockets along; the server and the client come
  // last and know nothing of each other.
  shared("RPC/TTRPC", uses: "ProtobufC", "FieldViolations", "GoogleRPC", logging, metrics, tracing, deque),
  shared("RPC/TTRPCFrames", uses: "TTRPC", "ProtobufC", "TTRPCWire", nioCore),
  shared("RPC/TTRPCConnection", uses: "TTRPC", "TTRPCFrames", "LoopExecutor", "ProtobufC", nioCore, nioSSL),
  shared(
    "RPC/TTRPCServer", uses: "TTRPC", "TTRPCFrames", "TTRPCConnection", "CAllocator", "LoopExecutor", "SilentPeers",
    "ProtobufC", nioCore, nioPosix, nioTLS, nioSSL, logging, metrics, tracing, lifecycle, deque),
  shared(
    "RPC/TTRPCClient", uses: "TTRPC", "TTRPCFrames", "TTRPCConnection", "Backoff", "LoopExecutor", "SilentPeers",
    "ProtobufC", nioCore, nioPosix, nioTLS, nioSSL, metrics, tracing, deque),
  shared(
    "Data/Postgres", uses: "Backoff", "CLibPQ", "FieldViolations", "LoopExecutor", "WorkerPool", "Identifiers", nioCore,
    nioPosix, logging,
    metrics, lifecycle, deque),
  shared(
    "Data/Events", uses: "AsyncSignal", "LoopExecutor", "Backoff", "TandemEvents", "Postgres", "TTRPC", "Live",
    "Environment",
    "Identifiers", "ProtobufC", "Timestamps", "GoogleProtobuf", "GoogleRPC", logging, metrics, lifecycle, deque),
  shared(
    "Accounts/AccountDeletions", uses: "PeriodicTask", "Events", "TandemEvents", "TandemIdentity", "Postgres", "TTRPC",
    "Identifiers", logging, lifecycle),
  shared(
    "Accounts/Blocks", uses: "AccountDeletions", "Usernames", "Events", "TandemEvents", "TandemIdentity", "Postgres",
    "TTRPC",
    "Identifiers"),
  shared(
    "Accounts/LinkMisses", uses: "ClientAddresses", "Cryptography", "Environment", "Identifiers", "Postgres", "TTRPC"),
  shared("Accounts/Usernames", uses: "Events", "TandemEvents", "TandemIdentity", "Postgres", "TTRPC", "Identifiers"),
  shared(
    "Security/Cryptography", uses: "WorkerPool", "Base64", "CCommonPasswords", "COpenSSL", "CZxcvbn", "Environment",
    "Identifiers"),
  shared(
    "Data/Live", uses: "AsyncSignal", "Backoff", "Base64", "CNATS", "Postgres", "LoopExecutor", "Environment", logging,
    metrics, lifecycle, deque),
  shared(
    "Data/Idempotency", uses: "Postgres", "Expiry", "TTRPC", "FieldViolations", "Cryptography", "ProtobufC",
    "Environment", "Identifiers"),
  shared("RPC/ClientAddresses", uses: "Base64", "TTRPC"),
  shared(
    "RPC/Pagination", uses: "Base64", "TTRPC", "FieldViolations", "Cryptography", "ProtobufC", "Environment",
    "Identifiers"),
  shared("RPC/StreamPlaces", uses: "TTRPC", "Identifiers", "WorkerPool", metrics),
  shared("RPC/UserCalls", uses: "TTRPC", "Identifiers"),
  shared("Security/OutboundHTTP", uses: "Environment", "Identifiers", httpClient, nioCore, nioSSL, lifecycle),
  shared(
    "Accounts/OAuth2", uses: "Base64", "OutboundHTTP", "Cryptography", "Postgres", "Expiry", "Environment",
    "Identifiers"),
  shared("Media/ConfinedPrograms", uses: "CSpawn", "SystemCallFilter"),
  shared("Media/Images", uses: "ConfinedPrograms", "WorkerPool"),
  // The only program that has libvips in it, run once for each picture. Nothing depends on it: whatever did would be linked with libvips.
  program(
    "image-decoder", "Shared/Media/ImageDecoder", linked: linked, uses: "ConfinedPrograms", "Images",
    "SystemCallFilter", "CVips"),
  shared("Security/SystemCallFilter", uses: "CSeccomp"),
  shared(
    "Media/Pictures", uses: "AccountDeletions", "Images", "Postgres", "Events", "Expiry", "TTRPC", "FieldViolations",
    "Cryptography", "Environment", "Identifiers", logging),
  shared("Runtime/PictureSettings", uses: "Images", "Pictures", "ServiceRuntime", "SystemCallFilter", logging),
  shared(
    "Accounts/UserTokens", uses: "AsyncSignal", "PeriodicTask", "Cryptography", "Events", "TandemEvents",
    "TandemIdentity", "TTRPC",
    "Environment", "Identifiers", logging, lifecycle),
  shared(
    "Runtime/Telemetry", uses: "AsyncSignal", "SilentPeers", "Environment", nioCore, nioPosix, nioHTTP1, nioSSL,
    logging, metrics,
    coreMetrics, tracing, lifecycle),
  shared(
    "Data/Jobs", uses: "Base64", "AsyncSignal", "LoopExecutor", "Postgres", "Live", "Environment", "Identifiers",
    "ProtobufC",
    logging, metrics,
    lifecycle),
  shared(
    "Runtime/ServiceRuntime", uses: "UserCalls", "JSONText", "AsyncSignal", "SilentPeers", "CStacks", "TTRPC",
    "TTRPCConnection",
    "TTRPCServer",
    "TTRPCClient",
    "Postgres", "Events", "Jobs", "Live", "UserTokens", "Telemetry", "Environment", "ClientAddresses", "Identifiers",
    "Cryptography", "LoopExecutor", "GRPCHealth", "TandemEvents", "TandemRPC", "ProtobufDescriptor", "ProtobufC",
    "GoogleRPC", nioCore, nioPosix, nioHTTP1, nioSSL, logging, metrics, tracing, lifecycle, signals, configuration,
    argumentParser),
  shared("RPC/ContractRules", uses: "ProtobufC", "ProtobufDescriptor"),
  tool("StatementGenerator", "Shared/Data/StatementGenerator", uses: "CLibPQ", argumentParser),
  tool(
    "StubGenerator", "Proto/StubGenerator", uses: "ContractRules", "ProtobufC", "ProtobufDescriptor", argumentParser),
]

/// The rooms of `Shared/`. A library uses those of its own room and of the rooms before it.
let rooms = ["SystemLibraries", "Base", "Security", "RPC", "Data", "Accounts", "Media", "Runtime"]

func checkRooms(_ libraries: [Target]) {
  let room = { (target: Target) in target.path?.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  let roomOf = Dictionary(uniqueKeysWithValues: libraries.map { ($0.name, room($0)) })
  for library in libraries where library.path?.hasPrefix("Shared/") == true {
    precondition(rooms.contains(room(library)), "\(library.name) is in no room of Shared/")
    for case .byNameItem(let name, _) in library.dependencies {
      guard let used = rooms.firstIndex(of: roomOf[name] ?? ""), let own = rooms.firstIndex(of: room(library)) else {
        continue
      }
      precondition(used <= own, "\(library.name) of \(rooms[own]) must not use \(name) of \(rooms[used])")
    }
  }
}
checkRooms(systemLibraries + sharedLibraries)

let services: [Target] =
  [
    layer("IdentityDomain", "Identity", "Domain", uses: "Identifiers", "VisibleText"),
    layer(
      "IdentityStore", "Identity", "Store", uses: "TandemEvents", "IdentityDomain", "Postgres", "Events", "Expiry",
      "Jobs", "Idempotency", "OAuth2", "Pictures", "Identifiers"),
    layer(
      "IdentityPush", "Identity", "Push", uses: "JSONText", "OutboundHTTP", "Environment", "Identifiers", httpClient,
      nioCore,
      nioSSL, lifecycle),
    layer(
      "IdentityFederation", "Identity", "Federation", uses: "Base64", "IdentityDomain", "OAuth2", "OutboundHTTP",
      "Cryptography",
      "Environment", "Identifiers"),
    layer("IdentityPasskeys", "Identity", "Passkeys", uses: "Base64", "Cryptography"),
    layer(
      "IdentityMail", "Identity", "Mail", uses: "WorkerPool", "CCurl", "Cryptography", "Environment", "Identifiers"),
    layer(
      "IdentityOperations", "Identity", "Operations", uses: "Base64", "IdentityDomain", "IdentityStore", "TandemEvents",
      "Events", "Jobs", "Live", "Timestamps", "UserTokens", "TTRPC", "Cryptography", "Environment", "Identifiers",
      "Postgres", logging),
    layer(
      "IdentityHandlers", "Identity", "Handlers", uses: "IdentityOperations", "UserCalls", "AsyncSignal", "WorkerPool",
      "Base64", "IdentityDomain", "IdentityStore", "TandemIdentity", "TandemNotification", "GoogleProtobuf",
      "GoogleType", "GoogleRPC", "TandemEvents", "Events", "UserTokens", "TTRPC", "ProtobufC", "FieldViolations",
      "FieldMasks", "Idempotency", "Timestamps", "Pagination", "PeriodicTask", "Jobs", "Live", "Cryptography",
      "Environment", "Identifiers", "Postgres", "Images", "Pictures", "IdentityPasskeys", "ClientAddresses",
      "IdentityFederation", "OAuth2", "VisibleText", logging, lifecycle),
    layer(
      "IdentityBackground", "Identity", "Background", uses: "AsyncSignal", "Cryptography", "Environment",
      "IdentityDomain", "IdentityMail", "IdentityOperations", "IdentityPush", "IdentityStore", "Identifiers", "Jobs",
      "PeriodicTask", "Postgres", logging, lifecycle),
    layer(
      "IdentityConsumers", "Identity", "Consumers", uses: "IdentityDomain", "IdentityStore", "IdentityOperations",
      "TandemEvents", "Events", "Postgres", "Timestamps", "Environment", "Identifiers", logging),
    program(
      "identity", "Services/Identity/Server", uses: "IdentityBackground", "IdentityConsumers", "IdentityHandlers",
      "IdentityOperations", "IdentityStore",
      "IdentityMail", "IdentityPush", "IdentityDomain", "TandemIdentity", "TandemNotification", "ServiceRuntime",
      "Events", "Expiry", "Idempotency", "Cryptography", "Environment", "Identifiers", "LoopExecutor", "Postgres",
      "TTRPC", nioCore, configuration, logging, metrics, lifecycle, "Pictures", "PictureSettings", "IdentityPasskeys",
      "IdentityFederation", "OAuth2", "OutboundHTTP"),
    layer("Reflection", "Tandem", "Reflection", uses: "JSONText", "ContractRules", "ProtobufDescriptor", "ProtobufC"),
    layer(
      "Invariants", "Tandem", "Invariants", uses: "Postgres",
      resources: ["identity", "matching", "catalog", "lending", "tracking", "importer"].map {
        .embedInCode("\($0).sql")
      }),
    program(
      "tandem", "Services/Tandem/CommandLine", development: ["Test"], uses: "AsyncSignal", "Base64", "GatewayLinks",
      "Invariants",
      "Reflection", "ServiceRuntime", "TTRPC",
      "TTRPCServer", "TTRPCClient", "TandemRPC", "GRPCHealth", "TandemIdentity", "TandemTracking", "Geography",
      "Timestamps", "GoogleType", "GoogleProtobuf",
      "GoogleRPC", "ProtobufDescriptor", "ProtobufC", "Cryptography", "Postgres", "Events", "Jobs", "Environment",
      "Identifiers", "LoopExecutor", argumentParser, nioCore, nioPosix, nioSSL, logging, configuration, signals,
      subprocess),
    layer(
      "CatalogDomain", "Catalog", "Domain", uses: "Geography", "Identifiers", "TextNormalization", "VisibleText",
      "WorkerPool"),
    layer(
      "CatalogStore", "Catalog", "Store", uses: "Geography", "AccountDeletions", "CatalogDomain", "Blocks", "Usernames",
      "Postgres", "Events", "Expiry", "Jobs", "Idempotency", "Pictures", "Identifiers", logging),
    layer(
      "CatalogOperations", "Catalog", "Operations", uses: "Geography", "Timestamps", "CatalogDomain", "CatalogStore",
      "TandemLending", "TandemEvents", "Events", "Jobs", "TTRPC", "Environment", "Identifiers", "Pictures", "Postgres"),
    layer(
      "CatalogHandlers", "Catalog", "Handlers", uses: "UserCalls", "Base64", "Geography", "Timestamps", "CatalogDomain",
      "CatalogStore", "CatalogOperations", "TandemCatalog", "GoogleProtobuf", "GoogleType", "TTRPC", "FieldViolations",
      "FieldMasks", "Idempotency", "Pagination", "LinkMisses", "Cryptography", "Environment", "Identifiers", "Images",
      "Pictures", "Postgres", "VisibleText"),
    layer(
      "CatalogConsumers", "Catalog", "Consumers", uses: "CatalogDomain", "CatalogStore", "CatalogOperations",
      "TandemEvents", "AccountDeletions", "Usernames", "Events", "Postgres", "Timestamps", "Environment",
      "Identifiers"),
    layer(
      "CatalogBackground", "Catalog", "Background", uses: "CatalogDomain", "CatalogStore", "CatalogOperations", "Jobs",
      "PeriodicTask", "WorkerPool", "Identifiers", "Postgres", logging, lifecycle),
    layer(
      "CatalogSamples", "Catalog", "Samples",
      resources: ["books.csv", "ratings.csv", "exercises.json", "workouts.json", "gyms.geojson"].map {
        .embedInCode($0)
      }),
    layer(
      "CatalogLoading", "Catalog", "Loading", uses: "Geography", "CatalogDomain", "CatalogStore", "FileLoading", "Jobs",
      "VisibleText", "Postgres", "Environment", "Identifiers"),
    program(
      "catalog", "Services/Catalog/Server", uses: "CatalogBackground", "CatalogConsumers", "AccountDeletions",
      "CatalogHandlers", "CatalogOperations", "CatalogLoading", "CatalogSamples", "CatalogStore", "TandemCatalog",
      "ServiceRuntime", "Blocks", "Events", "Expiry", "Environment", "Idempotency", "Identifiers", "LoopExecutor",
      "Pictures", "PictureSettings", "Postgres", "TTRPC", argumentParser),
    layer("LendingDomain", "Lending", "Domain", uses: "Geography", "Identifiers", "TextNormalization", "VisibleText"),
    layer(
      "LendingStore", "Lending", "Store", uses: "Geography", "AccountDeletions", "LendingDomain", "Blocks", "Usernames",
      "Postgres", "Events", "Jobs", "Idempotency", "Identifiers"),
    layer(
      "LendingOperations", "Lending", "Operations", uses: "Geography", "Timestamps", "LendingDomain", "LendingStore",
      "TandemCatalog", "TandemEvents", "Events", "Jobs", "TTRPC", "Environment", "Identifiers", "Postgres", logging),
    layer(
      "LendingHandlers", "Lending", "Handlers", uses: "UserCalls", "Base64", "Geography", "Timestamps", "LendingDomain",
      "LendingStore", "LendingOperations", "TandemLending", "GoogleProtobuf", "GoogleType", "TTRPC", "FieldViolations",
      "Idempotency", "Pagination", "Cryptography", "Environment", "Identifiers", "Postgres", "VisibleText"),
    layer(
      "LendingConsumers", "Lending", "Consumers", uses: "LendingDomain", "LendingStore", "LendingOperations",
      "TandemEvents", "AccountDeletions", "Blocks", "Usernames", "Events", "Postgres", "Identifiers"),
    layer(
      "LendingBackground", "Lending", "Background", uses: "LendingDomain", "LendingStore", "LendingOperations", "Jobs",
      "Environment", "Identifiers", "Postgres"),
    layer("LendingSamples", "Lending", "Samples", resources: [.embedInCode("places.txt")]),
    layer(
      "LendingLoading", "Lending", "Loading", uses: "Geography", "LendingDomain", "LendingStore", "FileLoading",
      "Postgres"),
    program(
      "lending", "Services/Lending/Server", uses: "LendingBackground", "LendingConsumers", "AccountDeletions",
      "LendingHandlers", "LendingOperations", "LendingLoading", "LendingSamples", "LendingStore", "TandemLending",
      "TandemEvents", "ServiceRuntime", "Blocks", "Usernames", "Events", "Expiry", "FileLoading", "Idempotency",
      "Identifiers", "Environment", "LoopExecutor", "Postgres", "TTRPC", argumentParser),
    layer("MatchingDomain", "Matching", "Domain", uses: "Geography", "Identifiers", "VisibleText"),
    layer(
      "MatchingStore", "Matching", "Store", uses: "Geography", "AccountDeletions", "MatchingDomain", "Blocks",
      "Usernames", "Postgres", "Events", "Expiry", "Jobs", "Idempotency", "Identifiers"),
    layer(
      "MatchingOperations", "Matching", "Operations", uses: "Geography", "Timestamps", "MatchingDomain",
      "MatchingStore", "TandemCatalog", "TandemIdentity", "TandemEvents", "Events", "Jobs", "TTRPC", "Environment",
      "Identifiers", "Postgres", logging),
    layer(
      "MatchingHandlers", "Matching", "Handlers", uses: "UserCalls", "Geography", "Timestamps", "MatchingDomain",
      "MatchingStore",
      "MatchingOperations", "TandemMatching", "GoogleProtobuf", "GoogleType", "TTRPC", "FieldViolations", "Idempotency",
      "Pagination", "LinkMisses", "Cryptography", "Environment", "Identifiers", "Postgres", "Base64", "VisibleText"),
    layer(
      "MatchingConsumers", "Matching", "Consumers", uses: "MatchingDomain", "MatchingStore", "MatchingOperations",
      "TandemEvents", "TandemIdentity", "AccountDeletions", "Blocks", "Usernames", "Events", "Postgres", "TTRPC",
      "Timestamps", "Environment", "Identifiers"),
    layer(
      "MatchingBackground", "Matching", "Background", uses: "MatchingDomain", "MatchingStore", "MatchingOperations",
      "Jobs", "GRPCHealth", "PeriodicTask", "TTRPC", "Environment", "Identifiers", "Postgres", logging, metrics,
      lifecycle),
    program(
      "matching", "Services/Matching/Server", uses: "MatchingBackground", "MatchingConsumers", "AccountDeletions",
      "MatchingHandlers", "MatchingOperations", "MatchingStore", "MatchingDomain", "TandemMatching", "TandemEvents",
      "ServiceRuntime", "Blocks", "Usernames", "Events", "Expiry", "Idempotency", "Identifiers", "Environment", "Jobs",
      "Postgres", "TTRPC", logging),
    // The gateway: HTTP, then the web protocols, then JSON and protobuf, then the calls that join them.
    layer("GatewayText", "Gateway", "Text"),
    layer(
      "GatewayHTTP", "Gateway", "HTTP", uses: "GatewayText", "ClientAddresses", "LoopExecutor", "SilentPeers", nioCore,
      nioPosix, nioSSL, nioTLS, nioHTTP1, nioHTTP2, nioWebSocket, nioExtras, nioHTTPTypes, nioHTTPTypesHTTP1,
      nioHTTPTypesHTTP2, httpTypes, metrics),
    layer(
      "GatewayProtocols", "Gateway", "Protocols", uses: "GatewayText", "CZlib", "GoogleRPC", "ProtobufC", "TTRPC",
      "WorkerPool", httpTypes),
    layer(
      "GatewayTranscoder", "Gateway", "Transcoder", uses: "GatewayText", "ContractRules", "ProtobufC",
      "ProtobufDescriptor", "WorkerPool"),
    layer(
      "GatewayCalls", "Gateway", "Calls", uses: "GatewayText", "GatewayHTTP", "GatewayProtocols", "GatewayTranscoder",
      "ContractRules", "ClientAddresses", "FieldViolations", "GoogleRPC", "LoopExecutor", "ProtobufC",
      "ProtobufDescriptor", "TTRPC", "TTRPCClient", "WorkerPool", nioCore, httpTypes, logging, metrics, tracing),
    layer(
      "GatewaySessions", "Gateway", "Sessions", uses: "GatewayHTTP", "GatewayProtocols", "GatewayCalls", "Base64",
      "Cryptography", "Environment", "GoogleProtobuf", "Identifiers", "LoopExecutor", "TTRPC", "TTRPCClient",
      "TandemIdentity", httpTypes),
    // The files of the console, made by Services/Console/generate.
    layer("ConsoleFiles", "Console", "Generated"),
    // Pages for people, made of what the services answer.
    layer(
      "GatewayPages", "Gateway", "Pages", uses: "GatewayText", "GatewayHTTP", "GatewayProtocols",
      "GatewayCalls",
      "GatewaySessions", "Base64", "ConsoleFiles",
      "GatewayTranscoder", "ContractRules", "Cryptography", "GoogleProtobuf", "LoopExecutor", "ProtobufC",
      "ProtobufDescriptor", "TTRPC", "TTRPCClient", "WorkerPool", "TandemIdentity",
      "TandemNotification", "TandemCatalog", "TandemMatching", "TandemTracking", "TandemChat", "TandemImporter",
      nioCore, httpTypes, lifecycle),
    layer("GatewayLinks", "Gateway", "Links", uses: "Base64", "Cryptography", "Environment", "Identifiers"),
    // The operators' listener.
    layer(
      "GatewayOperators", "Gateway", "Operators", uses: "GatewayText", "GatewayHTTP", "GatewayProtocols",
      "GatewayCalls",
      "GatewayLinks", "GatewaySessions", "GatewayPages", "Base64", "Cryptography", "Environment", "Identifiers",
      "TTRPC",
      nioCore, nioPosix, httpTypes, logging, lifecycle, subprocess),
    program(
      "gateway", "Services/Gateway/Server", uses: "GatewayHTTP", "GatewayProtocols", "GatewayCalls", "GatewaySessions",
      "GatewayPages", "GatewayOperators", "GatewayTranscoder", "GRPCHealth",
      "GoogleRPC", "TandemIdentity", "TandemNotification", "TandemCatalog", "TandemLending", "TandemMatching",
      "TandemTracking", "TandemChat", "TandemImporter", "ServiceRuntime", "TTRPC", "TTRPCClient", "LoopExecutor",
      "Telemetry", nioCore, nioSSL, argumentParser, logging, metrics, lifecycle, signals),
    layer("ChatDomain", "Tracking", "Chat/Domain", uses: "Identifiers", "TextNormalization", "VisibleText"),
    layer(
      "ChatOperations", "Tracking", "Chat/Operations", uses: "Batches", "AsyncSignal", "ChatDomain", "TrackingStore",
      "TandemEvents", "Events", "Live", "Pictures", "Environment", "Identifiers", "Postgres"),
    layer(
      "ChatHandlers", "Tracking", "Chat/Handlers", uses: "UserCalls", "AsyncSignal", "Timestamps", "ChatDomain",
      "TrackingStore", "ChatOperations", "TandemChat", "Live", "StreamPlaces", "TTRPC", "FieldViolations",
      "Idempotency", "Images",
      "Pagination", "PeriodicTask", "Pictures", "Cryptography", "Environment", "Identifiers", "Postgres", "VisibleText",
      logging, lifecycle, deque),
    layer(
      "ChatConsumers", "Tracking", "Chat/Consumers", uses: "ChatDomain", "ChatOperations", "TandemEvents", "Events",
      "Identifiers", "Postgres"),
    layer(
      "ChatBackground", "Tracking", "Chat/Background", uses: "Batches", "ChatDomain", "ChatOperations", "TrackingStore",
      "PeriodicTask", "Environment", "Identifiers", "Postgres", logging, lifecycle),
    layer("TrackingDomain", "Tracking", "Domain", uses: "Geography", "Identifiers", "VisibleText"),
    layer(
      "TrackingStore", "Tracking", "Store", uses: "Geography", "AccountDeletions", "ChatDomain", "TrackingDomain",
      "Blocks", "Usernames", "Postgres", "Events", "Expiry", "Jobs", "Idempotency", "Pictures", "Identifiers", logging),
    layer(
      "TrackingOperations", "Tracking", "Operations", uses: "Batches", "Geography", "TrackingDomain",
      "TrackingStore", "TandemEvents", "Blocks", "Usernames", "Events", "Live", "Environment", "Identifiers",
      "Postgres", metrics),
    layer(
      "TrackingHandlers", "Tracking", "Handlers", uses: "UserCalls", "AsyncSignal", "GPX", "Geography", "Timestamps",
      "TrackingDomain", "TrackingStore", "TrackingOperations", "TandemTracking", "GoogleProtobuf", "GoogleRPC", "Live",
      "TTRPC", "FieldMasks", "FieldViolations", "Idempotency", "Pagination", "PeriodicTask", "Cryptography",
      "Environment", "Identifiers", "StreamPlaces", "Postgres", "ProtobufC", "UserTokens", "VisibleText", deque,
      logging, lifecycle),
    layer(
      "TrackingConsumers", "Tracking", "Consumers", uses: "TrackingDomain", "TrackingStore", "TrackingOperations",
      "TandemEvents", "TandemIdentity", "AccountDeletions", "Blocks", "Usernames", "Events", "Postgres", "TTRPC",
      "Timestamps", "Identifiers"),
    layer(
      "TrackingBackground", "Tracking", "Background", uses: "Batches", "TrackingDomain", "TrackingStore",
      "TrackingOperations", "PeriodicTask", "Environment", "Identifiers", "Postgres", logging, metrics, lifecycle),
    program(
      "tracking", "Services/Tracking/Server", uses: "ChatBackground", "ChatConsumers", "ChatHandlers", "ChatOperations",
      "TandemChat", "PictureSettings", "StreamPlaces",
      "Pictures", "TrackingBackground", "TrackingConsumers", "AccountDeletions", "TrackingHandlers",
      "TrackingOperations", "TrackingStore", "TrackingDomain", "TandemTracking", "TandemEvents", "ServiceRuntime",
      "Blocks", "Usernames", "Events", "Expiry", "Geography", "Idempotency", "Identifiers", "Environment",
      "LoopExecutor", "Postgres", "TTRPC", "Pagination", "UserTokens", logging, configuration, lifecycle),
    layer("ImporterDomain", "Importer", "Domain", uses: "Geography", "Identifiers", "WorkerPool"),
    layer("ProviderDocuments", "Importer", "Documents", uses: "JSONText", "Geography", "ImporterDomain", "Identifiers"),
    layer(
      "ProviderAdapters", "Importer", "Providers", uses: "Base64", "Cryptography", "Geography", "ImporterDomain",
      "OAuth2",
      "ProviderDocuments", "Identifiers", "WorkerPool"),
    layer(
      "ImporterStore", "Importer", "Store", uses: "Expiry", "OAuth2", "AccountDeletions", "ImporterDomain",
      "Identifiers", "Postgres", "Events", "Jobs", "Idempotency", logging),
    layer("FITFormat", "Importer", "FITFormat"),
    layer("FileContents", "Importer", "FileContents", uses: "ImporterDomain", "Identifiers", "WorkerPool"),
    layer(
      "ActivityFiles", "Importer", "Files", uses: "CArchive", "CExpat", "FITFormat", "FileContents", "Geography",
      "ImporterDomain", "ProviderDocuments", "Identifiers"),
    program(
      "activity-file-reader", "Services/Importer/FileReader", linked: linked, uses: "ActivityFiles",
      "ConfinedPrograms", "FileContents", "SystemCallFilter"),
    layer(
      "ImporterOperations", "Importer", "Operations", uses: "Base64", "Backoff", "ConfinedPrograms", "FileContents",
      "ProviderAdapters", "ProviderDocuments", "ImporterDomain", "ImporterStore", "TandemEvents", "Events", "Jobs",
      "Live", "OAuth2", "OutboundHTTP", "Timestamps", "Cryptography", "Environment", "Identifiers", "Postgres",
      "WorkerPool", nioCore, nioPosix, logging, metrics),
    layer(
      "ImporterHandlers", "Importer", "Handlers", uses: "JSONText", "UserCalls", "CArchive", "FileContents", "GPX",
      "ProviderAdapters", "Timestamps", "ImporterDomain", "ImporterStore", "ImporterOperations", "TandemImporter",
      "GoogleProtobuf", "GoogleType", "Live", "OAuth2", "StreamPlaces", "TTRPC", "FieldViolations", "Idempotency",
      "Pagination", "LinkMisses", "Cryptography", "Environment", "Identifiers", "Postgres", "WorkerPool"),
    layer(
      "ImporterBackground", "Importer", "Background", uses: "ProviderAdapters", "ImporterDomain", "ImporterStore",
      "ImporterOperations", "Jobs", "PeriodicTask", "Environment", "Identifiers", "Postgres", logging, lifecycle),
    program(
      "importer", "Services/Importer/Server", uses: "ProviderAdapters", "OAuth2", "OutboundHTTP",
      nioCore, "AccountDeletions", "ConfinedPrograms", "ImporterBackground", "ImporterHandlers", "ImporterOperations",
      "ImporterStore", "SystemCallFilter", "ImporterDomain", "TandemImporter", "ServiceRuntime", "Events", "Expiry",
      "Idempotency", "Identifiers",
      "Environment", "Jobs", "LoopExecutor", "Postgres", "TTRPC", logging),
  ]
  + (isForImage
    ? [
      .executableTarget(
        name: "suite", dependencies: suite.map { .byName(name: $0) }, path: "Services/Suite",
        linkerSettings: linkedWithoutCXX)
    ] : [])

/// The rooms of a service that has the whole chain (architecture.md of the handbook).
///
/// A room uses those before it; of the last three none uses another.
let chain = [["Domain"], ["Store"], ["Operations"], ["Handlers", "Consumers", "Background"]]

func checkChain(of service: String, _ targets: [Target]) {
  let places = chain.enumerated().flatMap { place, names in names.map { ("\(service)\($0)", place) } }
  let placeOf = Dictionary(uniqueKeysWithValues: places)
  for target in targets {
    guard let own = placeOf[target.name] else { continue }
    for case .byNameItem(let name, _) in target.dependencies {
      precondition(placeOf[name].map { $0 < own } ?? true, "\(target.name) must not use \(name)")
      precondition(name != "Tandem\(service)" || own == chain.count - 1, "\(target.name) must not use the contract")
    }
  }
}
for service in ["Catalog", "Chat", "Identity", "Importer", "Lending", "Matching", "Tracking"] {
  checkChain(of: service, services)
}

let proofs: [Target] = [
  support(
    "TestSupport", uses: "CSpawn", "Postgres", "TTRPC", "TTRPCClient", "Environment", "Identifiers", "SeededNumbers",
    "Cryptography", "LoopExecutor", nioCore, nioPosix, nioSSL, logging, deque),
  support(
    "TestServices", uses: "ProtobufC", "Base64", "Identifiers", "TestSupport", "ServiceRuntime", "Events",
    "TandemEvents", "TTRPC",
    "TTRPCClient", "Postgres", "Environment", "Cryptography", "LoopExecutor", logging),
  support(
    "TrackerSimulator", uses: "Base64", "Cryptography", "Environment", "Identifiers", nioCore, nioPosix, nioHTTP1,
    nioSSL),
  support("FileUploads", uses: "TTRPC", "TandemImporter"),
  // For tests of packages that use the suite.
  .target(
    name: "TandemTesting", dependencies: ["LoopExecutor", "TTRPC", "TTRPCClient", nioSSL],
    path: "Proto/clients/swift/TandemTesting", swiftSettings: strict),
  program(
    "echo-server", "Tests/Echo/Server", uses: "EchoV1", "Environment", "Cryptography", "Identifiers", "Telemetry",
    metrics, "GoogleProtobuf", "GoogleRPC", "TTRPC", "TTRPCServer", "TandemRPC", "ProtobufC", "LoopExecutor",
    argumentParser, nioCore, nioSSL, logging, signals),
  .target(
    name: "ChaosTables", dependencies: ["Events", "Postgres"], path: "Tests/Chaos/Tables", swiftSettings: strict),
  tool(
    "chaos-producer", "Tests/Chaos/Producer", uses: "ChaosTables", "Events", "TandemEvents", "ServiceRuntime",
    "Postgres", "LoopExecutor", lifecycle, logging),
  tool(
    "chaos-consumer", "Tests/Chaos/Consumer", uses: "ChaosTables", "Events", "TandemEvents", "ServiceRuntime",
    "Postgres", "Identifiers"),
  .systemLibrary(name: "CSystemCall", path: "Tests/SystemCalls/CSystemCall"),
  tool("system-call-probe", "Tests/SystemCalls/Probe", uses: "SystemCallFilter", "CSystemCall"),
  .target(name: "HostileClients", path: "Tests/HostileClients", swiftSettings: strict),
  .target(
    name: "NotesStore", dependencies: ["Idempotency", "Postgres", "Identifiers"], path: "Tests/Notes/Store",
    exclude: queries(of: "NotesStore"), resources: migrations(of: "NotesStore"), swiftSettings: strict),
  tool(
    "notes", "Tests/Notes/Server", uses: "NotesStore", "NotesV1", "Expiry", "FieldMasks", "FieldViolations",
    "Idempotency", "Pagination", "TTRPC", "Postgres", "ServiceRuntime", "Cryptography", "Environment"),
  tool("jobs-probe", "Tests/Jobs/Probe", uses: "Jobs", "Postgres", "ServiceRuntime", "Identifiers"),
  .target(
    name: "CatalogEvaluation",
    dependencies: [
      "CatalogDomain", "CatalogLoading", "CatalogOperations", "CatalogStore", "Identifiers", "Postgres",
      "SeededNumbers",
    ], path: "Tests/Evaluation/Measures", swiftSettings: strict),
  tool(
    "catalog-evaluation", "Tests/Evaluation/Program", uses: "CatalogDomain", "CatalogEvaluation", "CatalogLoading",
    "CatalogStore", "Environment", "LoopExecutor", "Postgres", "ServiceRuntime", argumentParser, logging),
  tool(
    "soak-mix", "Tests/Soak/Mix", uses: "EchoV1", "TTRPC", "TTRPCClient", "ProtobufC", "SeededNumbers", "LoopExecutor",
    argumentParser, signals),
  tool(
    "enumeration-probe", "Tests/Enumeration/Probe", uses: "TandemIdentity", "TTRPC", "TTRPCClient", "LoopExecutor",
    argumentParser, nioSSL),
  .target(
    name: "FuzzTargets",
    dependencies: [
      "TTRPC", "TTRPCFrames", "TTRPCServer", "TTRPCWire", "ProtobufC", "ProtobufDescriptor", "GoogleProtobuf",
      "GoogleRPC", "GRPCHealth", "EchoV1",
      "KindsV1", "TandemIdentity", "LoopExecutor", nioCore, nioEmbedded, logging, "IdentityPasskeys", "TandemEvents",
      "Events", "Blocks", "Usernames", "CatalogOperations", "CatalogStore", "LendingStore",
      "LendingDomain", "IdentityHandlers", "CatalogConsumers", "IdentityConsumers", "LendingConsumers", "Environment",
      "MatchingConsumers", "Identifiers", "ActivityFiles", "FITFormat", "FileContents", "ImporterDomain",
      "ProviderAdapters", "ProviderDocuments", "TandemTracking", "TandemChat", "TrackingHandlers", "TrackingDomain",
      "ChatHandlers", "ChatOperations",
      "ChatDomain", "FieldMasks", "FieldViolations", "Geography", "GatewayProtocols", "GatewayTranscoder",
      "TandemCatalog", "TandemImporter",
      "TandemLending", "TandemMatching", "TandemNotification", "WorkerPool", httpTypes,
    ], path: "Tests/Fuzz/Targets", swiftSettings: strict),
  tool("fuzz", "Tests/Fuzz/Fuzzer", uses: "FuzzTargets"),
  .testTarget(name: "FuzzTests", dependencies: ["FuzzTargets"], path: "Tests/Fuzz/Replay", swiftSettings: strict),
  tests("IdentifiersTests", uses: "Identifiers", "Environment", "TestSupport"),
  tests("LoopExecutorTests", uses: "LoopExecutor", "TestSupport", nioCore, nioPosix),
  tests(
    "ProtobufCTests", uses: "TestSupport", "ProtobufC", "GoogleProtobuf", "GoogleRPC", "ProtobufDescriptor", "EchoV1",
    "KindsV1",
    "SeededNumbers"),
  tests("StatementGeneratorTests", uses: "StatementGenerator", "TestSupport"),
  tests(
    "StubGeneratorTests", uses: "TestSupport", "StubGenerator", "ProtobufC", "ProtobufDescriptor", exclude: ["Golden"]),
  tests(
    "TTRPCTests", uses: "Backoff", "echo-server", "HostileClients", "TTRPC", "TTRPCFrames", "TTRPCConnection",
    "TTRPCServer", "TTRPCClient", "TTRPCWire", "ProtobufC", "EchoV1", "GRPCHealth", "GoogleRPC", "GoogleProtobuf",
    "LoopExecutor", "Cryptography", "Environment", "Telemetry", "ServiceRuntime", "GatewayHTTP", "TestSupport", nioCore,
    nioPosix, nioEmbedded, nioSSL, logging, tracing, inMemoryTracing),
  tests(
    "PostgresTests", uses: "Postgres", "TestSupport", "LoopExecutor", "Identifiers", "SeededNumbers", nioCore, nioPosix,
    logging),
  tests(
    "LiveTests", uses: "Live", "Postgres", "Cryptography", "LoopExecutor", "Environment", "Identifiers", "TestSupport",
    logging, lifecycle),
  tests(
    "JobsTests", uses: "jobs-probe", "Jobs", "Postgres", "ServiceRuntime", "Environment", "Identifiers", "LoopExecutor",
    "TestSupport", logging, lifecycle),
  tests("AsyncSignalTests", uses: "AsyncSignal"),
  tests("BackoffTests", uses: "Backoff"),
  tests("GeographyTests", uses: "Geography"),
  tests("GPXTests", uses: "GPX", "Geography", "Identifiers", "TestSupport"),
  tests("WorkerPoolTests", uses: "SeededNumbers", "WorkerPool"),
  tests("CryptographyTests", uses: "WorkerPool", "Base64", "Cryptography", "Environment", "Identifiers", "TestSupport"),
  tests(
    "TelemetryTests", uses: "Telemetry", "Environment", "TestSupport", nioCore, nioPosix, nioHTTP1, logging, metrics,
    tracing, lifecycle),
  tests(
    "ServiceRuntimeTests", uses: "ServiceRuntime", "notes", "NotesStore", "NotesV1", "Telemetry", "TTRPC",
    "TTRPCServer",
    "TTRPCClient", "Postgres",
    "Live", "GRPCHealth", "TandemRPC", "ProtobufDescriptor", "ProtobufC", "GoogleRPC", "LoopExecutor", "Cryptography",
    "Environment", "Identifiers", "TestSupport", nioCore, nioPosix, nioSSL, logging, metrics, tracing, lifecycle,
    argumentParser,
    exclude: ["otel_tap.py"]),
  tests("VisibleTextTests", uses: "FieldViolations", "VisibleText"),
  tests("FieldViolationsTests", uses: "FieldViolations", "GoogleRPC", "TTRPC"),
  tests(
    "NotesTests", uses: "notes", "NotesStore", "NotesV1", "FieldMasks", "FieldViolations", "Idempotency", "Pagination",
    "GoogleProtobuf", "GoogleRPC", "TTRPC", "Postgres", "ServiceRuntime", "Cryptography", "Environment", "Identifiers",
    "TestServices", "TestSupport", "LoopExecutor", logging),
  tests(
    "EventsTests", uses: "Events", "TandemEvents", "Live", "ServiceRuntime", "chaos-producer", "chaos-consumer",
    "ChaosTables", "Postgres", "TTRPC", "TTRPCClient", "ProtobufC", "GoogleProtobuf", "GoogleRPC", "LoopExecutor",
    "Environment", "Identifiers", "TestServices", "TestSupport", argumentParser, lifecycle, logging),
  tests("IdentityDomainTests", uses: "IdentityDomain", "Identifiers"),
  tests(
    "IdentityTests", uses: "AccountDeletions", "Base64", "identity", "HostileClients", "IdentityBackground",
    "IdentityHandlers", "IdentityOperations", "IdentityStore", "IdentityMail", "IdentityPush",
    "IdentityDomain", "TandemIdentity", "TandemNotification", "matching", "MatchingStore", "Events", "TandemEvents",
    "UserTokens", "GRPCHealth", argumentParser, "GoogleType", "GoogleProtobuf", "GoogleRPC", "TTRPC", "TTRPCClient",
    "Postgres",
    "Live", "ServiceRuntime", "Cryptography", "Environment", "Identifiers", "TestServices", "TestSupport",
    "LoopExecutor",
    logging, "Images", "Pictures", "IdentityPasskeys", "ClientAddresses", "IdentityFederation", "OAuth2",
    "OutboundHTTP",
    exclude: [
      "Support/smtp_server.py", "Support/push_gateway.py", "Support/authenticator.py", "Support/openid_provider.py",
      "Support/hostile_provider.py",
    ]),
  tests("IdentityPasskeysTests", uses: "IdentityPasskeys"),
  tests("IdentityFederationTests", uses: "IdentityFederation"),
  tests("OAuth2Tests", uses: "OAuth2", "OutboundHTTP", "Environment", "Identifiers", "TestSupport"),
  tests("ImagesTests", uses: "Images", "TestSupport"),
  tests("LendingDomainTests", uses: "Geography", "LendingDomain", "Identifiers", "SeededNumbers"),
  tests(
    "LendingTests", uses: "ProtobufC", "SeededNumbers", "AccountDeletions", "lending", "LendingConsumers",
    "LendingOperations", "LendingLoading", "Timestamps",
    "LendingStore", "LendingDomain", "TandemCatalog", "TandemLending", "TandemEvents", "Blocks", "Usernames", "Events",
    "Jobs", "GoogleProtobuf", "GoogleType", "GoogleRPC", "TTRPC", "TTRPCClient", "Postgres", "ServiceRuntime",
    "Cryptography", "Environment", "Identifiers", "TestServices", "TestSupport", "LoopExecutor", "FileLoading",
    argumentParser, logging),
  tests("MatchingDomainTests", uses: "Geography", "MatchingDomain", "Identifiers", "SeededNumbers"),
  tests(
    "MatchingTests", uses: "ProtobufC", "AccountDeletions", "matching", "MatchingBackground", "MatchingConsumers",
    "MatchingOperations", "MatchingStore", "MatchingDomain", "TandemMatching", "TandemCatalog", "TandemIdentity",
    "TandemEvents", "Blocks", "Usernames",
    "Events", "Geography", "GRPCHealth", "Jobs", "GoogleProtobuf", "GoogleType", "GoogleRPC", "TTRPC", "TTRPCClient",
    "Postgres",
    "ServiceRuntime", "Cryptography", "Environment", "Identifiers", "SeededNumbers", "TestServices", "TestSupport",
    "Timestamps", "LoopExecutor", argumentParser, logging, exclude: ["Plans/read_calendar.py"]),
  tests(
    "JourneyTests", uses: "FileUploads", "TrackerSimulator", "Invariants", "importer", "ImporterStore",
    "TandemImporter", "Base64",
    "matching",
    "MatchingStore", "TandemMatching", "tracking", "TrackingStore", "TandemTracking", "TandemChat",
    "Timestamps", "identity",
    "IdentityStore", "TandemIdentity", "TandemNotification", "catalog",
    "CatalogStore", "TandemCatalog", "lending", "LendingStore", "LendingDomain", "TandemLending", "TandemEvents",
    "Events", "GoogleProtobuf", "GoogleType", "GoogleRPC", "TTRPC", "TTRPCClient", "Postgres", "ServiceRuntime",
    "Cryptography", "Environment", "Identifiers", "TestServices", "TestSupport", "LoopExecutor", argumentParser, logging
  ),
  tests(
    "GatewayTests", uses: "TestSupport", "GatewayText", "GatewayPages", "GatewayProtocols", "GatewaySessions",
    "GatewayTranscoder", "WorkerPool",
    "ContractRules", "Cryptography", "KindsV1",
    "TandemIdentity",
    "TandemCatalog", "TandemLending", "TandemMatching", "TandemTracking", "TandemImporter", "TandemChat",
    "TandemNotification", "GoogleRPC", "TTRPC", httpTypes, exclude: ["Peers"]),
  tests("ChatDomainTests", uses: "ChatDomain", "Identifiers"),
  tests("TrackingDomainTests", uses: "Geography", "TrackingDomain", "Identifiers", "SeededNumbers"),
  tests(
    "TrackingTests", uses: "Batches", "ChatDomain", "ChatOperations", "ChatHandlers", "ChatConsumers", "TandemChat",
    "ProtobufC",
    "AccountDeletions", "StreamPlaces", "Telemetry",
    "HostileClients", "tracking", "TrackingConsumers", "TrackingOperations",
    "TrackingStore", "TrackingDomain", "TandemTracking", "TandemEvents", "TandemIdentity", "Geography", "Blocks",
    "Usernames", "Events",
    "Jobs", "Live", "Timestamps", "GoogleProtobuf", "GoogleRPC", "TTRPC", "TTRPCClient", "Postgres", "ServiceRuntime",
    "Cryptography",
    "Environment", "Identifiers", "TestServices", "TestSupport", "LoopExecutor", "SeededNumbers", argumentParser,
    logging, exclude: ["Data/gpx-1.1.xsd"]),
  tests(
    "ProviderAdaptersTests", uses: "ProviderAdapters", "ProviderDocuments", "ImporterDomain", "Identifiers",
    "Cryptography", "WorkerPool"),
  tests("ImporterDomainTests", uses: "Geography", "ImporterDomain", "Identifiers", "SeededNumbers"),
  tests(
    "ImporterTests", uses: "FileUploads", "TrackerSimulator", "ImporterOperations", "ProviderAdapters", "OAuth2",
    "OutboundHTTP",
    "AccountDeletions", "importer", "ActivityFiles", "FITFormat",
    "FileContents", "ImporterHandlers", "ImporterStore", "ImporterDomain",
    "TandemImporter", "TandemEvents", "Events", "Geography", "Jobs", "GoogleProtobuf", "GoogleType", "GoogleRPC",
    "TTRPC", "TTRPCClient", "Postgres", "ProtobufC", "ServiceRuntime", "Cryptography", "Environment", "Identifiers",
    "TestServices", "TestSupport", "LoopExecutor", "SeededNumbers", argumentParser, logging,
    exclude: ["Peers/peer_records.py", "Support/consent_mock.py", "Support/hostile_files.py"]),
  tests("CatalogDomainTests", uses: "CatalogDomain", "CatalogEvaluation", "Identifiers", "SeededNumbers"),
  tests(
    "CatalogTests", uses: "AccountDeletions", "ProtobufC", "Timestamps", "catalog", "CatalogBackground",
    "CatalogConsumers", "CatalogHandlers",
    "CatalogLoading", "CatalogOperations", "CatalogStore", "CatalogDomain", "CatalogEvaluation", "catalog-evaluation",
    "Live", "TandemCatalog", "TandemEvents", "Blocks", "Usernames", "Events", "identity", "IdentityStore",
    "TandemIdentity",
    "GoogleProtobuf",
    "TTRPC", "TTRPCClient", "Postgres", "ServiceRuntime", "Images", "Jobs", "Cryptography", "Environment",
    "Identifiers",
    "SeededNumbers", "TestServices", "TestSupport", "LoopExecutor", argumentParser, logging, "GoogleType",
    exclude: ["Judged", "Support/same_exercises.csv", "Support/local_times.py"]),
  tests(
    "AccessTests", uses: "Base64", "identity", "catalog", "matching", "lending", "tracking", "importer", "Reflection",
    "TandemRPC", "TandemIdentity", "TandemNotification", "TandemCatalog", "TandemImporter", "TandemLending",
    "TandemMatching",
    "TandemTracking", "TandemChat", "TTRPC", "TTRPCClient", "Postgres", "ServiceRuntime", "Cryptography", "Environment",
    "Identifiers", "TestServices", "TestSupport", "LoopExecutor", nioCore, nioPosix, nioHTTP1, nioSSL, httpClient,
    logging),
  tests(
    "TandemTests", uses: "tandem", "Invariants", "LendingStore", "echo-server", "Geography", "Reflection",
    "ProtobufDescriptor", "ProtobufC",
    "Cryptography",
    "Events", "Jobs", "Postgres", "Environment", "Identifiers", "TTRPC", "TestServices", "TestSupport"),
]

/// What packages outside the suite may use, those of `Tests/Benchmarks` and `Tests/Interop/swift` among them.
let offered =
  [
    "Environment", "CProtobufC", "Cryptography", "EchoV1", "GatewayTranscoder", "Identifiers", "LoopExecutor",
    "Postgres", "ProtobufC", "SeededNumbers", "TandemTesting", "TTRPC", "TTRPCFrames", "TTRPCConnection",
    "TTRPCServer", "TTRPCClient", "WorkerPool",
  ] + contracts.map(\.name)

/// Set where only the programs are built, for images (without `Tests/`, so that a change there is no reason to build again) and by `make programs`.
let isForProgramsOnly = Context.environment["TANDEM_PROGRAMS_ONLY"] != nil

/// Names of targets with commas between them, where only they and what they use are built: `make try` builds one suite of tests so.
let wanted = Context.environment["TANDEM_TARGETS"].map { $0.split(separator: ",").map(String.init) }

let allTargets =
  systemLibraries + contracts + sharedLibraries + services + (isForProgramsOnly ? [] : testContracts + proofs)

/// The named targets, and all that they use.
func closure(of names: [String], in targets: [Target]) -> [Target] {
  let targetOf = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0) })
  var kept: Set<String> = []
  var open = names
  while let name = open.popLast() {
    guard let target = targetOf[name], kept.insert(name).inserted else { continue }
    for case .byNameItem(let used, _) in target.dependencies { open.append(used) }
  }
  return targets.filter { kept.contains($0.name) }
}

let targets = wanted.map { closure(of: $0, in: allTargets) } ?? allTargets

let package = Package(
  name: "tandem",
  products: isForProgramsOnly || wanted != nil ? [] : offered.map { .library(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
    .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
    .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", exact: "1.7.3"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
    .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    .package(url: "https://github.com/apple/swift-configuration", exact: "1.4.0", traits: ["CommandLineArguments"]),
  ],
  targets: targets,
  swiftLanguageModes: [.v6]
)
