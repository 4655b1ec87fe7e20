import Subprocess

/// The output of a program that has ended.
struct CommandOutput {
  let text: String
  let end: ProcessEnd

  /// Runs the program to its end, and shows what it writes as it does, errors as such.
  static func shown(running plan: ChildPlan) async throws(Complaint) -> ProcessEnd {
    do {
      let result = try await run(plan.configuration, output: .currentStandardOutput, error: .currentStandardError)
      return ProcessEnd(result.terminationStatus)
    } catch {
      throw Complaint("\(plan.program) cannot be run: \(error)")
    }
  }

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
