import ProtobufDescriptor

/// Makes the descriptors that a server hands to clients without .proto files.
struct ReflectionSet {
  let files: [FileDescriptorProto]

  /// The named files with their comments, after everything they import.
  func make(for names: [String]) -> FileDescriptorSet {
    let byName = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    var needed: Set<String> = []
    var waiting = names
    while let next = waiting.popLast() {
      if needed.insert(next).inserted { waiting += byName[next]?.dependency ?? [] }
    }
    // The compiler's order has imports first.
    return FileDescriptorSet(
      file: files.filter { needed.contains($0.path) }.map { file in
        var file = file
        file.sourceCodeInfo = names.contains(file.path) ? file.sourceCodeInfo.map(commentsOnly) : nil
        return file
      })
  }

  /// Places without comments are most of the size and of no use to a client.
  private func commentsOnly(_ source: SourceCodeInfo) -> SourceCodeInfo {
    SourceCodeInfo(
      location: source.location.filter { $0.leadingComments != nil || $0.trailingComments != nil }.map { location in
        var location = location
        location.leadingDetachedComments = []
        return location
      })
  }
}
