import ProtobufC
import TTRPCFrames
import TTRPCWire

enum EnvelopeFuzzing {
  static func run(_ bytes: UnsafeRawBufferPointer) {
    let envelope = RequestEnvelope(bytes)
    let request: TTRPCWire.Request
    do {
      request = try TTRPCWire.Request(serialized: bytes)
    } catch {
      // The envelope leaves it to its reader whether names are text; in everything else both must agree.
      if case .invalidUTF8 = error { return precondition(envelope != nil, "an envelope is refused for its text") }
      return precondition(envelope == nil, "an envelope is taken that is none: \(error)")
    }
    guard let envelope else { preconditionFailure("an envelope is refused that is one") }
    precondition(envelope.namesAreText, "text is taken for something else")
    precondition(envelope.service.elementsEqual(request.service.utf8), "another service is read")
    precondition(envelope.method.elementsEqual(request.method.utf8), "another method is read")
    precondition(envelope.payload.elementsEqual(request.payload), "another payload is read")
    precondition(envelope.timeoutNanoseconds == request.timeoutNano, "another timeout is read")
    let pairs = envelope.metadata.pairs
    precondition(pairs.map(\.name) == request.metadata.map(\.key), "other metadata names are read")
    precondition(pairs.map(\.value) == request.metadata.map(\.value), "other metadata values are read")
  }
}
