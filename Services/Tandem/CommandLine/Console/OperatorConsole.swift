import Base64
import Environment
import GatewayLinks
import Cryptography
import Identifiers

/// The operators' listener of a suite's gateway: its settings, and the links that let browsers in.
struct OperatorConsole: Sendable {
  private static let keyName = "operator_link_key"

  let workspace: Workspace
  let ports: Ports
  let hasDemo: Bool

  var address: String { "127.0.0.1:\(ports.operators)" }

  /// Adds the settings to those of the gateway.
  func add(to plan: inout ChildPlan) throws {
    _ = try Self.key(in: workspace)
    let processes =
      SuiteService.allCases.map { "\($0.rawValue)=127.0.0.1:\(ports.admin($0))" }
      + ["\(GatewayProgram.name)=127.0.0.1:\(ports.gatewayAdmin)"]
    let settings = [
      "LISTEN": address, "TLS_CERT": workspace.certificate(named: Certificates.operatorName),
      "TLS_KEY": workspace.key(named: Certificates.operatorName),
      "LINK_KEY_FILE": Secrets(workspace).path(Self.keyName), "PROCESSES": processes.joined(separator: ","),
      "COMMAND": "\(Paths.programFolder)/tandem", "HOME": workspace.home, "DEMO": "\(hasDemo)",
    ]
    for (name, value) in settings { plan.environment["TANDEM_GATEWAY_OPERATOR_\(name)"] = value }
    // The front page is a walk through it.
    if hasDemo { plan.environment["TANDEM_GATEWAY_CONSOLE_DEMO"] = DemoPeople.password }
  }

  /// A link that is good once.
  func newLink() throws -> String { try Self.newLink(to: address, in: workspace) }

  static func newLink(to address: String, in workspace: Workspace) throws -> String {
    let link = OperatorLink(madeAt: SystemClock().now, randomness: SystemRandomness())
    return "https://\(address)\(OperatorLink.path(link.token(key: try key(in: workspace))))"
  }

  private static func key(in workspace: Workspace) throws -> Seal {
    let line = try Secrets(workspace).kept(keyName) { "k1:\(Base64URL.encode(SystemRandomness().bytes(32)))\n" }
    guard let key = SealKey(line: line.prefix { !$0.isNewline }) else {
      throw Complaint("\(Secrets(workspace).path(keyName)) holds no key: delete it and start the suite again")
    }
    return Seal(current: key)
  }
}
