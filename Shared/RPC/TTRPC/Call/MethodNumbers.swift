import Synchronization

/// Numbers of methods, by which a thread that must not follow references can say which one runs. From any thread.
public enum MethodNumbers {
  private static let names = Mutex<[String]>([])

  /// From 1 on; a method that is served by several servers has one.
  static func number(of name: String) -> Int {
    names.withLock { names in
      if let place = names.firstIndex(of: name) { return place + 1 }
      names.append(name)
      return names.count
    }
  }

  /// The method's full name, as in `tandem.identity.v1.Profiles/GetProfile`; `nil` where no method has the number.
  public static func name(of number: Int) -> String? {
    names.withLock { $0.indices.contains(number - 1) ? $0[number - 1] : nil }
  }
}
