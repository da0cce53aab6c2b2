internal import Foundation

/// Chart.js as Debian's `libjs-chart.js` installs it, to be put into a page with its notice.
package struct ChartLibrary: Sendable {
  /// Where Debian puts it.
  package static let path = "/usr/share/javascript/chart.js/chart.min.js"

  private let source: String

  /// A library from its source text.
  package init(source: String) { self.source = source }

  /// Reads the installed library; nil where it is not installed. The one place where reports read a file.
  package static func installed(at path: String = path) -> ChartLibrary? {
    guard let source = try? String(contentsOfFile: path, encoding: .utf8), source.contains("Chart") else {
      return nil
    }
    return ChartLibrary(source: source)
  }

  /// The source behind its licence's notice, safe within a script element.
  var scriptWithNotice: String {
    Self.notice + source.replacing("</script", with: "<\\/script").replacing("<!--", with: "<\\!--")
  }

  /// The licence asks for this notice in every copy.
  private static let notice = """
    /*
    Chart.js. Copyright (c) 2014-2022 Chart.js Contributors.

    Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
    documentation files (the "Software"), to deal in the Software without restriction, including without limitation
    the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and
    to permit persons to whom the Software is furnished to do so, subject to the following conditions:

    The above copyright notice and this permission notice shall be included in all copies or substantial portions of
    the Software.

    THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO
    THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
    AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
    CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS
    IN THE SOFTWARE.
    */

    """
}
