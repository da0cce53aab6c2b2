/// Finds the known name that a mistyped one most likely meant.
package enum NearestName {
  /// The nearest of some names by edit distance; nil when none is near: more than a third of the letters
  /// differ, at least two of them, or one in a name of up to three letters.
  ///
  /// Ties go to the name that sorts first, so that messages repeat. Cost: lengths multiplied, for each name.
  package static func of(_ text: String, among names: some Sequence<String>) -> String? {
    let wanted = Array(text.utf8.prefix(64))
    let farthest = wanted.count <= 3 ? 1 : max(2, wanted.count / 3)
    var best: (distance: Int, name: String)?
    for name in names where abs(name.utf8.count - wanted.count) <= farthest {
      let distance = distance(wanted, Array(name.utf8))
      if let known = best, (known.distance, known.name) <= (distance, name) { continue }
      best = (distance, name)
    }
    guard let best, best.distance <= farthest else { return nil }
    return best.name
  }

  /// Edit distance with insertions, deletions, substitutions and swaps of neighbours each costing one.
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var current = [i + 1]
      for (j, b) in right.enumerated() {
        var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a == b ? 0 : 1))
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { cost = min(cost, beforePrevious[j - 1] + 1) }
        current.append(cost)
      }
      beforePrevious = previous
      previous = current
    }
    return previous[right.count]
  }
}
