import ArgumentParser

/// The executables of the suite, in the order of their ports, which is also the order of their start; they stop in reverse.
enum SuiteService: String, CaseIterable, Sendable {
  case identity, matching, catalog, lending, tracking, importer

  /// Those that come with samples.
  static let withSamples: [SuiteService] = [.catalog, .lending]

  /// The proto packages of its services, so that a method's name determines its address.
  var packages: [String] {
    switch self {
    case .identity: ["tandem.identity", "tandem.notification"]
    case .matching: ["tandem.matching"]
    case .catalog: ["tandem.catalog"]
    case .lending: ["tandem.lending"]
    case .tracking: ["tandem.tracking", "tandem.chat"]
    case .importer: ["tandem.importer"]
    }
  }

  /// The service that has `symbol`, such as `tandem.identity.v1.Accounts`; `nil` for symbols that every service has.
  init?(answering symbol: some StringProtocol) {
    let found = Self.allCases.first { service in service.packages.contains { symbol.hasPrefix($0 + ".") } }
    guard let found else { return nil }
    self = found
  }

  fileprivate var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  /// The port for RPCs without another setting.
  var standardPort: Int { 7401 + position }
  /// The HTTP port for health and metrics without another setting.
  var standardAdminPort: Int { 7501 + position }
}

/// The program before the services, which people and apps reach them by. It has no database.
enum GatewayProgram {
  static let name = "gateway"
  /// The port for HTTP without another setting.
  static let standardPort = 7480
  /// The port of the operators' console without another setting.
  static let standardOperatorPort = 7481
  /// The port for health and metrics without another setting.
  static let standardAdminPort = 7580
}

/// The ports of one `tandem up`.
struct Ports: Sendable, Equatable {
  /// Added to every standard port.
  let offset: Int
  /// The system's choice in place of the standard ports: the database's, then RPC and health of each service, then the gateway's three.
  private let chosen: [Int]?

  /// How many there are.
  static let count = 1 + 2 * SuiteService.allCases.count + 3

  /// The standard ports, moved by `offset`.
  init(offset: Int) { (self.offset, chosen) = (offset, nil) }

  /// - Parameter chosen: as many as ``count``.
  init(chosen: [Int]) {
    precondition(chosen.count == Self.count, "a suite has \(Self.count) ports")
    (offset, self.chosen) = (0, chosen)
  }

  /// - Throws: if the offset leads to an invalid port.
  static func check(offset: Int) throws {
    guard (-7000...58_000).contains(offset) else {
      throw ValidationError("--port-offset is between -7000 and 58000, so that every port is one")
    }
  }

  var database: Int { chosen?[0] ?? 7400 + offset }
  func rpc(_ service: SuiteService) -> Int {
    chosen?[1 + 2 * service.position] ?? service.standardPort + offset
  }
  func admin(_ service: SuiteService) -> Int {
    chosen?[2 + 2 * service.position] ?? service.standardAdminPort + offset
  }
  var gateway: Int { chosen?[Self.count - 3] ?? GatewayProgram.standardPort + offset }
  var operators: Int { chosen?[Self.count - 2] ?? GatewayProgram.standardOperatorPort + offset }
  var gatewayAdmin: Int { chosen?[Self.count - 1] ?? GatewayProgram.standardAdminPort + offset }

  /// Every port with the name of its owner.
  func all(withDatabase: Bool) -> [(owner: String, port: Int)] {
    (withDatabase ? [("PostgreSQL", database)] : [])
      + SuiteService.allCases.flatMap { [($0.rawValue, rpc($0)), ("\($0.rawValue)'s health", admin($0))] }
      + [
        (GatewayProgram.name, gateway), ("the operators' console", operators),
        ("\(GatewayProgram.name)'s health", gatewayAdmin),
      ]
  }
}
