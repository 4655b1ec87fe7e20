/// A place in a distributed trace, as the `traceparent` header carries it (W3C Trace Context, level 1).
public struct TraceContext: Sendable, Hashable {
  /// The whole trace's id, 128 bits; never all zero.
  public let traceID: (high: UInt64, low: UInt64)
  /// The id of the calling span; never zero.
  public let parentID: UInt64
  /// Whether the caller recorded its part.
  public let isSampled: Bool

  /// Nil when an id is all zero, which the specification forbids.
  public init?(traceID: (high: UInt64, low: UInt64), parentID: UInt64, isSampled: Bool) {
    guard traceID.high | traceID.low != 0, parentID != 0 else { return nil }
    self.traceID = traceID
    self.parentID = parentID
    self.isSampled = isSampled
  }

  /// Parses a `traceparent` value; nil for anything the specification tells a receiver to ignore.
  ///
  /// Version 00 is exactly 55 characters; of a later version the first 55 are read and more may follow after a
  /// dash; version ff is invalid. Hexadecimal digits are lower case.
  public init?(traceparent text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
      let version = hexValue(bytes[0..<2]), version != 0xFF,
      let high = hexValue(bytes[3..<19]), let low = hexValue(bytes[19..<35]),
      let parent = hexValue(bytes[36..<52]), let flags = hexValue(bytes[53..<55])
    else { return nil }
    guard bytes.count == 55 || (version > 0 && bytes[55] == dash) else { return nil }
    self.init(traceID: (high, low), parentID: parent, isSampled: flags & 1 != 0)
  }

  /// The value to send on, always as version 00 with no flag but `sampled`.
  public var traceparent: String { "00-\(traceIDText)-\(hexText(parentID))-\(isSampled ? "01" : "00")" }

  /// The trace id as 32 lower-case hexadecimal digits, as logs show it.
  public var traceIDText: String { hexText(traceID.high) + hexText(traceID.low) }

  /// The context of a child span in the same trace; nil when the span's id is zero.
  public func child(_ spanID: UInt64) -> TraceContext? {
    TraceContext(traceID: traceID, parentID: spanID, isSampled: isSampled)
  }

  /// Equal when the ids and the flag are.
  public static func == (left: TraceContext, right: TraceContext) -> Bool {
    left.traceID == right.traceID && left.parentID == right.parentID && left.isSampled == right.isSampled
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(traceID.high)
    hasher.combine(traceID.low)
    hasher.combine(parentID)
    hasher.combine(isSampled)
  }
}

private let dash = UInt8(ascii: "-")

private func hexValue(_ digits: ArraySlice<UInt8>) -> UInt64? {
  var value: UInt64 = 0
  for digit in digits {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt64(digit - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
    default: return nil
    }
  }
  return value
}

private func hexText(_ value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
