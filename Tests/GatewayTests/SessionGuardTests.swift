import Cryptography
import GatewayProtocols
import GatewaySessions
import HTTPTypes
import Testing

@Suite struct SessionGuardTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let site: String?
    let page: PublicNames.Page
    var version: String? = "1"
    var type: String? = "application/json"
    var method = HTTPRequest.Method.post
    var use = SessionGuard.Use.call
    let counts: Bool

    var testDescription: String { "\(site ?? "-") \(page) \(version ?? "-") \(type ?? "-") \(method) \(use)" }
  }

  private static let rows = [
    Row(site: "same-origin", page: .own, counts: true),
    // A GET of the page's own has no Origin.
    Row(site: "same-origin", page: .none, counts: true),
    Row(site: nil, page: .own, counts: true),
    Row(site: "same-origin", page: .own, type: nil, method: .get, counts: true),
    Row(site: "same-origin", page: .own, type: "application/connect+proto", counts: true),
    Row(site: nil, page: .none, counts: false),
    Row(site: nil, page: .foreign, counts: false),
    Row(site: "same-origin", page: .foreign, counts: false),
    Row(site: "same-origin", page: .listed("https://a.example"), counts: false),
    Row(site: "same-site", page: .own, counts: false),
    Row(site: "cross-site", page: .own, counts: false),
    Row(site: "none", page: .none, counts: false),
    Row(site: "same-origin", page: .own, version: nil, counts: false),
    Row(site: "same-origin", page: .own, version: "2", counts: false),
    Row(site: "same-origin", page: .own, version: nil, type: nil, method: .get, counts: false),
    Row(site: "same-origin", page: .own, type: nil, counts: false),
    Row(site: "same-origin", page: .own, type: "text/plain", counts: false),
    Row(site: "same-origin", page: .own, type: "application/x-www-form-urlencoded", counts: false),
    Row(site: "same-origin", page: .own, type: "application/json; text/plain", counts: false),
    Row(site: "same-origin", page: .own, type: "application/grpc-web", counts: false),
    Row(site: nil, page: .own, version: nil, type: nil, method: .get, use: .socket, counts: true),
    Row(site: "same-origin", page: .none, type: nil, method: .get, use: .socket, counts: false),
    Row(site: nil, page: .listed("https://a.example"), type: nil, method: .get, use: .socket, counts: false),
    Row(site: "same-origin", page: .none, version: nil, type: nil, method: .get, use: .picture, counts: true),
    Row(site: "cross-site", page: .none, version: nil, type: nil, method: .get, use: .picture, counts: false),
    Row(site: nil, page: .none, version: nil, type: nil, method: .get, use: .picture, counts: false),
    Row(site: "same-origin", page: .own, type: "image/png", method: .put, use: .upload, counts: true),
    Row(site: "same-origin", page: .own, version: nil, type: "image/png", method: .put, use: .upload, counts: false),
    Row(site: "same-origin", page: .own, type: "text/plain", method: .put, use: .upload, counts: false),
    Row(site: "same-origin", page: .own, type: "image/png", counts: false),
  ]

  @Test("[GATE-4] a cookie counts only in what a script of the gateway's own pages sends", arguments: rows)
  func table(row: Row) throws {
    var request = HTTPRequest(method: row.method, scheme: "https", authority: "a.example", path: "/s/m")
    request.headerFields[try #require(HTTPField.Name("sec-fetch-site"))] = row.site
    request.headerFields[try #require(HTTPField.Name("connect-protocol-version"))] = row.version
    request.headerFields[.contentType] = row.type
    #expect((SessionGuard.refusal(of: request, page: row.page, for: row.use) == nil) == row.counts)
  }

  private static let key = SealKey(id: "k1", bytes: [UInt8](repeating: 7, count: 32))

  private func request(_ cookies: [String]) -> HTTPRequest {
    var request = HTTPRequest(method: .post, scheme: "https", authority: "a.example", path: "/s/m")
    request.headerFields[values: .cookie] = cookies
    return request
  }

  @Test("[GATE-4] a cookie is read back, and nothing else is")
  func sealedCookie() throws {
    let cookie = SealedCookie("session", seal: Seal(current: try #require(Self.key)))
    let field = try cookie.field(["a.b-c", "", "9"], lasts: 60)
    let parts = field.split(separator: ";").map { $0.drop { $0 == " " } }
    #expect(parts.dropFirst() == ["Max-Age=60", "Path=/", "HttpOnly", "Secure", "SameSite=Strict"])
    let pair = String(parts[0])
    #expect(pair.hasPrefix("__Host-tandem-session="))
    #expect(cookie.texts(of: request(["x=y; \(pair)", "z=1"])) == ["a.b-c", "", "9"])
    #expect(cookie.texts(of: request([pair, pair])) == nil)
    #expect(cookie.texts(of: request([pair + "A"])) == nil)
    #expect(cookie.texts(of: request(["__Host-tandem-session="])) == nil)
    #expect(cookie.texts(of: request([])) == nil)
    // One of another purpose, and one of another key.
    let device = SealedCookie("device", seal: Seal(current: try #require(Self.key)))
    let moved = pair.replacing("session", with: "device")
    #expect(device.texts(of: request([moved])) == nil)
    let other = try #require(SealKey(id: "k1", bytes: [UInt8](repeating: 8, count: 32)))
    #expect(SealedCookie("session", seal: Seal(current: other)).texts(of: request([pair])) == nil)
  }

  @Test("[GATE-4] a refresh has the same id wherever it is made, and another for another token")
  func requestIDs() {
    let id = Sessions.requestID(of: "token")
    #expect(id == Sessions.requestID(of: "token"))
    #expect(id != Sessions.requestID(of: "tokem"))
    #expect(id.count == 36 && Array(id)[14] == "8" && "89ab".contains(Array(id)[19]))
  }
}
