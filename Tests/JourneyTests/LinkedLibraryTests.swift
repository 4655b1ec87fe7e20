import Foundation
import TestSupport
import Testing

/// What the services are linked with, each of which has it inside in the image.
@Suite("libraries of the services", .timeLimit(.minutes(5)))
struct LinkedLibraryTests {
  @Test(
    "O-11: no service has the data of all languages in it, which would be 33 MB each in the image",
    arguments: ["identity", "matching", "catalog", "lending", "tracking", "importer"])
  func languageData(service: String) throws {
    let libraries = try Self.libraries(of: service)
    #expect(libraries.contains { $0.hasPrefix("libFoundationEssentials.") }, "the libraries are listed")
    // A target that imports Foundation instead of FoundationEssentials brings them into every program that uses it.
    #expect(!libraries.contains { $0.hasPrefix("lib_FoundationICU.") })
  }

  /// The libraries that a program beside the tests is linked with, and these with others.
  private static func libraries(of program: String) throws -> [String] {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ldd")
    process.arguments = [
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appendingPathComponent(program).path
    ]
    process.standardOutput = output
    try Children.start { try process.run() }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text.split(separator: "\n").compactMap { $0.split(whereSeparator: \.isWhitespace).first.map(String.init) }
  }
}
