/// How much each client may keep of places that some have more of than others.
enum PlaceLevel {
  /// The most places that a client may keep for `needed` of them to become free; at least one.
  ///
  /// Clients with fewer keep theirs, so that those with most lose most.
  static func level(of counts: [Int], freeing needed: Int) -> Int {
    var (low, high) = (1, max(1, counts.max() ?? 1))
    // The highest level that frees enough lies in low...high.
    while low < high {
      let level = (low + high + 1) / 2
      if counts.reduce(0, { $0 + max(0, $1 - level) }) >= needed { low = level } else { high = level - 1 }
    }
    return low
  }
}
