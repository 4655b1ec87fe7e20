import Glibc
import TestSupport
import Testing

@testable import tandem

/// The scripts that operate what docker-compose.yml runs, as far as they do without Docker; `make test-compose` tries the rest.
@Suite("scripts of a compose stack", .ownThreads, .timeLimit(.minutes(5)))
struct StackScriptTests {
  private let scratch: Scratch
  private var place: String { scratch.path }

  init() throws {
    scratch = try Scratch()
    let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let copied = try Command(
      "/bin/sh",
      [
        "-c",
        "mkdir \(scratch.path)/.ci && cd \(project)/.ci && cp remember secrets backup \(scratch.path)/.ci && cp ../.gitignore \(scratch.path)",
      ]
    ).finish()
    try #require(copied.status == 0, "\(copied.errors)")
  }

  /// Runs a line of shell in the folder of the stack.
  @discardableResult
  private func shell(_ line: String) throws -> (output: String, errors: String, status: Int32) {
    try Command("/bin/bash", ["-c", "cd \(place) && \(line)"]).finish()
  }

  private func succeeds(_ line: String) throws -> String {
    let run = try shell(line)
    try #require(run.status == 0, "\(line): \(run.output)\(run.errors)")
    return run.output
  }

  // MARK: what .env remembers

  @Test("[O-3] what an upgrade brought replaces its line in .env, keeps all others, and is its owner's alone")
  func remembers() throws {
    try scratch.write("# ours\nTANDEM_VERSION=1.3\nCATALOG=\"a b\"\nexport TANDEM_IMAGE=tandem\nLAST=1", to: ".env")

    _ = try succeeds(".ci/remember TANDEM_IMAGE=registry.example:5000/tandem TANDEM_VERSION=1.4")

    #expect(
      try succeeds("cat .env")
        == "# ours\nCATALOG=\"a b\"\nLAST=1\nTANDEM_IMAGE=registry.example:5000/tandem\nTANDEM_VERSION=1.4\n")
    #expect(try succeeds("stat --format %a .env") == "600\n")
    #expect(try succeeds("ls -A").contains(".env.") == false)
  }

  @Test("[O-3] a profile is added to those that .env has, once")
  func addsProfile() throws {
    for before in ["", "COMPOSE_PROFILES=\n", "COMPOSE_PROFILES='tools'\n"] {
      try scratch.write(before, to: ".env")
      for _ in 1...2 { _ = try succeeds(".ci/remember --add COMPOSE_PROFILES=nats") }
      let profiles = before.contains("tools") ? "tools,nats" : "nats"
      #expect(try succeeds("cat .env") == "COMPOSE_PROFILES=\(profiles)\n")
    }
  }

  @Test(
    "[O-3] what would need quotes or is no setting is refused, and nothing is written",
    arguments: ["A=x y", "A=$B", "a=1", "A", "A='", "A=\\n", "=1"])
  func refusesSetting(setting: String) throws {
    let word = setting.replacing("'", with: "'\\''")
    let run = try shell(".ci/remember GOOD=1 '\(word)'")

    #expect(run.status == 1 && run.errors.contains("\(setting) is not NAME=VALUE"), "\(run)")
    #expect(try shell("test -e .env").status == 1)
  }

  @Test("[O-4] NATS gets a password, each service its URL, and .env the profile that starts it")
  func nats() throws {
    _ = try succeeds(".ci/secrets && .ci/secrets nats && .ci/secrets nats")

    #expect(try succeeds("cat .env") == "COMPOSE_PROFILES=nats\n")
    for service in SuiteService.allCases {
      #expect(try succeeds("cat .secrets/\(service.rawValue)/bus-url").hasPrefix("nats://tandem:"))
    }
  }

  // MARK: another authority

  private static let nextAuthority = """
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 30 -subj /CN=Next \
    -addext basicConstraints=critical,CA:true -keyout new.key -out new.crt 2>&1
    """

  @Test("[O-8] the change of authority goes as the page says, and afterwards every certificate is the new one's")
  func changesAuthority() throws {
    _ = try succeeds(".ci/secrets && .ci/secrets gateway edge && \(Self.nextAuthority)")
    for line in try Self.page(after: "To change the authority").map({ String($0.prefix { $0 != "#" }) }) {
      let command = line.replacing("make secrets RENEW=all", with: ".ci/secrets renew")
        .replacing("make secrets", with: ".ci/secrets")
      _ = try succeeds(command)
    }

    let verified = try succeeds("openssl verify -CAfile new.crt .secrets/*/tls.crt .secrets/gateways/edge/tls.crt")
    #expect(
      verified.split(separator: "\n").count == 9 && verified.split(separator: "\n").allSatisfy { $0.hasSuffix(": OK") })
    #expect(try shell("for copy in .secrets/*/ca.crt; do cmp $copy new.crt || exit 1; done").status == 0)
  }

  @Test("[O-8] a new key without its certificate in the first place is refused with the order")
  func wrongOrder() throws {
    _ = try succeeds(".ci/secrets && \(Self.nextAuthority)")

    let run = try shell("cat new.crt >> .secrets/ca.crt && cp new.key .secrets/ca.key && .ci/secrets")

    #expect(run.status == 1 && run.errors.contains("ca.key is not the key of the first certificate in .secrets/ca.crt"))
    #expect(run.errors.contains("nothing was made"))
  }

  /// The lines of the page's first example after a text.
  private static func page(after text: String) throws -> [String] {
    let project = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let page = try #require(Files.text("\(project)/Shared/Handbook/containers.md"))
    let start = try #require(page.firstRange(of: text)).upperBound
    let begun = try #require(page[start...].firstRange(of: "```sh\n")).upperBound
    let end = try #require(page[begun...].firstRange(of: "```")).lowerBound
    return page[begun..<end].split(separator: "\n").map(String.init)
  }

  // MARK: backups

  @Test("[O-9] an archive of the secrets has .env, is closed to others, and is ignored by git")
  func backup() throws {
    _ = try succeeds("umask 022; .ci/secrets && echo TANDEM_VERSION=1.4 > .env && .ci/backup secrets")

    #expect(try succeeds("stat --format %a backups backups/* backups/*/secrets.tar.gz") == "700\n700\n600\n")
    let listed = try succeeds("tar --list --gzip --file backups/*/secrets.tar.gz").split(separator: "\n")
    #expect(listed.contains(".env") && listed.contains(".secrets/identity/seal-key"))
    _ = try succeeds("cp backups/*/secrets.tar.gz . && touch tandem.dump && git init --quiet .")
    #expect(
      try succeeds("git status --porcelain --untracked-files=all")
        == "?? .ci/backup\n?? .ci/remember\n?? .ci/secrets\n?? .gitignore\n")
  }

  @Test("[O-9] a backup does not write over another")
  func secondBackup() throws {
    _ = try succeeds(".ci/secrets && .ci/backup secrets out")

    let second = try shell(".ci/backup secrets out")

    #expect(second.status == 1 && second.errors.contains("out/secrets.tar.gz is there already"))
  }
}
