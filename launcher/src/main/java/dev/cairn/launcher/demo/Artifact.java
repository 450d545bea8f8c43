package dev.cairn.launcher.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An artifact of the webtable, such as a jar that others use. Groups are reversed domains, so
 * artifacts of one origin lie beside each other in the table, as the pages of one domain do in the
 * paper's.
 *
 * @param key the row key, {@code group:artifact:version}
 * @param files its files
 * @param references the artifacts that it refers to
 */
record Artifact(String key, List<ArtifactFile> files, List<Reference> references) {
  private static final String RESOURCE = "webtable.txt";

  /**
   * A file of an artifact.
   *
   * @param name the file's name
   * @param bytes its size
   * @param sha1 its checksum, 40 hexadecimal digits
   */
  record ArtifactFile(String name, long bytes, String sha1) {}

  /**
   * A reference to another artifact.
   *
   * @param kind {@code parent}, {@code import}, or a dependency's scope, with {@code -optional}
   *     appended where it is
   * @param key the row key of the other; without a version if that is not known
   */
  record Reference(String kind, String key) {}

  /** Returns all artifacts, in the order of their keys. */
  static List<Artifact> all() throws IOException {
    List<Artifact> all = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                Artifact.class.getResourceAsStream(RESOURCE), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ");
        switch (words[0]) {
          case "#" -> {}
          case "f" ->
              last(all).files().add(new ArtifactFile(words[1], Long.parseLong(words[2]), words[3]));
          case "r" -> last(all).references().add(new Reference(words[1], words[2]));
          default -> all.add(new Artifact(line, new ArrayList<>(), new ArrayList<>()));
        }
      }
    }
    return all;
  }

  private static Artifact last(List<Artifact> all) {
    return all.get(all.size() - 1);
  }

  /** Returns a POM with the references. */
  String pom() {
    StringBuilder xml = new StringBuilder("<project>\n");
    String indent = "  ";
    append(xml, indent, key);
    for (Reference reference : references) {
      String element = reference.kind().equals("parent") ? "parent" : "dependency";
      xml.append(indent).append('<').append(element).append(">\n");
      append(xml, indent.repeat(2), reference.key());
      if (!element.equals("parent")) {
        xml.append("    <scope>").append(reference.kind()).append("</scope>\n");
      }
      xml.append(indent).append("</").append(element).append(">\n");
    }
    return xml.append("</project>\n").toString();
  }

  private static void append(StringBuilder xml, String indent, String key) {
    String[] names = {"groupId", "artifactId", "version"};
    String[] values = key.split(":");
    for (int i = 0; i < values.length; i++) {
      xml.append("%s<%s>%s</%2$s>\n".formatted(indent, names[i], values[i]));
    }
  }
}
