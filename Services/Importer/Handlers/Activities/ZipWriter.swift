import CArchive

/// Writes a zip file piece by piece; what was written is taken out as it comes, so nothing of it stays in memory.
///
/// Unchecked: an export waits for each of its calls before it makes the next, so no two of them run at a time, whatever their threads.
final class ZipWriter: @unchecked Sendable {
  /// The archive cannot be written; the text is for the log.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let archive: OpaquePointer
  private var written: [UInt8] = []

  init() throws(Failure) {
    guard let archive = archive_write_new() else { throw Failure(description: "no memory for an archive") }
    self.archive = archive
    archive_write_set_format_zip(archive)
    archive_write_set_bytes_per_block(archive, 0)
    let status = archive_write_open(
      archive, Unmanaged.passUnretained(self).toOpaque(), nil,
      { _, data, bytes, count in
        guard let data, let bytes else { return -1 }
        let writer = Unmanaged<ZipWriter>.fromOpaque(data).takeUnretainedValue()
        writer.written.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: count))
        return count
      }, nil)
    try check(status)
  }

  deinit { archive_write_free(archive) }

  /// Begins a file, which what is written belongs to until the next one begins.
  ///
  /// - Parameter count: its bytes; `nil` if they are not known yet.
  func begin(_ name: String, of count: Int? = nil, at seconds: Int64) throws(Failure) {
    guard let entry = archive_entry_new() else { throw Failure(description: "no memory for a member") }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    if let count { archive_entry_set_size(entry, Int64(count)) }
    archive_entry_set_filetype(entry, UInt32(0o100000))
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_mtime(entry, Int(seconds), 0)
    try check(archive_write_header(archive, entry))
  }

  /// Writes the next part of a file.
  func write(_ content: [UInt8]) throws(Failure) {
    guard !content.isEmpty else { return }
    let count = content.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
    guard count == content.count else { throw failure() }
  }

  /// Writes the directory; nothing can be added afterwards.
  func finish() throws(Failure) { try check(archive_write_close(archive)) }

  /// What was written since the last call.
  func taken() -> [UInt8] {
    defer { written.removeAll(keepingCapacity: true) }
    return written
  }

  private func check(_ status: Int32) throws(Failure) {
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { throw failure() }
  }

  private func failure() -> Failure {
    Failure(description: archive_error_string(archive).map { String(cString: $0) } ?? "an archive cannot be written")
  }
}
