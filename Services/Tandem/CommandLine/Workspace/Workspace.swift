import Glibc

/// The folder of `tandem up`, `.tandem` of a project.
struct Workspace: Sendable, Equatable {
  /// Holds the lock and the state of the running suite.
  let home: String
  /// Holds everything else: `home`, or a temporary folder for `--ephemeral`.
  let data: String

  init(home: String, data: String? = nil) {
    self.home = home
    self.data = data ?? home
  }

  /// The folder of the option or of TANDEM_HOME; else `.tandem` in the current folder.
  static func home(named option: String?) -> String {
    Paths.absolute(option ?? environment("TANDEM_HOME") ?? ".tandem")
  }

  /// The folder of the option or of TANDEM_HOME; else the nearest `.tandem` in the current folder and its parents.
  static func nearestHome(named option: String?) -> String {
    if option != nil || environment("TANDEM_HOME") != nil { return home(named: option) }
    var folder = Paths.currentFolder
    while true {
      let candidate = folder == "/" ? "/.tandem" : "\(folder)/.tandem"
      if Files.exists(candidate) || folder == "/" { return folder == "/" ? home(named: nil) : candidate }
      folder = Paths.parent(of: folder)
    }
  }

  var lock: String { "\(home)/lock" }
  var state: String { "\(home)/state.json" }
  /// Files of ready services, created anew by each start.
  var run: String { "\(data)/run" }
  /// Passwords, database URLs and keys; accessible for the owner only.
  var secrets: String { "\(data)/secrets" }
  var certificates: String { "\(data)/certificates" }
  /// Which services' samples were loaded, or are not to be; see ``SamplesMarker``.
  var samples: String { "\(data)/samples" }
  /// Held by the process that makes or removes the demonstration.
  var demoLock: String { "\(data)/run/demo.lock" }
  /// What the programs wrote.
  var log: String { "\(data)/logs" }
  var mail: String { "\(data)/mail" }
  var authority: String { "\(certificates)/ca.crt" }

  func readyFile(of service: SuiteService) -> String { "\(run)/\(service.rawValue).json" }
  func readyFile(named name: String) -> String { "\(run)/\(name).json" }
  func certificate(of service: SuiteService) -> String { certificate(named: service.rawValue) }
  func certificate(named name: String) -> String { "\(certificates)/\(name).crt" }
  func key(of service: SuiteService) -> String { key(named: service.rawValue) }
  func key(named name: String) -> String { "\(certificates)/\(name).key" }
  func databaseURLFile(of service: SuiteService) -> String { "\(secrets)/\(service.rawValue)_database_url" }

  /// Creates the folders with their permissions.
  func prepare() throws(Complaint) {
    // Others may pass through, as the database may run as another user; each folder inside has its own permissions.
    for folder in [home, data] { try Files.makeFolder(folder, mode: 0o711) }
    for folder in [run, secrets, log] { try Files.makeFolder(folder, mode: 0o700) }
    for folder in [certificates, mail] { try Files.makeFolder(folder, mode: 0o755) }
    if !Files.exists("\(home)/.gitignore") { try Files.write("*\n", to: "\(home)/.gitignore", mode: 0o644) }
  }

  /// A temporary folder for one run.
  static func ephemeral(home: String) throws(Complaint) -> Workspace {
    let base = environment("TMPDIR") ?? "/tmp"
    removeAbandoned(in: base)
    var template = Array("\(base)/tandem-ephemeral-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Complaint("no temporary folder can be made in \(base): \(systemMessage()); name another in TMPDIR")
    }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    chmod(path, 0o711)
    try Files.write("\(getpid())\n", to: "\(path)/owner")
    return Workspace(home: home, data: path)
  }

  /// Removes temporary folders of processes that were killed.
  private static func removeAbandoned(in base: String) {
    for name in Files.names(in: base) where name.hasPrefix("tandem-ephemeral-") {
      let path = "\(base)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0, status.st_uid == geteuid(), let owner = Files.text("\(path)/owner"),
        let pid = Int32(owner.prefix { $0 != "\n" }), kill(pid, 0) != 0, errno == ESRCH
      else { continue }
      do { try Files.remove(path) } catch { tell("tandem: \(error)") }
    }
  }
}
