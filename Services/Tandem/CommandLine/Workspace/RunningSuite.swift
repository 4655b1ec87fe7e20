import Glibc
import Reflection

/// The state of a running `tandem up` for other commands, in `.tandem/state.json`.
struct RunningSuite: Sendable, Equatable {
  struct Address: Sendable, Equatable {
    var rpc: String
    var admin: String
  }

  var pid: Int32
  var authority: String
  /// The URL without password.
  var database: String
  /// The folder of the private database; empty for the operator's own.
  var databaseFolder: String
  var data: String
  var mail: String
  var services: [SuiteService: Address]
  /// The gateway's address, `127.0.0.1:7480`; empty where none runs.
  var gateway = ""
  /// The address of the operators' console; empty where there is none.
  var console = ""

  var json: JSONValue {
    let services = SuiteService.allCases.compactMap { service in
      self.services[service].map { address in
        JSONMember(service.rawValue, .members(["rpc": .string(address.rpc), "admin": .string(address.admin)]))
      }
    }
    return .members([
      "pid": .integer(pid), "authority": .string(authority), "database": .string(database),
      "databaseFolder": .string(databaseFolder), "data": .string(data), "mail": .string(mail),
      "gateway": .string(gateway), "console": .string(console), "services": .object(services),
    ])
  }

  /// The suite that runs in a folder; `nil` if none does.
  static func find(in workspace: Workspace) -> RunningSuite? {
    guard let text = Files.text(workspace.state) else { return nil }
    let json: JSONValue
    do { json = try JSONValue(parsing: text) } catch { return nil }
    guard let suite = RunningSuite(json), FolderLock.holder(workspace) == Int(suite.pid) else { return nil }
    return suite
  }

  private init?(_ json: JSONValue) {
    guard let pid = json["pid"]?.integer, let authority = json["authority"]?.string else { return nil }
    self.init(
      pid: Int32(truncatingIfNeeded: pid), authority: authority, database: json["database"]?.string ?? "",
      databaseFolder: json["databaseFolder"]?.string ?? "", data: json["data"]?.string ?? "",
      mail: json["mail"]?.string ?? "", services: [:])
    gateway = json["gateway"]?.string ?? ""
    console = json["console"]?.string ?? ""
    for service in SuiteService.allCases {
      guard let address = json["services"]?[service.rawValue], let rpc = address["rpc"]?.string,
        let admin = address["admin"]?.string
      else { continue }
      services[service] = Address(rpc: rpc, admin: admin)
    }
  }

  init(
    pid: Int32, authority: String, database: String, databaseFolder: String, data: String, mail: String,
    services: [SuiteService: Address]
  ) {
    self.pid = pid
    self.authority = authority
    self.database = database
    self.databaseFolder = databaseFolder
    self.data = data
    self.mail = mail
    self.services = services
  }
}
