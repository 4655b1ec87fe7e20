import Identifiers

/// What a program takes from its surroundings besides input: the time and randomness.
public struct Environment: Sendable {
  /// Tells the time.
  public var clock: any WallClock
  /// Gives ids and secrets their bits.
  public var randomness: any Randomness

  /// Surroundings made of these two.
  public init(clock: any WallClock, randomness: any Randomness) {
    self.clock = clock
    self.randomness = randomness
  }

  /// The machine's own clock and the kernel's randomness.
  public static let system = Environment(clock: SystemClock(), randomness: SystemRandomness())

  /// A new id of this moment.
  public func newID<Subject>() -> Identifier<Subject> {
    Identifier(randomness.uuid7(at: clock.now))
  }
}
