import SeededDraws
import Testing

@Suite("Draws by address")
struct DrawStreamTests {
  let stream = DrawStream(seed: 7, name: "names")

  @Test("An address always gives the same bits, on every machine")
  func fixedVectors() {
    #expect(stream.bits(iteration: 0) == 0x3178_ef27_6ecf_bfc4)
    #expect(stream.bits(iteration: 1, slot: 2, attempt: 3, index: 4) == 0x386b_2014_27b4_4d69)
    #expect(stream.bits(iteration: -1, slot: -1, attempt: -1, index: -1) == 0xb4f7_c05c_42d3_432c)
    #expect(DrawStream(seed: 8, name: "names").bits(iteration: 0) == 0x6ebb_6224_0366_78f7)
    #expect(DrawStream(seed: 7, name: "titles").bits(iteration: 0) == 0x1bec_8d03_a41e_0d53)
    #expect(stream.substream("failures").bits(iteration: 0) == 0x080f_1cad_e91b_bba8)
    var generator = stream.generator(iteration: 5, slot: 1)
    #expect([generator.next(), generator.next()] == [0x68e4_b670_96e5_6af6, 0x88e9_2bb4_95a9_bdc9])
  }

  @Test("Draws do not depend on the order they are made in")
  func order() {
    let forwards = (0..<1_000).map { stream.bits(iteration: $0, slot: $0 % 7) }
    let backwards = (0..<1_000).reversed().map { stream.bits(iteration: $0, slot: $0 % 7) }
    #expect(forwards == backwards.reversed())
  }

  @Test("No two of 10,000 neighbouring addresses share their bits")
  func distinct() {
    var seen = Set<UInt64>()
    for iteration in 0..<10 {
      for slot in 0..<10 {
        for attempt in 0..<10 {
          for index in 0..<10 {
            seen.insert(stream.bits(iteration: iteration, slot: slot, attempt: attempt, index: index))
          }
        }
      }
    }
    #expect(seen.count == 10_000)
  }

  @Test("One changed bit of any word of the address changes each bit of the draw half of the time")
  func avalanche() {
    let tries = 400
    for word in 0..<4 {
      for bit in stride(from: 0, to: 32, by: 11) {
        var flips = [Int](repeating: 0, count: 64)
        for base in 0..<tries {
          var address = [base, base &* 31 & 1_023, base % 5, base &* 7 & 255]
          let before = draw(address)
          address[word] ^= 1 << bit
          let changed = before ^ draw(address)
          for place in 0..<64 where changed >> UInt64(place) & 1 == 1 { flips[place] += 1 }
        }
        // Binomial with mean 200 and deviation 10: six deviations.
        #expect(flips.allSatisfy { (140...260).contains($0) }, "word \(word), bit \(bit): \(flips)")
      }
    }
  }

  private func draw(_ a: [Int]) -> UInt64 {
    stream.bits(iteration: a[0], slot: a[1], attempt: a[2], index: a[3])
  }

  @Test("Uniform draws fill 256 cells evenly along each word of the address", arguments: 0..<4)
  func uniformity(word: Int) {
    var cells = [Int](repeating: 0, count: 256)
    var outside = 0
    for step in 0..<16_384 {
      var address = [3, 1, 4, 1]
      address[word] = step
      let value = stream.uniform(
        iteration: address[0], slot: address[1], attempt: address[2], index: address[3])
      if value <= 0 || value >= 1 { outside += 1 }
      cells[Int(value * 256)] += 1
    }
    #expect(outside == 0)
    let square = cells.reduce(0.0) { $0 + (Double($1) - 64) * (Double($1) - 64) / 64 }
    // Chi-square of 255 degrees: mean 255, deviation 22.6; five deviations either way.
    #expect((142...368).contains(square))
  }

  @Test("Neighbouring addresses are uncorrelated", arguments: 0..<4)
  func independence(word: Int) {
    let count = 20_000
    var products = 0.0
    for step in 0..<count {
      var address = [step / 100, step % 100, 0, 0]
      let one = DrawStream.uniform(draw(address)) - 0.5
      address[word] += 1
      products += one * (DrawStream.uniform(draw(address)) - 0.5)
    }
    // Each product has deviation 1/12, so the correlation has 1/√20,000 = 0.0071; five deviations.
    #expect(abs(products / Double(count) * 12) < 0.0354)
  }
}
