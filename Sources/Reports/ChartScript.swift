/// The script that draws the page's charts; all of its data comes from the page's `chart-data` element.
enum ChartScript {
  static let source = """
    (function () {
      "use strict";
      if (typeof Chart === "undefined") { return; }
      var data = JSON.parse(document.getElementById("chart-data").textContent);
      var drawn = [];

      function colour(name) { return getComputedStyle(document.documentElement).getPropertyValue(name).trim(); }
      // A colour and a dash for each strategy: lines that lie on one another stay apart, in grey too.
      var dashes = [[], [8, 3], [2, 3], [10, 3, 2, 3], [5, 5], [12, 4, 2, 4, 2, 4], [1, 2], [16, 4]];
      function series(index) { return colour("--series-" + (index % dashes.length + 1)); }
      function dash(index) { return dashes[(index + Math.floor(index / dashes.length)) % dashes.length]; }
      function duration(ms) {
        if (ms === 0) { return "0"; }
        if (ms >= 1000) { return +(ms / 1000).toPrecision(3) + " s"; }
        if (ms >= 1) { return +ms.toPrecision(3) + " ms"; }
        return +(ms * 1000).toPrecision(3) + " \\u00b5s";
      }
      function percentile(x) {
        if (x <= 1) { return "min"; }
        return "p" + +(100 - 100 / x).toFixed(Math.max(0, Math.ceil(Math.log10(x)) - 2));
      }
      function axis(title, more) {
        return Object.assign({
          title: { display: true, text: title, color: colour("--muted") },
          grid: { color: colour("--rule"), borderColor: colour("--rule") },
          ticks: { color: colour("--muted"), maxRotation: 0 }
        }, more);
      }
      function options(scales, tooltip) {
        return {
          animation: false, responsive: true, maintainAspectRatio: false,
          interaction: { mode: "nearest", axis: "x", intersect: false },
          elements: { point: { radius: 0, hitRadius: 8 }, line: { borderWidth: 2, tension: 0 } },
          plugins: {
            legend: { position: "bottom", align: "start",
              labels: { color: colour("--ink"), boxWidth: 22, boxHeight: 0, padding: 12 } },
            tooltip: tooltip
          },
          scales: scales
        };
      }
      function draw(chart, config) {
        var canvas = document.getElementById(chart.id);
        canvas.closest("figure").hidden = false;
        var key = canvas.closest("section").querySelector(".key");
        if (key) { key.hidden = false; }
        drawn.push(new Chart(canvas, config));
      }

      function percentileChart(chart) {
        var furthest = Math.max.apply(null, chart.series.map(function (one) {
          return one.points[one.points.length - 1][0];
        }));
        draw(chart, {
          type: "line",
          data: { datasets: chart.series.map(function (one) {
            return {
              label: one.name, borderColor: series(one.index), backgroundColor: series(one.index),
              borderDash: dash(one.index), order: -one.index, borderWidth: one.isService ? 1 : 2.25,
              data: one.points.map(function (point) { return { x: point[0], y: point[1] }; })
            };
          }) },
          options: percentileOptions({
            x: axis("percentile", {
              type: "logarithmic", min: 1, max: Math.max(10, furthest),
              afterBuildTicks: function (scale) {
                var marks = [1, 2, 4];
                for (var x = 10; x <= scale.max; x *= 10) { marks.push(x); }
                scale.ticks = marks.map(function (value) { return { value: value }; });
              },
              ticks: { color: colour("--muted"), maxRotation: 0, autoSkip: false, callback: percentile }
            }),
            y: axis("latency of an iteration", { beginAtZero: true, ticks: { color: colour("--muted"), callback: duration } })
          }, { callbacks: {
            title: function (items) { return percentile(items[0].parsed.x); },
            label: function (item) { return item.dataset.label + ": " + duration(item.parsed.y); }
          } })
        });
      }

      // The most that any chart of the group shows: beside one another they have the same scales.
      function most(group, isLevel) {
        var values = data.courses.filter(function (chart) { return chart.group === group; }).map(function (chart) {
          return Math.max.apply(null, [0].concat.apply([0], chart.series.filter(function (one) {
            return one.isLevel === isLevel;
          }).map(function (one) { return one.values; })));
        });
        return Math.max.apply(null, values) || 1;
      }

      function courseChart(chart) {
        var rates = { planned: "--planned", started: "--started", completed: "--completed", failed: "--bad" };
        var peers = data.courses.filter(function (other) { return other.group === chart.group; }).length;
        draw(chart, {
          type: "line",
          data: { datasets: chart.series.map(function (one) {
            var own = colour(one.isLevel ? "--level" : rates[one.name]);
            return {
              label: one.isLevel ? one.name + " (right)" : one.name, yAxisID: one.isLevel ? "level" : "y",
              borderColor: one.isLevel ? colour("--level-edge") : own, backgroundColor: own, fill: one.isLevel,
              // The plan lies on top, its gaps open: what went as planned shows through.
              order: one.isLevel ? 2 : one.name === "planned" ? 0 : 1, borderWidth: one.isLevel ? 1 : 1.5,
              borderDash: one.name === "planned" ? [4, 4] : [],
              data: one.values.map(function (value, index) { return { x: index * chart.interval, y: value }; })
            };
          }) },
          options: courseOptions(peers, {
            x: axis("seconds since the start", { type: "linear", min: 0 }),
            y: axis("iterations each second", { beginAtZero: true, suggestedMax: most(chart.group, false) }),
            level: axis("in flight", {
              position: "right", beginAtZero: true, ticks: { color: colour("--muted"), precision: 0 }, suggestedMax: most(chart.group, true), grid: { display: false }
            })
          }, { callbacks: {
            title: function (items) { return "at " + +items[0].parsed.x.toFixed(3) + " s"; },
            label: function (item) { return item.dataset.label + ": " + +item.parsed.y.toPrecision(4); }
          } })
        });
      }

      // Later strategies lie above, their dashes over the solid first; the legend keeps the order of the run.
      function percentileOptions(scales, tooltip) {
        var own = options(scales, tooltip);
        own.plugins.legend.reverse = true;
        return own;
      }

      // One chart has its legend; of many small ones the page has it once, above.
      function courseOptions(peers, scales, tooltip) {
        var own = options(scales, tooltip);
        own.plugins.legend.display = peers === 1;
        return own;
      }

      function drawAll() {
        drawn.forEach(function (chart) { chart.destroy(); });
        drawn = [];
        Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
        data.percentiles.forEach(percentileChart);
        data.courses.forEach(courseChart);
      }
      drawAll();
      window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
    })();

    """
}
