import Postgres

/// The database that `provision` and `migrate` connect to as an administrator.
struct AdminDatabase {
  let url: DatabaseURL
  private let text: String

  /// Reads the option, else TANDEM_DATABASE_URL, else the file named by TANDEM_DATABASE_URL_FILE.
  init(option: String?) throws(Complaint) {
    let variable = try Self.variable("TANDEM_DATABASE_URL")
    guard let text = option ?? variable else {
      throw Complaint(
        usage: "no database: name one in --database-url, TANDEM_DATABASE_URL or TANDEM_DATABASE_URL_FILE")
    }
    self.text = text
    url = try DatabaseURL(text, source: "the database URL")
  }

  /// The value of a variable, or of the file that the variable with `_FILE` names.
  static func variable(_ name: String) throws(Complaint) -> String? {
    if let value = environment(name) { return value }
    guard let path = environment("\(name)_FILE") else { return nil }
    guard let text = Files.text(path) else {
      throw Complaint(usage: "\(path), which \(name)_FILE names, cannot be read: \(systemMessage())")
    }
    return String(text.prefix { $0 != "\n" })
  }

  /// Creates each service's role, with the password of that service's own URL, and its schema.
  func provision() async throws {
    var roles: [ServiceRole] = []
    for service in SuiteService.allCases { roles.append(try Self.role(of: service)) }
    do {
      try await Migrator.provision(adminURL: text, services: roles)
    } catch let error as PostgresError {
      throw Complaint("the database \(url.shown) cannot be prepared: \(error)")
    }
  }

  private static func role(of service: SuiteService) throws(Complaint) -> ServiceRole {
    let name = "TANDEM_\(service.rawValue.uppercased())_DATABASE_URL"
    guard let text = try variable(name) else {
      throw Complaint(
        usage: "\(service.rawValue) has no database: set \(name) or \(name)_FILE to the URL of its own role")
    }
    let url = try DatabaseURL(text, source: name)
    let expected = ServiceRole.name(of: service.rawValue)
    guard url.user == expected else {
      throw Complaint(usage: "\(name) logs in as \(url.user ?? "nobody"); \(service.rawValue)'s role is \(expected)")
    }
    guard let password = url.password, !password.isEmpty else {
      throw Complaint(usage: "\(name) has no password for the role \(expected)")
    }
    return ServiceRole(service: service.rawValue, password: password)
  }
}
