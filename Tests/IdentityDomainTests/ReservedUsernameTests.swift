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
    "[ID-2] D-8: neither digits, nor words that say nothing, nor separators alone make a name of such words",
    arguments: [
      "ADMIN1", "tandem1", "007admin", "adm1n2026", "the.tandem.team", "customer.service", "payments", "deleted_user",
      "...", "___", "_._", "tandem.com", "tandem_for_your_support", "real_admin_99", "he1pdesk", "supp0rt",
    ])
  func misleading(_ name: String) throws {
    #expect(ReservedUsernames().contains(try #require(Username(name))))
  }

  @Test(
    "[ID-2] D-8: a name of digits, or of words that say nothing alone, is free",
    arguments: ["123", "user1", "the_real"])
  func digits(_ name: String) throws {
    #expect(!ReservedUsernames().contains(try #require(Username(name))))
  }

  @Test(
    "[ID-2] names that merely contain such a word are free",
    arguments: [
      "ada", "helpful", "teamster", "rooted", "adminton", "tandem_rider", "mysupport1team9x", "staffan", "ada1",
      "claudia",
    ])
  func free(_ name: String) throws {
    #expect(!ReservedUsernames(["initech"]).contains(try #require(Username(name))))
  }
}
