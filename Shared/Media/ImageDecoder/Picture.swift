import CVips
import Glibc
import Images

/// A picture that libvips has opened and perhaps not decoded yet.
private typealias Image = UnsafeMutablePointer<VipsImage>

/// Pictures in libvips: the only file that reads, rotates and writes pixels.
enum Picture {
  /// The picture in its own size, upright, in sRGB or grey and without metadata.
  ///
  /// It keeps its format. Where that makes it longer than a rendition may be, it is encoded again with less quality.
  static func full(of file: [UInt8], _ format: ImageFormat) throws(DecodingRefusal) -> Rendition {
    let file = kept(file)
    for encoding in Encoding.choices(for: format) {
      // Pixels are read from top to bottom once, so each try reads the file again.
      let image = try open(file, format)
      defer { tandem_vips_release(image) }
      let (width, height) = (Int(vips_image_get_width(image)), Int(vips_image_get_height(image)))
      guard encoding.canHold(width: width, height: height) else { continue }
      let bytes = try encoding.bytes(of: image)
      if bytes.count <= ImageLimits.renditionBytes {
        return Rendition(size: .full, format: encoding.format, width: width, height: height, bytes: bytes)
      }
    }
    throw .unreadable
  }

  /// The small sizes, made from the full rendition, which contains nothing of the file but pixels.
  static func thumbnails(of full: Rendition) throws(DecodingRefusal) -> [Rendition] {
    var renditions: [Rendition] = []
    var source = full
    for size in PictureSize.allCases {
      guard let side = size.maxSide else { continue }
      let bytes = kept(source.bytes)
      guard let start = bytes.baseAddress, let image = tandem_vips_thumbnail(start, bytes.count, Int32(side)) else {
        throw .unreadable
      }
      defer { tandem_vips_release(image) }
      let small = try Encoding.best(full.format).bytes(of: image)
      let (width, height) = (Int(vips_image_get_width(image)), Int(vips_image_get_height(image)))
      source = Rendition(size: size, format: full.format, width: width, height: height, bytes: small)
      renditions.append(source)
    }
    return renditions
  }

  /// Reads the header, and no pixels unless their number is within bounds.
  private static func open(_ file: UnsafeRawBufferPointer, _ format: ImageFormat) throws(DecodingRefusal) -> Image {
    guard let start = file.baseAddress else { throw .unreadable }
    let opened =
      switch format {
      case .jpeg: tandem_vips_open_jpeg(start, file.count)
      case .png: tandem_vips_open_png(start, file.count)
      case .webp: tandem_vips_open_webp(start, file.count)
      }
    guard let opened else { throw .unreadable }
    let (width, height) = (Int(vips_image_get_width(opened)), Int(vips_image_get_height(opened)))
    guard ImageLimits.admits(width: width, height: height) else {
      tandem_vips_release(opened)
      throw .tooManyPixels
    }
    guard let plain = tandem_vips_plain_colours(opened), let upright = tandem_vips_upright(plain),
      let bare = tandem_vips_pixels_only(upright)
    else { throw .unreadable }
    return bare
  }

  /// The bytes at a fixed address: libvips reads them when it needs them. Freed with the process, which ends after one
  /// picture.
  private static func kept(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(memory)
  }
}

/// The parameters of an encoder.
enum Encoding {
  case jpeg(quality: Int32)
  case png
  case webp(quality: Int32)

  /// The longest side that a WebP can have.
  private static let maxSideOfWebP = 16_383

  var format: ImageFormat {
    switch self {
    case .jpeg: .jpeg
    case .png: .png
    case .webp: .webp
    }
  }

  /// Visually lossless.
  static func best(_ format: ImageFormat) -> Encoding {
    switch format {
    case .jpeg: .jpeg(quality: 85)
    case .png: .png
    case .webp: .webp(quality: 85)
    }
  }

  /// The encodings to try in turn until the picture is short enough. With the last one nothing that fits into 5 MiB
  /// exceeds a rendition's limit.
  static func choices(for format: ImageFormat) -> [Encoding] {
    switch format {
    case .jpeg: [.best(.jpeg), .jpeg(quality: 60), .jpeg(quality: 20)]
    case .png: [.best(.png), .best(.webp), .webp(quality: 40), .jpeg(quality: 60), .jpeg(quality: 20)]
    case .webp: [.best(.webp), .webp(quality: 40), .webp(quality: 5)]
    }
  }

  func canHold(width: Int, height: Int) -> Bool {
    format != .webp || max(width, height) <= Self.maxSideOfWebP
  }

  /// The encoded file; encoding also decodes the picture.
  func bytes(of image: UnsafeMutablePointer<VipsImage>) throws(DecodingRefusal) -> [UInt8] {
    var (start, length): (UnsafeMutableRawPointer?, Int) = (nil, 0)
    let status =
      switch self {
      case .jpeg(let quality): tandem_vips_save_jpeg(image, quality, &start, &length)
      case .png: tandem_vips_save_png(image, &start, &length)
      case .webp(let quality): tandem_vips_save_webp(image, quality, &start, &length)
      }
    guard status == 0, let start else { throw .unreadable }
    defer { g_free(start) }
    let written = [UInt8](UnsafeRawBufferPointer(start: start, count: length))
    guard format == .webp else { return written }
    guard let bare = WebPFile.pixelsOnly(written) else { throw .unreadable }
    return bare
  }
}
