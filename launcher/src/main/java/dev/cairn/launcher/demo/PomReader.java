package dev.cairn.launcher.demo;

import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads POMs: of <a href="https://maven.apache.org/pom.html">their elements</a> those that name
 * other artifacts. Document types and entities of its own are not processed: the files come from
 * anywhere.
 */
final class PomReader {
  private final XMLInputFactory factory;

  PomReader() {
    factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
  }

  /**
   * Reads one.
   *
   * @throws DamagedPomException if it is none
   */
  Pom read(byte[] content) throws DamagedPomException {
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new ByteArrayInputStream(content));
      try {
        while (xml.next() != XMLStreamConstants.START_ELEMENT) {
          // comments and the like
        }
        if (!xml.getLocalName().equals("project")) {
          throw new DamagedPomException("<project> expected, <" + xml.getLocalName() + "> found");
        }
        return new Project(xml).read();
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      throw new DamagedPomException("not well-formed", e);
    }
  }

  /** The elements of one POM, while it is being read. */
  private static final class Project {
    private final XMLStreamReader xml;
    private final Map<String, String> own = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private final List<Pom.Dependency> dependencies = new ArrayList<>();
    private final List<Pom.Dependency> managed = new ArrayList<>();
    private Optional<Coordinates> parent = Optional.empty();

    Project(XMLStreamReader xml) {
      this.xml = xml;
    }

    Pom read() throws XMLStreamException, DamagedPomException {
      while (nextChild()) {
        switch (xml.getLocalName()) {
          case "groupId", "artifactId", "version" -> own.put(xml.getLocalName(), text());
          case "parent" -> parent = Optional.of(parent());
          case "properties" -> properties.putAll(texts());
          case "dependencies" -> dependencies(dependencies);
          case "dependencyManagement" -> {
            while (nextChild()) {
              if (xml.getLocalName().equals("dependencies")) {
                dependencies(managed);
              } else {
                skip();
              }
            }
          }
          default -> skip();
        }
      }
      return new Pom(
          Optional.ofNullable(own.get("groupId")),
          required(own, "artifactId", "project"),
          Optional.ofNullable(own.get("version")),
          parent,
          properties,
          dependencies,
          managed);
    }

    private Coordinates parent() throws XMLStreamException, DamagedPomException {
      Map<String, String> texts = texts();
      return new Coordinates(
          required(texts, "groupId", "parent"),
          required(texts, "artifactId", "parent"),
          required(texts, "version", "parent"));
    }

    private void dependencies(List<Pom.Dependency> into)
        throws XMLStreamException, DamagedPomException {
      while (nextChild()) {
        Map<String, String> texts = texts();
        into.add(
            new Pom.Dependency(
                required(texts, "groupId", "dependency"),
                required(texts, "artifactId", "dependency"),
                Optional.ofNullable(texts.get("version")),
                texts.getOrDefault("scope", "compile"),
                Boolean.parseBoolean(texts.get("optional"))));
      }
    }

    /** Returns the texts of the children that hold only text. */
    private Map<String, String> texts() throws XMLStreamException {
      Map<String, String> texts = new HashMap<>();
      while (nextChild()) {
        String name = xml.getLocalName();
        StringBuilder text = new StringBuilder();
        boolean plain = true;
        while (xml.next() != XMLStreamConstants.END_ELEMENT) {
          if (xml.isCharacters()) {
            text.append(xml.getText());
          } else if (xml.isStartElement()) {
            plain = false;
            skip();
          }
        }
        String trimmed = text.toString().trim();
        if (plain && !trimmed.isEmpty()) {
          texts.put(name, trimmed);
        }
      }
      return texts;
    }

    /** Goes to the next child of the current element; false at the element's end. */
    private boolean nextChild() throws XMLStreamException {
      while (true) {
        switch (xml.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            return true;
          }
          case XMLStreamConstants.END_ELEMENT, XMLStreamConstants.END_DOCUMENT -> {
            return false;
          }
          default -> {} // text between elements, comments
        }
      }
    }

    private String text() throws XMLStreamException {
      return xml.getElementText().trim();
    }

    private void skip() throws XMLStreamException {
      int depth = 1;
      while (depth > 0) {
        int event = xml.next();
        if (event == XMLStreamConstants.START_ELEMENT) {
          depth++;
        } else if (event == XMLStreamConstants.END_ELEMENT) {
          depth--;
        }
      }
    }

    private static String required(Map<String, String> texts, String name, String of)
        throws DamagedPomException {
      String text = texts.get(name);
      if (text == null || text.isEmpty()) {
        throw new DamagedPomException("a <" + of + "> without <" + name + ">");
      }
      return text;
    }
  }
}
