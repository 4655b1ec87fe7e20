import Ambient
import Synchronization

/// The same bits for the same seed, in the order they are asked for (SplitMix64). For tests only.
public final class SeededRandomness: Randomness {
  private let state: Mutex<UInt64>

  /// A generator whose whole sequence follows from `seed`.
  public init(seed: UInt64) {
    state = Mutex(seed)
  }

  /// Overwrites every byte of `buffer` with the sequence's next.
  public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    state.withLock { state in
      for start in stride(from: 0, to: buffer.count, by: 8) {
        withUnsafeBytes(of: Self.next(&state).littleEndian) { bytes in
          for offset in 0..<min(8, buffer.count - start) { buffer[start + offset] = bytes[offset] }
        }
      }
    }
  }

  private static func next(_ state: inout UInt64) -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
