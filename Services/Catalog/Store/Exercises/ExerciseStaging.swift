import Postgres

/// The SQL of a load of exercises, in order; within one transaction, on one connection ([CA-5]).
package enum ExerciseStaging {
  /// The columns of a record, both of files and of the table.
  private static let columns = """
    source_id, name, aliases, category, level, muscles, secondary_muscles, muscle_groups, equipment, instructions, images, \
    license, attribution
    """

  /// Serialises loads, so that change numbers ascend in the order in which changes become visible ([C-11]).
  package static let lock = "lock table exercise_records in share row exclusive mode"

  /// Creates the temporary tables for the rows.
  package static let create = """
    create temporary table staged_records (
      line bigint, source_id text, name text, aliases text[], category text, level text, muscles text[],
      secondary_muscles text[], muscle_groups text[], equipment text[], instructions text[], images text[], license text,
      attribution text
    ) on commit drop;
    create temporary table staged_exercises (like exercises) on commit drop;
    alter table staged_exercises alter change drop not null;
    create temporary table staged_members (source text, source_id text, exercise_id uuid) on commit drop;
    create temporary table staged_mergers (id uuid, merged_into uuid) on commit drop
    """

  /// Receives the records of a file.
  package static let copyRecords = "copy staged_records (line, \(columns)) from stdin"

  /// Repeated records: line, id, the line of the first.
  package static let repeated = """
    select line, source_id, first_line
    from (
      select line, source_id, min(line) over (partition by source_id) as first_line from staged_records
    ) as marked
    where line > first_line
    order by line
    """

  /// Keeps only the first record of each id.
  package static let removeRepeated = """
    delete from staged_records
    using (select source_id, min(line) as line from staged_records group by source_id) as first
    where staged_records.source_id = first.source_id and staged_records.line > first.line
    """

  /// Merges the records; returns how many were added, changed and unchanged.
  package static func merge(source: String) -> String {
    let names = columns.split(separator: ", ").filter { $0 != "source_id" }
    func list(_ table: String) -> String { names.map { "\(table).\($0)" }.joined(separator: ", ") }
    return """
      with merged as (
        insert into exercise_records (source, \(columns))
        select \(Administration.quoted(literal: source)), \(columns) from staged_records
        on conflict on constraint exercise_records_pkey do update
        set \(names.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        where (\(list("exercise_records"))) is distinct from (\(list("excluded")))
        returning xmax = 0 as is_new
      )
      select count(*) filter (where is_new), count(*) filter (where not is_new),
        (select count(*) from staged_records) - count(*)
      from merged
      """
  }

  /// Separates the elements of a list in ``records``; no text contains it.
  package static let separator: Character = "\u{1F}"

  /// All records, each with its present exercise; lists as one text.
  package static let records: String = {
    func joined(_ column: String) -> String { "array_to_string(\(column), chr(31))" }
    return """
      select source, source_id, name, \(joined("aliases")), category, level, \(joined("muscles")),
        \(joined("secondary_muscles")), \(joined("muscle_groups")), \(joined("equipment")), \(joined("instructions")),
        \(joined("images")), license, attribution, exercise_id
      from exercise_records
      """
  }()

  /// The columns of an exercise that are computed from its records.
  private static let made = [
    "name", "aliases", "category", "level", "muscles", "secondary_muscles", "muscle_groups", "targets", "equipment",
    "instructions", "instructions_source", "sources", "source_ids", "licenses", "attributions", "images",
    "image_sources", "words", "names", "name_keys",
  ]

  /// Receives exercises.
  package static let copyExercises = "copy staged_exercises (id, \(made.joined(separator: ", "))) from stdin"
  /// Receives the exercise of each record.
  package static let copyMembers = "copy staged_members (source, source_id, exercise_id) from stdin"
  /// Receives exercises that were merged into another.
  package static let copyMergers = "copy staged_mergers (id, merged_into) from stdin"

  /// Stores the exercises that are new or differ.
  package static let putExercises: String = {
    func list(_ table: String) -> String { made.map { "\(table).\($0)" }.joined(separator: ", ") }
    return """
      insert into exercises (id, \(made.joined(separator: ", ")), change, merged_into)
      select staged.id, \(list("staged")), last.change + row_number() over (order by staged.id), null
      from staged_exercises as staged
      cross join (select coalesce(max(change), 0) as change from exercises) as last
      left join exercises on exercises.id = staged.id
      where exercises.id is null or exercises.merged_into is not null
        or (\(list("exercises"))) is distinct from (\(list("staged")))
      on conflict on constraint exercises_pkey do update
      set \(made.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")), change = excluded.change, merged_into = null
      """
  }()

  /// Stores which exercises were merged into another, also for those merged into them before.
  package static let putMergers = """
    update exercises set merged_into = merger.target, change = merger.change
    from (
      select merged.id, staged_mergers.merged_into as target, last.change + row_number() over (order by merged.id) as change
      from staged_mergers
      join exercises as merged on merged.id = staged_mergers.id or merged.merged_into = staged_mergers.id
      cross join (select max(change) as change from exercises) as last
      where merged.id <> staged_mergers.merged_into
    ) as merger
    where exercises.id = merger.id
    """

  /// Stores the exercise of each record.
  package static let putMembers = """
    update exercise_records set exercise_id = staged_members.exercise_id
    from staged_members
    where exercise_records.source = staged_members.source and exercise_records.source_id = staged_members.source_id
      and exercise_records.exercise_id is distinct from staged_members.exercise_id
    """

  /// The number of exercises.
  package static let count = "select count(*) from exercises where merged_into is null"
}
