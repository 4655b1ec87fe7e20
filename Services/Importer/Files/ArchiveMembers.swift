import CArchive
import FileContents

/// Reads the members of a zip file one after the other as it arrives, or the only one of a gzip file, with limits on their number, names,
/// sizes and ratio.
///
/// Nothing is written to a disk: a member's name is only compared, so a name such as `../../x` leads nowhere; it is refused all the same.
final class ArchiveMembers {
  private let pull: (UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int
  private let archive: OpaquePointer
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  private var read = 0
  private var unpacked = 0
  private var count = 0
  private var failure: ActivityFileFault?
  /// Of a gzip file.
  private var trailer: GzipTrailer?
  private(set) var name = ""
  /// Whether nothing further can be read of it; a member that is damaged, or no file of a tracker, leaves the others readable.
  private(set) var isBroken = false

  enum Format {
    case zip
    case gzip
  }

  init(_ source: some ByteSource, _ format: Format = .zip) throws(ActivityFileFault) {
    guard let archive = archive_read_new() else {
      throw ActivityFileFault(.broken, "There is no memory for the archive", offset: 0)
    }
    self.archive = archive
    var source = source
    pull = { (buffer) throws(ActivityFileFault) in try source.read(into: buffer) }
    switch format {
    case .zip: archive_read_support_format_zip_streamable(archive)
    case .gzip:
      archive_read_support_filter_gzip(archive)
      archive_read_support_format_raw(archive)
      trailer = GzipTrailer()
    }
    let status = archive_read_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, data, start in ArchiveMembers.from(data)?.fill(start) ?? -1 }, nil)
    guard status == ARCHIVE_OK else { throw fault() }
  }

  deinit {
    archive_read_free(archive)
    buffer.deallocate()
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> ArchiveMembers? {
    data.map { Unmanaged<ArchiveMembers>.fromOpaque($0).takeUnretainedValue() }
  }

  private func fill(_ start: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
    do throws(ActivityFileFault) {
      let count = try pull(buffer)
      read += count
      trailer?.read(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      start?.pointee = UnsafeRawPointer(buffer.baseAddress)
      return count
    } catch {
      failure = error
      return -1
    }
  }

  /// Goes to the next member that is a file; false at the end.
  func next() throws(ActivityFileFault) -> Bool {
    while true {
      var entry: OpaquePointer?
      let status = archive_read_next_header(archive, &entry)
      if status == ARCHIVE_EOF { return false }
      guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw fault() }
      count += 1
      guard count <= FileLimits.members else {
        throw ActivityFileFault(.tooMuch, "The archive has too many members", offset: read)
      }
      guard archive_entry_is_encrypted(entry) == 0 else {
        throw ActivityFileFault(.broken, "The archive is encrypted", offset: read)
      }
      name = try checkedName(entry)
      if archive_entry_filetype(entry) & 0o170000 == 0o100000 { return true }
    }
  }

  private func checkedName(_ entry: OpaquePointer) throws(ActivityFileFault) -> String {
    guard let pointer = archive_entry_pathname(entry) else { return "" }
    let name = String(cString: pointer)
    guard name.utf8.count <= FileLimits.nameBytes else {
      throw ActivityFileFault(.tooMuch, "The name of a member is too long", offset: read)
    }
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains(".."), !name.contains("\\") else {
      throw ActivityFileFault(.broken, "The name of a member leads out of the archive", offset: read)
    }
    return name
  }

  /// Reads the present member.
  func readData(into target: UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int {
    let count = archive_read_data(archive, target.baseAddress, target.count)
    guard count >= 0 else {
      // Damaged data of a member, or a wrong checksum: whether its end is found shows when the next one is looked for. What could not be
      // read of the archive itself is missing of all.
      isBroken = failure != nil
      throw fault()
    }
    unpacked += count
    trailer?.unpacked(UnsafeRawBufferPointer(rebasing: target[..<count]))
    // In layers the end is that of another one.
    if count == 0, let trailer, trailer.isWrong, archive_filter_count(archive) == Self.oneFilter {
      isBroken = true
      throw ActivityFileFault(.broken, "The checksum of the gzip file does not fit its content", offset: read)
    }
    guard unpacked <= FileLimits.unpackedBytes,
      unpacked <= FileLimits.fileBytes || unpacked / FileLimits.unpackedRatio <= read
    else {
      isBroken = true
      throw ActivityFileFault(.tooMuch, Self.unpacksToTooMuch, offset: read)
    }
    return count
  }

  /// Of libarchive: gzip, and none.
  private static let oneFilter: Int32 = 2

  /// What is said of an archive that is made to fill the memory.
  static let unpacksToTooMuch = "The archive unpacks to far more than its length"

  private func fault() -> ActivityFileFault {
    if let failure { return failure }
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "unknown"
    return ActivityFileFault(.broken, "The archive is broken: \(reason)", offset: read, member: name)
  }
}

/// The present member of an archive as a source.
struct MemberSource: ByteSource {
  let archive: ArchiveMembers

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ActivityFileFault) -> Int {
    try archive.readData(into: buffer)
  }
}
