import Images
import Synchronization
import TTRPC

/// A file that is being received, with its reserved memory.
final class FileInRoom: Sendable {
  private let room: UploadRoom
  private let held = Mutex<[UInt8]>([])

  init(_ room: UploadRoom) {
    self.room = room
  }

  /// The bytes received.
  var bytes: [UInt8] { held.withLock { $0 } }

  /// Receives the whole file and returns the first message; `nil` when none came.
  ///
  /// A file that cannot become a picture is refused as soon as that is known, before the rest is received.
  func gather<Message: Sendable>(
    _ messages: MessageStream<Message>, _ chunk: (Message) -> [UInt8], admit: (Message) async throws -> Void
  ) async throws -> Message? {
    var first: Message?
    for try await message in messages {
      if first == nil { try await admit(message) }
      first = first ?? message
      try append(chunk(message))
    }
    return first
  }

  private func append(_ chunk: [UInt8]) throws {
    let length = held.withLock { $0.count }
    guard length + chunk.count <= ImageLimits.fileBytes else { throw UnsupportedImage.tooLong }
    guard room.take(chunk.count) else { throw Status.tooManyUploads }
    held.withLock { $0 += chunk }
    guard length >= Self.announcement || length + chunk.count < Self.announcement || isPicture else {
      throw UnsupportedImage.otherFormat
    }
  }

  /// The bytes from which every format is recognised.
  private static let announcement = 12

  private var isPicture: Bool { held.withLock { ImageFormat(content: $0) != nil } }

  /// Releases the reserved memory.
  func leave() {
    room.give(back: held.withLock { $0.count })
  }
}
