import CatalogDomain
import Testing

@Suite("the steps of a search")
struct SearchStepTests {
  @Test("[CA-25] similar words are looked for only where the keywords find nothing; a further page stays with its step")
  func order() async throws {
    #expect(SearchStep.steps(from: .exact, after: nil) == [.exact, .similar, .wider])
    #expect(SearchStep.steps(from: .newest, after: nil) == [.newest, .similar, .wider])
    #expect(SearchStep.steps(from: .all, after: nil) == [.all])
    for step in SearchStep.allCases {
      #expect(SearchStep.steps(from: .exact, after: step.rawValue) == [step])
    }
    #expect(SearchStep.steps(from: .exact, after: 99) == [.exact, .similar, .wider])
  }

  @Test(
    "[CA-25] the first step that finds anything answers, and none after it runs",
    arguments: [
      ([[1], [2]], [1], SearchStep.exact, 1), ([[], [2]], [2], .similar, 2), ([[], []], [], .similar, 2),
    ])
  func first(results: [[Int]], found: [Int], step: SearchStep, tried: Int) async throws {
    var steps: [SearchStep] = []
    let answer = try await SearchStep.first(of: [.exact, .similar]) { step in
      steps.append(step)
      return results[steps.count - 1]
    }
    #expect(answer.found == found)
    #expect(answer.step == step)
    #expect(steps.count == tried)
  }
}
