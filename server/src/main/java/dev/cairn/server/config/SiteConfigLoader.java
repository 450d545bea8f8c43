package dev.cairn.server.config;

import dev.cairn.server.config.SiteConfig.CoreSite;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.xml.stream.Location;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reads {@code hbase-site.xml}: a {@code configuration} element with {@code property} elements,
 * each of {@code name}, {@code value} and perhaps {@code final} and {@code description}. Of several
 * properties with one name the last one wins, unless an earlier one was final. {@code ${name}} in a
 * value is replaced by a system property or another key, {@code ${env.NAME}} by an environment
 * variable; an unknown name stays as it is, as in Hadoop. Entities from outside are not read;
 * {@code xi:include} is refused.
 *
 * <p>From {@code core-site.xml} in the same folder, of the same format, takes the keys of {@link
 * CoreSite}. If {@code core-site.xml} or {@code hdfs-site.xml} is not there, takes that of Hadoop's
 * own configuration folder ({@code HADOOP_CONF_DIR}).
 *
 * <p>Format: the javadoc of Hadoop's {@code Configuration}.
 */
public final class SiteConfigLoader {
  /** The file's name. */
  public static final String FILE_NAME = "hbase-site.xml";

  private static final String HDFS_FILE_NAME = "hdfs-site.xml";
  private static final String HADOOP_FOLDER_VARIABLE = "HADOOP_CONF_DIR";

  private static final int MAX_SUBSTITUTIONS = 20;

  private final Function<String, Optional<String>> systemProperties;
  private final Function<String, Optional<String>> environment;

  /**
   * Creates a loader.
   *
   * @param systemProperties looks up {@code ${name}} before the keys
   * @param environment looks up {@code ${env.NAME}}
   */
  public SiteConfigLoader(
      Function<String, Optional<String>> systemProperties,
      Function<String, Optional<String>> environment) {
    this.systemProperties = systemProperties;
    this.environment = environment;
  }

  /** Returns a loader that substitutes this process's system properties and environment. */
  public static SiteConfigLoader ofProcess() {
    return new SiteConfigLoader(
        name -> Optional.ofNullable(System.getProperty(name)),
        name -> Optional.ofNullable(System.getenv(name)));
  }

  /**
   * Returns the settings in {@code directory}; none if it holds no {@code hbase-site.xml}.
   *
   * @throws ConfigException if the directory does not exist, or a file cannot be read or is
   *     malformed: one line with the file, the line in it and the error
   */
  public SiteConfig load(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw new ConfigException("There is no configuration directory " + directory);
    }
    Map<String, String> site = read(directory.resolve(FILE_NAME));
    Path core = hadoopFile(directory, CoreSite.FILE_NAME);
    List<Path> hadoopFiles =
        Stream.of(core, hadoopFile(directory, HDFS_FILE_NAME)).filter(Files::exists).toList();
    return new SiteConfig(substitute(site.keySet(), site), core(core), hadoopFiles);
  }

  /**
   * Returns the file in the folder of {@code hbase-site.xml}; if it is missing, that of Hadoop's
   * folder.
   */
  private Path hadoopFile(Path directory, String name) {
    Path own = directory.resolve(name);
    return Files.exists(own)
        ? own
        : environment
            .apply(HADOOP_FOLDER_VARIABLE)
            .filter(folder -> !folder.isBlank())
            .map(folder -> Path.of(folder, name))
            .filter(Files::exists)
            .orElse(own);
  }

  private CoreSite core(Path file) {
    Map<String, String> raw = read(file);
    Set<String> covered = new TreeSet<>(raw.keySet());
    covered.removeIf(name -> SecurityRules.of(name).isEmpty());
    return new CoreSite(file, substitute(covered, raw));
  }

  /** Returns the properties as they are written; none if there is no file. */
  private static Map<String, String> read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return read(file, in);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return Map.of();
    } catch (IOException e) {
      throw new ConfigException(file + " cannot be read: " + e, e);
    }
  }

  private static Map<String, String> read(Path file, InputStream in) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      try {
        return new Reading(file, xml).configuration();
      } finally {
        xml.close();
      }
    } catch (XMLStreamException e) {
      throw malformed(file, e.getLocation(), firstLine(e), e);
    }
  }

  private static ConfigException malformed(
      Path file, Location location, String what, Throwable cause) {
    String line = location == null ? "" : ", line " + location.getLineNumber();
    return new ConfigException(file + line + ": " + what, cause);
  }

  /** The parser's message without the position that it repeats. */
  private static String firstLine(XMLStreamException e) {
    String text = e.getMessage();
    int message = text.indexOf("Message: ");
    return (message < 0 ? text : text.substring(message + "Message: ".length()))
        .strip()
        .replaceAll("\\s*\\R\\s*", " ");
  }

  /** Returns the values of {@code names}, which may refer to all of {@code raw}. */
  private Map<String, String> substitute(Set<String> names, Map<String, String> raw) {
    Map<String, String> substituted = new TreeMap<>();
    names.forEach(name -> substituted.put(name, substitute(name, raw.get(name), raw)));
    return substituted;
  }

  private String substitute(String key, String value, Map<String, String> raw) {
    String text = value;
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < MAX_SUBSTITUTIONS; i++) {
      int open = text.indexOf("${");
      // An unknown name stays, and the search continues after it.
      while (open >= 0) {
        int close = text.indexOf('}', open);
        if (close < 0) {
          return text;
        }
        String name = text.substring(open + 2, close);
        Optional<String> found = seen.contains(text) ? Optional.empty() : lookUp(name, raw);
        if (found.isPresent()) {
          seen.add(text);
          text = text.substring(0, open) + found.get() + text.substring(close + 1);
          break;
        }
        open = text.indexOf("${", close);
      }
      if (open < 0) {
        return text;
      }
    }
    throw new ConfigException(
        key
            + ": the value <"
            + value
            + "> refers to itself, or to more than "
            + MAX_SUBSTITUTIONS
            + " others");
  }

  private Optional<String> lookUp(String name, Map<String, String> raw) {
    if (name.startsWith("env.")) {
      return variable(name.substring("env.".length()));
    }
    return systemProperties.apply(name).or(() -> Optional.ofNullable(raw.get(name)));
  }

  /** Looks up {@code NAME}, or with a default {@code NAME-default} and {@code NAME:-default}. */
  private Optional<String> variable(String expression) {
    int dash = expression.indexOf('-');
    if (dash < 0) {
      return environment.apply(expression);
    }
    boolean alsoIfEmpty = dash > 0 && expression.charAt(dash - 1) == ':';
    String name = expression.substring(0, alsoIfEmpty ? dash - 1 : dash);
    return environment
        .apply(name)
        .filter(value -> !alsoIfEmpty || !value.isEmpty())
        .or(() -> Optional.of(expression.substring(dash + 1)));
  }

  /** One pass over one file. */
  private static final class Reading {
    private final Path file;
    private final XMLStreamReader xml;
    private final Map<String, String> values = new TreeMap<>();
    private final Set<String> finals = new HashSet<>();

    Reading(Path file, XMLStreamReader xml) {
      this.file = file;
      this.xml = xml;
    }

    Map<String, String> configuration() throws XMLStreamException {
      while (xml.next() != XMLStreamConstants.START_ELEMENT) {
        continue; // declaration, style sheet, licence
      }
      if (!xml.getLocalName().equals("configuration")) {
        throw malformed(
            file,
            xml.getLocation(),
            "expected <configuration>, found <" + xml.getLocalName() + ">",
            null);
      }
      while (xml.nextTag() == XMLStreamConstants.START_ELEMENT) {
        switch (xml.getLocalName()) {
          case "property" -> property();
          case "include" ->
              throw malformed(
                  file,
                  xml.getLocation(),
                  "<include> is not supported; put the properties into this file",
                  null);
          default ->
              throw malformed(
                  file,
                  xml.getLocation(),
                  "expected <property>, found <" + xml.getLocalName() + ">",
                  null);
        }
      }
      while (xml.hasNext()) {
        xml.next(); // the rest must be well-formed as well
      }
      return values;
    }

    private void property() throws XMLStreamException {
      Location start = xml.getLocation();
      String name = attribute("name");
      String value = attribute("value");
      boolean isFinal = Boolean.parseBoolean(attribute("final"));
      while (xml.nextTag() == XMLStreamConstants.START_ELEMENT) {
        String part = xml.getLocalName();
        String text = xml.getElementText();
        switch (part) {
          case "name" -> name = text.strip();
          case "value" -> value = text;
          case "final" -> isFinal = Boolean.parseBoolean(text.strip());
          default -> {} // description, source, tag: for people and tools
        }
      }
      if (name == null || name.isEmpty()) {
        throw malformed(file, start, "a <property> without <name>", null);
      }
      if (value == null) {
        return; // as in Hadoop: a property without a value sets nothing
      }
      if (!finals.contains(name)) {
        values.put(name, value);
      }
      if (isFinal) {
        finals.add(name);
      }
    }

    private String attribute(String name) {
      return xml.getAttributeValue(null, name);
    }
  }
}
