import IdentityDomain
import Testing

@Suite("changing a username")
struct UsernameChangeTests {
  @Test(
    "[ID-22] the same letters are nothing, other case is another spelling, anything else another name",
    arguments: [
      ("ada", "ada", UsernameChange.nothing), ("Ada", "Ada", .nothing), ("ada", "ADA", .respelling),
      ("Ada_1", "aDa_1", .respelling), ("ada", "ada_", .replacement), ("ada", "lovelace", .replacement),
    ])
  func decides(old: String, new: String, change: UsernameChange) throws {
    #expect(UsernameChange.of(old, to: try #require(Username(new))) == change)
  }
}
