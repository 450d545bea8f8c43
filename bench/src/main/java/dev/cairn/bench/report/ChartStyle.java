package dev.cairn.bench.report;

import java.awt.Color;
import java.awt.Font;
import java.util.List;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.ui.RectangleEdge;

/** What all charts have in common: fonts, colours, the legend below. */
final class ChartStyle {
  static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 14);
  private static final Font TEXT = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

  /** The colours of the lines, distinct for people with red-green colour blindness. */
  private static final List<Color> COLORS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x555555),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9));

  private ChartStyle() {}

  /** Returns the colour of a side. */
  static Color color(int index) {
    return COLORS.get(index % COLORS.size());
  }

  static void apply(JFreeChart chart, Axis... axes) {
    for (Axis axis : axes) {
      axis.setLabelFont(TEXT);
      axis.setTickLabelFont(TEXT);
    }
    chart.getPlot().setBackgroundPaint(Color.WHITE);
    chart.getPlot().setOutlineVisible(false);
    chart.setBackgroundPaint(Color.WHITE);
    chart.getLegend().setPosition(RectangleEdge.BOTTOM);
    chart.getLegend().setItemFont(TEXT);
    chart.getLegend().setFrame(BlockBorder.NONE);
  }
}
