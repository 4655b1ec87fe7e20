import Subprocess

/// The output of a program that has ended.
struct CommandOutput {
  let text: String
  let end: ProcessEnd

  /// Runs the program to its end.
  init(running plan: ChildPlan) async throws(Complaint) {
    do {
      let result = try await run(plan.configuration, output: .string(limit: .max), error: .combinedWithOutput)
      text = result.standardOutput
      end = ProcessEnd(result.terminationStatus)
    } catch {
      throw Complaint("\(plan.program) cannot be run: \(error)")
    }
  }
}
