import Identifiers

extension World {
  /// A new user with an account and without a gym part, created in the database: many rows need one.
  func newcomer() async throws -> CastMember {
    let (id, number) = (someID(), numbers.next())
    let newcomer = CastMember(id: id, username: "person\(number)", email: "person\(number)@example.org")
    try await sql(
      """
      insert into identity.accounts (id, email, email_key, username, password_hash, registered_at, verified_at)
      select '\(id)', '\(newcomer.email)', '\(newcomer.email)', '\(newcomer.username)', password_hash, registered_at,
        verified_at
      from identity.accounts where id = '\(cast.owner.id)'
      """)
    return newcomer
  }

  /// An unused id.
  func someID() -> String {
    UUID7(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(numbers.next())).description
  }
}
