import ProtobufC
import TTRPC

/// Requests of a service, as its handlers read them before they ask the database: the first byte chooses which.
enum RequestFuzzing {
  typealias Reading = @Sendable (UnsafeRawBufferPointer) -> Void

  static func run(_ readings: [Reading], _ bytes: UnsafeRawBufferPointer) {
    guard let choice = bytes.first else { return }
    readings[Int(choice) % readings.count](UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
  }

  /// Decodes a request, sees it survive as a message does, and reads it; a refusal is fine.
  static func reading<Request: ProtobufMessage>(
    _ type: Request.Type, _ read: @escaping @Sendable (Request) throws -> Void = { _ in }
  ) -> Reading {
    let survives = MessageFuzzing.check(type)
    return { bytes in
      survives(bytes)
      do { try read(try RequestDecoder<Request>().decode(bytes, in: Arena(firstBlock: 4_096))) } catch {
        precondition(
          error is any StatusConvertible || error is Status || error is ProtobufError, "\(type) fails with \(error)")
      }
    }
  }
}
