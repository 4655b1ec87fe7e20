import Foundation
import Images
import TestSupport
import Testing

/// What a compromised decoder can still do.
@Suite("system calls of a decoder", .ownThreads)
struct SystemCallFilterTests {
  private static let probe = programs + "/system-call-probe"
  private static let decoder = programs + "/image-decoder"
  private static let programs = (ImageDecoder.programBesideThisOne as NSString).deletingLastPathComponent

  /// System calls that libraries try but decoding does not need: they are refused, while all others kill the process.
  private static let tried: Set<String> = ["openat", "open", "prctl-dumpable"]

  /// How a program ended: its code, or the signal that killed it as a negative number.
  private func run(
    _ program: String, _ arguments: [String], input: [UInt8] = []
  ) throws -> (end: Int32, output: Data) {
    let file = URL(fileURLWithPath: NSTemporaryDirectory() + "tandem-input-\(UUID().uuidString)")
    try Data(input).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, answer) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = answer
    process.standardError = FileHandle.nullDevice
    try Children.start { try process.run() }
    let output = try answer.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let status = process.terminationStatus
    return (process.terminationReason == .uncaughtSignal ? -status : status, output)
  }

  @Test("[ID-25] a decoder that closes a descriptor of its own opens, connects, starts and sends nothing all the same")
  func forbidden() throws {
    let calls = String(decoding: try run(Self.probe, ["calls"]).output, as: UTF8.self).split(separator: "\n")
    #expect(calls.count >= 30)
    for call in calls.map(String.init) {
      let end = try run(Self.probe, ["filtered", call]).end
      #expect(end == (Self.tried.contains(call) ? 1 : -SIGSYS), "\(call)")
    }
  }

  @Test(
    "[ID-25] the bound of descriptors alone lets it do so: the filter is what holds",
    arguments: ["openat", "socket", "connect", "execve", "fork", "dup"])
  func bounded(call: String) throws {
    #expect(try run(Self.probe, ["bounded", call]).end == 0)
  }

  @Test("[ID-25] where the kernel has no filters a decoder decodes nothing, unless it is told to do without")
  func withoutFilters() throws {
    let file = try TestPictures.bytes("tiny.png")

    let refused = try run(Self.probe, ["without-seccomp", Self.decoder, "PNG"], input: file)
    let allowed = try run(Self.probe, ["without-seccomp", Self.decoder, "PNG", "optional"], input: file)
    let filtered = try run(Self.decoder, ["PNG"], input: file)

    #expect(refused.end == 4 && refused.output.isEmpty)
    #expect(allowed.end == 0 && allowed.output == filtered.output)
    #expect(filtered.end == 0 && !filtered.output.isEmpty)
  }

  @Test("[ID-25] a decoder that has not been given a byte yet is held to its filter, with every thread")
  func beforeInput() async throws {
    let (process, question) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: Self.decoder)
    process.arguments = ["PNG"]
    process.standardInput = question
    process.standardOutput = FileHandle.nullDevice
    try Children.start { try process.run() }
    defer { kill(process.processIdentifier, SIGKILL) }
    let tasks = "/proc/\(process.processIdentifier)/task"

    _ = try await eventually("the filter is on") {
      try #require(process.isRunning, "the decoder has ended")
      let states = try FileManager.default.contentsOfDirectory(atPath: tasks).map {
        try String(contentsOfFile: "\(tasks)/\($0)/status", encoding: .utf8)
      }
      return states.allSatisfy { $0.contains("Seccomp:\t2") } ? true : nil
    }

    try question.fileHandleForWriting.close()
    process.waitUntilExit()
    // What it was given then is no picture.
    #expect(process.terminationReason == .exit && process.terminationStatus == 2)
  }

  @Test("[ID-25] with its filter on a decoder starts its threads and decodes the largest picture")
  func threads() async throws {
    let decoder = ImageDecoder(program: Self.decoder, decoders: 1, places: 1, timeLimit: .seconds(300))
    let renditions = try await decoder.renditions(of: TestPictures.bytes("limit.png"))
    #expect(renditions.map(\.size) == [.full, .thumbnail256, .thumbnail64])
  }
}
