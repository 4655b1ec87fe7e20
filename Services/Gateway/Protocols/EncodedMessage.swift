import TTRPC
import WorkerPool

/// A message as it is on the wire, in its codec and perhaps compressed.
public struct EncodedMessage: Sendable, Equatable {
  public let bytes: [UInt8]
  public let isCompressed: Bool

  public init(_ bytes: [UInt8], isCompressed: Bool = false) {
    self.bytes = bytes
    self.isCompressed = isCompressed
  }
}

/// How the messages of a call are compressed, and how long they may be.
public struct MessageCompression: Sendable {
  let request: Compression
  let response: Compression
  /// Bytes of the longest message of the request, as its codec writes it.
  let maxBytes: Int

  /// Whether messages of the answer may be compressed.
  public var compressesAnswers: Bool { response != .identity }

  /// A message of the request in its codec; `nil` where it is longer than the turn may read.
  ///
  /// - Throws: how the call ends.
  public func expanded(_ message: EncodedMessage, in turn: borrowing BoundedTurn) throws(Status) -> [UInt8]? {
    guard message.isCompressed else { return message.bytes.count <= turn.maxBytes ? message.bytes : nil }
    guard message.bytes.count <= turn.maxBytes else { return nil }
    do throws(Gzip.Failure) {
      return try Gzip.unpack(message.bytes, limit: min(maxBytes, turn.maxBytes))
    } catch .tooLarge {
      if turn.maxBytes < maxBytes { return nil }
      throw .tooLarge(maxBytes)
    } catch {
      throw Status(.invalidArgument, "The message is not gzip")
    }
  }

  /// A message of the answer as it is sent; `nil` where it is longer than the turn may read.
  public func compressed(_ message: [UInt8], in turn: borrowing BoundedTurn) -> EncodedMessage? {
    guard response == .gzip, message.count >= Compression.smallest else { return EncodedMessage(message) }
    guard message.count <= turn.maxBytes else { return nil }
    guard let packed = Gzip.pack(message), packed.count < message.count else { return EncodedMessage(message) }
    return EncodedMessage(packed, isCompressed: true)
  }
}

extension Status {
  static func tooLarge(_ limit: Int) -> Status {
    Status(
      .resourceExhausted, reason: "MESSAGE_TOO_LARGE",
      "The message is longer than the \(limit) bytes that are allowed")
  }
}
