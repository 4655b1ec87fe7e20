import ProtobufDescriptor

/// Comments and line numbers of one .proto file, by the path that leads to an element.
struct Source {
  private var locations: [[Int32]: SourceCodeInfo.Location] = [:]

  init(_ file: FileDescriptorProto) {
    for location in file.sourceCodeInfo?.location ?? [] where locations[location.path] == nil {
      locations[location.path] = location
    }
  }

  /// The lines of the comment before an element, or else after it; without margins.
  func comment(_ path: [Int32]) -> [String] {
    guard let location = locations[path] else { return [] }
    let text = location.leadingComments ?? location.trailingComments ?? ""
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let trimmed = line.last?.isWhitespace == true ? line[..<line.lastNonSpace] : line
      return String(trimmed.first == " " ? trimmed.dropFirst() : trimmed)
    }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// From 1, or 0 without source information.
  func line(_ path: [Int32]) -> Int { locations[path]?.span.first.map { Int($0) + 1 } ?? 0 }
}

extension Substring {
  /// The end of what remains without white space at the end.
  fileprivate var lastNonSpace: Index {
    var end = endIndex
    while end > startIndex, self[index(before: end)].isWhitespace { end = index(before: end) }
    return end
  }
}
