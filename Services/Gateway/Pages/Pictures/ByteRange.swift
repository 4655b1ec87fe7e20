/// A part of a file, by the field `Range` (RFC 9110, section 14.2). Of several parts the whole file is sent, as is allowed.
package enum ByteRange: Sendable, Equatable {
  case whole
  case part(Range<Int>)
  /// It begins behind the file's end.
  case unsatisfiable

  package init(_ field: String?, of count: Int) {
    self = .whole
    guard let field, field.lowercased().hasPrefix("bytes=") else { return }
    let bounds = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
      .map { $0.filter { $0 != " " } }
    guard bounds.count == 2, bounds.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }) else { return }
    switch (Int(bounds[0]), Int(bounds[1])) {
    case (nil, let length?) where bounds[0].isEmpty:
      self = length == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - length)..<count)
    case (let start?, nil) where bounds[1].isEmpty:
      self = start < count ? .part(start..<count) : .unsatisfiable
    case (let start?, let end?) where start <= end:
      self = start < count ? .part(start..<min(count, end + 1)) : .unsatisfiable
    default: return
    }
  }
}
