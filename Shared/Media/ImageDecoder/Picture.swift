import CVips
import Glibc
import Images

/// A picture that libvips knows and has perhaps not decoded yet.
private typealias Image = UnsafeMutablePointer<VipsImage>

/// Pictures as libvips has them: the one file that reads, turns and writes pixels.
enum Picture {
  /// The picture in its own size, upright, in plain colours and without metadata.
  ///
  /// It keeps its format. Where that makes it longer than a rendition may be, it is written again with less quality.
  static func full(of file: [UInt8], _ format: ImageFormat) throws(DecodingRefusal) -> Rendition {
    let file = kept(file)
    for encoding in Encoding.choices(for: format) {
      // Pixels are read from top to bottom once, so each try begins with the file.
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

  /// The small sizes, made from what was just written, which holds nothing of the file but pixels.
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

  /// Reads the header, and no pixel before that is within bounds.
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

  /// The bytes where they stay: libvips reads them when it needs them. Freed with the process, which ends with its picture.
  private static func kept(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    memory.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(memory)
  }
}

/// A way to write a picture.
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

  /// What no eye tells from the original.
  static func best(_ format: ImageFormat) -> Encoding {
    switch format {
    case .jpeg: .jpeg(quality: 85)
    case .png: .png
    case .webp: .webp(quality: 85)
    }
  }

  /// What to try in turn until the picture is short enough. Nothing that fits into 5 MiB is longer than a rendition at the last.
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

  /// The file; decodes the picture on the way.
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
