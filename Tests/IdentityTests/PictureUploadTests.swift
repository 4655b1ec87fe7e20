import Foundation
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("files that are uploaded as pictures", .ownThreads)
struct PictureUploadTests {
  @Test(
    "[ID-25] anything else is INVALID_ARGUMENT UNSUPPORTED_IMAGE, and nothing is stored",
    arguments: [
      "named.jpg", "named.png", "named.webp", "svg.png", "pdf.jpg", "riff.webp", "empty.png", "truncated.jpg",
      "truncated.png", "truncated.webp", "scrambled.png", "bomb.png",
    ])
  func unsupported(name: String) async throws {
    let file = try TestPictures.bytes(name)
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()

      let refused = try await refusal { try await identity.upload(file, .user(login)) }

      #expect(refused.code == .invalidArgument && refused.reason == "UNSUPPORTED_IMAGE")
      #expect(refused.fields == ["chunk"])
      #expect(try await identity.value("select count(*) from pictures") == "0")
      let missing = try await refusal { try await identity.download("ada", .full, .user(login)) }
      #expect(missing.code == .notFound && missing.reason == "PICTURE_MISSING")
    }
  }

  @Test("[ID-25] more than 5 MiB are refused while they come")
  func tooLong() async throws {
    // All of the file may wait for a reader that is slow.
    try await RunningIdentity.with(CheapIdentity.self, ["--max-unread-mib-per-stream", "8"]) { identity in
      let login = try await identity.withProfile()
      let file = try TestPictures.bytes("plain.jpg") + [UInt8](repeating: 0, count: 5 << 20)

      let refused = try await refusal { try await identity.upload(file, .user(login)) }

      #expect(refused.code == .invalidArgument && refused.reason == "UNSUPPORTED_IMAGE")
      #expect(refused.message == "The picture must not be larger than 5 MiB")
    }
  }

  @Test(
    "[ID-25] nothing that is stored tells where or by whom a picture was taken",
    arguments: ["gps.jpg", "gps.png", "gps.webp"])
  func metadata(name: String) async throws {
    let file = try TestPictures.bytes(name)
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()

      let uploaded = try await identity.upload(file, .user(login))

      #expect(uploaded.renditions.map(\.height) == [640, 256, 64])
      for rendition in uploaded.renditions {
        let stored = try await identity.download("ada", rendition.size, .user(login)).bytes
        let found = ["Exif", "eXIf", "EXIF", "XMP "].filter { stored.contains(Array($0.utf8)) }
        #expect(found.isEmpty, "in \(rendition.size)")
        let hasSecret = stored.contains(TestPictures.secret)
        #expect(!hasSecret)
      }
    }
  }

  @Test("[ID-25] of 24 uploads at once one picture stays, whole")
  func race() async throws {
    let files = try ["plain.jpg", "plain.webp", "transparent.png"].map(TestPictures.bytes)
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()

      let results = await identity.race(24) { client, number in
        try await ProfilesClient(client).upload(files[number % 3], .user(login))
      }

      #expect(results.successes().count == 24, "\(results.refusals())")
      #expect(try await identity.value("select count(*) from pictures") == "1")
      #expect(try await identity.value("select count(*) from picture_renditions") == "3")
      let read = try await identity.download("ada", .full, .user(login))
      #expect(Int64(read.bytes.count) == read.picture.renditions.first?.byteCount)
    }
  }

  @Test("[ID-25] 30 uploads in an hour are taken, refused files included, and of a race as many")
  func quota() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()

      let calls = Gathered<Int>()
      let results = await identity.race(40) { client, caller in
        calls.add(caller)
        return try await ProfilesClient(client).upload([1, 2, 3], .user(login))
      }

      let reasons = results.refusals().map { $0.reason ?? "" }
      let taken = reasons.count { $0 == "UNSUPPORTED_IMAGE" }
      // A call that met a busy database is repeated, and may have been counted.
      let repeated = calls.all.count - 40
      #expect((30 - repeated...30).contains(taken), "\(taken), \(repeated) repeated")
      #expect(reasons.count { $0 == "UPLOAD_QUOTA_REACHED" } == 40 - taken)
      let refused = results.refusals().first { $0.reason == "UPLOAD_QUOTA_REACHED" }
      #expect(refused?.code == .resourceExhausted && refused?.retryAfter == .seconds(3_600))
      identity.clock.advance(by: .seconds(3_600))
      let later = try await identity.accounts.login(User.ada.login)
      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(later))
    }
  }

  @Test("[ID-25] an upload that does not come to an end is given up")
  func slow() async throws {
    try await RunningIdentity.with(CheapIdentity.self, ["--upload-timeout", "1s"]) { identity in
      let login = try await identity.withProfile()
      let start = try TestPictures.bytes("plain.jpg").prefix(100)

      let refused = try await refusal {
        try await identity.profiles.uploadProfilePicture(.user(login)) { writer in
          try await writer.send(UploadProfilePictureRequest(chunk: Array(start)))
          // Goes on for as long as it is listened to.
          while true {
            // Short beside the second which the upload may take, so that it is never silent; long enough not to fill the stream's mailbox:
            // only its slowness can end it.
            try await Task.sleep(for: .milliseconds(5))
            try await writer.send(UploadProfilePictureRequest())
          }
        }
      }

      #expect(refused.code == .deadlineExceeded && refused.reason == "UPLOAD_TOO_SLOW")
      #expect(try await identity.value("select count(*) from pictures") == "0")
    }
  }

  @Test(
    "[ID-25] decoders that crash or hang cost their picture, and the service goes on", arguments: ["crash", "hang"])
  func misbehavingDecoder(how: String) async throws {
    let folder = NSTemporaryDirectory() + "tandem-decoder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // Longer than any test lasts: the service has to kill it.
    let script = how == "crash" ? "kill -11 $$" : "exec sleep 1000"
    try script.write(toFile: "\(folder)/script", atomically: true, encoding: .utf8)
    let standIn = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Pictures/decoder").standardized
    try FileManager.default.createSymbolicLink(atPath: "\(folder)/decoder", withDestinationPath: standIn.path)
    let file = try TestPictures.bytes("plain.jpg")
    let settings = ["--image-decoder", "\(folder)/decoder", "--image-timeout", "1s"]
    try await RunningIdentity.with(CheapIdentity.self, settings) { identity in
      let login = try await identity.withProfile()

      let results = await identity.race(8) { client, _ in try await ProfilesClient(client).upload(file, .user(login)) }

      #expect(results.refusals().count { $0.reason == "UNSUPPORTED_IMAGE" } == 8, "\(results)")
      _ = try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(login))
    }
  }
}
