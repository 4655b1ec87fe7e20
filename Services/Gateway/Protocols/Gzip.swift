import CZlib

/// How the bytes of a message are compressed.
public enum Compression: String, Sendable, CaseIterable {
  case identity, gzip

  /// The names, for a refusal of any other and for `grpc-accept-encoding`.
  static let names = allCases.map(\.rawValue).joined(separator: ",")

  /// Messages below are sent as they are: they would become little shorter.
  package static let smallest = 1_024

  /// The compression that the client takes; the first that is known.
  package static func accepted(by field: String?) -> Compression {
    for entry in (field ?? "").split(separator: ",") {
      let parts = entry.split(separator: ";")
      let isRefused = parts.dropFirst().contains { $0.filter { $0 != " " }.wholeMatch(of: /q=0(\.0*)?/) != nil }
      let name = parts.first.map { $0.split(separator: " ").joined() } ?? ""
      if !isRefused, let known = Compression(rawValue: name), known != .identity { return known }
    }
    return .identity
  }
}

/// Whole messages to gzip and back.
package enum Gzip {
  /// Why bytes could not be unpacked.
  enum Failure: Error {
    case malformed
    /// There are more bytes inside than allowed.
    case tooLarge
  }

  private static let step = 16_384

  /// Unpacks one member to at most `limit` bytes. Work and memory follow the limit, whatever the bytes claim.
  static func unpack(_ packed: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
    var stream = z_stream()
    guard tandem_inflate_gzip_init(&stream) == Z_OK else { throw .malformed }
    defer { inflateEnd(&stream) }
    var out: [UInt8] = []
    var state = Z_OK
    var source = packed
    source.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      var piece = [UInt8](repeating: 0, count: step)
      while state == Z_OK, out.count <= limit {
        let count = piece.withUnsafeMutableBufferPointer { room in
          stream.next_out = room.baseAddress
          stream.avail_out = UInt32(room.count)
          state = inflate(&stream, Z_NO_FLUSH)
          return room.count - Int(stream.avail_out)
        }
        out.append(contentsOf: piece[..<count])
      }
    }
    guard out.count <= limit else { throw .tooLarge }
    guard state == Z_STREAM_END, stream.avail_in == 0 else { throw .malformed }
    return out
  }

  /// What was packed; `nil` where it is not `length` bytes.
  package static func content(of packed: [UInt8], length: Int) -> [UInt8]? {
    guard let content = try? unpack(packed, limit: length), content.count == length else { return nil }
    return content
  }

  /// Packs bytes; `nil` where that fails for lack of memory.
  package static func pack(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    // The fastest level: it takes a third of the time of the default and leaves about a tenth more.
    guard tandem_deflate_gzip_init(&stream, 1) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    var source = bytes
    let state = source.withUnsafeMutableBufferPointer { input in
      packed.withUnsafeMutableBufferPointer { room in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = room.baseAddress
        stream.avail_out = UInt32(room.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard state == Z_STREAM_END else { return nil }
    packed.removeLast(Int(stream.avail_out))
    return packed
  }
}
