package dev.cairn.bench.report;

import java.awt.Color;
import java.io.IOException;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.BarRenderer;
import org.jfree.chart.renderer.category.StandardBarPainter;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.general.DatasetUtils;

/** Bars in groups: a group for each thing that was measured, and in it a bar for each side. */
public final class BarPlot {
  private final DefaultCategoryDataset bars = new DefaultCategoryDataset();
  private final String title;
  private final String unit;
  private final boolean logarithmic;

  /**
   * Creates a plot without bars.
   *
   * @param unit of all values
   * @param logarithmic whether ten times as much is always the same length
   */
  public BarPlot(String title, String unit, boolean logarithmic) {
    this.title = title;
    this.unit = unit;
    this.logarithmic = logarithmic;
  }

  /** Adds a bar. */
  public void add(String group, String side, double value) {
    bars.addValue(value, side, group);
  }

  /** Returns the text of an SVG file. */
  public String svg() throws IOException {
    CategoryAxis groups = new CategoryAxis();
    ValueAxis values = values();
    BarRenderer renderer = new BarRenderer();
    renderer.setBarPainter(new StandardBarPainter());
    renderer.setShadowVisible(false);
    for (int i = 0; i < bars.getRowCount(); i++) {
      renderer.setSeriesPaint(i, ChartStyle.color(i));
    }
    CategoryPlot plot = new CategoryPlot(bars, groups, values, renderer);
    plot.setRangeGridlinePaint(Color.LIGHT_GRAY);
    JFreeChart chart = new JFreeChart(title, ChartStyle.TITLE, plot, true);
    ChartStyle.apply(chart, groups, values);
    return Svg.of(chart);
  }

  private ValueAxis values() {
    if (!logarithmic) {
      NumberAxis values = new NumberAxis(unit);
      values.setNumberFormatOverride(new Digits());
      return values;
    }
    LogAxis values = new LogAxis(unit);
    values.setNumberFormatOverride(new Digits());
    // Bars of a logarithmic axis have no zero to begin at.
    values.setRange(least() / 3, greatest() * 2);
    return values;
  }

  private double least() {
    return DatasetUtils.findMinimumRangeValue(bars).doubleValue();
  }

  private double greatest() {
    return DatasetUtils.findMaximumRangeValue(bars).doubleValue();
  }
}
