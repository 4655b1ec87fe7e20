/// A file that a client sends.
package protocol FileUpload: Sendable {
  /// The next part, once it is there; `nil` at the end of the file.
  func next() async throws -> FilePart?

  /// Notes that so many bytes more were taken, so that the client may send more.
  func take(_ count: Int) async throws
}

/// A part of a file, and what the client asks for: what it says with the first part counts.
package struct FilePart: Sendable {
  package enum Fault: Sendable {
    case refuses
    /// What is whole is stored.
    case isReported
  }

  let chunk: [UInt8]
  let fault: Fault
  let zone: String

  /// - Parameters:
  ///   - fault: what a fault in the file does.
  ///   - zone: the IANA time zone of times that are those of a clock.
  package init(chunk: [UInt8], fault: Fault, zone: String) {
    (self.chunk, self.fault, self.zone) = (chunk, fault, zone)
  }
}
