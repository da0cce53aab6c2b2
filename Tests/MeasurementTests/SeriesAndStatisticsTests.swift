import Measurement
import Testing

@Suite("Series and statistics")
struct SeriesAndStatisticsTests {
  @Test("The interval doubles at the bound and no event is lost")
  func doubling() {
    var series = TimeSeries(.count, interval: 10, bound: 4)
    for time: Int64 in 0..<40 { series.record(1, at: time) }
    #expect(series.interval == 10)
    #expect(series.values == [10, 10, 10, 10])
    series.record(1, at: 40)
    #expect(series.interval == 20)
    #expect(series.values == [20, 20, 1])
    series.record(5, at: 1_000)
    #expect(series.interval == 320)
    #expect(series.values == [41, 0, 0, 5])
    #expect(series.total == 46)
  }

  @Test("Counts do not depend on the order of events")
  func order() {
    var forwards = TimeSeries(.count, interval: 3, bound: 8)
    var backwards = forwards
    for time: Int64 in 0..<500 { forwards.record(time % 5, at: time) }
    for time: Int64 in (0..<500).reversed() { backwards.record(time % 5, at: time) }
    #expect(forwards.values == backwards.values)
    #expect(forwards.points.count <= 8)
  }

  @Test("A gauge keeps its last level and its highest, through doubling and gaps")
  func gauge() {
    let shared = SharedTimeSeries(.gauge, interval: 10, bound: 3)
    for (level, time) in [(4, 0), (9, 4), (2, 8), (7, 29)] as [(Int64, Int64)] {
      shared.record(level, at: time)
    }
    var series = shared.snapshot()
    #expect(series.values == [2, 2, 7])
    #expect(series.points[0]?.highest == 9)
    #expect(series.points[1] == nil)
    series.record(1, at: 30)
    #expect(series.values == [2, 1])
    #expect(series.points.map { $0?.highest } == [9, 7])
  }

  @Test("Medians, deviations and means have their textbook values")
  func centres() {
    #expect(Statistics.median([3, 1, 2]) == 2)
    #expect(Statistics.median([4, 1, 2, 3]) == 2.5)
    #expect(Statistics.median([]) == nil)
    #expect(Statistics.medianAbsoluteDeviation([1, 1, 2, 2, 4, 6, 9]) == 1)
    #expect(Statistics.mean([1, 2, 6]) == 3)
    #expect(abs(Statistics.standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])! - 2.138089935) < 1e-9)
    #expect(Statistics.standardDeviation([1]) == nil)
  }

  @Test("The median's interval takes the binomial ranks")
  func medianInterval() {
    #expect(Statistics.medianInterval([1, 2, 3, 4, 5]) == nil)
    #expect(Statistics.medianInterval([1, 2, 3, 4, 5, 6]) == 1...6)
    // n = 10: ranks 2 and 9 cover 97.9 %.
    #expect(Statistics.medianInterval((1...10).map(Double.init)) == 2...9)
    // n = 100: ranks 40 and 61 cover 96.5 %.
    #expect(Statistics.medianInterval((1...100).map(Double.init)) == 40...61)
  }

  @Test("The bootstrap interval is the same each time and holds the median")
  func bootstrap() throws {
    let values = [10.0, 11, 12, 10.5, 11.5, 10.8, 30]
    let interval = try #require(Statistics.bootstrapMedianInterval(values))
    #expect(interval == Statistics.bootstrapMedianInterval(values))
    #expect(interval.contains(11))
    #expect(interval.lowerBound >= 10 && interval.upperBound <= 30)
    #expect(Statistics.bootstrapMedianInterval([1]) == nil)
  }

  @Test("The slope has its standard error")
  func slope() throws {
    let exact = try #require(Statistics.slope(x: [1, 2, 3, 4], y: [3, 5, 7, 9]))
    #expect(exact.slope == 2 && exact.standardError == 0)
    let noisy = try #require(Statistics.slope(x: [1, 2, 3, 4], y: [1, 3, 2, 4]))
    #expect(abs(noisy.slope - 0.8) < 1e-12)
    #expect(abs(noisy.standardError - 0.4242640687) < 1e-9)
    #expect(Statistics.slope(x: [1, 1, 1], y: [1, 2, 3]) == nil)
  }
}
