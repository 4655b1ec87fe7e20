import NIOCore
import TTRPCFrames

/// The first byte says how the rest is cut into reads.
enum FrameFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    guard let cut = bytes.first else { return }
    let wire = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
    let whole = events(of: wire, cut: max(wire.count, 1))
    let cuts = events(of: wire, cut: Int(cut) + 1)
    precondition(whole == cuts, "frames depend on how their bytes arrive")
  }

  private enum Event: Equatable {
    case frame(FrameHeader, [UInt8])
    case oversize(FrameHeader)
    case unskippable(FrameHeader)
  }

  private static func events(of wire: UnsafeRawBufferPointer, cut: Int) -> [Event] {
    var reader = FrameReader()
    var events: [Event] = []
    var isOpen = true
    for start in stride(from: 0, to: wire.count, by: cut) where isOpen {
      let piece = wire[start..<min(start + cut, wire.count)]
      reader.read(ByteBuffer(bytes: piece)) { event in
        switch event {
        case .frame(let header, let body):
          precondition(Int(header.length) == body.count, "a frame's body is as long as it says")
          events.append(.frame(header, Array(body)))
        case .oversize(let header): events.append(.oversize(header))
        case .overBudget: preconditionFailure("there is no budget to exceed")
        case .unskippable(let header):
          events.append(.unskippable(header))
          isOpen = false
        }
        return isOpen
      }
    }
    return events
  }
}
