import FoundationEssentials
import Glibc
import Testing

@testable import ServiceRuntime

/// A folder that is removed when the test is done with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/tandem-test-XXXXXX".utf8CString)
    path = try #require(mkdtemp(&template).map { String(cString: $0) })
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
    return "\(path)/\(name)"
  }
}

@Suite("Settings")
struct SettingsTests {
  static let grace = RuntimeSettings.shutdownGrace
  static let token = Setting<String?>.optional("push-token", .text, meaning: "a secret", secrecy: .secret)

  func resolve(
    _ arguments: [String] = [], _ environment: [String: String] = [:], requiring: Settings.Requirement = .nothing
  ) throws(StartupError) -> Settings {
    try Settings.resolve(
      RuntimeSettings.all + [Self.token.description], service: "identity",
      from: SettingSources(arguments: arguments, environment: environment), requiring: requiring)
  }

  func refusal(_ arguments: [String] = [], _ environment: [String: String] = [:]) throws -> [String] {
    let refusal = #expect(throws: StartupError.self) { try resolve(arguments, environment) }
    #expect(refusal?.exitStatus == 2)
    return try #require(refusal).lines
  }

  @Test("the command line wins over the service's variable, that over the common one, that over the file")
  func precedence() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file(
      "s.json", #"{"shutdown-grace": "1s", "threads": 3, "plaintext": true, "identity": {"shutdown-grace": "2s"}}"#)
    var environment = ["TANDEM_CONFIG_FILE": file]
    #expect(try resolve([], environment)[Self.grace] == .seconds(2))
    #expect(try resolve([], environment)[RuntimeSettings.threads] == 3)
    #expect(try resolve([], environment)[RuntimeSettings.plaintext])
    environment["TANDEM_SHUTDOWN_GRACE"] = "3s"
    #expect(try resolve([], environment)[Self.grace] == .seconds(3))
    environment["TANDEM_IDENTITY_SHUTDOWN_GRACE"] = "4s"
    #expect(try resolve([], environment)[Self.grace] == .seconds(4))
    let settings = try resolve(["--shutdown-grace", "5s"], environment)
    #expect(settings[Self.grace] == .seconds(5))
    #expect(settings.origin(of: Self.grace) == "--shutdown-grace")
    #expect(settings.origin(of: RuntimeSettings.threads) == "threads in \(file)")
  }

  @Test("a bare flag is on, a comma stays in its value, an unset setting has its default")
  func commandLine() throws {
    let url = "postgresql://u@a:1,b:2/t"
    let settings = try resolve(["--plaintext", "--database-url=\(url)", "--listen", "[::1]:0"])
    #expect(settings[RuntimeSettings.plaintext] && settings[RuntimeSettings.databaseURL] == url)
    #expect(settings[RuntimeSettings.listen] == HostPort(host: "::1", port: 0))
    #expect(settings[RuntimeSettings.readyFile] == nil && settings[RuntimeSettings.migrateAtStart])
  }

  @Test("every bad setting is named at once, with what is expected and where it came from")
  func allAtOnce() throws {
    let lines = try refusal(
      ["--listen", "7401"], ["TANDEM_SHUTDOWN_GRACE": "10", "TANDEM_IDENTITY_LOG_LEVEL": "loud"])
    #expect(
      lines == [
        "setting listen: \"7401\" of --listen is not a host and a port such as 127.0.0.1:7401, [::1]:7401 or 0.0.0.0:0",
        "setting log-level: \"loud\" of TANDEM_IDENTITY_LOG_LEVEL is not trace, debug, info, notice, warning, error or critical",
        "setting shutdown-grace: \"10\" of TANDEM_SHUTDOWN_GRACE is not a duration such as 500ms, 10s, 2m or 24h",
      ])
  }

  @Test("unknown options and variables of the service are refused with the nearest name")
  func unknown() throws {
    #expect(try refusal(["--lisen=a:1"]) == ["unknown option --lisen; did you mean --listen?"])
    #expect(try refusal(["serve"]) == ["unexpected argument \"serve\"; a command comes first"])
    #expect(try refusal(["--listen"]) == ["option --listen needs a value: --listen=VALUE"])
    #expect(try refusal(["--plaintext", "--plaintext"]) == ["option --plaintext is given twice"])
    #expect(
      try refusal([], ["TANDEM_IDENTITY_TREADS": "2"])
        == ["environment: TANDEM_IDENTITY_TREADS is not a setting; did you mean TANDEM_IDENTITY_THREADS?"])
  }

  @Test("a variable that may be another program's is only warned of")
  func warned() throws {
    let settings = try resolve([], ["TANDEM_TREADS": "2", "TANDEM_MATCHING_X": "1", "OTHER": "1"])
    #expect(
      settings.warnings
        == ["environment: TANDEM_TREADS is not a setting of identity; did you mean TANDEM_THREADS?"])
  }

  @Test("a variable that the suite's command line reads is no mistake")
  func commandLines() throws {
    let variables = ["HOME", "ADDRESS", "TOKEN", "CA", "CERT", "KEY"].map { ("TANDEM_\($0)", "x") }
    #expect(try resolve([], Dictionary(uniqueKeysWithValues: variables)).warnings == [])
  }

  @Test("a flag may be followed by its value")
  func flags() throws {
    #expect(try resolve(["--migrate-at-start", "false", "--plaintext"])[RuntimeSettings.migrateAtStart] == false)
    #expect(try resolve(["--plaintext", "true"])[RuntimeSettings.plaintext])
    #expect(try refusal(["--plaintext", "maybe"]) == ["unexpected argument \"maybe\"; see --help"])
  }

  @Test("a required setting is missed only when the service is to run")
  func required() throws {
    #expect(throws: Never.self) { try resolve() }
    #expect(throws: Never.self) { try resolve(requiring: .only(["listen"])) }
    #expect(throws: StartupError.self) { try resolve(requiring: .only(["database-url"])) }
    let refusal = #expect(throws: StartupError.self) { try resolve(requiring: .everything) }
    #expect(
      refusal?.lines == [
        "setting database-url is not set: give --database-url or TANDEM_DATABASE_URL, "
          + "a PostgreSQL URL such as postgresql://user@localhost:5432/tandem"
      ])
  }

  @Test("a secret also comes from a file, without the line break at its end")
  func secretFile() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("token", "s3cret\n")
    #expect(try resolve([], ["TANDEM_PUSH_TOKEN_FILE": file])[Self.token] == "s3cret")
    #expect(try resolve(["--push-token-file", file])[Self.token] == "s3cret")
    #expect(
      try refusal([], ["TANDEM_PUSH_TOKEN_FILE": file, "TANDEM_PUSH_TOKEN": "x"])
        == ["TANDEM_PUSH_TOKEN and TANDEM_PUSH_TOKEN_FILE are both set; keep one"])
    #expect(
      try refusal(["--push-token-file=/nowhere/x"])
        == ["the file named by --push-token-file, /nowhere/x cannot be read: no such file or directory"])
  }

  @Test("a secret that nothing else sets is the file of its name in the folder of secrets")
  func secretsFolder() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("push-token", "s3cret\n")
    _ = try folder.file("listen", "127.0.0.1:1")
    let environment = ["TANDEM_SECRETS_FOLDER": folder.path]
    let settings = try resolve([], environment)
    #expect(settings[Self.token] == "s3cret")
    #expect(settings.origin(of: Self.token) == file)
    #expect(settings.file(of: Self.token) == file)
    #expect(settings.warnings == [])
    #expect(settings.origin(of: RuntimeSettings.busURL) == nil)
    #expect(settings.origin(of: RuntimeSettings.listen) == nil, "what is no secret is not looked for")
    #expect(try resolve(["--secrets-folder", folder.path])[Self.token] == "s3cret")
    #expect(try resolve([], ["TANDEM_IDENTITY_SECRETS_FOLDER": folder.path])[Self.token] == "s3cret")
    #expect(try resolve(["--push-token", "other"], environment)[Self.token] == "other")
  }

  @Test("an empty secret, and a folder of secrets that is not there, are refused")
  func brokenSecretsFolder() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("push-token", "\n")
    #expect(
      try refusal(["--secrets-folder", folder.path])
        == ["the secret \(file) is empty: write it, or remove the file"])
    #expect(
      try refusal([], ["TANDEM_SECRETS_FOLDER": "/nowhere"])
        == ["the folder of secrets (secrets-folder) /nowhere cannot be read: no such file or directory"])
  }

  @Test("of the servers of the bus neither user nor token is shown")
  func busServers() throws {
    let settings = try resolve(["--bus-url", "nats://margaret:hush-1@a:4222,tls://hush-2@b"])
    #expect(settings[RuntimeSettings.busURL]?.count == 2)
    for listing in [settings.table(), settings.json()] {
      #expect(listing.contains("nats://***@a:4222,tls://***@b"))
      for secret in ["margaret", "hush-"] { #expect(!listing.contains(secret)) }
    }
    #expect(try refusal(["--bus-url", "nats://margaret:hush@"]).first?.contains("the value (not shown)") == true)
  }

  @Test("a password in a URL where none belongs is not shown")
  func misplacedPassword() throws {
    let refused = try refusal(["--listen", "tcp://me:hush@127.0.0.1:7401"])
    #expect(refused.first?.hasPrefix("setting listen: \"tcp://me:***@127.0.0.1:7401\" of --listen is not") == true)
  }

  @Test("a secret is never shown, not even when it is wrong")
  func redaction() throws {
    let url = "postgresql://me:pass@word@db/t?password=pass&sslmode=require"
    let settings = try resolve(["--database-url", url, "--push-token", "hush"])
    for listing in [settings.table(), settings.json()] {
      #expect(!listing.contains("pass@") && !listing.contains("=pass") && !listing.contains("hush"))
      #expect(listing.contains("postgresql://me:***@db/t?password=***&sslmode=require"))
    }
    #expect(
      try refusal(["--database-url", "mysql://me:pass@db"])
        == [
          "setting database-url: the value (not shown) of --database-url is not "
            + "a PostgreSQL URL such as postgresql://user@localhost:5432/tandem"
        ])
  }

  @Test("a settings file that is no JSON object, or names what there is not, is refused")
  func file() throws {
    let folder = try TemporaryFolder()
    let broken = try folder.file("broken.json", "{")
    #expect(try refusal(["--config", broken])[0].hasPrefix("the settings file \(broken) is not a JSON object"))
    let misspelt = try folder.file("misspelt.json", #"{"identity": {"thread": 1}, "matching": {"x": 1}}"#)
    #expect(
      try refusal(["--config", misspelt])
        == ["\(misspelt): identity.thread is not a setting; did you mean threads?"])
    #expect(try refusal(["--config", "/nowhere.json"])[0].contains("/nowhere.json cannot be read"))
  }

  @Test(
    "a host and port are read in every usual form",
    arguments: [
      ("127.0.0.1:7401", "127.0.0.1", 7401), ("[::1]:0", "::1", 0), ("db.example:65535", "db.example", 65535),
    ])
  func addresses(text: String, host: String, port: Int) {
    #expect(HostPort(text) == HostPort(host: host, port: port))
    #expect(HostPort(text)?.description == text)
  }

  @Test("what is no host and port is none", arguments: ["", ":1", "h", "h:", "h:65536", "::1:1", "h:+1", "a b:1"])
  func badAddresses(text: String) {
    #expect(HostPort(text) == nil)
  }

  @Test(
    "a duration is written as it is read, in the largest unit that fits",
    arguments: ["1500ms", "1s", "90s", "15m", "36h", "2d", "0ms"])
  func durationTexts(text: String) {
    #expect(SettingKind<Duration>.duration.parse(text)?.settingText == text)
  }

  @Test(
    "a duration needs its unit", arguments: [("250ms", 250), ("2m", 120_000), ("1h", 3_600_000), ("1d", 86_400_000)])
  func durations(text: String, milliseconds: Int) {
    #expect(SettingKind<Duration>.duration.parse(text) == .milliseconds(milliseconds))
    for wrong in ["", "s", "1", "-1s", "1 s", "1.5s", "99999999999999999999s"] {
      #expect(SettingKind<Duration>.duration.parse(wrong) == nil)
    }
  }
}
