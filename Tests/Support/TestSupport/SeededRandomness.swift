import Environment
import SeededNumbers
import Synchronization

/// The same bits for the same seed, in the order they are asked for. For tests only.
public final class SeededRandomness: Randomness {
  private let numbers: Mutex<SplitMix>

  /// A generator whose whole sequence follows from `seed`.
  public init(seed: UInt64) {
    numbers = Mutex(SplitMix(seed: seed))
  }

  /// Overwrites every byte of `buffer` with the sequence's next.
  public func fill(_ buffer: UnsafeMutableRawBufferPointer) {
    numbers.withLock { numbers in
      for start in stride(from: 0, to: buffer.count, by: 8) {
        withUnsafeBytes(of: numbers.next().littleEndian) { bytes in
          for offset in 0..<min(8, buffer.count - start) { buffer[start + offset] = bytes[offset] }
        }
      }
    }
  }
}
