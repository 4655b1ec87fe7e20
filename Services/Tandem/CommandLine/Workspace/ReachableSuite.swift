/// The services that a command calls: those of the suite that runs in a folder, or those that the environment names, as in
/// the containers of a compose stack.
struct ReachableSuite: Sendable, Equatable {
  let services: [SuiteService: RunningSuite.Address]
  /// The authority of the services' certificates; `nil` for that of TANDEM_CA, else the system's.
  let authority: String?
  /// The folder to which mail is written; `nil` where none can be read.
  let mail: String?
  /// `nil` where the services are not those of a `tandem up`.
  let running: RunningSuite?

  init(_ suite: RunningSuite) {
    (services, authority, mail, running) = (suite.services, suite.authority, suite.mail, suite)
  }

  /// The services of TANDEM_<SERVICE>_ADDRESS; `nil` if there is none.
  ///
  /// Their health is asked at TANDEM_<SERVICE>_ADMIN_ADDRESS, else at the standard port of the same host.
  init?(environment variable: (String) -> String?) {
    var services: [SuiteService: RunningSuite.Address] = [:]
    for service in SuiteService.allCases {
      let name = "TANDEM_\(service.rawValue.uppercased())"
      guard let rpc = variable("\(name)_ADDRESS") else { continue }
      let host = rpc.lastIndex(of: ":").map { String(rpc[..<$0]) } ?? rpc
      services[service] = RunningSuite.Address(
        rpc: rpc, admin: variable("\(name)_ADMIN_ADDRESS") ?? "\(host):\(service.standardAdminPort)")
    }
    guard !services.isEmpty else { return nil }
    self.services = services
    (authority, mail, running) = (nil, variable("TANDEM_MAIL_FOLDER"), nil)
  }

  /// An option comes before the environment, and that before what is found in a folder.
  static func find(_ place: HomeOption) -> ReachableSuite? {
    let named = ReachableSuite(environment: environment)
    if place.home == nil, let named { return named }
    return RunningSuite.find(in: Workspace(home: Workspace.nearestHome(named: place.home))).map { ReachableSuite($0) }
      ?? named
  }

  /// Why a command that needs the services has none.
  static var missing: Complaint {
    Complaint(
      "no suite is up here; `tandem up` starts one, --home names another folder, and TANDEM_<SERVICE>_ADDRESS services elsewhere"
    )
  }
}
