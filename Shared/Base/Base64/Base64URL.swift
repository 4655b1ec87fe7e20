/// Base 64 with the URL and filename safe alphabet and no padding (RFC 4648, section 5; RFC 7515, section 2).
public enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The text of `bytes`, four characters for three bytes.
  public static func encode(_ bytes: [UInt8]) -> String {
    String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
      var (bits, held, count): (UInt32, UInt32, Int) = (0, 0, 0)
      for byte in bytes {
        bits = bits << 8 | UInt32(byte)
        held += 8
        while held >= 6 {
          held -= 6
          text[count] = alphabet[Int(bits >> held & 0x3F)]
          count += 1
        }
      }
      if held > 0 {
        text[count] = alphabet[Int(bits << (6 - held) & 0x3F)]
        count += 1
      }
      return count
    }
  }

  /// The bytes of `text`; `nil` for padding, white space, other alphabets, and for the second spellings of the same
  /// bytes that leftover bits would allow.
  public static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (bits, held): (UInt32, UInt32) = (0, 0)
    for character in text {
      let value = values[Int(character)]
      guard value != 0xFF else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> held))
      }
    }
    guard bits & (1 << held - 1) == 0 else { return nil }
    return bytes
  }

  /// The bytes of `text`; `nil` where its UTF-8 is not the base 64 of any.
  public static func decode(_ text: String) -> [UInt8]? {
    decode(text.utf8)
  }
}
