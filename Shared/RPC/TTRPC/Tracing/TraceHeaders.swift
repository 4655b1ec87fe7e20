import Tracing

/// A call's place in a trace as its metadata name it (W3C Trace Context, level 1), forwarded unchanged by a service
/// that records nothing itself.
package struct TraceHeaders: Sendable, Equatable {
  /// Always 55 characters.
  package let traceparent: String
  package let tracestate: String?

  /// `nil` when the metadata have no usable `traceparent`.
  package init?(_ metadata: Metadata) {
    guard !metadata.isEmpty, metadata.has("traceparent") else { return nil }
    // With two traceparents neither counts.
    let values = metadata.values(of: "traceparent")
    guard values.count == 1, let traceparent = Self.wellFormed(values[0]) else { return nil }
    self.traceparent = traceparent
    tracestate = MetadataExtractor().extract(key: "tracestate", from: metadata)
  }

  package func add(to metadata: inout Metadata) {
    metadata.append("traceparent", traceparent)
    if let tracestate { metadata.append("tracestate", tracestate) }
  }

  /// The value to forward: of a later version the part that this one knows; `nil` for a value that a receiver has to
  /// ignore.
  private static func wellFormed(_ text: String) -> String? {
    guard isWellFormed(text.utf8) else { return nil }
    let known = text.utf8.prefix(length)
    if known.starts(with: "00".utf8) { return text }
    let isSampled = hexadecimal(known.suffix(1)).map { $0 & 1 == 1 } ?? false
    return "00" + String(Substring(known.dropFirst(2).dropLast(2))) + (isSampled ? "01" : "00")
  }

  /// The trace's id, 32 hexadecimal digits; `nil` when the text is not a `traceparent`.
  package static func traceID(in traceparent: String) -> Substring? {
    guard isWellFormed(traceparent.utf8) else { return nil }
    return Substring(traceparent.utf8.dropFirst(3).prefix(32))
  }

  /// Characters of version 00, and those of a later one that this one knows.
  private static let length = 55

  /// Whether the text is `version-trace-parent-flags` in lower-case digits, with nothing behind unless the version is a later one.
  private static func isWellFormed(_ text: String.UTF8View) -> Bool {
    var (trace, parent, index) = (0 as UInt8, 0 as UInt8, 0)
    for byte in text.prefix(length) {
      switch index {
      case 2, 35, 52: guard byte == dash else { return false }
      default: guard isDigit(byte) else { return false }
      }
      if (3..<35).contains(index) { trace |= byte ^ zero }
      if (36..<52).contains(index) { parent |= byte ^ zero }
      index += 1
    }
    // All zeros are not an id, and ff is not a version.
    guard index == length, trace != 0, parent != 0, !text.starts(with: "ff".utf8) else { return false }
    let rest = text.dropFirst(length)
    return rest.isEmpty || !text.starts(with: "00".utf8) && rest.first == dash
  }

  private static let dash = UInt8(ascii: "-")
  private static let zero = UInt8(ascii: "0")

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func hexadecimal(_ digits: Substring.UTF8View) -> UInt8? { UInt8(Substring(digits), radix: 16) }
}

/// Lets a tracer read metadata.
struct MetadataExtractor: Extractor {
  func extract(key: String, from carrier: Metadata) -> String? {
    // A header in several fields is one list (RFC 9110, section 5.3); with two traceparents neither counts.
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
