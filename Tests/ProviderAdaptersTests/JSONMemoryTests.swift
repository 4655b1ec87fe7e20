import Foundation
import ProviderDocuments
import Testing

@Suite("the memory that answers of providers take", .serialized)
struct JSONMemoryTests {
  @Test(
    "[IM-6] A10: a value takes 16 bytes, and the longest answer of small numbers stays under 200 MiB while it is read")
  func numbers() throws {
    #expect(MemoryLayout<JSONValue>.stride <= 16)
    var text = [UInt8](repeating: UInt8(ascii: "0"), count: JSONValue.maxLength - 1)
    for place in stride(from: 0, to: text.count, by: 2) { text[place] = UInt8(ascii: ",") }
    text[0] = UInt8(ascii: "[")
    text[text.count - 1] = UInt8(ascii: "]")
    let before = try Self.peak()
    let value = try JSONValue(text)
    #expect(value.list?.count == JSONValue.maxLength / 2 - 1)
    let taken = try Self.peak() - before
    #expect(taken < 200 << 10, "\(taken) KiB")
  }

  /// The most memory that the process has had, in KiB.
  private static func peak() throws -> Int {
    let lines = try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber)))
  }
}
