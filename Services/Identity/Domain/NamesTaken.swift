/// The refusal of a registration or a change whose e-mail address or username is taken ([ID-2]).
///
/// Neither is where another transaction freed them just now.
public struct NamesTaken: Error, Sendable, Hashable {
  public let email: Bool
  public let username: Bool

  public init(email: Bool, username: Bool) { (self.email, self.username) = (email, username) }
}
