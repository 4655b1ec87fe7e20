import ArgumentParser

/// The executables of the suite, in the order of their ports; they start in it and stop in the reverse.
enum SuiteService: String, CaseIterable, Sendable {
  case identity, matching, catalog, lending, tracking, importer

  /// The proto packages whose services it answers, so that a method's name is enough to find its address.
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

  /// The service that answers for `symbol`, such as `tandem.identity.v1.Accounts`; `nil` for what every one has.
  init?(answering symbol: some StringProtocol) {
    let found = Self.allCases.first { service in service.packages.contains { symbol.hasPrefix($0 + ".") } }
    guard let found else { return nil }
    self = found
  }

  private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  /// Where its RPCs are answered when nothing says otherwise.
  var standardPort: Int { 7401 + position }
  /// Where its health and metrics are answered by HTTP when nothing says otherwise.
  var standardAdminPort: Int { 7501 + position }
}

/// The ports of one `tandem up`.
struct Ports: Sendable, Equatable {
  /// Added to every standard port.
  let offset: Int

  /// - Throws: where an offset makes a port that is none.
  static func check(offset: Int) throws {
    guard (-7000...58_000).contains(offset) else {
      throw ValidationError("--port-offset is between -7000 and 58000, so that every port is one")
    }
  }

  var database: Int { 7400 + offset }
  func rpc(_ service: SuiteService) -> Int { service.standardPort + offset }
  func admin(_ service: SuiteService) -> Int { service.standardAdminPort + offset }

  /// Every port with who is to have it.
  func all(withDatabase: Bool) -> [(owner: String, port: Int)] {
    (withDatabase ? [("PostgreSQL", database)] : [])
      + SuiteService.allCases.flatMap { [($0.rawValue, rpc($0)), ("\($0.rawValue)'s health", admin($0))] }
  }
}
