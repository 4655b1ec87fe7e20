import Glibc

/// Shows the lines of programs, each with its program's name in the program's colour.
///
/// During the start of the suite lines are held back: they are shown only if the start fails.
final class LineLog {
  private let palette: Palette
  private var width: Int
  private var order: [String] = []
  private var held: [String: [String]]?
  /// Where all lines are kept for a while; `nil` before there is a folder.
  var file: LogFile?
  /// Enough to show why a program ended.
  private static let heldLines = 40

  /// - Parameters:
  ///   - names: the programs' names, for the width of their column.
  ///   - holdingBack: whether lines wait for ``release()``.
  init(names: [String], palette: Palette, holdingBack: Bool) {
    self.palette = palette
    width = names.map(\.count).max() ?? 0
    order = names
    held = holdingBack ? [:] : nil
  }

  func take(_ line: String, from plan: ChildPlan) {
    switch plan.lines {
    case .logged: break
    case .plain: return write(line + "\n", to: STDOUT_FILENO)
    case .dropped: return
    }
    file?.write(line, from: plan.name)
    guard held != nil else { return show(line, from: plan.name) }
    held?[plan.name, default: []].append(line)
    if held?[plan.name]?.count ?? 0 > Self.heldLines { held?[plan.name]?.removeFirst() }
  }

  /// Drops the held lines; later lines are shown at once.
  func release() { held = nil }

  /// Shows the held lines of one program.
  func showHeld(of name: String) {
    for line in held?[name] ?? [] { show(line, from: name) }
    held?[name] = []
  }

  /// Shows a line of `tandem` itself among those of the programs.
  func note(_ line: String) {
    file?.write(line, from: "tandem")
    show(palette.bold(line), from: "tandem")
  }

  private func show(_ line: String, from name: String) {
    let padding = String(repeating: " ", count: max(0, width - name.count))
    tell("\(palette.colour(name + padding, order.firstIndex(of: name) ?? order.count)) \(palette.dim("|")) \(line)")
  }
}

/// Colours for a terminal, or none.
struct Palette: Sendable {
  let isOn: Bool

  /// Colours when the descriptor is a terminal and NO_COLOR is unset or empty (https://no-color.org).
  init(for descriptor: CInt) {
    isOn = isatty(descriptor) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
  }

  init(isOn: Bool) { self.isOn = isOn }

  func bold(_ text: String) -> String { styled(text, "1") }
  func dim(_ text: String) -> String { styled(text, "2") }
  func good(_ text: String) -> String { styled(text, "32") }
  func bad(_ text: String) -> String { styled(text, "31") }

  /// One of twelve colours that can be told apart on dark and on light ground.
  func colour(_ text: String, _ index: Int) -> String {
    let codes = ["36", "33", "35", "32", "34", "31", "96", "93", "95", "92", "94", "91"]
    return styled(text, codes[index % codes.count])
  }

  private func styled(_ text: String, _ code: String) -> String {
    isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
