package dev.cairn.launcher;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.SiteConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads {@code hbase-site.xml}: Hadoop's configuration format, a {@code configuration} of {@code
 * property} elements, each with {@code name} and {@code value} as elements or attributes. A later
 * value replaces an earlier one. Document types, entities and inclusions are refused.
 */
final class SiteFile {
  private final Path file;
  private final XMLStreamReader xml;
  private final Map<String, String> texts = new LinkedHashMap<>();

  private SiteFile(Path file, XMLStreamReader xml) {
    this.file = file;
    this.xml = xml;
  }

  /**
   * Reads the settings.
   *
   * @param variables what <code>${name}</code> in a value stands for
   * @throws ConfigException naming file and line, if it cannot be read
   */
  static SiteConfig read(Path file, Variables variables) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      try {
        Map<String, String> texts = new SiteFile(file, xml).configuration();
        Map<String, String> expanded = new TreeMap<>();
        texts.forEach((name, text) -> expanded.put(name, variables.expand(text, texts)));
        return new SiteConfig(expanded);
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNumber();
      throw new ConfigException(file + ", line " + line + ": " + reason(e), e);
    } catch (IOException e) {
      throw new ConfigException(file + " cannot be read: " + Failures.reason(e), e);
    }
  }

  private Map<String, String> configuration() throws XMLStreamException {
    while (xml.next() != XMLStreamConstants.START_ELEMENT) {
      if (xml.getEventType() == XMLStreamConstants.DTD) {
        throw wrong("a document type is not allowed");
      }
    }
    if (!xml.getLocalName().equals("configuration")) {
      throw wrong("<configuration> expected, <" + xml.getLocalName() + "> found");
    }
    while (xml.nextTag() == XMLStreamConstants.START_ELEMENT) {
      if (!xml.getLocalName().equals("property")) {
        throw wrong("<property> expected, <" + xml.getLocalName() + "> found");
      }
      property();
    }
    // Up to the end, so that what follows the settings is checked, too.
    while (xml.hasNext()) {
      xml.next();
    }
    return texts;
  }

  private void property() throws XMLStreamException {
    String name = xml.getAttributeValue(null, "name");
    String value = xml.getAttributeValue(null, "value");
    while (xml.nextTag() == XMLStreamConstants.START_ELEMENT) {
      switch (xml.getLocalName()) {
        case "name" -> name = xml.getElementText();
        case "value" -> value = xml.getElementText();
        // What Hadoop's format has besides, and what says nothing about this one file's values.
        case "description", "final", "source", "tag" -> xml.getElementText();
        default -> throw wrong("<" + xml.getLocalName() + "> is not part of a <property>");
      }
    }
    if (name == null || name.isBlank()) {
      throw wrong("a <property> without a <name>");
    }
    if (value != null) {
      texts.put(name.trim(), value);
    }
  }

  private ConfigException wrong(String what) {
    return new ConfigException(file + ", line " + xml.getLocation().getLineNumber() + ": " + what);
  }

  /** The parser's reason without its own word about the place, on one line. */
  private static String reason(XMLStreamException e) {
    String message = String.valueOf(e.getMessage());
    int start = message.indexOf("Message: ");
    return message.substring(start < 0 ? 0 : start + "Message: ".length()).replaceAll("\\s+", " ");
  }
}
