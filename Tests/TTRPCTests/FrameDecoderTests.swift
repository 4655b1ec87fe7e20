import Testing

@testable import TTRPCFrames

@Suite("Frame decoder")
struct FrameDecoderTests {
  /// Feeds `bytes` in pieces of `size` and returns what the decoder made of them.
  private func steps(_ bytes: [UInt8], inPiecesOf size: Int) -> [FrameDecoder.Step] {
    var decoder = FrameDecoder()
    var steps: [FrameDecoder.Step] = []
    var held: [UInt8] = []
    var fed = 0
    while fed < bytes.count {
      let end = min(fed + size, bytes.count)
      held += bytes[fed..<end]
      fed = end
      while true {
        let (step, consumed) = held.withUnsafeBytes { decoder.step($0) }
        held.removeFirst(consumed)
        if step == .incomplete { break }
        steps.append(step)
        if case .unskippable = step { return steps }
      }
    }
    return steps
  }

  private func frame(_ header: FrameHeader, body: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FrameHeader.size)
    bytes.withUnsafeMutableBytes { buffer in
      if let start = buffer.baseAddress { header.write(to: start) }
    }
    return bytes + body
  }

  @Test("a header is ten big-endian bytes that read back as they were written")
  func headerRoundTrip() {
    let header = FrameHeader(length: 0x0102_0304, streamID: 0xA1B2_C3D5, type: .data, flags: [.remoteClosed, .noData])
    let bytes = frame(header, body: [])
    #expect(bytes == [1, 2, 3, 4, 0xA1, 0xB2, 0xC3, 0xD5, 3, 5])
    #expect(bytes.withUnsafeBytes { FrameHeader(reading: $0) } == header)
  }

  @Test("frames come out the same however the bytes are cut", arguments: [1, 2, 3, 7, 10, 11, 64, 4096])
  func cuts(size: Int) {
    let headers = [
      FrameHeader(length: 3, streamID: 1, type: .request), FrameHeader(length: 0, streamID: 3, type: .data),
      FrameHeader(length: 40, streamID: 5, type: .request),
    ]
    let bytes = headers.flatMap { frame($0, body: Array(repeating: 7, count: Int($0.length))) }
    let decoded = steps(bytes, inPiecesOf: size).compactMap { step -> FrameHeader? in
      guard case .frame(let header, let body) = step, body.count == Int(header.length) else { return nil }
      return header
    }
    #expect(decoded == headers)
  }

  @Test(
    "an oversize frame is announced once and skipped, and the next frame is found", arguments: [100_000, 5_000_000])
  func oversize(size: Int) {
    let long = FrameHeader(length: UInt32(FrameHeader.maximumLength + 1), streamID: 1, type: .request)
    let next = FrameHeader(length: 2, streamID: 3, type: .request)
    let bytes = frame(long, body: Array(repeating: 0, count: Int(long.length))) + frame(next, body: [1, 2])
    let decoded = steps(bytes, inPiecesOf: size)
    #expect(decoded.count == 2)
    #expect(decoded.first == .oversize(long))
    guard case .frame(next, _)? = decoded.last else {
      Issue.record("the frame after the oversize one was lost: \(decoded)")
      return
    }
  }

  @Test("the longest legal frame is a frame")
  func longest() {
    let header = FrameHeader(length: UInt32(FrameHeader.maximumLength), streamID: 1, type: .request)
    let decoded = steps(frame(header, body: Array(repeating: 0, count: FrameHeader.maximumLength)), inPiecesOf: 1 << 20)
    #expect(decoded == [.frame(header, body: FrameHeader.size..<(FrameHeader.size + FrameHeader.maximumLength))])
  }

  @Test("a length that cannot be skipped within bounds ends the connection")
  func unskippable() {
    let header = FrameHeader(length: .max, streamID: 1, type: .request)
    #expect(steps(frame(header, body: []), inPiecesOf: 10) == [.unskippable(header)])
  }
}
