import Identifiers

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fills memory with unpredictable bits. Passed in, so that a test can repeat a run from a seed.
public protocol Randomness: Sendable {
  /// Overwrites every byte of `buffer`.
  func fill(_ buffer: UnsafeMutableRawBufferPointer)
}

/// The kernel's generator. Stops the program when the kernel has none: continuing would not be safe.
public struct SystemRandomness: Randomness {
  public init() {}

  /// Overwrites every byte of `buffer`, with `getentropy`.
  public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let start = buffer.baseAddress else { return }
    // getentropy returns at most 256 bytes a call, and never fewer than asked for.
    for offset in stride(from: 0, to: buffer.count, by: 256) {
      let status = getentropy(start + offset, min(256, buffer.count - offset))
      precondition(status == 0, "the kernel gives no randomness")
    }
  }
}

extension Randomness {
  /// `count` new random bytes.
  public func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
      filled = count
    }
  }

  /// 64 new random bits.
  public func uint64() -> UInt64 {
    var number: UInt64 = 0
    withUnsafeMutableBytes(of: &number) { fill($0) }
    return number
  }

  /// A new version 7 UUID of that moment.
  public func uuid7(at instant: Instant) -> UUID7 {
    var entropy: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &entropy) { fill($0) }
    return UUID7(at: instant, entropy: entropy)
  }
}
