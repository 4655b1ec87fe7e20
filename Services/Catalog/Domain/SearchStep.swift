/// A step of a search: by the keywords, or, if those find nothing, by similar words ([CA-10], [CA-13], [CA-25]).
///
/// The raw value is part of page tokens: all pages of a search come from the same step.
public enum SearchStep: Int64, Sendable, CaseIterable {
  /// The search has no keywords.
  case all = 0
  /// Every keyword occurs; the best first.
  case exact = 1
  /// Words that are spelt similarly occur.
  case similar = 2
  /// Every keyword occurs; the newest first, after exact titles.
  case newest = 3
  /// Words occur that are spelt similarly, and not only those that are spelt most similarly.
  case wider = 4
  /// The keywords occur joined or split: `mockingbird` for `mocking bird`, `J. R. R.` for `jrr`.
  case respelt = 5
  /// All keywords but one or two occur.
  case most = 6

  /// The steps that may correct a search of books by keywords, in order.
  public static let corrections: [SearchStep] = [.respelt, .similar, .wider, .most]

  /// The steps that may answer a page, in order: each is tried only if the ones before found nothing.
  ///
  /// - Parameters:
  ///   - first: the step that the search begins with.
  ///   - token: the step of the previous page; `nil` for the first page.
  public static func steps(from first: SearchStep, after token: Int64?) -> [SearchStep] {
    if let step = token.flatMap(SearchStep.init(rawValue:)) { return [step] }
    return first == .all ? [.all] : [first, .similar, .wider]
  }

  /// The results of the first of some steps that finds any, and the step; those of the last if none does.
  public static func first<Found>(
    of steps: [SearchStep], _ search: (SearchStep) async throws -> [Found]
  ) async throws -> (found: [Found], step: SearchStep) {
    var last = SearchStep.all
    for step in steps {
      let found = try await search(step)
      if !found.isEmpty { return (found, step) }
      last = step
    }
    return ([], last)
  }
}
