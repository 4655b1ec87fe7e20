import Testing

@testable import IdentityDomain

@Suite("reserved usernames")
struct ReservedUsernameTests {
  @Test(
    "[ID-2] words of operators, names that look like them and what joins them are reserved",
    arguments: [
      "admin", "ADMIN", "adm1n", "4dmin", "a.d.m.i.n", "_admin_", "adrnin", "root", "r00t", "support", "5ecur1ty",
      "tandem", "T4ndem", "tandern", "tandem_support", "tandemadmin", "official.tandem", "system", "no_reply",
      "Security.Team", "moderator", "lnitech", "initech_support",
    ])
  func reserved(_ name: String) throws {
    #expect(ReservedUsernames(["initech"]).contains(try #require(Username(name))))
  }

  @Test(
    "[ID-2] names that merely contain such a word are free",
    arguments: ["ada", "helpful", "teamster", "rooted", "adminton", "tandem_rider", "mysupport1", "___", "staffan"])
  func free(_ name: String) throws {
    #expect(!ReservedUsernames(["initech"]).contains(try #require(Username(name))))
  }
}
