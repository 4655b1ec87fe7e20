/// What is stored of a user, or may be.
package struct StorageUse: Sendable, Equatable {
  /// Reports of activities, each source by itself.
  package var activities: Int64
  /// Bytes of samples and of records that are kept as JSON.
  package var bytes: Int64
  /// Days with steps, by provider.
  package var stepDays: Int64
  package var sleeps: Int64
  package var weights: Int64

  package init(activities: Int64, bytes: Int64, stepDays: Int64, sleeps: Int64, weights: Int64) {
    self.activities = activities
    self.bytes = bytes
    self.stepDays = stepDays
    self.sleeps = sleeps
    self.weights = weights
  }

  /// What there may be of a kind, and what there would be.
  package struct Excess: Error, Sendable, Equatable {
    package let kind: String
    package let most: Int64
  }

  /// The first kind of which there is more than `quota` allows, and more than there was before: who is beyond a quota that became
  /// smaller can still correct and delete.
  package func excess(of quota: StorageUse, since before: StorageUse) -> Excess? {
    Self.kinds.first { $0.count(self) > $0.count(quota) && $0.count(self) > $0.count(before) }
      .map { Excess(kind: $0.name, most: $0.count(quota)) }
  }

  private static let kinds: [(name: String, count: @Sendable (StorageUse) -> Int64)] = [
    ("activities", { $0.activities }), ("bytes", { $0.bytes }), ("days", { $0.stepDays }), ("sleeps", { $0.sleeps }),
    ("weights", { $0.weights }),
  ]
}
