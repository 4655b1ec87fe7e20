import Identifiers

/// What a program takes from its surroundings besides input: the time and randomness.
public struct Environment: Sendable {
  public var clock: any WallClock
  /// The source of the bits of ids and secrets.
  public var randomness: any Randomness

  public init(clock: any WallClock, randomness: any Randomness) {
    self.clock = clock
    self.randomness = randomness
  }

  /// The machine's own clock and the kernel's randomness.
  public static let system = Environment(clock: SystemClock(), randomness: SystemRandomness())

  /// A new id with the present time.
  public func newID<Subject>() -> Identifier<Subject> {
    Identifier(randomness.uuid7(at: clock.now))
  }
}
