import IdentityDomain
import Identifiers
import Testing

@Suite("ways to log in")
struct LoginWaysTests {
  private static let issuer = "https://accounts.example"

  @Test("[ID-12] a way in is a password, a passkey, or an identity of a provider that people can log in by")
  func leadIn() {
    func leadsIn(_ hasPassword: Bool, _ passkeys: Int, _ issuers: [String], where providers: Set<String>) -> Bool {
      LoginWays(hasPassword: hasPassword, passkeys: passkeys, issuers: issuers).leadIn(where: providers)
    }
    #expect(leadsIn(true, 0, [], where: []) && leadsIn(false, 1, [], where: []))
    #expect(leadsIn(false, 0, ["https://gone.example", Self.issuer], where: [Self.issuer]))
    #expect(!leadsIn(false, 0, [Self.issuer], where: []))
    #expect(!leadsIn(false, 0, [], where: [Self.issuer]))
  }

  @Test("[ID-13] who somebody is has been proved lately for ten minutes, and never in the future")
  func fresh() {
    let proved = Instant(microseconds: 1_768_478_400_000_000)
    #expect(FreshLogin.isFresh(proved: proved, now: proved))
    #expect(FreshLogin.isFresh(proved: proved, now: proved + .seconds(599)))
    #expect(!FreshLogin.isFresh(proved: proved, now: proved + .seconds(600)))
    #expect(!FreshLogin.isFresh(proved: proved, now: proved - .seconds(1)))
  }
}
