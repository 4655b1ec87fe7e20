import Foundation
import GoogleType
import Identifiers
import Images
import TTRPC
import TandemIdentity
import TestSupport
import Testing

@testable import identity

@Suite("profile pictures", .ownThreads)
struct PictureTests {
  @Test("[ID-25] a picture is uploaded and read as a stream of chunks, in three sizes")
  func uploadsAndDownloads() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      let file = try TestPictures.bytes("plain.jpg")

      let uploaded = try await identity.upload(file, chunk: 1_000, .user(login))

      #expect(uploaded.userID == login.userID && !uploaded.etag.isEmpty)
      #expect(uploaded.uploadTime?.seconds == identity.clock.now.wholeSeconds)
      #expect(uploaded.renditions.map(\.size) == [.full, .thumbnail256, .thumbnail64])
      #expect(uploaded.renditions.map(\.width) == [640, 256, 64])
      #expect(uploaded.renditions.allSatisfy { $0.mediaType == "image/jpeg" })
      for rendition in uploaded.renditions {
        let read = try await identity.download("Ada", rendition.size, .user(login))
        #expect(read.picture == uploaded)
        #expect(read.bytes.count == Int(rendition.byteCount) && ImageFormat(content: read.bytes) == .jpeg)
      }
      let unspecified = try await identity.download("ada", .unspecified, .user(login))
      #expect(unspecified.bytes.count == Int(uploaded.renditions[0].byteCount))
    }
  }

  @Test("[ID-25] a picture of several chunks is stored in pieces and comes back whole")
  func pieces() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()

      let uploaded = try await identity.upload(try TestPictures.bytes("noise.png"), .user(login))
      let read = try await identity.download("ada", .full, .user(login))

      let full = try #require(uploaded.renditions.first)
      #expect(full.byteCount > 3 * 65_536 && read.bytes.count == Int(full.byteCount))
      #expect(read.chunks.dropLast().allSatisfy { $0 == 65_536 })
      let sums = try await identity.sql(
        """
        select sum(octet_length(bytes)) = byte_count, max(number) + 1 = count(*) from picture_chunks
        join picture_renditions using (picture_id, size) group by picture_id, size, byte_count
        """)
      #expect(sums == [["t", "t"], ["t", "t"], ["t", "t"]])
    }
  }

  @Test("[ID-25] everybody who is logged in sees the picture of a profile, by the profile's own rules")
  func visibility() async throws {
    try await RunningIdentity.with { identity in
      let ada = try await identity.withProfile()
      let grace = try await identity.loggedIn(.grace)
      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(ada))

      let seen = try await identity.download("ada", .thumbnail64, .user(grace))
      let nobody = try await refusal { try await identity.download("nobody", .full, .user(ada)) }
      let withoutProfile = try await refusal { try await identity.download("grace.h", .full, .user(ada)) }
      let unnamed = try await refusal { try await identity.download("", .full, .user(ada)) }
      let stranger = try await refusal { try await identity.download("ada", .full, .default) }
      let size = try await refusal { try await identity.download("ada", .init(rawValue: 77), .user(ada)) }

      #expect(seen.picture.userID == ada.userID && !seen.bytes.isEmpty)
      #expect(nobody.code == .notFound && nobody.message == "There is no such person")
      #expect(withoutProfile.reason == "PERSON_NOT_FOUND")
      #expect(unnamed.reason == "USERNAME_REQUIRED" && unnamed.message == "username cannot be empty")
      #expect(stranger.code == .unauthenticated && stranger.reason == "TOKEN_MISSING")
      #expect(size.reason == "PICTURE_SIZE_UNKNOWN")
    }
  }

  @Test("[ID-25] a profile names its picture to everybody who sees it, so that nobody reads it twice")
  func namedByProfile() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.withProfile(), try await identity.member(.grace))
      func seen(by login: LoginResponse) async throws -> String {
        try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(login)).pictureEtag
      }
      let before = try await seen(by: grace)
      let first = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(ada))
      let withFirst = [try await seen(by: grace), try await seen(by: ada)]
      let second = try await identity.upload(try TestPictures.bytes("noise.png"), .user(ada))
      let found = try await identity.profiles.searchProfiles(SearchProfilesRequest(prefix: "a"), .user(grace))
      let updated = try await identity.profiles.updateProfile(
        UpdateProfileRequest(profile: Profile(level: .expert, pictureEtag: "mine")), .user(ada))
      _ = try await identity.profiles.deleteProfilePicture(DeleteProfilePictureRequest(), .user(ada))
      let after = try await seen(by: grace)

      #expect(before.isEmpty && after.isEmpty)
      #expect(withFirst == [first.etag, first.etag] && first.etag != second.etag)
      #expect(found.profiles.map(\.pictureEtag) == [second.etag] && updated.pictureEtag == second.etag)
      let masked = try await refusal {
        try await identity.profiles.updateProfile(
          UpdateProfileRequest(profile: Profile(), updateMask: .init(paths: ["picture_etag"])), .user(ada))
      }
      #expect(masked.fieldReasons == ["FIELD_IMMUTABLE"])
    }
  }

  @Test("[C-10] who is kept away sees neither the profile that names the picture nor the picture")
  func hiddenByBlock() async throws {
    try await RunningIdentity.with { identity in
      let (ada, grace) = (try await identity.withProfile(), try await identity.member(.grace))
      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(ada))
      _ = try await identity.safety.blockUser(BlockUserRequest(userID: grace.userID), .user(ada))

      let profile = try await refusal {
        try await identity.profiles.getProfile(GetProfileRequest(username: "ada"), .user(grace))
      }
      let picture = try await refusal { try await identity.download("ada", .full, .user(grace)) }

      #expect(profile.reason == "PERSON_NOT_FOUND" && picture.reason == "PERSON_NOT_FOUND")
    }
  }

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
    try await RunningIdentity.with { identity in
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

  @Test("[ID-25] another picture takes the place of the one before, the same one changes nothing")
  func replaces() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      let first = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))
      identity.clock.advance(by: .seconds(60))

      let again = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))
      let second = try await identity.upload(try TestPictures.bytes("transparent.png"), .user(login))

      #expect(again == first && second.etag != first.etag)
      #expect(try await identity.value("select count(*) from pictures") == "1")
      #expect(try await identity.value("select count(*) from picture_renditions") == "3")
      let read = try await identity.download("ada", .full, .user(login))
      #expect(read.picture == second && ImageFormat(content: read.bytes) == .png)
    }
  }

  @Test("[C-11] an etag that is not the picture's any more is refused, and nothing changes")
  func etags() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      let first = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))
      let second = try await identity.upload(
        try TestPictures.bytes("plain.webp"), replacing: first.etag, .user(login))

      let upload = try await refusal {
        try await identity.upload(try TestPictures.bytes("tiny.png"), replacing: first.etag, .user(login))
      }
      let deletion = try await refusal {
        try await identity.profiles.deleteProfilePicture(DeleteProfilePictureRequest(etag: first.etag), .user(login))
      }

      #expect(upload.code == .aborted && upload.reason == "ETAG_MISMATCH")
      #expect(deletion.code == .aborted && deletion.reason == "ETAG_MISMATCH")
      let known = try await identity.download("ada", .full, known: second.etag, .user(login))
      #expect(known.picture == second && known.bytes.isEmpty)
    }
  }

  @Test("[ID-25] a picture is removed in every size, and removing it again does nothing")
  func removes() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))

      for _ in 0..<2 {
        _ = try await identity.profiles.deleteProfilePicture(DeleteProfilePictureRequest(), .user(login))
      }

      for table in ["pictures", "picture_renditions", "picture_chunks"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0", "\(table)")
      }
      let missing = try await refusal { try await identity.download("ada", .full, .user(login)) }
      #expect(missing.reason == "PICTURE_MISSING")
    }
  }

  @Test("[C-9] a deleted account's picture goes with it, and what was counted of its uploads")
  func departure() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))

      _ = try await identity.accounts.deleteAccount(
        DeleteAccountRequest(password: Person.ada.password), .user(login))

      for table in ["pictures", "picture_renditions", "picture_chunks", "picture_quotas"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }

  @Test("[ID-25] somebody without a profile has no picture")
  func withoutProfile() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.loggedIn()

      let refused = try await refusal {
        try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))
      }

      #expect(refused.code == .notFound && refused.reason == "PROFILE_MISSING")
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

      let results = await identity.race(40) { client, _ in
        try await ProfilesClient(client).upload([1, 2, 3], .user(login))
      }

      let reasons = results.refusals().map { $0.reason ?? "" }
      #expect(reasons.count { $0 == "UNSUPPORTED_IMAGE" } == 30)
      #expect(reasons.count { $0 == "UPLOAD_QUOTA_REACHED" } == 10)
      let refused = results.refusals().first { $0.reason == "UPLOAD_QUOTA_REACHED" }
      #expect(refused?.code == .resourceExhausted && refused?.retryAfter == .seconds(3_600))
      identity.clock.advance(by: .seconds(3_600))
      let later = try await identity.accounts.login(Person.ada.login)
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

  @Test("[C-4] a deletion that is repeated with its request_id does not remove the picture that came after it")
  func repeatedDeletion() async throws {
    try await RunningIdentity.with { identity in
      let login = try await identity.withProfile()
      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))
      let call = DeleteProfilePictureRequest(requestID: "0197a5a0-0000-4000-8000-000000000009")
      _ = try await identity.profiles.deleteProfilePicture(call, .user(login))
      _ = try await identity.upload(try TestPictures.bytes("tiny.png"), .user(login))

      _ = try await identity.profiles.deleteProfilePicture(call, .user(login))

      #expect(try await identity.value("select count(*) from pictures") == "1")
    }
  }
}

/// What came of reading a picture.
private struct ReadPicture {
  let picture: ProfilePicture
  let chunks: [Int]
  let bytes: [UInt8]
}

extension ProfilesClient {
  /// Uploads a file as chunks of some length.
  fileprivate func upload(
    _ file: [UInt8], chunk: Int = 65_536, replacing etag: String = "", _ options: CallOptions
  ) async throws -> ProfilePicture {
    try await uploadProfilePicture(options) { writer in
      try await writer.send(UploadProfilePictureRequest(etag: etag))
      for start in stride(from: 0, to: file.count, by: chunk) {
        let part = Array(file[start..<min(start + chunk, file.count)])
        try await writer.send(UploadProfilePictureRequest(chunk: part))
      }
    }
  }
}

extension RunningIdentity {
  /// Registers, verifies and logs in a person, and makes a profile.
  fileprivate func withProfile(_ person: Person = .ada) async throws -> LoginResponse {
    let login = try await loggedIn(person)
    let profile = Profile(
      gender: .female, dateOfBirth: Date(year: 1990, month: 12, day: 10), level: .expert, timeZone: "Europe/London")
    _ = try await profiles.createProfile(CreateProfileRequest(profile: profile), .user(login))
    return login
  }

  fileprivate func upload(
    _ file: [UInt8], chunk: Int = 65_536, replacing etag: String = "", _ options: CallOptions
  ) async throws -> ProfilePicture {
    try await profiles.upload(file, chunk: chunk, replacing: etag, options)
  }

  fileprivate func download(
    _ username: String, _ size: TandemIdentity.PictureSize, known: String = "", _ options: CallOptions
  ) async throws -> ReadPicture {
    let call = DownloadProfilePictureRequest(username: username, size: size, knownEtag: known)
    return try await profiles.downloadProfilePicture(call, options) { responses in
      var (picture, chunks, bytes): (ProfilePicture?, [Int], [UInt8]) = (nil, [], [])
      for try await response in responses {
        if let first = response.picture { picture = first } else { chunks.append(response.chunk.count) }
        bytes += response.chunk
      }
      return ReadPicture(picture: try #require(picture), chunks: chunks, bytes: bytes)
    }
  }
}
