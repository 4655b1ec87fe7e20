/// Which records are about the same exercise ([CA-10]).
///
/// The rule, for records in any order:
/// 1. Names are compared word by word in one spelling (``ExerciseWords``). The tool comes from the name, else from the record's equipment.
/// 2. Records of one collection are the same exercise if they have the same words and tool: no further words are left out within a
/// collection,
///    as its authors distinguish their exercises. A record without any tool is the one of the body, if no other tool has these words; and one
///    that nothing else equals, and whose name has no tool, is the one with the tool that another of its names adds to the same words.
/// 3. The collections are matched in their fixed order. A record of a later one joins an exercise of earlier ones if its name, or another
/// of its
///    names, has the same words except for implied ones (a standing curl is a curl), if the muscle groups do not contradict, and if the
/// tools
///    fit: the names are the same but for the plural, or the tools are, or one side has none and the other's name does not need it. Of several such exercises it joins the one whose
/// tool
///    is certain, then the one with the fewest differing words, then the first by source id.
public enum ExerciseMatching {
  /// Groups of records that are about one exercise, as indices into `records`; they do not depend on the order of the records.
  public static func groups(of records: [ExerciseRecord]) -> [[Int]] {
    let order = records.indices.sorted { first, second in
      let (one, other) = (records[first], records[second])
      return (one.collection.place, one.sourceID) < (other.collection.place, other.sourceID)
    }
    var board = Board()
    for collection in ExerciseCollection.allCases {
      let own = order.filter { records[$0].collection == collection }
      board.take(own.map { Entry(place: $0, records[$0]) })
    }
    return board.groups
  }

  /// A record prepared for comparison.
  private struct Entry {
    let place: Int
    let key: ExerciseKey
    /// The words of its name as written, in the singular, without the spaces: some are written in one word or in two.
    let name: String
    /// Its other names that only add a tool to its own.
    let namesWithTool: [ExerciseKey]
    /// Those of its own name first, then those of other names.
    let cores: [Set<String>]
    let groups: Set<MuscleGroup>

    init(place: Int, _ record: ExerciseRecord) {
      self.place = place
      key = ExerciseKey(record.name, record.equipment)
      name = Words.of(record.name).map(ExerciseWords.singular).joined()
      let own = key
      namesWithTool =
        own.isToolNamed
        ? [] : record.aliases.map { ExerciseKey($0, []) }.filter { $0.tool != nil && $0.words == own.words }
      groups = Set(record.groups)
      var cores = [key.core]
      for alias in record.aliases {
        let other = ExerciseKey(alias, record.equipment)
        // An alias may be less exact than the name, but it must not name another tool.
        if other.tool == key.tool, !cores.contains(other.core) { cores.append(other.core) }
      }
      self.cores = cores
    }
  }

  /// What records of one collection must share to be one exercise.
  private struct Identity: Hashable {
    let words: Set<String>
    let tool: ExerciseKey.Tool?

    init(_ key: ExerciseKey) { (words, tool) = (key.words, key.tool) }

    private init(_ words: Set<String>, _ tool: ExerciseKey.Tool?) { (self.words, self.tool) = (words, tool) }

    /// Those of the records of one collection, in their order.
    static func all(of own: [Entry]) -> [Identity] {
      let tools = Dictionary(grouping: own, by: \.key.words).mapValues { Set($0.map(\.key.tool)) }
      let named = own.map { entry in
        let isOfBody = entry.key.hasNoTool && tools[entry.key.words]?.subtracting([.body]) == [nil]
        return isOfBody ? Identity(entry.key.words, .body) : Identity(entry.key)
      }
      let records = Dictionary(grouping: own.indices, by: { named[$0] }).mapValues(\.count)
      return zip(own, named).map { entry, identity in
        guard records[identity] == 1 else { return identity }
        return entry.namesWithTool.lazy.map { Identity($0) }.first { records[$0] != nil } ?? identity
      }
    }
  }

  /// The exercises found so far.
  private struct Board {
    private(set) var groups: [[Int]] = []
    private var entries: [[Entry]] = []
    private var byCore: [Set<String>: [Int]] = [:]

    /// Adds the records of one collection, in the order of their ids.
    mutating func take(_ own: [Entry]) {
      var first: [Identity: Int] = [:]
      var clusters: [[Entry]] = []
      for (entry, identity) in zip(own, Identity.all(of: own)) {
        if let cluster = first[identity] {
          clusters[cluster].append(entry)
        } else {
          first[identity] = clusters.count
          clusters.append([entry])
        }
      }
      // All clusters are compared with the exercises that existed before any of them joined.
      let joined = clusters.map { cluster in (cluster, best(for: cluster)) }
      for (cluster, group) in joined { add(cluster, to: group) }
    }

    private mutating func add(_ cluster: [Entry], to group: Int?) {
      let group = group ?? groups.count
      if group == groups.count {
        groups.append([])
        entries.append([])
      }
      groups[group] += cluster.map(\.place)
      entries[group] += cluster
      for entry in cluster where !byCore[entry.key.core, default: []].contains(group) {
        byCore[entry.key.core, default: []].append(group)
      }
    }

    /// The existing exercise that the cluster belongs to, if there is one.
    private func best(for cluster: [Entry]) -> Int? {
      let cores = cluster.flatMap(\.cores)
      for core in cores {
        let fitting = (byCore[core] ?? []).compactMap { group in
          Fit.best(of: cluster, with: entries[group]).map { (group, $0) }
        }
        if let found = fitting.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) { return found.0 }
      }
      return nil
    }
  }

  /// How well two records fit: less is better.
  private struct Fit: Comparable {
    let tool: Int
    let differingWords: Int

    static func < (one: Fit, other: Fit) -> Bool {
      (one.tool, one.differingWords) < (other.tool, other.differingWords)
    }

    static func best(of cluster: [Entry], with group: [Entry]) -> Fit? {
      cluster.flatMap { one in group.compactMap { Fit(one, $0) } }.min()
    }

    private init?(_ one: Entry, _ other: Entry) {
      guard let tool = Self.tool(one, other) else { return nil }
      self.tool = tool
      differingWords = one.key.words.symmetricDifference(other.key.words).count
    }

    /// 0 if both have the same tool, 1 if one has none, `nil` if they differ.
    private static func tool(_ one: Entry, _ other: Entry) -> Int? {
      // Under one name users expect one exercise, though collections describe different equipment.
      if one.key.tool == other.key.tool || one.name == other.name { return 0 }
      // Some collections use `body` for equipment that they have no term for.
      let pair = [one, other].sorted { rank($0.key) < rank($1.key) }
      let (vague, sure) = (pair[0], pair[1])
      guard !sure.key.isToolNamed, rank(vague.key) < 2 else { return nil }
      if rank(vague.key) == 1, ![ExerciseKey.Tool.machine, .roller].contains(sure.key.tool) { return nil }
      guard vague.groups.isEmpty || sure.groups.isEmpty || !vague.groups.isDisjoint(with: sure.groups) else {
        return nil
      }
      return 1
    }

    /// How certain the tool is: 0 it is unknown, 1 the record says that there is none, 2 anything else.
    private static func rank(_ key: ExerciseKey) -> Int {
      guard let tool = key.tool else { return 0 }
      return tool == .body && !key.isToolNamed ? 1 : 2
    }
  }
}
