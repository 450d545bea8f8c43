package dev.cairn.launcher.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Finds the local repository that Maven uses for this user: {@code maven.repo.local} as a property
 * or in {@code MAVEN_OPTS} or {@code MAVEN_ARGS}, else {@code localRepository} in {@code
 * ~/.m2/settings.xml}, else {@code ~/.m2/repository}.
 */
final class RepositoryLocation {
  private static final String PROPERTY = "maven.repo.local";
  private static final Pattern ARGUMENT = Pattern.compile("-D" + PROPERTY + "=(\\S+)");

  private RepositoryLocation() {}

  /** Returns the folder, whether or not it exists. */
  static Path of(Properties properties, Map<String, String> environment) {
    Path maven = Path.of(properties.getProperty("user.home"), ".m2");
    return Optional.ofNullable(properties.getProperty(PROPERTY))
        .or(() -> argument(environment, "MAVEN_ARGS"))
        .or(() -> argument(environment, "MAVEN_OPTS"))
        .or(() -> setting(maven.resolve("settings.xml"), properties))
        .map(Path::of)
        .orElse(maven.resolve("repository"));
  }

  private static Optional<String> argument(Map<String, String> environment, String variable) {
    Matcher matcher = ARGUMENT.matcher(environment.getOrDefault(variable, ""));
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static Optional<String> setting(Path file, Properties properties) {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try (InputStream in = Files.newInputStream(file)) {
      XMLStreamReader xml = factory.createXMLStreamReader(in);
      while (xml.hasNext()) {
        xml.next();
        if (xml.isStartElement() && xml.getLocalName().equals("localRepository")) {
          String text = xml.getElementText().trim();
          return Optional.of(text.replace("${user.home}", properties.getProperty("user.home")))
              .filter(path -> !path.isEmpty());
        }
      }
      return Optional.empty();
    } catch (IOException | XMLStreamException e) {
      return Optional.empty(); // none, or not for us to judge
    }
  }
}
