/// Elementary functions from IEEE 754 addition, multiplication and division alone.
///
/// The C library's functions differ in the last bit between versions and machines; these do not, as the
/// basic operations are exactly rounded and Swift fuses none of them. Accurate to a few units in the last
/// place, which is ample for drawing integer nanoseconds.
enum PortableMath {
  private static let ln2High = 0x1.62e42fee00000p-1
  private static let ln2Low = 0x1.a39ef35793c76p-33
  private static let log2e = 0x1.71547652b82fep+0

  /// The natural logarithm of a positive, finite, normal number.
  static func log(_ value: Double) -> Double {
    var exponent = Int(value.exponent)
    var fraction = value.significand
    if fraction > 1.4142135623730951 {
      fraction /= 2
      exponent += 1
    }
    // ln m = 2 artanh((m − 1)/(m + 1)) and |s| ≤ 0.172, so odd powers to 21 reach 1e−18. The two halves
    // of the series run side by side.
    let s = (fraction - 1) / (fraction + 1)
    let square = s * s
    let fourth = square * square
    let thirds = (((fourth / 19 + 1 / 15.0) * fourth + 1 / 11.0) * fourth + 1 / 7.0) * fourth + 1 / 3.0
    let fifths = (((fourth / 21 + 1 / 17.0) * fourth + 1 / 13.0) * fourth + 1 / 9.0) * fourth + 1 / 5.0
    let series = (thirds + fifths * square) * square
    let power = Double(exponent)
    return power * ln2High + (2 * s + (2 * s * series + power * ln2Low))
  }

  /// e to the power; 0 below −708, and no larger than e⁷⁰⁹.
  static func exp(_ value: Double) -> Double {
    guard value > -708 else { return 0 }
    let value = min(value, 709)
    let power = (value * log2e).rounded()
    let rest = (value - power * ln2High) - power * ln2Low
    // Taylor on |rest| ≤ 0.347: powers to 14 reach 1e−18. Even and odd powers run side by side.
    let square = rest * rest
    let even =
      1 + square
      * (1 / 2.0 + square
        * (1 / 24.0 + square
          * (1 / 720.0 + square
            * (1 / 40_320.0
              + square * (1 / 3_628_800.0 + square * (1 / 479_001_600.0 + square / 87_178_291_200.0))))))
    let odd =
      1 + square
      * (1 / 6.0 + square
        * (1 / 120.0 + square
          * (1 / 5_040.0 + square
            * (1 / 362_880.0
              + square * (1 / 39_916_800.0 + square / 6_227_020_800.0)))))
    let series = even + rest * odd
    return series * Double(sign: .plus, exponent: Int(power), significand: 1)
  }

  /// The value below which a standard normal variable falls with this probability, strictly within 0 and 1.
  ///
  /// M. J. Wichura, Algorithm AS 241 (PPND16), Applied Statistics 37 (1988): about 1 part in 10¹⁶.
  static func inverseNormal(_ probability: Double) -> Double {
    let centred = probability - 0.5
    if abs(centred) <= 0.425 {
      let r = 0.180625 - centred * centred
      return centred * polynomial(central.over, r) / polynomial(central.under, r)
    }
    let tail = centred < 0 ? probability : 1 - probability
    let root = (-log(tail)).squareRoot()
    let value =
      root <= 5
      ? polynomial(middle.over, root - 1.6) / polynomial(middle.under, root - 1.6)
      : polynomial(far.over, root - 5) / polynomial(far.under, root - 5)
    return centred < 0 ? -value : value
  }

  private typealias Eight = (Double, Double, Double, Double, Double, Double, Double, Double)

  private static func polynomial(_ c: Eight, _ x: Double) -> Double {
    ((((((c.7 * x + c.6) * x + c.5) * x + c.4) * x + c.3) * x + c.2) * x + c.1) * x + c.0
  }

  private static let central: (over: Eight, under: Eight) = (
    (
      3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427, 13731.693765509461125,
      45921.953931549871457, 67265.770927008700853, 33430.575583588128105, 2509.0809287301226727
    ),
    (
      1, 42.313330701600911252, 687.18700749205790830, 5394.1960214247511077,
      21213.794301586595867, 39307.895800092710610, 28729.085735721942674, 5226.4952788528545610
    )
  )
  private static let middle: (over: Eight, under: Eight) = (
    (
      1.42343711074968357734, 4.63033784615654529590, 5.76949722146069140550, 3.64784832476320460504,
      1.27045825245236838258, 0.241780725177450611770, 0.0227238449892691845833, 7.74545014278341407640e-4
    ),
    (
      1, 2.05319162663775882187, 1.67638483018380384940, 0.689767334985100004550,
      0.148103976427480074590, 0.0151986665636164571966, 5.47593808499534494600e-4, 1.05075007164441684324e-9
    )
  )
  private static let far: (over: Eight, under: Eight) = (
    (
      6.65790464350110377720, 5.46378491116411436990, 1.78482653991729133580, 0.296560571828504891230,
      0.0265321895265761230930, 0.00124266094738807843860, 2.71155556874348757815e-5,
      2.01033439929228813265e-7
    ),
    (
      1, 0.599832206555887937690, 0.136929880922735805310, 0.0148753612908506148525,
      7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
      2.04426310338993978564e-15
    )
  )
}
