import Glibc

/// The ranking by Okapi BM25 (Robertson and Zaragoza, 2009), with its usual parameters, that searches are compared with.
package struct BM25: Sendable {
  /// How soon a repeated word counts no more.
  private static let saturation = 1.2
  /// How much longer texts count less.
  private static let lengthWeight = 0.75

  private let lengths: [Int]
  private let averageLength: Double
  /// For each word the texts that have it, and how often.
  private let entries: [String: [(text: Int, count: Int)]]

  /// - Parameter texts: the words of each.
  package init(_ texts: [[String]]) {
    lengths = texts.map(\.count)
    averageLength = Double(max(1, lengths.reduce(0, +))) / Double(max(1, texts.count))
    var entries: [String: [(text: Int, count: Int)]] = [:]
    for (place, words) in texts.enumerated() {
      for (word, count) in Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +) {
        entries[word, default: []].append((place, count))
      }
    }
    self.entries = entries
  }

  /// The indices of the texts that have any of the words, the best first; of equal ones the first.
  package func best(_ limit: Int, for words: [String]) -> [Int] {
    var scores: [Int: Double] = [:]
    for word in Set(words) {
      let found = entries[word] ?? []
      let (all, those) = (Double(lengths.count), Double(found.count))
      let rarity = log(1 + (all - those + 0.5) / (those + 0.5))
      for (text, count) in found {
        let length = Double(lengths[text]) / averageLength
        let damping = Self.saturation * (1 - Self.lengthWeight + Self.lengthWeight * length)
        scores[text, default: 0] += rarity * Double(count) * (Self.saturation + 1) / (Double(count) + damping)
      }
    }
    return scores.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(limit).map(\.key)
  }
}
