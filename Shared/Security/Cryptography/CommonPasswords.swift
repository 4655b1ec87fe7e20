import CCommonPasswords

/// The 20,000 most common passwords, those of eight characters and more.
///
/// libzxcvbn's own dictionaries refuse nearly all of them as they are listed, but not with some letters in another case.
/// Each is kept as the first 64 bits of the SHA-256 of its UTF-8 in lower case: enough to recognise it, and to publish no
/// list. `Shared/SystemLibraries/CCommonPasswords/add` adds some.
enum CommonPasswords {
  /// Whether `password` (NFC), in any case, is one of the common passwords.
  static func contains(_ password: String) -> Bool {
    let wanted = Digest.sha256(password.lowercased().utf8).prefix(length)
    let prefixes = UnsafeRawBufferPointer(start: common_passwords_start(), count: common_passwords_size)
    var (low, high) = (0, prefixes.count / length)
    while low < high {
      let middle = (low + high) / 2
      let prefix = prefixes[(middle * length)..<((middle + 1) * length)]
      if prefix.elementsEqual(wanted) { return true }
      if prefix.lexicographicallyPrecedes(wanted) { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// Bytes of a prefix. They are part of the program, in ascending order, and take no memory of their own.
  private static let length = 8
}
