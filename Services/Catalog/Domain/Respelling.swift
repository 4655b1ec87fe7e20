/// Other ways to divide what a user typed into words, and to leave some of it out ([CA-25]).
///
/// Titles are written in one word or two, initials with and without dots, and what a reader remembers of a title has a wrong word in it.
public enum Respelling {
  /// More ways are not looked for.
  private static let maxWays = 48
  /// A shorter word is not split: its parts would be in every other title.
  private static let shortestSplit = 6
  /// The shortest part of a split word.
  private static let shortestPart = 2
  /// The most letters of a word that may be initials, as in `jrr`.
  private static let maxInitials = 4
  /// With fewer keywords all must occur: what is left of two says too little.
  private static let fewestForMost = 3
  /// With so many keywords two may be missing.
  private static let fewestForTwoMissing = 5

  /// The other divisions of some words into words: two neighbours as one, one as two, letters as initials and initials as letters.
  static func divisions(of words: [String]) -> [[String]] {
    var ways: [[String]] = []
    for place in words.indices.dropLast() {
      ways.append(Array(words[..<place]) + [words[place] + words[place + 1]] + words[(place + 2)...])
    }
    for run in runsOfLetters(in: words) where run.count > 2 {
      ways.append(Array(words[..<run.lowerBound]) + [words[run].joined()] + words[run.upperBound...])
    }
    for (place, word) in words.enumerated() {
      let (before, after) = (Array(words[..<place]), words[(place + 1)...])
      let letters = word.map(String.init)
      if (2...maxInitials).contains(letters.count), word.allSatisfy(\.isLetter) {
        ways.append(before + letters + after)
      }
      guard letters.count >= shortestSplit, word.allSatisfy(\.isLetter) else { continue }
      for split in shortestPart...letters.count - shortestPart {
        ways.append(before + [letters[..<split].joined(), letters[split...].joined()] + after)
      }
    }
    return Array(ways.prefix(maxWays))
  }

  /// The words without one or two of them, as many as may be wrong; none if they are too few.
  static func most(of words: [String]) -> [[String]] {
    guard words.count >= fewestForMost else { return [] }
    var ways = words.indices.map { missing in words.indices.filter { $0 != missing }.map { words[$0] } }
    if words.count >= fewestForTwoMissing {
      for first in words.indices where ways.count < maxWays {
        for second in words.indices where second > first {
          ways.append(words.indices.filter { $0 != first && $0 != second }.map { words[$0] })
        }
      }
    }
    return Array(ways.prefix(maxWays))
  }

  /// The ranges of words of one letter each.
  private static func runsOfLetters(in words: [String]) -> [Range<Int>] {
    var (runs, start): ([Range<Int>], Int?) = ([], nil)
    for place in 0...words.count {
      if place < words.count, words[place].count == 1 {
        start = start ?? place
      } else if let begin = start {
        runs.append(begin..<place)
        start = nil
      }
    }
    return runs
  }
}

/// A search by any of several texts: what a book must match to be found, in PostgreSQL's formats.
public struct SearchAlternatives: Sendable, Equatable {
  public let query: String
  public let whole: String
  public let titleKeys: [String]
  public let titlePhrase: String
  /// `nil` if no text has several words.
  public let authorPhrase: String?

  /// `nil` for no texts.
  init?(_ texts: [[String]]) {
    guard !texts.isEmpty else { return nil }
    func any(_ queries: [String]) -> String { queries.map { "(\($0))" }.joined(separator: " | ") }
    func phrase(_ words: [String], _ weight: String) -> String {
      words.map { "'\($0)':\(weight)" }.joined(separator: " <-> ")
    }
    // Words only: beginnings of parts of words are in every other title.
    whole = any(texts.map { $0.map { "'\($0)'" }.joined(separator: " & ") })
    query = whole
    var seen: Set<String> = []
    titleKeys = texts.map { TitleKey.of(words: $0) }.filter { seen.insert($0).inserted }
    titlePhrase = any(texts.map { phrase($0, "A") })
    let severals = texts.filter { $0.count > 1 }
    authorPhrase = severals.isEmpty ? nil : any(severals.map { phrase($0, "B") })
  }
}

extension SearchQuery {
  /// The texts to look for in a step that divides the words otherwise or leaves some out; `nil` if there are none, and for other steps.
  public func alternatives(in step: SearchStep) -> SearchAlternatives? {
    let words = meantTexts.first ?? []
    return switch step {
    case .respelt: SearchAlternatives(Respelling.divisions(of: words))
    case .most: SearchAlternatives(Respelling.most(of: words))
    case .all, .exact, .similar, .newest, .wider: nil
    }
  }
}
