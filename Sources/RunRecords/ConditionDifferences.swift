/// What differs between two texts of conditions, by key: for the person who has to say why a baseline does not fit.
package enum ConditionDifferences {
  /// One sentence for each key that differs, in the order of the second text, keys that it lacks last.
  ///
  /// Keys are named as `--set` takes them. Both texts are as `weir` writes them: two blanks a level, a value of one line,
  /// or a list of lines under its key.
  package static func sentences(from then: String, to now: String) -> [String] {
    let (then, now) = (entries(then), entries(now))
    let old = Dictionary(then, uniquingKeysWith: { first, _ in first })
    let new = Dictionary(now, uniquingKeysWith: { first, _ in first })
    let changed = now.compactMap { key, value -> String? in
      guard let former = old[key] else { return "`\(key)` is new: \(value)" }
      return former == value ? nil : "`\(key)` was \(former), now it is \(value)"
    }
    let gone = then.filter { new[$0.key] == nil }.map { "`\($0.key)` is gone: it was \($0.value)" }
    return changed + gone
  }

  /// The keys that have a value, with it, in order.
  private static func entries(_ text: String) -> [(key: String, value: String)] {
    var path: [String] = []
    var entries: [(key: String, value: String)] = []
    var items = 0
    for line in text.split(separator: "\n") {
      let indentation = line.prefix { $0 == " " }.count
      let words = line.dropFirst(indentation)
      path.removeLast(max(0, path.count - indentation / 2))
      if words.hasPrefix("- ") {
        entries.append((key: (path + ["\(items)"]).joined(separator: "."), value: String(words.dropFirst(2))))
        items += 1
        continue
      }
      items = 0
      guard let colon = words.firstIndex(of: ":") else { continue }
      let (key, value) = (String(words[..<colon]), words[colon...].dropFirst().drop { $0 == " " })
      if value.isEmpty {
        path.append(key)
      } else {
        entries.append(((path + [key]).joined(separator: "."), String(value)))
      }
    }
    return entries
  }
}
