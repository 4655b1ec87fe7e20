/// A query with what PostgreSQL says about it, in Swift's terms.
struct DescribedQuery {
  struct Field {
    let name: String
    /// With its `?` where it may be null.
    let type: String
    let comment: String?
  }

  /// A part of a row: one column, or the columns of a list.
  enum Part {
    case column(Field)
    case list(ColumnList, field: String)
  }

  let query: Query
  let sql: String
  let parameters: [Field]
  let row: [Part]
  /// The fields of the lists that the query uses, by their names.
  let lists: [String: [Field]]
}

/// Describes queries by a schema that was migrated.
struct Describer {
  let scratch: Scratch
  let types: SwiftTypes
  let expansion: Expansion
  let tables: Set<String>

  func describe(_ query: Query) throws -> DescribedQuery {
    let expanded = try expansion.expand(query.body, query.place)
    let names = expanded.uses.map(\.list.name)
    if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
      throw GeneratorError(place: query.place, reason: "\(query.name) uses the columns \(twice) twice")
    }
    let numbered = try NumberedQuery(expanded.described, query.place)
    let description: Scratch.Description
    do {
      description = try scratch.describe(numbered.text)
    } catch {
      let file = query.place.prefix { $0 != ":" }
      throw GeneratorError(
        place: error.line.map { "\(file):\(query.body.line + $0 - 1)" } ?? query.place,
        reason: "\(query.name): \(error.message)")
    }
    let parameters = try zip(numbered.parameters, description.parameters).map { parameter, type in
      let remark = query.comments.remarks[parameter.name]
      let swift = try types.parameter(parameter.name, remark, type)
      return DescribedQuery.Field(
        name: SwiftNames.property(parameter.name), type: swift + (parameter.isOptional ? "?" : ""),
        comment: remark?.comment)
    }
    let (row, lists) = try self.row(description.columns, expanded, query, numbered.text)
    try check(query, hasColumns: !row.isEmpty)
    let sent = try NumberedQuery(expanded.sent, query.place)
    try check(sent, against: description, numbered.parameters, query)
    try checkRemarks(query, parameters, row)
    return DescribedQuery(query: query, sql: sent.text, parameters: parameters, row: row, lists: lists)
  }

  /// What is sent is not quite what was described: it has no comments, and no names for the columns of lists.
  private func check(
    _ sent: NumberedQuery, against description: Scratch.Description, _ parameters: [NumberedQuery.Parameter],
    _ query: Query
  ) throws {
    let isSame: Bool
    do {
      let other = try scratch.describe(sent.text)
      isSame =
        sent.parameters == parameters && other.parameters == description.parameters
        && other.columns.map(\.type) == description.columns.map(\.type)
    } catch { isSame = false }
    guard isSame else {
      throw GeneratorError(
        place: query.place,
        reason: "\(query.name): its comments or quotes cannot be told from its SQL; write it more plainly")
    }
  }

  private func check(_ query: Query, hasColumns: Bool) throws {
    if query.cardinality == .exec, hasColumns {
      throw GeneratorError(place: query.place, reason: "\(query.name) is :exec and returns columns")
    }
    if query.cardinality != .exec, !hasColumns {
      throw GeneratorError(
        place: query.place, reason: "\(query.name) is :\(query.cardinality.rawValue) and returns no columns")
    }
  }

  private func checkRemarks(_ query: Query, _ parameters: [DescribedQuery.Field], _ row: [DescribedQuery.Part]) throws {
    var known = Set(parameters.map(\.name))
    for case .column(let field) in row { known.insert(field.name) }
    for name in query.comments.remarks.keys where !known.contains(SwiftNames.property(name)) {
      throw GeneratorError(place: query.place, reason: "\(query.name) has no parameter and no column `\(name)`")
    }
  }

  private func row(
    _ columns: [Scratch.Column], _ expanded: Expansion.Expanded, _ query: Query, _ text: String
  ) throws -> (row: [DescribedQuery.Part], lists: [String: [DescribedQuery.Field]]) {
    let joins = OuterJoins(text, tables: tables)
    var (row, lists) = ([DescribedQuery.Part](), [String: [DescribedQuery.Field]]())
    for column in columns {
      guard column.name.hasPrefix("§") else {
        row.append(.column(try field(column, column.name, query.comments, joins, query.place)))
        continue
      }
      let number = Int(column.name.dropFirst().prefix { $0 != "." }) ?? 0
      let name = String(column.name.drop { $0 != "." }.dropFirst())
      let use = expanded.uses[number]
      if lists[use.list.name] == nil { row.append(.list(use.list, field: use.field)) }
      lists[use.list.name, default: []].append(try field(column, name, use.list.comments, joins, use.list.place))
    }
    return (row, lists)
  }

  private func field(
    _ column: Scratch.Column, _ name: String, _ comments: Comments, _ joins: OuterJoins, _ place: String
  ) throws -> DescribedQuery.Field {
    let plain = name.hasSuffix("!") ? String(name.dropLast()) : name
    guard plain != "?column?", !plain.isEmpty else {
      throw GeneratorError(place: place, reason: "a column has no name: write `as name`")
    }
    let (origin, remark) = (try originOf(column, place), comments.remarks[plain])
    let isNullable = name.hasSuffix("!") ? false : origin.map { !$0.isNotNull || joins.concern($0.table) } ?? true
    let type: String
    do {
      type = try types.column(plain, origin, remark, column.type)
    } catch let error as GeneratorError {
      throw GeneratorError(place: place, reason: "\(error.place) \(error.reason)")
    }
    return DescribedQuery.Field(
      name: SwiftNames.property(plain), type: type + (isNullable ? "?" : ""), comment: remark?.comment)
  }

  private func originOf(_ column: Scratch.Column, _ place: String) throws -> Scratch.Origin? {
    do {
      return try scratch.origin(of: column)
    } catch {
      throw GeneratorError(place: place, reason: error.message)
    }
  }
}
