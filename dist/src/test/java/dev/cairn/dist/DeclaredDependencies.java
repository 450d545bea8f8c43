package dev.cairn.dist;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Reads the libraries and plugins that the modules' POMs declare. Versions come from the POM
 * itself, or from the dependency management of the parent, including BOMs that it imports.
 */
final class DeclaredDependencies {
  private static final String OWN = "dev.cairn";
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

  private final Element parent;
  private final Map<String, String> parentProperties;
  private final List<Element> managed;

  /**
   * A library or plugin of one module.
   *
   * @param name {@code group:artifact}
   * @param module the module's folder
   * @param scope {@code compile}, {@code runtime}, {@code provided} or {@code test}
   */
  record Declared(String name, String version, String module, String scope) {}

  private final Path checkout;

  DeclaredDependencies(Path checkout) throws IOException {
    this.checkout = checkout;
    this.parent = read(checkout.resolve("pom.xml"));
    this.parentProperties = properties(parent);
    this.managed =
        at(parent, "dependencyManagement", "dependencies")
            .flatMap(DeclaredDependencies::all)
            .toList();
  }

  /** Returns the libraries of all modules, except Cairn's own. */
  List<Declared> libraries() throws IOException {
    List<Declared> found = new ArrayList<>();
    for (String module : modules()) {
      Element pom = read(checkout.resolve(module).resolve("pom.xml"));
      Map<String, String> properties = new HashMap<>(parentProperties);
      properties.putAll(properties(pom));
      at(pom, "dependencies")
          .flatMap(DeclaredDependencies::all)
          .filter(one -> !text(one, "groupId").orElseThrow().equals(OWN))
          .forEach(
              one ->
                  found.add(
                      new Declared(
                          name(one),
                          version(one, properties),
                          module,
                          text(one, "scope").orElse("compile"))));
      at(pom, "build", "plugins", "plugin", "configuration", "annotationProcessorPaths")
          .flatMap(DeclaredDependencies::all)
          .forEach(
              one ->
                  found.add(new Declared(name(one), version(one, properties), module, "provided")));
    }
    return found;
  }

  /** Returns the plugins whose versions the parent sets. */
  List<Declared> plugins() {
    return at(parent, "build", "pluginManagement", "plugins")
        .flatMap(DeclaredDependencies::all)
        .map(
            one ->
                new Declared(
                    text(one, "groupId").orElse("org.apache.maven.plugins")
                        + ":"
                        + text(one, "artifactId").orElseThrow(),
                    text(one, "version").orElseThrow(),
                    "",
                    "build"))
        .toList();
  }

  private List<String> modules() {
    return at(parent, "modules")
        .flatMap(DeclaredDependencies::all)
        .map(Element::getTextContent)
        .toList();
  }

  private String version(Element dependency, Map<String, String> properties) {
    String version =
        text(dependency, "version")
            .or(() -> managedVersion(dependency))
            .orElseThrow(() -> new AssertionError("no version of " + name(dependency)));
    Matcher matcher = PROPERTY.matcher(version);
    return matcher.replaceAll(match -> properties.get(match.group(1)));
  }

  private Optional<String> managedVersion(Element dependency) {
    String group = text(dependency, "groupId").orElseThrow();
    return managed.stream()
        .filter(one -> name(one).equals(name(dependency)))
        .findFirst()
        .or(
            () ->
                managed.stream()
                    .filter(one -> text(one, "scope").filter("import"::equals).isPresent())
                    .filter(one -> group.startsWith(text(one, "groupId").orElseThrow()))
                    .findFirst())
        .flatMap(one -> text(one, "version"));
  }

  private static String name(Element dependency) {
    return text(dependency, "groupId").orElseThrow()
        + ":"
        + text(dependency, "artifactId").orElseThrow();
  }

  private static Map<String, String> properties(Element pom) {
    Map<String, String> properties = new HashMap<>();
    at(pom, "properties")
        .flatMap(DeclaredDependencies::all)
        .forEach(one -> properties.put(one.getTagName(), one.getTextContent().strip()));
    return properties;
  }

  private static Optional<String> text(Element of, String name) {
    return at(of, name).findFirst().map(element -> element.getTextContent().strip());
  }

  /** Returns the elements at the path below {@code from}. */
  private static Stream<Element> at(Element from, String... path) {
    Stream<Element> elements = Stream.of(from);
    for (String name : path) {
      elements =
          elements.flatMap(DeclaredDependencies::all).filter(one -> one.getTagName().equals(name));
    }
    return elements;
  }

  private static Stream<Element> all(Element of) {
    return IntStream.range(0, of.getChildNodes().getLength())
        .mapToObj(of.getChildNodes()::item)
        .filter(node -> node.getNodeType() == Node.ELEMENT_NODE)
        .map(Element.class::cast);
  }

  private static Element read(Path pom) throws IOException {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(pom.toFile())
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(pom + " cannot be read", e);
    }
  }
}
