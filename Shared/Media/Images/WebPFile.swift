/// A WebP file as a sequence of chunks (RFC 9649), to be reduced to its pixels.
package enum WebPFile {
  /// The chunks with pixels: lossy, lossless, transparency, and the canvas of the three.
  private static let pixels: Set<[UInt8]> = Set(["VP8 ", "VP8L", "ALPH", "VP8X"].map { Array($0.utf8) })
  /// The only feature flag of the canvas that is kept.
  private static let transparency: UInt8 = 0x10

  /// The file without colour profile, EXIF, XMP and every other chunk; `nil` when its chunks do not fill it exactly.
  ///
  /// libvips writes EXIF into every WebP, even where there was none.
  package static func pixelsOnly(_ file: [UInt8]) -> [UInt8]? {
    guard file.count >= 12, length(file[4..<8]) == file.count - 8 else { return nil }
    var (kept, rest) = ([UInt8](), file[12...])
    while !rest.isEmpty {
      guard rest.count >= 8 else { return nil }
      let name = Array(rest.prefix(4))
      let size = length(rest.dropFirst(4).prefix(4))
      // Chunks begin at even offsets.
      let padded = 8 + size + size % 2
      guard rest.count >= padded else { return nil }
      var chunk = Array(rest.prefix(padded))
      if name == Array("VP8X".utf8) {
        guard size >= 1 else { return nil }
        chunk[8] &= transparency
      }
      if pixels.contains(name) { kept += chunk }
      rest = rest.dropFirst(padded)
    }
    let total = UInt32(4 + kept.count)
    return Array("RIFF".utf8) + withUnsafeBytes(of: total.littleEndian, Array.init) + Array("WEBP".utf8) + kept
  }

  private static func length(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
