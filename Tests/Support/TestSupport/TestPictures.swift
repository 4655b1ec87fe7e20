import Foundation
import Synchronization
import Testing

/// Images, and files that only look like images, created once for all tests by `Tests/Pictures/make_pictures.py`.
public enum TestPictures {
  private static let made = Mutex<String?>(nil)

  /// The bytes of one file. Blocks its thread the first time: for tests with `.ownThreads`.
  public static func bytes(_ name: String) throws -> [UInt8] {
    let folder = try made.withLock { made in
      if let made { return made }
      let folder = try make()
      made = folder
      return folder
    }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  /// Metadata that must not remain in a stored picture.
  public static let secret = Array("SECRET-THAT-NOBODY-MAY-READ".utf8)

  private static func make() throws -> String {
    let folder = NSTemporaryDirectory() + "tandem-pictures-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let project = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../..").standardized
    let process = Process()
    process.executableURL = project.appendingPathComponent(".venv/bin/python")
    process.arguments = [project.appendingPathComponent("Tests/Pictures/make_pictures.py").path, folder]
    try Children.start { try process.run() }
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the pictures were not made; .ci/install installs what that needs")
    return folder
  }
}
