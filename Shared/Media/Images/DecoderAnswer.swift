/// The output of a decoder: each rendition as a header of 14 bytes (size, format, then width, height and length as four
/// bytes each, big-endian) and its bytes.
package enum DecoderAnswer {
  /// The exit codes of a decoder that could not decode.
  package enum ExitCode: Int32 {
    case done = 0
    /// The file is not of its format, broken, or needs more memory than is allowed.
    case unreadable = 2
    /// The header declares more pixels than are allowed.
    case tooManyPixels = 3
    /// The decoder itself cannot work on this machine.
    case unfit = 4
  }

  private static let headerLength = 14

  /// Longer than any valid output.
  package static let maxLength = PictureSize.allCases.count * (headerLength + ImageLimits.renditionBytes)

  /// The bytes of one rendition.
  package static func encode(_ rendition: Rendition) -> [UInt8] {
    var bytes = [index(rendition.size), index(rendition.format)]
    for number in [rendition.width, rendition.height, rendition.bytes.count] {
      withUnsafeBytes(of: UInt32(number).bigEndian) { bytes.append(contentsOf: $0) }
    }
    return bytes + rendition.bytes
  }

  /// The renditions of an output, each size once and in order; `nil` when it is not exactly that.
  ///
  /// The decoder is not trusted: it may have been taken over by the file that it decoded.
  package static func decode(_ answer: [UInt8]) -> [Rendition]? {
    var rest = answer[...]
    var renditions: [Rendition] = []
    while !rest.isEmpty {
      guard let rendition = next(&rest) else { return nil }
      renditions.append(rendition)
    }
    return renditions.map(\.size) == PictureSize.allCases ? renditions : nil
  }

  private static func next(_ rest: inout ArraySlice<UInt8>) -> Rendition? {
    guard rest.count >= headerLength else { return nil }
    let header = Array(rest.prefix(headerLength))
    let numbers = stride(from: 2, to: headerLength, by: 4).map { start in
      header[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    }
    rest = rest.dropFirst(headerLength)
    let sizes = PictureSize.allCases, formats = ImageFormat.allCases
    guard Int(header[0]) < sizes.count, Int(header[1]) < formats.count, numbers[2] <= ImageLimits.renditionBytes,
      rest.count >= numbers[2], ImageLimits.admits(width: numbers[0], height: numbers[1])
    else { return nil }
    let (size, format, bytes) = (sizes[Int(header[0])], formats[Int(header[1])], Array(rest.prefix(numbers[2])))
    rest = rest.dropFirst(numbers[2])
    let fits = size.maxSide.map { max(numbers[0], numbers[1]) <= $0 } ?? true
    guard fits, ImageFormat(content: bytes) == format else { return nil }
    return Rendition(size: size, format: format, width: numbers[0], height: numbers[1], bytes: bytes)
  }

  private static func index<Choice: CaseIterable & Equatable>(_ choice: Choice) -> UInt8 {
    UInt8(Array(Choice.allCases).firstIndex(of: choice) ?? 0)
  }
}
