import Images
import TTRPC
import TandemIdentity
import TestSupport
import Testing

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
      let pictureless = try await refusal { try await identity.download("grace.h", .full, .user(ada)) }
      let unnamed = try await refusal { try await identity.download("", .full, .user(ada)) }
      let stranger = try await refusal { try await identity.download("ada", .full, .default) }
      let size = try await refusal { try await identity.download("ada", .init(rawValue: 77), .user(ada)) }

      #expect(seen.picture.userID == ada.userID && !seen.bytes.isEmpty)
      #expect(nobody.code == .notFound && nobody.message == "There is no such person")
      #expect(pictureless.reason == "PICTURE_MISSING")
      #expect(unnamed.reason == "USERNAME_REQUIRED" && unnamed.message == "username cannot be empty")
      #expect(stranger.code == .unauthenticated && stranger.reason == "TOKEN_MISSING")
      #expect(size.reason == "ENUM_VALUE_UNKNOWN")
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

      #expect(profile.reason == "USER_NOT_FOUND" && picture.reason == "USER_NOT_FOUND")
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
        DeleteAccountRequest(password: User.ada.password), .user(login))

      for table in ["pictures", "picture_renditions", "picture_chunks", "picture_quotas"] {
        #expect(try await identity.value("select count(*) from \(table)") == "0", "\(table)")
      }
    }
  }

  @Test("[ID-25] [ID-20] a picture needs no gym part, and others see it")
  func withoutGymPart() async throws {
    try await RunningIdentity.with { identity in
      let (login, grace) = (try await identity.loggedIn(), try await identity.loggedIn(.grace))

      _ = try await identity.upload(try TestPictures.bytes("plain.jpg"), .user(login))
      let read = try await identity.download("ada", .full, .user(grace))

      #expect(read.picture.userID == login.userID && !read.bytes.isEmpty)
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
