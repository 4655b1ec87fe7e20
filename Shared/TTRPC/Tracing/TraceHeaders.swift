import Tracing

/// A call's place in a trace as it travels in metadata (W3C Trace Context), passed on as it came by a service that records nothing itself.
struct TraceHeaders: Sendable, Equatable {
  let traceparent: String
  let tracestate: String?

  /// `nil` when the metadata carry no usable `traceparent`.
  init?(_ metadata: Metadata) {
    guard !metadata.isEmpty, let traceparent = metadata["traceparent"], Self.traceID(in: traceparent) != nil
    else { return nil }
    self.traceparent = traceparent
    tracestate = MetadataExtractor().extract(key: "tracestate", from: metadata)
  }

  func add(to metadata: inout Metadata) {
    metadata.append("traceparent", traceparent)
    if let tracestate { metadata.append("tracestate", tracestate) }
  }

  /// The trace's id, 32 hexadecimal digits; `nil` when the text is no `traceparent`.
  static func traceID(in traceparent: String) -> Substring? {
    let dash = UInt8(ascii: "-")
    let bytes = traceparent.utf8
    // 00-, 32 digits, another dash; what follows is for those who record.
    guard bytes.count >= 55 else { return nil }
    let start = bytes.index(bytes.startIndex, offsetBy: 3)
    let end = bytes.index(start, offsetBy: 32)
    guard bytes[bytes.index(before: start)] == dash, bytes[end] == dash else { return nil }
    let digits = traceparent[start..<end]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
    return digits.utf8.allSatisfy { $0 == 0x30 } ? nil : digits
  }
}

/// Lets a tracer read metadata.
struct MetadataExtractor: Extractor {
  func extract(key: String, from carrier: Metadata) -> String? {
    // A header that came in pieces is one list (RFC 9110, section 5.3); of two traceparents neither counts.
    let values = carrier.values(of: key)
    return values.isEmpty ? nil : values.joined(separator: ",")
  }
}

/// Lets a tracer write metadata.
struct MetadataInjector: Injector {
  func inject(_ value: String, forKey key: String, into carrier: inout Metadata) {
    carrier.append(key, value)
  }
}
