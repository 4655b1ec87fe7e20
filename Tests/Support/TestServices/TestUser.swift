public import Identifiers
public import TTRPC

/// A user with an account, whose token is the id: services under test are opened to such tokens.
public struct TestUser: Sendable, Hashable {
  public let id: UserID
  public let name: String

  public static let ada = TestUser(1, "ada")
  public static let grace = TestUser(2, "grace.h")
  public static let alan = TestUser(3, "alan")

  public init(_ number: UInt64, _ name: String) {
    id = UserID(UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | number))
    self.name = name
  }

  /// One of as many users as a test needs.
  public static func one(_ number: Int) -> TestUser { TestUser(UInt64(number) + 1_000, "one\(number)") }

  /// As this user, for as long as the longest stream or file takes on a machine that has much else to do.
  public var options: CallOptions { .token(id.description, timeout: .seconds(300)) }
}
