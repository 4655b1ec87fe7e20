import BenchV1
import ProtobufC
import SwiftProtobuf

/// The same people as values of both libraries and as bytes. One person alone has 189 bytes.
final class Pair {
  let ours: PersonList
  let peers: Bench_V1_PersonList
  let bytes: [UInt8]
  private let arena = Arena()

  init(count: Int) throws {
    let list = PersonList(people: (0..<count).map(Self.person))
    ours = list
    peers = try Bench_V1_PersonList(serializedBytes: list.serialized())
    // Decoding a single message begins inside the list.
    bytes = count == 1 ? list.people[0].serialized() : list.serialized()
    guard try peers.serializedBytes() == list.serialized() else { throw Difference() }
    if count == 1, bytes.count != Self.size { throw WrongSize(bytes: bytes.count) }
  }

  private static let size = 189

  private static func person(_ number: Int) -> Person {
    Person(
      id: 4_611_686_018_427_387_904 + Int64(number), username: "quiet.reader_42", email: "quiet.reader@example.org",
      displayName: "Marguerite Sandoval",
      bio: "Climbs before work, reads after it, and lends whatever is on a shelf beside the big kitchen window.",
      createdAtUs: 1_795_222_800_000_000 + Int64(number), score: 4_200, active: true)
  }

  /// Ours to a fresh array, as a server would before it writes.
  func encode(_ message: some ProtobufMessage) -> [UInt8] {
    defer { arena.reset() }
    return message.packed(in: arena).bytes
  }

  /// SwiftProtobuf's to a fresh array.
  func encode(_ message: some SwiftProtobuf.Message) throws -> [UInt8] {
    try message.serializedBytes()
  }

  func decodeOurs<Message: ProtobufMessage>(_ type: Message.Type) throws -> Message {
    try bytes.withUnsafeBytes { try type.decode($0, in: arena) }
  }

  func decodePeers<Message: SwiftProtobuf.Message>(_ type: Message.Type) throws -> Message {
    try type.init(serializedBytes: bytes)
  }
}

/// The two libraries disagree, so there is nothing to compare.
struct Difference: Error {}

/// The message is not as long as its figure says.
struct WrongSize: Error {
  let bytes: Int
}
