import TTRPC
import TTRPCClient
import TandemCatalog
import TandemChat
import TandemIdentity

/// What the pictures of a kind have in common: where they are, and how their service sends and takes them.
enum PictureSource: Sendable, Equatable {
  /// `/pictures/profile/{username}`
  case profile(username: String)
  /// `/pictures/profile`: the caller's own.
  case ownProfile
  /// `/pictures/book/{book}/{photo}`
  case photo(book: String, photo: String)
  /// `/pictures/book/{book}`: a further photograph of it.
  case book(String)
  /// `/pictures/chat/{conversation}/{picture}`
  case message(conversation: String, picture: String)
  /// `/pictures/chat/{conversation}`: a picture for a message that is sent there later.
  case conversation(String)

  /// `nil` for any other path.
  init?(_ path: Substring) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    guard parts.first == "pictures", parts.count <= 4, parts.dropFirst(2).allSatisfy(Self.isName) else { return nil }
    switch (parts.count, parts.dropFirst().first) {
    case (2, "profile"): self = .ownProfile
    case (3, "profile"): self = .profile(username: parts[2])
    case (3, "book"): self = .book(parts[2])
    case (4, "book"): self = .photo(book: parts[2], photo: parts[3])
    case (3, "chat"): self = .conversation(parts[2])
    case (4, "chat"): self = .message(conversation: parts[2], picture: parts[3])
    default: return nil
    }
  }

  /// What ids and usernames consist of.
  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == ".") }
  }

  /// Whether a picture is put there, rather than read.
  var isUpload: Bool {
    switch self {
    case .ownProfile, .book, .conversation: true
    case .profile, .photo, .message: false
    }
  }

  /// The pattern of its path.
  var name: String {
    switch self {
    case .profile: "/pictures/profile/{username}"
    case .ownProfile: "/pictures/profile"
    case .photo: "/pictures/book/{book}/{photo}"
    case .book: "/pictures/book/{book}"
    case .message: "/pictures/chat/{conversation}/{picture}"
    case .conversation: "/pictures/chat/{conversation}"
    }
  }

  var service: String {
    switch self {
    case .profile, .ownProfile: "identity"
    case .photo, .book: "catalog"
    case .message, .conversation: "tracking"
    }
  }
}

/// A size in which a picture can be read, as `?size=` names it.
enum PictureWidth: String, Sendable {
  case full
  case medium = "256"
  case small = "64"

  var ofProfile: TandemIdentity.PictureSize {
    switch self {
    case .full: .full
    case .medium: .thumbnail256
    case .small: .thumbnail64
    }
  }

  var ofPhoto: PhotoSize {
    switch self {
    case .full: .full
    case .medium: .thumbnail256
    case .small: .thumbnail64
    }
  }

  var ofMessage: TandemChat.PictureSize {
    switch self {
    case .full: .full
    case .medium: .thumbnail256
    case .small: .thumbnail64
    }
  }
}

/// What is known of a picture before its file.
struct PictureHead: Sendable, Equatable {
  /// As RFC 9110 writes it, with quotation marks.
  let entityTag: String
  let mediaType: String
  let byteCount: Int
  /// Whether the same address never has another picture.
  let isForever: Bool
}

extension PictureSource {
  /// Reads a picture: its head, then its file in pieces, until `body` returns false.
  func read(
    _ width: PictureWidth, _ client: RPCClient, _ options: CallOptions,
    _ begin: (PictureHead) async throws -> Bool, _ body: ([UInt8]) async throws -> Bool
  ) async throws {
    switch self {
    case .profile(let username):
      var request = DownloadProfilePictureRequest()
      (request.username, request.size) = (username, width.ofProfile)
      try await ProfilesClient(client).downloadProfilePicture(request, options) { messages in
        for try await message in messages {
          if let picture = message.picture {
            guard let found = picture.renditions.first(where: { $0.size == width.ofProfile }) else {
              throw Self.missing
            }
            let head = PictureHead(
              entityTag: Self.tag(picture.etag, width), mediaType: found.mediaType, byteCount: Int(found.byteCount),
              isForever: false)
            guard try await begin(head) else { return }
          } else if try await !body(message.chunk) {
            return
          }
        }
      }
    case .photo(let book, let photo):
      var request = DownloadBookPhotoRequest()
      (request.bookID, request.photoID, request.size) = (book, photo, width.ofPhoto)
      try await BooksClient(client).downloadBookPhoto(request, options) { messages in
        for try await message in messages {
          if let photo = message.photo {
            guard let found = photo.renditions.first(where: { $0.size == width.ofPhoto }) else { throw Self.missing }
            let head = PictureHead(
              entityTag: Self.tag(photo.photoID, width), mediaType: found.mediaType, byteCount: Int(found.byteCount),
              isForever: true)
            guard try await begin(head) else { return }
          } else if try await !body(message.chunk) {
            return
          }
        }
      }
    case .message(let conversation, let picture):
      var request = DownloadPictureRequest()
      (request.conversationID, request.pictureID, request.size) = (conversation, picture, width.ofMessage)
      try await ChatClient(client).downloadPicture(request, options) { messages in
        for try await message in messages {
          if let picture = message.picture {
            guard let found = picture.renditions.first(where: { $0.size == width.ofMessage }) else {
              throw Self.missing
            }
            // The message may be deleted, and then it has no picture.
            let head = PictureHead(
              entityTag: Self.tag(picture.pictureID, width), mediaType: found.mediaType,
              byteCount: Int(found.byteCount), isForever: false)
            guard try await begin(head) else { return }
          } else if try await !body(message.chunk) {
            return
          }
        }
      }
    case .ownProfile, .book, .conversation: throw Self.missing
    }
  }

  private static var missing: Status { Status(.notFound, "There is no such picture") }

  /// The service's own name of the picture, as a tag may have it, with the size.
  private static func tag(_ name: String, _ width: PictureWidth) -> String {
    "\"\(name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })-\(width.rawValue)\""
  }

  /// The service's own name of the picture of a tag.
  static func name(of tag: String) -> String {
    let bare = tag.split(separator: "\"").first ?? ""
    return bare.lastIndex(of: "-").map { String(bare[..<$0]) } ?? String(bare)
  }

  /// Puts a picture there; returns the address at which it can be read.
  ///
  /// - Parameter next: the next piece of the file; `nil` at its end.
  func write(
    _ client: RPCClient, _ options: CallOptions, ifMatch tag: String?, _ next: () async -> [UInt8]?
  ) async throws -> String? {
    switch self {
    case .ownProfile:
      _ = try await ProfilesClient(client).uploadProfilePicture(options) { requests in
        var request = UploadProfilePictureRequest()
        request.etag = tag ?? ""
        repeat {
          guard let piece = await next() else { break }
          request.chunk = piece
          try await requests.send(request)
          request = UploadProfilePictureRequest()
        } while true
      }
      return nil
    case .book(let book):
      let photo = try await BooksClient(client).uploadBookPhoto(options) { requests in
        var request = UploadBookPhotoRequest()
        request.bookID = book
        repeat {
          guard let piece = await next() else { break }
          request.chunk = piece
          try await requests.send(request)
          request = UploadBookPhotoRequest()
        } while true
      }
      return "/pictures/book/\(photo.bookID)/\(photo.photoID)"
    case .conversation(let conversation):
      let picture = try await ChatClient(client).uploadPicture(options) { requests in
        var request = UploadPictureRequest()
        request.conversationID = conversation
        repeat {
          guard let piece = await next() else { break }
          request.chunk = piece
          try await requests.send(request)
          request = UploadPictureRequest()
        } while true
      }
      return "/pictures/chat/\(conversation)/\(picture.pictureID)"
    case .profile, .photo, .message: throw Self.missing
    }
  }
}
