import Images
import Testing

@Suite("formats of pictures")
struct ImageFormatTests {
  @Test("a format is told by the first bytes, and nothing else is one")
  func content() {
    #expect(ImageFormat(content: [0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
    #expect(ImageFormat(content: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]) == .png)
    #expect(ImageFormat(content: Array("RIFF....WEBPVP8 ".utf8)) == .webp)
    for other in ["", "GIF89a", "II*\0", "RIFF....WAVE", "<svg", "%PDF-1.4", "BM", "\u{89}PNG\r\n\u{1A}"] {
      #expect(ImageFormat(content: Array(other.utf8)) == nil, "\(other)")
    }
    #expect(ImageFormat(content: [0xFF, 0xD8]) == nil)
  }

  @Test("a picture may have 50 megapixels, and not one more")
  func pixels() {
    #expect(ImageLimits.admits(width: 10_000, height: 5_000))
    #expect(ImageLimits.admits(width: 50_000_000, height: 1))
    #expect(!ImageLimits.admits(width: 10_001, height: 5_000))
    #expect(!ImageLimits.admits(width: .max, height: .max))
    #expect(!ImageLimits.admits(width: 0, height: 5))
    #expect(!ImageLimits.admits(width: -1, height: -1))
  }

  @Test("an answer of a decoder is taken only when it is whole and nothing but itself")
  func answers() throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3]
    let sizes: [(PictureSize, Int)] = [(.full, 900), (.thumbnail256, 256), (.thumbnail64, 64)]
    let renditions = sizes.map { Rendition(size: $0, format: .jpeg, width: $1, height: 10, bytes: jpeg) }
    let parts = renditions.map(DecoderAnswer.encode)
    let whole = parts.flatMap(\.self)

    #expect(DecoderAnswer.decode(whole) == renditions)
    for length in 0..<whole.count { #expect(DecoderAnswer.decode(Array(whole[..<length])) == nil, "\(length)") }
    #expect(DecoderAnswer.decode(whole + [0]) == nil)
    #expect(DecoderAnswer.decode(parts[0] + parts[1] + parts[1]) == nil)
    #expect(DecoderAnswer.decode(parts[1] + parts[0] + parts[2]) == nil)
    let wide = Rendition(size: .thumbnail64, format: .jpeg, width: 65, height: 10, bytes: jpeg)
    #expect(DecoderAnswer.decode(parts[0] + parts[1] + DecoderAnswer.encode(wide)) == nil)
    let other = Rendition(size: .thumbnail64, format: .png, width: 64, height: 10, bytes: jpeg)
    #expect(DecoderAnswer.decode(parts[0] + parts[1] + DecoderAnswer.encode(other)) == nil)
    var long = parts[0]
    long.replaceSubrange(10..<14, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(DecoderAnswer.decode(long + parts[1] + parts[2]) == nil)
  }

  @Test("[ID-25] a WebP keeps the chunks that pixels are in, and no other")
  func webp() {
    func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(bytes.count), 0, 0, 0] + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }
    func file(_ chunks: [UInt8]) -> [UInt8] {
      Array("RIFF".utf8) + [UInt8(4 + chunks.count), 0, 0, 0] + Array("WEBP".utf8) + chunks
    }
    let (alpha, lossy) = (chunk("ALPH", [1, 2, 3]), chunk("VP8 ", [4, 5]))
    let (announced, plain) = (chunk("VP8X", [0x3C, 9, 9, 9]), chunk("VP8X", [0x10, 9, 9, 9]))
    let whole = file(
      announced + chunk("ICCP", [7]) + alpha + lossy + chunk("EXIF", [1, 2, 3]) + chunk("XMP ", [8]) + chunk("any ", [])
    )

    #expect(WebPFile.pixelsOnly(whole) == file(plain + alpha + lossy))
    #expect(WebPFile.pixelsOnly(file(lossy)) == file(lossy))
    for length in 0..<whole.count { #expect(WebPFile.pixelsOnly(Array(whole[..<length])) == nil, "\(length)") }
    #expect(WebPFile.pixelsOnly(file(Array("VP8 ".utf8) + [200, 0, 0, 0, 1])) == nil)
  }
}
