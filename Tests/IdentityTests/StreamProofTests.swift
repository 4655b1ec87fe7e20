import TTRPC
import TandemIdentity
import TandemNotification
import TestSupport
import Testing

@testable import identity

@Suite("streams that prove by their first message who calls")
struct StreamProofTests {
  @Test("[C-1] an access token in the first message lets a stream in that came without metadata")
  func proven() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      let file = try TestPictures.bytes("plain.jpg")

      let picture = try await identity.profiles.uploadProfilePicture(CallOptions()) { writer in
        try await writer.send(UploadProfilePictureRequest(accessToken: login.accessToken))
        try await writer.send(UploadProfilePictureRequest(chunk: file))
      }
      let whole = UploadProfilePictureRequest(chunk: file, accessToken: login.accessToken)
      let again = try await identity.profiles.uploadProfilePicture(CallOptions()) { try await $0.send(whole) }
      #expect(picture == again)

      let read = DownloadProfilePictureRequest(username: "ada", size: .full, accessToken: login.accessToken)
      let sizes = try await identity.profiles.downloadProfilePicture(read, CallOptions()) { responses in
        try await responses.reduce(into: 0) { $0 += $1.chunk.count }
      }
      #expect(sizes > 0)

      let wanted = StreamNotificationsRequest(after: 0, accessToken: login.accessToken)
      let first = try await identity.notifications.streamNotifications(wanted, CallOptions()) { stream in
        try await stream.first { _ in true }
      }
      #expect(first?.notification == nil)
    }
  }

  @Test("[C-1] without a token, with a wrong one, or with one that comes later a stream is refused")
  func unproven() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      func refusedUpload(_ messages: UploadProfilePictureRequest...) async throws -> Status {
        try await refusal {
          try await identity.profiles.uploadProfilePicture(CallOptions()) { writer in
            for message in messages { try await writer.send(message) }
          }
        }
      }

      let none = try await refusedUpload()
      #expect(none.code == .unauthenticated && none.reason == "TOKEN_MISSING")
      #expect(try await refusedUpload(UploadProfilePictureRequest(chunk: [1])).reason == "TOKEN_MISSING")
      #expect(try await refusedUpload(UploadProfilePictureRequest()).reason == "TOKEN_MISSING")
      let late = UploadProfilePictureRequest(chunk: [2], accessToken: login.accessToken)
      #expect(try await refusedUpload(UploadProfilePictureRequest(chunk: [1]), late).reason == "TOKEN_MISSING")
      let forged = try await refusedUpload(UploadProfilePictureRequest(accessToken: login.accessToken + "A"))
      #expect(forged.code == .unauthenticated && forged.reason == "TOKEN_INVALID")
      #expect(!forged.message.contains(login.accessToken))

      let read = DownloadProfilePictureRequest(username: "ada", size: .full)
      let missing = try await refusal {
        try await identity.profiles.downloadProfilePicture(read, CallOptions()) { for try await _ in $0 {} }
      }
      #expect(missing.reason == "TOKEN_MISSING")
      #expect(try await identity.value("select count(*) from pictures") == "0")
    }
  }

  @Test("[C-1] what the metadata says goes before what a message says")
  func metadataFirst() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()
      let wanted = StreamNotificationsRequest(after: 0, accessToken: "nonsense")
      let first = try await identity.notifications.streamNotifications(wanted, .user(login)) { stream in
        try await stream.first { _ in true }
      }
      #expect(first?.notification == nil)
      let forged = try await refusal {
        let wanted = StreamNotificationsRequest(after: 0, accessToken: login.accessToken)
        try await identity.notifications.streamNotifications(wanted, .token("nonsense")) { for try await _ in $0 {} }
      }
      #expect(forged.reason == "TOKEN_INVALID")
    }
  }
}
