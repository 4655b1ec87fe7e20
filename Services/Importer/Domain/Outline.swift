import Geography
import WorkerPool

extension Track {
  /// The track with so many points at most, those that keep its shape best ([IM-11]); points without positions are left out.
  ///
  /// Visvalingam's algorithm on neighbouring triples: the points that span the least area go first. Time and memory are in proportion to
  /// n log n and n.
  package func simplified(to most: Int, on thread: borrowing PoolThread) -> Track {
    let placed = points.filter { $0.position != nil }
    guard placed.count > most, most >= 2 else { return Track(points: placed) }
    var (before, after) = (Array(-1..<(placed.count - 1)), Array(1..<(placed.count + 1)))
    var version = [UInt32](repeating: 0, count: placed.count)
    var heap = AreaHeap()
    for index in 1..<(placed.count - 1) {
      heap.insert(.init(area: Self.area(placed[index - 1], placed[index], placed[index + 1]), index: index, version: 0))
    }
    var left = placed.count
    var isKept = [Bool](repeating: true, count: placed.count)
    while left > most, let least = heap.removeLeast() {
      guard isKept[least.index], version[least.index] == least.version else { continue }
      isKept[least.index] = false
      left -= 1
      let (previous, next) = (before[least.index], after[least.index])
      after[previous] = next
      before[next] = previous
      for index in [previous, next] where index > 0 && index < placed.count - 1 {
        version[index] += 1
        // A point never weighs less than one that went before it.
        let area = max(least.area, Self.area(placed[before[index]], placed[index], placed[after[index]]))
        heap.insert(.init(area: area, index: index, version: version[index]))
      }
    }
    return Track(points: zip(placed, isKept).filter(\.1).map(\.0))
  }

  /// Twice the area of the triangle of three points, in square degrees of latitude.
  private static func area(_ one: TrackPoint, _ two: TrackPoint, _ three: TrackPoint) -> Double {
    guard let a = one.position, let b = two.position, let c = three.position else { return 0 }
    // The cosine of the latitude by its series: exact enough for a comparison.
    let angle = b.latitude * .pi / 180
    let square = angle * angle
    let shrink = max(0, 1 - square / 2 + square * square / 24 - square * square * square / 720)
    let (x1, y1) = ((a.longitude - b.longitude) * shrink, a.latitude - b.latitude)
    let (x2, y2) = ((c.longitude - b.longitude) * shrink, c.latitude - b.latitude)
    return abs(x1 * y2 - x2 * y1)
  }
}

/// A binary heap of triangles, the least area first.
private struct AreaHeap {
  struct Entry {
    let area: Double
    let index: Int
    let version: UInt32
  }

  private var entries: [Entry] = []

  mutating func insert(_ entry: Entry) {
    entries.append(entry)
    var child = entries.count - 1
    while child > 0, entries[child].area < entries[(child - 1) / 2].area {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func removeLeast() -> Entry? {
    guard let least = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return least }
    entries[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < entries.count else { return least }
      if child + 1 < entries.count, entries[child + 1].area < entries[child].area { child += 1 }
      guard entries[child].area < entries[parent].area else { return least }
      entries.swapAt(child, parent)
      parent = child
    }
  }
}
