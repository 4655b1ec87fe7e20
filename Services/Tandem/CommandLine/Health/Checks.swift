import Environment
import Cryptography
import Glibc
import Identifiers
import Postgres
import ServiceRuntime

/// The checks of `tandem doctor` on this machine.
struct Checks {
  /// A new PostgreSQL cluster takes 40 MB; with less than this the disk may fill up within a day.
  static let minDiskMegabytes: UInt64 = 512

  let workspace: Workspace
  let suite: RunningSuite?
  let ports: Ports

  func findings() async -> [Finding] {
    let database = await database()
    return [programs, postgres, folder, disk] + portFindings + certificates + [database].compactMap { $0 }
  }

  private var programs: Finding {
    let folder = Paths.programFolder
    let missing = (SuiteService.allCases.map(\.rawValue) + [GatewayProgram.name]).filter {
      access("\(folder)/\($0)", X_OK) != 0
    }
    if missing.isEmpty { return Finding("programs", "all seven are in \(folder)") }
    return Finding(
      "programs", "\(missing.joined(separator: ", ")) missing in \(folder)", cure: "build them: make build")
  }

  private var postgres: Finding {
    do {
      let folder = try PrivateDatabase.findPrograms()
      guard geteuid() != 0 || UserAccount(named: "postgres") != nil else {
        return Finding(
          "PostgreSQL", "there is no user postgres, and it does not run as root",
          cure: "install the package postgresql, or run as another user")
      }
      return Finding("PostgreSQL", "its programs are in \(folder)")
    } catch {
      return Finding(
        "PostgreSQL", "version \(PrivateDatabase.oldestVersion) or newer is not installed",
        cure: "apt-get install postgresql, or name your own database in TANDEM_DATABASE_URL")
    }
  }

  private var folder: Finding {
    var path = workspace.home
    while !Files.exists(path) && path != "/" { path = Paths.parent(of: path) }
    if access(path, W_OK | X_OK) == 0 { return Finding("folder", "\(workspace.home) can be written") }
    return Finding(
      "folder", "\(path) cannot be written: \(systemMessage())",
      cure: "change its owner, or name another folder by --home or TANDEM_HOME")
  }

  private var disk: Finding {
    var path = workspace.home
    while !Files.exists(path) && path != "/" { path = Paths.parent(of: path) }
    var status = statvfs()
    guard statvfs(path, &status) == 0 else {
      return Finding("disk", "\(path): \(systemMessage())", cure: "name another folder by --home")
    }
    let free = (UInt64(status.f_bavail) * UInt64(status.f_frsize)) >> 20
    if free >= Self.minDiskMegabytes { return Finding("disk", "\(free) MB are free") }
    return Finding(
      "disk", "only \(free) MB are free at \(path)",
      cure: "free \(Self.minDiskMegabytes) MB, or name a folder on another disk by --home")
  }

  private var portFindings: [Finding] {
    guard suite == nil else { return [Finding("ports", "in use by the suite that is up")] }
    let taken = ports.all(withDatabase: environment("TANDEM_DATABASE_URL") == nil).filter { !PortCheck.isFree($0.port) }
    if taken.isEmpty { return [Finding("ports", "all are free, from \(ports.database) on")] }
    return taken.map { owner, port in
      let holder = PortHolder.of(port: port)?.description ?? "a process that is not yours to see"
      return Finding(
        "port \(port) (\(owner))", "taken by \(holder)",
        cure: "stop it, or shift the ports: tandem up --port-offset \(ports.offset + 100)")
    }
  }

  private var certificates: [Finding] {
    let folder = Workspace(home: workspace.home, data: suite?.data)
    let paths = [folder.authority] + SuiteService.allCases.map(folder.certificate)
    let found = paths.filter(Files.exists)
    if found.isEmpty { return [Finding("certificates", "none yet; `tandem up` makes them")] }
    let failures = found.compactMap(certificateFailure)
    if !failures.isEmpty { return failures }
    return [Finding("certificates", "\(found.count) are good for more than \(Certificates.marginDays) days")]
  }

  private func certificateFailure(_ path: String) -> Finding? {
    let cure = "start the suite again; `tandem up` renews them"
    do {
      let certificate = try Certificate(pem: Files.text(path) ?? "")
      let left = certificate.notAfter - SystemClock().now
      if left > Certificates.margin { return nil }
      let days = left / .seconds(86_400)
      return Finding(
        "certificate \(path)", days < 0 ? "expired \(certificate.notAfter)" : "expires \(certificate.notAfter)",
        cure: cure)
    } catch {
      return Finding("certificate \(path)", "cannot be read: \(error)", cure: "delete \(path), then \(cure)")
    }
  }

  private func database() async -> Finding? {
    let url: String
    if let own = environment("TANDEM_DATABASE_URL") {
      url = own
    } else if let suite, let text = Files.text("\(suite.data)/secrets/identity_database_url") {
      url = text
    } else {
      return nil
    }
    do {
      let version = try await Administration.session(url) { session in
        try session.run("select current_setting('server_version')").first?.first ?? nil
      }
      return Finding("database", "PostgreSQL \(version ?? "") answers")
    } catch {
      return Finding(
        "database", "it does not answer: \(error)",
        cure: "check TANDEM_DATABASE_URL and that the server runs; a private database is started again by `tandem up`")
    }
  }
}
