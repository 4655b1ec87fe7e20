/// A query whose parameters are numbered.
struct NumberedQuery {
  struct Parameter: Equatable {
    /// As in the file, for example `loan_id`.
    let name: String
    /// Whether it was written `:name?`: it may be null.
    let isOptional: Bool
  }

  let text: String
  /// In the order of `$1`, `$2`, ….
  let parameters: [Parameter]

  /// Replaces `:name` and `:name?` by numbers in the order in which they first occur.
  init(_ named: String, _ place: String) throws {
    var (text, parameters) = ("", [Parameter]())
    for (kind, segment) in SQLText.segments(named) {
      guard kind == .code else {
        text += segment
        continue
      }
      var rest = segment
      while let colon = rest.firstIndex(of: ":") {
        text += rest[..<colon]
        rest = rest[rest.index(after: colon)...]
        if rest.first == ":" {
          text += "::"
          rest = rest.dropFirst()
          continue
        }
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        guard name.first?.isLetter == true else {
          text += ":"
          continue
        }
        rest = rest.dropFirst(name.count)
        let isOptional = rest.first == "?"
        if isOptional { rest = rest.dropFirst() }
        if let known = parameters.firstIndex(where: { $0.name == name }) {
          guard parameters[known].isOptional == isOptional else {
            throw GeneratorError(place: place, reason: "write :\(name) with `?` everywhere or nowhere")
          }
          text += "$\(known + 1)"
        } else {
          parameters.append(Parameter(name: name, isOptional: isOptional))
          text += "$\(parameters.count)"
        }
      }
      text += rest
    }
    (self.text, self.parameters) = (text, parameters)
  }
}
