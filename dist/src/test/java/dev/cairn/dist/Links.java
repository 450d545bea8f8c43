package dev.cairn.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds dead links in Markdown documents: links to files that do not exist, and to headings that
 * their document does not have. Links with a scheme, such as {@code https:}, are not followed.
 *
 * <p>Anchors are those that GitHub derives from headings: lower case, without punctuation, hyphens
 * for spaces, and a number after a repeated one.
 */
final class Links {
  private static final Pattern LINK = Pattern.compile("!?\\[[^\\]]*\\]\\(([^)\\s]*)\\)");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?) *#*");
  private static final Pattern CODE = Pattern.compile("(`+)(?!`).+?(?<!`)\\1(?!`)");
  private static final Pattern SCHEME = Pattern.compile("[a-z]+:.*");

  private final Path root;
  private final Map<Path, Set<String>> anchors = new HashMap<>();

  /**
   * Creates a finder.
   *
   * @param root the folder that no link may leave
   */
  Links(Path root) {
    this.root = root.toAbsolutePath().normalize();
  }

  /** Returns the dead links of a document, each with the number of its line. */
  List<String> dead(Path document) throws IOException {
    List<String> dead = new ArrayList<>();
    int number = 0;
    for (String line : prose(document)) {
      number++;
      Matcher link = LINK.matcher(CODE.matcher(line).replaceAll("`code`"));
      while (link.find()) {
        String target = link.group(1);
        if (!SCHEME.matcher(target).matches() && !leads(document, target)) {
          dead.add("line " + number + ": " + target);
        }
      }
    }
    return dead;
  }

  private boolean leads(Path document, String target) throws IOException {
    int hash = target.indexOf('#');
    String name = hash < 0 ? target : target.substring(0, hash);
    Path file =
        (name.isEmpty() ? document : document.resolveSibling(name)).toAbsolutePath().normalize();
    if (!file.startsWith(root) || !Files.exists(file)) {
      return false;
    }
    return hash < 0 || anchors(file).contains(target.substring(hash + 1));
  }

  private Set<String> anchors(Path file) throws IOException {
    Set<String> known = anchors.get(file);
    if (known == null) {
      known = new HashSet<>();
      for (String line : prose(file)) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
          String anchor = anchor(heading.group(1));
          for (int i = 1; !known.add(anchor); i++) {
            anchor = anchor(heading.group(1)) + "-" + i;
          }
        }
      }
      anchors.put(file, known);
    }
    return known;
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
  }

  /** Returns the lines of a document; the lines of code blocks are empty. */
  private static List<String> prose(Path document) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean fenced = false;
    for (String line : Files.readAllLines(document)) {
      boolean fence = line.strip().startsWith("```");
      lines.add(fenced || fence || line.startsWith("    ") ? "" : line);
      fenced ^= fence;
    }
    return lines;
  }
}
