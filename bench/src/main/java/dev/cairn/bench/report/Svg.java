package dev.cairn.bench.report;

import java.awt.Dimension;
import java.awt.Rectangle;
import java.io.IOException;
import java.io.StringWriter;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGraphics2D;
import org.jfree.chart.JFreeChart;
import org.w3c.dom.Document;

/** Charts as SVG. */
final class Svg {
  private static final String NAMESPACE = "http://www.w3.org/2000/svg";
  private static final int WIDTH = 720;
  private static final int HEIGHT = 400;

  private Svg() {}

  /** Returns the text of an SVG file. */
  static String of(JFreeChart chart) throws IOException {
    Document document;
    try {
      document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .getDOMImplementation()
              .createDocument(NAMESPACE, "svg", null);
    } catch (ParserConfigurationException e) {
      throw new IOException("This Java has no XML", e);
    }
    SVGGraphics2D graphics = new SVGGraphics2D(document);
    graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
    chart.draw(graphics, new Rectangle(WIDTH, HEIGHT));
    StringWriter text = new StringWriter();
    graphics.stream(text, true);
    return text.toString();
  }
}
