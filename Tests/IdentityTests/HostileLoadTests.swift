import GRPCHealth
import HostileClients
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("Logins while others are hostile", .timeLimit(.minutes(5)))
struct HostileLoadTests {
  @Test(
    "calls that wait for their access token, of one address, leave everybody else's logins and health checks admitted",
    arguments: [8, 64, 1_000])
  func unprovenStreams(connections: Int) async throws {
    // So that none of the hostile calls ends before the others are made.
    try await RunningIdentity.with(CheapIdentity.self, ["--first-message-time", "1h"]) { identity in
      let login = try await identity.withProfile()
      let hostile = try HostileConnections(connections, to: identity.port, from: 2)
      hostile.add(
        HostileFrames.calls(
          40_000 / connections, of: "tandem.identity.v1.Profiles/UploadProfilePicture", opens: true,
          timeout: 3_600_000_000_000))
      try await until("all the calls are made") {
        hostile.push(.drops)
        return hostile.hasSentAll
      }
      let health = HealthClient(identity.client)
      for _ in 0..<5 {
        #expect(try await health.check(HealthCheckRequest()).status == .serving)
        _ = try await identity.accounts.login(User.ada.login)
        let request = GetProfileRequest(username: "ada")
        #expect(try await identity.profiles.getProfile(request, .user(login)).username == "ada")
      }
      withExtendedLifetime(hostile) {}
    }
  }

  @Test("[C-1] a stream whose first message does not come in time is refused; one that has proved its caller goes on")
  func firstMessage() async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--first-message-time", "2s"]) { identity in
      let login = try await identity.withProfile()
      let file = try TestPictures.bytes("plain.jpg")
      _ = try await identity.profiles.uploadProfilePicture(CallOptions()) { writer in
        try await writer.send(UploadProfilePictureRequest(accessToken: login.accessToken))
        let late = try await refusal {
          try await identity.client.stream(
            ProfilesMethods.uploadProfilePicture, nil as UploadProfilePictureRequest?,
            CallOptions(timeout: .seconds(3_600))
          ) { (_, answers: MessageStream<ProfilePicture>) in for try await _ in answers {} }
        }
        #expect(late.code == .deadlineExceeded && late.reason == "FIRST_MESSAGE_TOO_SLOW")
        try await writer.send(UploadProfilePictureRequest(chunk: file))
      }
    }
  }
}
