/// The countries that an address may be in ([LE-8]).
enum Country {
  /// The code of a country in capitals, however it was typed; `nil` for a text that is none.
  static func code(_ typed: String) -> String? {
    guard typed.utf8.count == 2 else { return nil }
    let code = typed.uppercased()
    return codes.contains(code) ? code : nil
  }

  /// ISO 3166-1 alpha-2, and `XK`, which the European Union and GeoNames use for Kosovo.
  private static let codes: Set<String> = {
    let letters = Array(joined.filter { !$0.isWhitespace })
    return Set(stride(from: 0, to: letters.count, by: 2).map { String(letters[$0...$0 + 1]) })
  }()

  /// Two letters each.
  private static let joined = """
    ADAEAFAGAIALAMAOAQARASATAUAWAXAZBABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBY
    BZCACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZDEDJDKDMDODZECEEEGEHERESETFIFJFK
    FMFOFRGAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGYHKHMHNHRHTHUIDIEILIMINIOIQIR
    ISITJEJMJOJPKEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLYMAMCMDMEMFMGMHMK
    MLMMMNMOMPMQMRMSMTMUMVMWMXMYMZNANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPM
    PNPRPSPTPWPYQARERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZTCTDTF
    TGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZVAVCVEVGVIVNVUWFWSXKYEYTZAZMZW
    """
}
