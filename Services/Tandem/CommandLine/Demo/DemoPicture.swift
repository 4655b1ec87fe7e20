import Base64

/// A small picture that is drawn by rule, as a PNG file with a palette of 16 colours.
struct DemoPicture: Sendable {
  /// Red, green and blue.
  typealias Colour = (UInt8, UInt8, UInt8)

  let width: Int
  let height: Int
  private let palette: [Colour]
  /// Indices of the palette, row by row.
  private let pixels: [UInt8]

  /// A cover: a frame, a band for the title with lines in place of letters, and rings in a place of its own.
  static func cover(_ seed: Int) -> DemoPicture {
    let palette = hues[seed % hues.count]
    let (centre, radius) = ((80 + seed * 37 % 80, 190 + seed * 23 % 60), 40 + seed * 11 % 30)
    return DemoPicture(width: 240, height: 320, palette: palette) { x, y in
      if min(x, y, 239 - x, 319 - y) < 8 { return 1 }
      if (32..<96).contains(y), (24..<216).contains(x) {
        let isLine = [48..<58, 70..<76].contains { $0.contains(y) }
        return isLine && x >= 40 && x < 150 + (y < 60 ? 40 : 0) ? 1 : 3
      }
      let (dx, dy) = (x - centre.0, y - centre.1)
      let distance = dx * dx + dy * dy
      if distance < radius * radius { return distance / 180 % 2 == 0 ? 2 : 3 }
      return y > 270 && (x + y + seed * 13) % 24 < 12 ? 2 : 0
    }
  }

  /// A face: a head and shoulders before a plain ground.
  static func portrait(_ seed: Int) -> DemoPicture {
    DemoPicture(width: 192, height: 192, palette: hues[seed % hues.count]) { x, y in
      let (dx, dy) = (x - 96, y - 76)
      if dx * dx + dy * dy < 40 * 40 { return dy < -14 ? 1 : 3 }
      let (sx, sy) = (x - 96, y - 190)
      return sx * sx + sy * sy < 64 * 64 ? 2 : 0
    }
  }

  /// Ground, ink, and two more colours.
  private static let hues: [[Colour]] = [
    [(0x1f, 0x4e, 0x5f), (0xf4, 0xe9, 0xcd), (0xe0, 0x7a, 0x5f), (0x81, 0xb2, 0x9a)],
    [(0x6b, 0x3a, 0x10), (0xfb, 0xf1, 0xdb), (0xc2, 0x7b, 0x2c), (0xf2, 0xcc, 0x8f)],
    [(0x2d, 0x2a, 0x54), (0xf1, 0xee, 0xff), (0x8d, 0x6a, 0x9f), (0xc5, 0xb4, 0xe3)],
    [(0x14, 0x53, 0x2d), (0xf0, 0xfd, 0xf4), (0x65, 0xa3, 0x0d), (0xbe, 0xf2, 0x64)],
    [(0x7f, 0x1d, 0x1d), (0xff, 0xf7, 0xed), (0xea, 0x58, 0x0c), (0xfd, 0xba, 0x74)],
  ]

  private init(width: Int, height: Int, palette: [Colour], colour: (_ x: Int, _ y: Int) -> UInt8) {
    (self.width, self.height, self.palette) = (width, height, palette)
    pixels = (0..<height).flatMap { y in (0..<width).map { colour($0, y) } }
  }

  /// The bytes of the file, in base64 for a message's JSON.
  var base64: String { Base64URL.encode(png) }

  /// Four bits a pixel; what it is packed in is not compressed, as the services keep the pixels alone.
  var png: [UInt8] {
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(0)
      for x in stride(from: 0, to: width, by: 2) {
        rows.append(pixels[y * width + x] << 4 | (x + 1 < width ? pixels[y * width + x + 1] : 0))
      }
    }
    let head = Self.bytes(width) + Self.bytes(height) + [4, 3, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", head)
      + Self.chunk("PLTE", palette.flatMap { [$0.0, $0.1, $0.2] }) + Self.chunk("IDAT", Self.stored(rows))
      + Self.chunk("IEND", [])
  }

  private static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + content
    return bytes(content.count) + named + bytes(Int(crc(named)))
  }

  /// A zlib stream of stored blocks (RFC 1950, RFC 1951).
  private static func stored(_ content: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: content.count, by: 65_535) {
      let part = content[start..<min(start + 65_535, content.count)]
      let length = UInt16(part.count)
      out.append(start + part.count == content.count ? 1 : 0)
      for number in [length, ~length] { out += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
      out += part
    }
    var (low, high) = (UInt32(1), UInt32(0))
    for byte in content {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return out + bytes(Int(high << 16 | low))
  }

  private static func crc(_ content: [UInt8]) -> UInt32 {
    ~content.reduce(UInt32.max) { rest, byte in
      (0..<8).reduce(rest ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
  }
}
