import Environment
import Cryptography
import Testing

@testable import tandem

@Suite("the services' certificates")
struct CertificatesTests {
  let scratch: Scratch
  let workspace: Workspace
  let now = SystemClock().now

  init() throws {
    scratch = try Scratch()
    workspace = Workspace(home: "\(scratch.path)/.tandem")
    try Files.makeFolder(workspace.home, mode: 0o711)
    try workspace.prepare()
  }

  func certificate(of service: SuiteService) throws -> Certificate {
    try Certificate(pem: try #require(Files.text(workspace.certificate(of: service))))
  }

  @Test("each names its service, and stays while it is good")
  func names() throws {
    try Certificates(workspace: workspace, now: now).prepare()
    for service in SuiteService.allCases {
      #expect(ServiceIdentity.service(of: try certificate(of: service)) == service.rawValue)
    }
    let own = try Certificate(pem: try #require(Files.text(workspace.certificate(named: Certificates.operatorName))))
    #expect(ServiceIdentity.service(of: own) == "operator")
    let first = Files.text(workspace.certificate(of: .lending))
    try Certificates(workspace: workspace, now: now).prepare()
    #expect(Files.text(workspace.certificate(of: .lending)) == first)
  }

  @Test("one that names no service, or another, is replaced")
  func nameless() throws {
    try Certificates(workspace: workspace, now: now).prepare()
    let others = try CertificateAuthority(name: "any", now: now, lifetime: .seconds(86_400 * 365))
    for names: [AlternativeName] in [[.dns("localhost")], [ServiceIdentity.name(of: "identity")]] {
      let old = try others.issue(commonName: "lending", names: names, now: now, lifetime: .seconds(86_400 * 300))
      try Files.write(old.certificatePEM, to: workspace.certificate(of: .lending), mode: 0o644)
      try Certificates(workspace: workspace, now: now).prepare()
      #expect(ServiceIdentity.service(of: try certificate(of: .lending)) == "lending")
    }
  }
}
