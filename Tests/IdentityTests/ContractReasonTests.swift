import Foundation
import Testing

@Suite("reasons in the contract")
struct ContractReasonTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

  /// The files with that ending below a folder, without what is generated.
  private static func texts(of folder: String, _ ending: String) throws -> [String] {
    let files = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
    var texts: [String] = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == ending, !file.path.contains("/Generated/") else { continue }
      texts.append(try String(contentsOf: file, encoding: .utf8))
    }
    return texts
  }

  @Test("[C-3] every reason by which services and their runtime refuse is in a proto, for callers to find")
  func documented() throws {
    let sources = try Self.texts(of: "Services", "swift") + Self.texts(of: "Shared", "swift")
    let reasons = Set(sources.flatMap { $0.matches(of: /reason: "([A-Z][A-Z_]+)"/).map { String($0.output.1) } })
    let contracts = try Self.texts(of: "Proto/tandem", "proto").joined()

    #expect(reasons.count > 20)
    #expect(reasons.filter { !contracts.contains("`\($0)`") }.sorted() == [])
  }

  @Test("[C-1] [C-3] what an access token is refused for is where a method's access is declared")
  func tokens() throws {
    let options = try String(
      contentsOf: Self.root.appending(path: "Proto/tandem/rpc/v1/options.proto"), encoding: .utf8)

    for reason in ["TOKEN_MISSING", "TOKEN_EXPIRED", "TOKEN_REVOKED", "TOKEN_INVALID"] {
      #expect(options.contains("`\(reason)`"), "\(reason)")
    }
  }
}
