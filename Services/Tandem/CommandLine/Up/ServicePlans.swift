import Base64
import Environment
import Cryptography
import Glibc

/// How each service is started.
enum ServicePlans {
  /// Variables for `tandem` itself, which services do not get.
  private static let ours = [
    "TANDEM_DATABASE_URL", "TANDEM_DATABASE_URL_FILE", "TANDEM_HOME", "TANDEM_ADDRESS", "TANDEM_TOKEN", "TANDEM_CA",
    "TANDEM_CERT", "TANDEM_KEY",
  ]

  /// - Parameter more: settings beside those that every suite makes, by their variables.
  static func plan(
    _ service: SuiteService, _ workspace: Workspace, _ ports: Ports, _ more: [String: String] = [:]
  ) throws -> ChildPlan {
    let program = "\(Paths.programFolder)/\(service.rawValue)"
    guard access(program, X_OK) == 0 else {
      throw Complaint("the program \(program) is missing: build it (`make build`), it belongs beside tandem")
    }
    var plan = ChildPlan(name: service.rawValue, program: program)
    for name in ours { plan.environment[name] = .some(nil) }
    for (name, value) in more { plan.environment[name] = value }
    let prefix = "TANDEM_\(service.rawValue.uppercased())_"
    let settings = [
      "LISTEN": "127.0.0.1:\(ports.rpc(service))", "ADMIN_LISTEN": "127.0.0.1:\(ports.admin(service))",
      "DATABASE_URL_FILE": workspace.databaseURLFile(of: service), "TLS_CERT": workspace.certificate(of: service),
      "TLS_KEY": workspace.key(of: service), "TLS_CLIENT_CA": workspace.authority,
      "READY_FILE": workspace.readyFile(of: service),
    ]
    for (name, value) in settings { plan.environment[prefix + name] = value }
    for peer in SuiteService.allCases where peer != service {
      plan.environment["\(prefix)\(peer.rawValue.uppercased())_ADDRESS"] = "127.0.0.1:\(ports.rpc(peer))"
    }
    if environment("TANDEM_LOG_FORMAT") == nil { plan.environment["TANDEM_LOG_FORMAT"] = "text" }
    try addSealKey(of: service.rawValue, to: &plan, workspace)
    // Browsers know a host of passkeys by its name alone.
    let (origin, named) = ("https://127.0.0.1:\(ports.gateway)", "https://localhost:\(ports.gateway)")
    if service == .identity {
      addMail(to: &plan, workspace)
      addLinks(to: &plan, origin)
      addUnlessSet("IDENTITY", "PASSKEY_DOMAIN", "localhost", to: &plan)
      addUnlessSet("IDENTITY", "PASSKEY_ORIGINS", named, to: &plan)
      addUnlessSet("IDENTITY", "PROVIDER_REDIRECT_URIS", "\(origin)/login/callback,\(named)/login/callback", to: &plan)
    }
    if service == .importer {
      addUnlessSet(
        "IMPORTER", "TRACKER_REDIRECT_URIS", "\(origin)/trackers/callback,\(named)/trackers/callback", to: &plan)
    }
    return plan
  }

  /// The gateway: HTTP with the workspace's certificate, and the services behind it.
  ///
  /// - Parameter console: whether it has the operators' listener.
  static func gateway(
    _ workspace: Workspace, _ ports: Ports, _ more: [String: String] = [:], console: OperatorConsole? = nil
  ) throws -> ChildPlan {
    let name = GatewayProgram.name
    let program = "\(Paths.programFolder)/\(name)"
    guard access(program, X_OK) == 0 else {
      throw Complaint("the program \(program) is missing: build it (`make build`), it belongs beside tandem")
    }
    var plan = ChildPlan(name: name, program: program)
    for name in ours { plan.environment[name] = .some(nil) }
    for (name, value) in more { plan.environment[name] = value }
    let prefix = "TANDEM_\(name.uppercased())_"
    let settings = [
      "LISTEN": "127.0.0.1:\(ports.gateway)", "ADMIN_LISTEN": "127.0.0.1:\(ports.gatewayAdmin)",
      "TLS_CERT": workspace.certificate(named: name), "TLS_KEY": workspace.key(named: name),
      "TLS_CLIENT_CA": workspace.authority, "READY_FILE": workspace.readyFile(named: name),
    ]
    for (name, value) in settings { plan.environment[prefix + name] = value }
    for service in SuiteService.allCases {
      plan.environment["\(prefix)\(service.rawValue.uppercased())_ADDRESS"] = "127.0.0.1:\(ports.rpc(service))"
    }
    if environment("TANDEM_LOG_FORMAT") == nil { plan.environment["TANDEM_LOG_FORMAT"] = "text" }
    try addSealKey(of: name, to: &plan, workspace)
    try console?.add(to: &plan)
    return plan
  }

  private static func addSealKey(of program: String, to plan: inout ChildPlan, _ workspace: Workspace) throws {
    let (secrets, name) = (Secrets(workspace), "\(program)_seal_key")
    // A line of a key file: the key's id, then 256 bits.
    _ = try secrets.kept(name) { "k1:\(Base64URL.encode(SystemRandomness().bytes(32)))\n" }
    plan.environment["TANDEM_\(program.uppercased())_SEAL_KEY_FILE"] = secrets.path(name)
  }

  private static func addMail(to plan: inout ChildPlan, _ workspace: Workspace) {
    if environment("TANDEM_IDENTITY_MAIL") == nil, environment("TANDEM_MAIL") == nil {
      plan.environment["TANDEM_IDENTITY_MAIL"] = "folder:\(workspace.mail)"
    }
  }

  /// The links in mails lead to the gateway's pages. Their tokens stand behind `#`, so that none is in a log; mail clients
  /// post to the last one by themselves, and send no fragment.
  private static func addLinks(to plan: inout ChildPlan, _ origin: String) {
    let pages = [
      "PUBLIC_URL": "verify#", "RESET_URL": "reset#", "EMAIL_CHANGE_URL": "email/confirm#",
      "EMAIL_UNDO_URL": "email/undo#", "UNSUBSCRIBE_URL": "unsubscribe",
    ]
    for (name, page) in pages { addUnlessSet("IDENTITY", name, "\(origin)/\(page)", to: &plan) }
  }

  static func addUnlessSet(_ service: String, _ name: String, _ value: String, to plan: inout ChildPlan) {
    guard environment("TANDEM_\(service)_\(name)") == nil, environment("TANDEM_\(name)") == nil else { return }
    plan.environment["TANDEM_\(service)_\(name)"] = value
  }
}
