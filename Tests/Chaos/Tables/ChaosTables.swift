import Events
public import Postgres

/// The schemas of a producer and a consumer, with the data that shows whether every event took effect once and in order.
public enum ChaosTables {
  /// The producer's: how often each key was published, which is also the number in the key's last event.
  public static let producers: [Migration] = [
    EventsSchema.events(version: 1),
    Migration(
      version: 2, name: "counters",
      sql: """
        create table counters (key text constraint counters_pkey primary key, value bigint not null);
        create table scratch (number bigint generated always as identity);
        """),
    EventsSchema.eventsUpkeep(version: 3),
  ]

  /// The consumer's: the events that took effect, in that order.
  public static let consumers: [Migration] = [
    EventsSchema.events(version: 1),
    Migration(
      version: 2, name: "effects",
      sql: """
        create table effects (
          place bigint generated always as identity constraint effects_pkey primary key,
          key text not null,
          value text not null,
          lag_ms double precision not null
        );
        """),
    EventsSchema.eventsUpkeep(version: 3),
  ]

  /// Checks a run: a line for each key with missing, duplicate or reordered events.
  ///
  /// - Parameters:
  ///   - producers: the producer's schema.
  ///   - consumers: the consumer's.
  public static func complaints(producers: String, consumers: String) -> String {
    """
    with expected as (
      select key, array_agg(number order by number) as numbers
      from \(producers).counters cross join lateral generate_series(1, value) as number group by key
    ), seen as (
      select key, array_agg(value::bigint order by place) as numbers from \(consumers).effects group by key
    )
    select
      coalesce(expected.key, seen.key) || ': ' || coalesce(cardinality(expected.numbers), 0) || ' told, '
        || coalesce(cardinality(seen.numbers), 0) || ' took effect'
    from expected full join seen using (key) where expected.numbers is distinct from seen.numbers
    """
  }
}

/// Counts a key up, with its row locked until the transaction ends.
public struct CountUp: SingleRowStatement {
  /// The key's new count.
  public typealias Row = Int64
  /// One statement.
  public static let sql = """
    insert into counters as known (key, value) values ($1, 1)
    on conflict (key) do update set value = known.value + 1 returning value
    """
  let key: String

  public init(_ key: String) { self.key = key }

  public func bind(_ p: inout Parameters) { p.append(key) }
}

/// How many events were published in all.
public struct CountAll: SingleRowStatement {
  /// The sum.
  public typealias Row = Int64
  /// One statement.
  public static let sql = "select coalesce(sum(value), 0)::bigint from counters"

  /// All of them.
  public init() {}
}

/// A change without any key: the transaction gets its number by it, before it waits for a lock.
public struct Scribble: Statement {
  /// Nothing comes back.
  public typealias Row = Void
  /// One statement.
  public static let sql = "insert into scratch default values"

  /// One more.
  public init() {}
}

/// Records that events took effect, in their order. No constraint prevents duplicates, so that they become visible.
public struct AddEffects: Statement {
  /// Nothing comes back.
  public typealias Row = Void
  /// One statement.
  public static let sql = """
    insert into effects (key, value, lag_ms)
    select key, value, lag_ms from unnest($1::text[], $2::text[], $3::double precision[])
      with ordinality as effect (key, value, lag_ms, place)
    order by place
    """
  let effects: [(key: String, value: String, lagMilliseconds: Double)]

  /// One row for each.
  public init(_ effects: [(key: String, value: String, lagMilliseconds: Double)]) { self.effects = effects }

  /// In the order of the columns.
  public func bind(_ p: inout Parameters) {
    p.append(effects.map(\.key))
    p.append(effects.map(\.value))
    p.append(effects.map(\.lagMilliseconds))
  }
}
