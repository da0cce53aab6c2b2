import Foundation
import SeededDraws
import Testing

private let millisecond: Int64 = 1_000_000

@Suite("Distributions")
struct DistributionTests {
  let stream = DrawStream(seed: 7, name: "names")

  @Test("Quantiles are those of the closed forms, to the nanosecond")
  func quantiles() throws {
    let lognormal = try Distribution(.lognormal(median: 120 * millisecond, p99: 900 * millisecond))
    #expect(lognormal.quantile(0.5) == 120 * millisecond)
    #expect(abs(lognormal.quantile(0.99) - 900 * millisecond) <= 1)
    let pareto = try Distribution(.pareto(minimum: 10 * millisecond, p99: 1_000 * millisecond))
    #expect(abs(pareto.quantile(0.99) - 1_000 * millisecond) <= 1)
    #expect(abs(pareto.quantile(0.9) - 100 * millisecond) <= 1)
    let shaped = try Distribution(.paretoShape(minimum: 10 * millisecond, shape: 2))
    #expect(abs(shaped.quantile(0.75) - 20 * millisecond) <= 1)
    #expect(shaped.mean == Double(20 * millisecond))
    let exponential = try Distribution(.exponential(mean: 18 * millisecond))
    #expect(exponential.quantile(0.5) == 12_476_649)
    let uniform = try Distribution(.uniform(from: 0, to: 4_000))
    #expect(uniform.quantile(0.25) == 1_000)
  }

  @Test("The elementary functions agree with the C library to a few units in the last place")
  func elementary() throws {
    let exponential = try Distribution(.exponential(mean: 1_000_000_000))
    let pareto = try Distribution(.paretoShape(minimum: 1_000, shape: 1.5))
    var worst = 0.0
    for step in 1..<2_000 {
      let probability = Double(step) / 2_000
      worst = max(worst, abs(Double(exponential.quantile(probability)) + 1e9 * log(1 - probability)))
      let expected = 1_000 * pow(1 - probability, -1 / 1.5)
      worst = max(worst, abs(Double(pareto.quantile(probability)) - expected))
    }
    // Half a nanosecond is rounding.
    #expect(worst <= 0.51)
  }

  @Test(
    "The inverse normal has its known values",
    arguments: [
      (0.975, 1.959963984540054), (0.9999, 3.719016485455709), (1e-10, -6.361340902404056),
      (0.6, 0.2533471031357997),
    ])
  func inverseNormal(probability: Double, expected: Double) throws {
    // A lognormal of median 10⁹ and a p99 chosen for deviation 1 gives exp(z) · 10⁹.
    let unit = 1e9
    let p99 = Int64((unit * exp(2.3263478740408408)).rounded())
    let distribution = try Distribution(.lognormal(median: Int64(unit), p99: p99))
    let value = Double(distribution.quantile(probability)) / unit
    #expect(abs(log(value) - expected) < 1e-6)
  }

  @Test(
    "Samples have the mean and the median asked for",
    arguments: [
      Distribution.Shape.exponential(mean: 18_000_000), .uniform(from: 1_000, to: 9_000_000),
      .lognormal(median: 120_000_000, p99: 600_000_000), .paretoShape(minimum: 1_000_000, shape: 4),
    ])
  func samples(shape: Distribution.Shape) throws {
    let distribution = try Distribution(shape)
    let values = (0..<10_000).map { distribution.sample(stream, iteration: $0) }
    let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
    #expect(abs(mean / distribution.mean - 1) < 0.04)
    let below = values.filter { $0 <= distribution.quantile(0.5) }.count
    #expect(abs(below - 5_000) < 250)
  }

  @Test("A sequence cycles by slot and goes on with each attempt")
  func sequence() throws {
    let distribution = try Distribution(.sequence([10, 20, 30]))
    #expect(
      (0..<7).map { distribution.sample(stream, iteration: 9, slot: $0) } == [10, 20, 30, 10, 20, 30, 10])
    #expect(distribution.sample(stream, iteration: 9, slot: 1, attempt: 1) == 30)
    #expect(distribution.sample(stream, iteration: 9, slot: -1) == 30)
    #expect(distribution.mean == 20)
  }

  @Test("The same address gives the same durations on every machine")
  func fixedVectors() throws {
    let lognormal = try Distribution(.lognormal(median: 120 * millisecond, p99: 900 * millisecond))
    #expect(
      (0..<4).map { lognormal.sample(stream, iteration: $0) } == [56681611, 104590474, 166348326, 39170379])
    let exponential = try Distribution(.exponential(mean: 18 * millisecond))
    #expect(
      (0..<4).map { exponential.sample(stream, iteration: 0, slot: $0) } == [
        3865381, 10643634, 14906441, 12092703,
      ])
  }

  @Test("Parameters that make no distribution are refused with the reason")
  func refusals() {
    func error(_ shape: Distribution.Shape) -> DistributionError? {
      do throws(DistributionError) {
        _ = try Distribution(shape)
        return nil
      } catch {
        return error
      }
    }
    #expect(error(.constant(-1)) == .negative(parameter: "constant", value: -1))
    #expect(
      error(.lognormal(median: 9, p99: 8))
        == .outOfOrder(parameter: "p99", value: 8, atLeast: "median", bound: 9))
    #expect(error(.exponential(mean: 0)) == .notPositive(parameter: "mean", value: 0))
    #expect(
      error(.uniform(from: 5, to: 4)) == .outOfOrder(parameter: "to", value: 4, atLeast: "from", bound: 5))
    #expect(error(.paretoShape(minimum: 1, shape: 0)) == .badShape(0))
    #expect(error(.sequence([])) == .emptySequence)
    #expect(error(.sequence([1, -2])) == .negative(parameter: "sequence", value: -2))
    #expect(error(.constant(.max)) == .tooLarge(parameter: "constant", value: .max))
    #expect(error(.constant(0)) == nil)
  }

  @Test(
    "Every shape survives coding; bad parameters do not",
    arguments: [
      Distribution.Shape.constant(5), .uniform(from: 1, to: 2), .exponential(mean: 3),
      .lognormal(median: 4, p99: 5), .pareto(minimum: 6, p99: 7), .paretoShape(minimum: 8, shape: 1.5),
      .sequence([1, 2, 3]),
    ])
  func coding(shape: Distribution.Shape) throws {
    let distribution = try Distribution(shape)
    let data = try JSONEncoder().encode(distribution)
    #expect(try JSONDecoder().decode(Distribution.self, from: data) == distribution)
    #expect(throws: DistributionError.self) {
      try JSONDecoder().decode(Distribution.self, from: Data(#"{"exponential":{"mean":0}}"#.utf8))
    }
  }
}
