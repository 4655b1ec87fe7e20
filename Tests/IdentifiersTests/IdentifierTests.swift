import Environment
import Identifiers
import TestSupport
import Testing

@Suite struct IdentifierTests {
  private enum Book {}

  @Test("[C-8] a new id is a UUIDv7 that carries its millisecond")
  func version() {
    let instant = Instant(microseconds: 1_645_557_742_123_456)
    let id = SeededRandomness(seed: 1).uuid7(at: instant)
    #expect(id.version == 7)
    #expect(id.low >> 62 == 0b10)
    #expect(id.instant == Instant(microseconds: 1_645_557_742_123_000))
    #expect(id.description.hasPrefix("017f22e2-7"))
  }

  @Test("the example of RFC 9562, appendix A.6, is read and written as printed there")
  func example() throws {
    let text = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"
    let id = try #require(UUID7(text))
    #expect(id.high == 0x017F_22E2_79B0_7CC3)
    #expect(id.low == 0x98C4_DC0C_0C07_398F)
    #expect(id.instant == Instant(microseconds: 1_645_557_742_000_000))
    #expect(id.description == text.lowercased())
    #expect(id.bytes.prefix(4) == [0x01, 0x7F, 0x22, 0xE2])
    #expect(id.bytes.withUnsafeBytes { UUID7(bytes: $0) } == id)
  }

  @Test(
    "text that is no UUID is refused",
    arguments: [
      "", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017f22e2-79b0-7cc3-98c4-dc0c0c07398ff",
      "017f22e279b07cc398c4dc0c0c07398f", "{017f22e2-79b0-7cc3-98c4-dc0c0c0739}",
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398g",
      "017f22e2_79b0_7cc3_98c4_dc0c0c07398f", "017f22e2-79b0-7cc3-98c4-dc0c0c0739é",
      "017f22e2-79b0-7cc3-98c4-dc0c0c07398\0",
    ])
  func refusedText(text: String) {
    #expect(UUID7(text) == nil)
    #expect(Identifier<Book>(text) == nil)
  }

  @Test("every id survives the way to text and bytes and back")
  func roundTrip() {
    let randomness = SeededRandomness(seed: 2)
    for _ in 0..<1_000 {
      let id = UUID7(high: randomness.uint64(), low: randomness.uint64())
      #expect(UUID7(id.description) == id)
      #expect(UUID7(id.description.uppercased()[...]) == id)
      #expect(id.bytes.withUnsafeBytes { UUID7(bytes: $0) } == id)
    }
  }

  @Test("ids sort by the time they were made, within a millisecond too, as text and as bytes")
  func order() {
    let clock = ManualClock()
    let environment = Environment(clock: clock, randomness: SeededRandomness(seed: 3))
    let ids = (0..<2_000).map { _ in
      clock.advance(by: .microseconds(1))
      return environment.newID() as Identifier<Book>
    }
    #expect(ids == ids.sorted())
    #expect(ids.map(\.description) == ids.map(\.description).sorted())
    #expect(Set(ids).count == ids.count)
  }

  @Test("the system's randomness fills any size and does not repeat")
  func systemRandomness() {
    let bytes = SystemRandomness().bytes(10_000)
    #expect(bytes.count == 10_000)
    #expect(Set(bytes).count == 256)
    #expect(bytes.prefix(5_000) != bytes.suffix(5_000))
    #expect(SystemRandomness().bytes(0).isEmpty)
    let made = Set((0..<10_000).map { _ in SystemRandomness().uuid7(at: Instant(microseconds: 0)) })
    #expect(made.count == 10_000)
  }
}
