import GoogleType
import TTRPC
import TandemIdentity
import Testing

/// The outcome of reading a picture.
struct ReadPicture {
  let picture: ProfilePicture
  let chunks: [Int]
  let bytes: [UInt8]
}

extension ProfilesClient {
  /// Uploads a file as chunks of some length.
  func upload(
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
  /// Registers, verifies and logs in a user, and makes the gym part of the profile.
  func withProfile(_ user: User = .ada) async throws -> LoginResponse {
    let login = try await loggedIn(user)
    let profile = Profile(
      gender: .female, dateOfBirth: Date(year: 1990, month: 12, day: 10), level: .expert, timeZone: "Europe/London")
    _ = try await profiles.createProfile(CreateProfileRequest(profile: profile), .user(login))
    return login
  }

  func upload(
    _ file: [UInt8], chunk: Int = 65_536, replacing etag: String = "", _ options: CallOptions
  ) async throws -> ProfilePicture {
    try await profiles.upload(file, chunk: chunk, replacing: etag, options)
  }

  func download(
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
