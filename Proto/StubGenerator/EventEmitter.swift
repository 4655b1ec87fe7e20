import ContractRules
import ProtobufC
import ProtobufDescriptor

/// Writes what makes a message an event: its topic and key.
struct EventEmitter {
  private let rules: EventRules
  private let fields: [Field]

  /// `nil` for a message that is not an event.
  init?(_ message: DescriptorProto, _ fields: [Field]) throws(GeneratorError) {
    let rules: EventRules?
    do throws(ProtobufError) { rules = try EventRules(message.options) } catch {
      throw GeneratorError(element: message.plainName, reason: "has options that cannot be read: \(error)")
    }
    guard let rules else { return nil }
    (self.rules, self.fields) = (rules, fields)
    guard EventTopic.isName(rules.topic) else {
      throw GeneratorError(
        element: message.plainName, reason: "its topic \"\(rules.topic)\" is not 1 to 60 of a-z, 0-9, _ and .")
    }
    guard !rules.key.isEmpty else {
      throw GeneratorError(element: message.plainName, reason: "its event has no key; name the fields that make it")
    }
    guard rules.keyIfEmpty == nil || rules.key.count == 1 else {
      throw GeneratorError(
        element: message.plainName, reason: "key_if_empty stands for one field; its event's key has several")
    }
    for name in rules.key + [rules.keyIfEmpty].compactMap({ $0 }) where !isText(name) {
      throw GeneratorError(
        element: message.plainName, reason: "the key of its event names \"\(name)\", which is not a string field of it")
    }
  }

  private func isText(_ name: String) -> Bool {
    fields.contains { $0.name == name && $0.value.kind == .text && $0.presence == .plain }
  }

  func emit(to text: inout SwiftText) {
    text.line("public static let topic = EventTopic(\"\(rules.topic)\")")
    let names = rules.key.map { SwiftName.member($0) }
    let key = names.count == 1 ? names[0] : "\"" + names.map { "\\(\($0))" }.joined(separator: "/") + "\""
    let otherwise = rules.keyIfEmpty.map { "\(key).isEmpty ? \(SwiftName.member($0)) : " } ?? ""
    text.line("public var eventKey: String { \(otherwise)\(key) }")
    text.line()
  }
}
