import Foundation
import Images
import TestSupport
import Testing

@Suite("decoding pictures", .ownThreads)
struct ImageDecoderTests {
  private let decoder = ImageDecoder(
    program: ImageDecoder.programBesideThisOne, decoders: 2, places: 64, timeLimit: .seconds(300))

  @Test(
    "[ID-25] JPEG, PNG and WebP come back in three sizes, in their own format, not enlarged",
    arguments: [
      ("plain.jpg", ImageFormat.jpeg), ("grey.jpg", .jpeg), ("cmyk.jpg", .jpeg), ("transparent.png", .png),
      ("palette.png", .png), ("plain.webp", .webp), ("animated.webp", .webp),
    ])
  func sizes(name: String, format: ImageFormat) async throws {
    let renditions = try await decoder.renditions(of: TestPictures.bytes(name))

    #expect(renditions.map(\.size) == [.full, .thumbnail256, .thumbnail64])
    #expect(renditions.map(\.width) == [640, 256, 64])
    #expect(renditions.map(\.height) == [400, 160, 40])
    #expect(renditions.allSatisfy { $0.format == format && ImageFormat(content: $0.bytes) == format })
  }

  @Test("[ID-25] a small picture is not enlarged, and 16 bits a channel become 8")
  func small() async throws {
    let tiny = try await decoder.renditions(of: TestPictures.bytes("tiny.png"))
    let deep = try await decoder.renditions(of: TestPictures.bytes("deep.png"))

    #expect(tiny.map(\.width) == [3, 3, 3] && tiny.map(\.height) == [2, 2, 2])
    // The ninth byte of the header's data: bits a channel.
    #expect(deep[0].width == 300 && deep[0].bytes[24] == 8)
  }

  @Test("[ID-25] what is stored has no metadata and stands upright", arguments: ["gps.jpg", "gps.png", "gps.webp"])
  func metadata(name: String) async throws {
    let file = try TestPictures.bytes(name)
    let renditions = try await decoder.renditions(of: file)

    // The camera was held upright, and its file lies on its side.
    #expect(renditions.map(\.width) == [400, 160, 40] && renditions.map(\.height) == [640, 256, 64])
    #expect(file.contains(Array("Exif".utf8)) || file.contains(Array("eXIf".utf8)) || file.contains(Array("EXIF".utf8)))
    for rendition in renditions {
      for mark in ["Exif", "eXIf", "EXIF", "XMP ", "http://ns.adobe"] {
        let isThere = rendition.bytes.contains(Array(mark.utf8))
        #expect(!isThere, "\(mark) in \(rendition.size)")
      }
      let hasSecret = rendition.bytes.contains(TestPictures.secret)
      #expect(!hasSecret)
    }
  }

  @Test(
    "[ID-25] of a file that is also something else only the picture stays", arguments: ["polyglot.jpg", "polyglot.png"])
  func polyglot(name: String) async throws {
    let file = try TestPictures.bytes(name)
    let renditions = try await decoder.renditions(of: file)

    #expect(file.contains(TestPictures.secret))
    for rendition in renditions {
      let hasSecret = rendition.bytes.contains(TestPictures.secret)
      #expect(!hasSecret)
      let hasArchive = rendition.bytes.contains(Array("PK\u{3}\u{4}".utf8))
      #expect(!hasArchive)
    }
  }

  @Test(
    "[ID-25] what is broken is refused",
    arguments: [
      "truncated.jpg", "truncated.png", "truncated.webp", "header.jpg", "scrambled.png", "lying.png",
    ])
  func broken(name: String) async throws {
    let file = try TestPictures.bytes(name)
    await #expect(throws: UnsupportedImage.unreadable) { try await decoder.renditions(of: file) }
  }

  @Test(
    "[ID-25] every other format is refused by its content, whatever its name",
    arguments: ["named.jpg", "named.png", "named.webp", "svg.png", "pdf.jpg", "riff.webp", "empty.png"])
  func otherFormats(name: String) async throws {
    let file = try TestPictures.bytes(name)
    await #expect(throws: UnsupportedImage.otherFormat) { try await decoder.renditions(of: file) }
  }

  @Test("[ID-25] more than 50 megapixels are refused before they are decoded, however small the file")
  func bomb() async throws {
    for name in ["bomb.png", "beyond.png"] {
      let file = try TestPictures.bytes(name)
      #expect(file.count < 1 << 20)
      await #expect(throws: UnsupportedImage.tooManyPixels) { try await decoder.renditions(of: file) }
    }
    let limit = try await decoder.renditions(of: TestPictures.bytes("limit.png"))
    #expect(limit[0].width == 10_000 && limit[0].height == 5_000)
  }

  @Test("[ID-25] more than 5 MiB are refused unread")
  func tooLong() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    let padded = file + [UInt8](repeating: 0, count: (5 << 20) - file.count)
    await #expect(throws: UnsupportedImage.tooLong) { try await decoder.renditions(of: padded + [0]) }
    _ = try await decoder.renditions(of: padded)
  }

  @Test("[ID-25] a decoder refuses, by itself, formats that it was not told of")
  func blockedLoaders() async throws {
    // As if the format had been detected wrongly: the given loader reads it, and no other is tried.
    let file = Array("RIFF....WEBP".utf8) + (try TestPictures.bytes("named.png"))
    await #expect(throws: UnsupportedImage.unreadable) { try await decoder.renditions(of: file) }
  }

  @Test("[ID-25] dozens at once are all decoded, two at a time")
  func dozens() async throws {
    let file = try TestPictures.bytes("plain.jpg")
    let done = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<48 {
        group.addTask {
          do { return try await decoder.renditions(of: file).count == 3 } catch { return false }
        }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(done == 48)
  }
}

@Suite("decoders that misbehave", .ownThreads)
struct MisbehavingDecoderTests {
  /// Runs `body` with a decoder that is this script.
  private func withDecoder(
    _ script: String, decoders: Int = 2, places: Int = 8, timeLimit: Duration = .seconds(300),
    _ body: (ImageDecoder, String) async throws -> Void
  ) async throws {
    let folder = NSTemporaryDirectory() + "tandem-decoder-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = "\(folder)/decoder"
    try script.write(toFile: "\(folder)/script", atomically: true, encoding: .utf8)
    let standIn = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Pictures/decoder").standardized
    try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: standIn.path)
    try await body(
      ImageDecoder(program: program, decoders: decoders, places: places, timeLimit: timeLimit), folder)
  }

  private let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1 << 20)

  @Test("[ID-25] a decoder that crashes costs its picture and nothing else", arguments: [11, 6, 9])
  func crash(signal: Int32) async throws {
    try await withDecoder("kill -\(signal) $$") { decoder, _ in
      await #expect(throws: UnsupportedImage.deadly(signal: signal)) { try await decoder.renditions(of: jpeg) }
    }
  }

  @Test("[ID-25] a decoder that hangs is killed when its time is up, and its place is free again")
  func hang() async throws {
    // Sleeps for longer than any test lasts: it ends by being killed.
    try await withDecoder("echo $$ > pid; exec sleep 1000", decoders: 1, timeLimit: .seconds(1)) { decoder, folder in
      await #expect(throws: UnsupportedImage.endless) { try await decoder.renditions(of: jpeg) }
      await #expect(throws: UnsupportedImage.endless) { try await decoder.renditions(of: jpeg) }
      // On a busy machine it may be killed before it says who it is.
      let pid = (try? String(contentsOfFile: "\(folder)/pid", encoding: .utf8))?.trimmingCharacters(in: .newlines)
      if let pid { #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)/exe")) }
    }
  }

  @Test("[ID-25] a decoder that answers without end is killed")
  func endlessAnswer() async throws {
    try await withDecoder("exec cat /dev/zero") { decoder, _ in
      await #expect(throws: UnsupportedImage.unreadable) { try await decoder.renditions(of: jpeg) }
    }
  }

  @Test(
    "[ID-25] an answer that is none, or cut off, is refused", arguments: ["cat > /dev/null; echo nonsense", "exit 0"])
  func nonsense(script: String) async throws {
    try await withDecoder(script) { decoder, _ in
      await #expect(throws: UnsupportedImage.unreadable) { try await decoder.renditions(of: jpeg) }
    }
  }

  @Test("a cancelled task kills its decoder")
  func cancelled() async throws {
    // Sleeps for longer than any test lasts: it ends by being killed.
    try await withDecoder("echo $$ > part; mv part pid; exec sleep 1000") { decoder, folder in
      let path = "\(folder)/pid"
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          await #expect(throws: CancellationError.self) { _ = try await decoder.renditions(of: jpeg) }
        }
        let pid = try await eventually("the decoder runs") {
          FileManager.default.fileExists(atPath: path)
            ? try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .newlines) : nil
        }
        group.cancelAll()
        try await group.waitForAll()
        #expect(!FileManager.default.fileExists(atPath: "/proc/\(pid)/exe"))
      }
    }
  }

  @Test("files wait for a decoder up to a number, and one more is refused at once")
  func overloaded() async throws {
    // Sleeps for longer than any test lasts: it ends by being killed.
    try await withDecoder("exec sleep 1000", decoders: 1, places: 1) { decoder, _ in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<3 {
          group.addTask {
            do { _ = try await decoder.renditions(of: jpeg) } catch ImageDecoderFailure.overloaded { return true } catch
            {}
            return false
          }
        }
        #expect(try await group.next() == true)
        group.cancelAll()
        for try await wasOverloaded in group { #expect(!wasOverloaded) }
      }
    }
  }

  @Test("a decoder that is missing, or does not know its trade, is not the file's fault")
  func missing() async throws {
    let nowhere = ImageDecoder(program: "/nowhere", decoders: 1, places: 1, timeLimit: .seconds(300))
    await #expect(throws: ImageDecoderFailure.self) { try await nowhere.renditions(of: jpeg) }
    try await withDecoder("exit 127") { decoder, _ in
      await #expect(throws: ImageDecoderFailure.self) { try await decoder.renditions(of: jpeg) }
    }
  }

  @Test("a decoder inherits no descriptor, no environment and no blocked signal")
  func inheritance() async throws {
    let script = "{ ls /proc/self/fd | wc -l; env; grep SigBlk /proc/self/status; } > seen; kill -6 $$"
    try await withDecoder(script) { decoder, folder in
      await #expect(throws: UnsupportedImage.deadly(signal: 6)) { try await decoder.renditions(of: jpeg) }
      let seen = try String(contentsOfFile: "\(folder)/seen", encoding: .utf8)
      // Input, output, errors, and the folder that `ls` reads.
      #expect(seen.hasPrefix("4\n"), "\(seen)")
      #expect(seen.contains("SigBlk:\t0000000000000000"), "\(seen)")
      #expect(!seen.contains("PATH=/work") && !seen.contains("HOME="), "\(seen)")
    }
  }
}
