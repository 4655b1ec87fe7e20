import Reflection
import TestSupport
import Testing

@testable import tandem

extension RunningSuiteTests {
  /// `tandem replay` in the suite that runs on this machine; what it plays is tested in `JourneyTests/ReplayTests`.
  @Suite("replays")
  struct ReplayCommandTests {
    private static let password = "Analytical-engine-1843"
    private static let accounts = "tandem.identity.v1.Accounts"

    private let place: SuitePlace

    init() throws { place = try SharedSuite.current.place }

    /// Registers and verifies a user.
    private func register(_ name: String) throws {
      let email = "\(name)@example.org"
      let request = #"{"email": "\#(email)", "username": "\#(name)", "password": "\#(Self.password)"}"#
      let registered = try place.run(["rpc", "call", "\(Self.accounts)/Register", "-d", request])
      try #require(registered.status == 0, "\(registered)")
      try #require(place.eventually { place.mailedToken(for: email) != nil })
      let verification = #"{"token": "\#(place.mailedToken(for: email) ?? "")", "password": "\#(Self.password)"}"#
      let verified = try place.run(["rpc", "call", "\(Self.accounts)/VerifyEmail", "-d", verification])
      try #require(verified.status == 0, "\(verified)")
    }

    private func replay(as user: String, password: String) throws -> (output: String, errors: String, status: Int32) {
      let scratch = try Scratch()
      try scratch.write(WayHomeRecording.gpx, to: "walk.gpx")
      return try Command.tandem(
        ["replay", "\(scratch.path)/walk.gpx", "--as", user, "--speed", "500", "--home", place.home],
        environment: ["TANDEM_PASSWORD": password]
      ).finish()
    }

    @Test("a user logs in by a password of the environment, and is told that no group looks on")
    func played() throws {
      try register("walker")

      let played = try replay(as: "walker", password: Self.password)

      #expect(played.status == 0 && played.output.hasSuffix("; seen by 0 groups\n"), "\(played)")
      #expect(played.errors.contains("31 of 31 positions, 5:45 in 0:01") && played.errors.contains("by --group"))
    }

    @Test("a wrong password is refused before anything is played")
    func refused() throws {
      let refused = try replay(as: "walker2", password: "wrong")

      #expect(refused.status == 80 && refused.errors.contains("walker2 cannot log in"), "\(refused)")
    }
  }
}
