import GatewayProtocols
import HTTPTypes
import Testing

@Suite struct PublicNamesTests {
  private static let names = PublicNames(
    hosts: ["tandem.example", "*.apps.example", "192.0.2.1", "[2001:db8::1]"], origins: ["https://Other.example"],
    isSecure: true)

  @Test(
    "[GATE-5] hosts of the port, with and without a port, and others",
    arguments: [
      ("tandem.example", true), ("TANDEM.example.:7480", true), ("a.apps.example", true), ("apps.example", false),
      ("a.b.apps.example", false), (".apps.example", false), ("192.0.2.1:443", true), ("192.0.2.2", false),
      ("[2001:db8::1]:443", true), ("[::1]", true), ("localhost:7480", true), ("127.0.0.1", true),
      ("tandem.example.evil.example", false), ("evil@tandem.example", false), ("tandem.example:80@evil", false),
      ("", false), ("[", false), ("*.apps.example", true), ("tandem.example/", false),
    ])
  func hosts(authority: String, isOwn: Bool) {
    #expect(Self.names.isOwn(authority) == isOwn)
  }

  @Test(
    "[GATE-5] a request is of the page that its Origin names",
    arguments: [
      (nil, PublicNames.Page.none), ("https://tandem.example", .own), ("https://TANDEM.example", .own),
      ("http://tandem.example", .foreign), ("https://tandem.example:444", .foreign),
      ("https://other.example", .listed("https://other.example")), ("https://evil.example", .foreign),
      ("null", .foreign), ("", .foreign),
    ])
  func origins(origin: String?, page: PublicNames.Page) {
    var request = HTTPRequest(method: .get, scheme: "https", authority: "tandem.example", path: "/")
    request.headerFields[.origin] = origin
    #expect(Self.names.page(of: request) == page)
  }

  @Test("[GATE-5] without TLS the port may stand behind something that has it; two origins are none")
  func schemes() {
    let names = PublicNames(hosts: ["a.example"], origins: [], isSecure: false)
    var request = HTTPRequest(method: .get, scheme: "http", authority: "a.example", path: "/")
    for origin in ["http://a.example", "https://a.example"] {
      request.headerFields[.origin] = origin
      #expect(names.page(of: request) == .own)
    }
    request.headerFields[values: .origin] = ["https://a.example", "https://a.example"]
    #expect(names.page(of: request) == .foreign)
  }

  @Test("[GATE-5] only the question of a browser is answered as one")
  func preflight() {
    var request = HTTPRequest(method: .options, scheme: "https", authority: "a.example", path: "/s/m")
    #expect(CrossOrigin.preflight(request) == nil)
    request.headerFields[.accessControlRequestMethod] = "POST"
    let head = CrossOrigin.preflight(request)?.head
    #expect(head?.status == .noContent)
    #expect(head?.headerFields[.accessControlAllowCredentials] == nil)
  }
}
