import KindsV1
import ProtobufC
import Testing

@Suite struct ArenaTests {
  @Test("packed messages stay valid side by side until the arena is reset, decoding in between")
  func packed() throws {
    let arena = Arena(firstBlock: 256)
    let messages = (0..<50).map { Kinds(aString: String(repeating: "x", count: $0 * 7), manyInt64: [1, 2, Int64($0)]) }
    let packed = messages.map { $0.packed(in: arena) }
    for (message, pack) in zip(messages, packed) {
      // One byte more on each side shows a write outside.
      var bytes = [UInt8](repeating: 0xa5, count: pack.size + 2)
      bytes.withUnsafeMutableBytes { pack.copy(to: $0.baseAddress.unsafelyUnwrapped + 1) }
      #expect(bytes.first == 0xa5 && bytes.last == 0xa5)
      let back = try bytes.dropFirst().dropLast().withUnsafeBytes { try Kinds.decode($0, in: arena) }
      #expect(back == message)
    }
    arena.reset()
    #expect(messages[0].packed(in: arena).size == messages[0].serialized().count)
  }

  @Test("a large message needs no more than the arena's first block and chunks")
  func large() throws {
    let arena = Arena(firstBlock: 64)
    let message = Kinds(manyString: (0..<20_000).map { "text number \($0)" })
    let bytes = message.serialized()
    for _ in 0..<3 {
      #expect(try bytes.withUnsafeBytes { try Kinds.decode($0, in: arena) } == message)
      #expect(message.packed(in: arena).size == bytes.count)
      arena.reset()
    }
  }
}
