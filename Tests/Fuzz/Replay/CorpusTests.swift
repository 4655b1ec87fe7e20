import FuzzTargets
import Foundation
import Testing

@Suite("Fuzzing's corpus", .serialized)
struct CorpusTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Corpus")
    .standardized

  @Test("what fuzzing once found, and what it starts from, runs through", arguments: FuzzTarget.allCases)
  func replay(target: FuzzTarget) throws {
    let files = try FileManager.default.contentsOfDirectory(
      at: Self.folder.appending(path: target.rawValue), includingPropertiesForKeys: nil)
    #expect(!files.isEmpty)
    for file in files.sorted(by: { $0.path < $1.path }) {
      let bytes = try Data(contentsOf: file)
      bytes.withUnsafeBytes { target.run($0) }
    }
  }

  @Test("a target takes nothing at all", arguments: FuzzTarget.allCases)
  func nothing(target: FuzzTarget) {
    target.run(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}
