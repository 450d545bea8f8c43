package dev.cairn.server.hook;

import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;

/**
 * A coprocessor as a site or a table names it.
 *
 * @param jar where its class is: a file, a folder or a pattern of any file system of Hadoop; empty
 *     for the class path
 * @param priority the order of calls, the lowest first
 * @param arguments settings for this class alone
 */
public record CoprocessorClass(
    String className, Optional<String> jar, int priority, Map<String, String> arguments) {
  /** The default priority of a site's first class; each later class has the next number. */
  public static final int PRIORITY_OF_SITE = Integer.MAX_VALUE / 4;

  /** The default priority of a table's class. */
  public static final int PRIORITY_OF_TABLE = Integer.MAX_VALUE / 2;

  private static final Pattern ATTRIBUTE =
      Pattern.compile("coprocessor\\$[0-9]+", Pattern.CASE_INSENSITIVE);

  /** The parts of an attribute's value: {@code jar|class|priority|arguments}. */
  private static final int PARTS_MAX = 4;

  /** Copies the arguments. */
  public CoprocessorClass {
    arguments = Map.copyOf(arguments);
  }

  /** Tells whether a table's attribute of this name names a coprocessor. */
  public static boolean isAttribute(String name) {
    return ATTRIBUTE.matcher(name).matches();
  }

  /**
   * Returns the coprocessors of a table's attributes {@code coprocessor$NUMBER}, in the order of
   * the attributes' names.
   *
   * @throws IllegalArgumentException naming the malformed attribute
   */
  public static List<CoprocessorClass> ofTable(TableSchema schema) {
    return schema.message().getAttributesList().stream()
        .filter(pair -> isAttribute(pair.getFirst().toStringUtf8()))
        .sorted(
            Comparator.comparing(pair -> pair.getFirst().toByteArray(), Arrays::compareUnsigned))
        .map(CoprocessorClass::ofAttribute)
        .toList();
  }

  private static CoprocessorClass ofAttribute(BytesBytesPair pair) {
    String name = pair.getFirst().toStringUtf8();
    String value = pair.getSecond().toStringUtf8();
    String[] parts = value.split("\\|", PARTS_MAX);
    if (parts.length < 2 || parts[1].isBlank()) {
      throw malformed(name, value, "it names no class");
    }
    String jar = parts[0].strip();
    String priority = parts.length > 2 ? parts[2].strip() : "";
    try {
      return new CoprocessorClass(
          parts[1].strip(),
          jar.isEmpty() ? Optional.empty() : Optional.of(jar),
          priority.isEmpty() ? PRIORITY_OF_TABLE : Integer.parseInt(priority),
          arguments(parts.length == PARTS_MAX ? parts[PARTS_MAX - 1] : ""));
    } catch (NumberFormatException e) {
      throw malformed(name, value, "the priority <" + priority + "> is no number");
    } catch (IllegalArgumentException e) {
      throw malformed(name, value, e.getMessage());
    }
  }

  private static IllegalArgumentException malformed(String name, String value, String problem) {
    return new IllegalArgumentException(
        "its attribute "
            + name
            + " is <"
            + value
            + ">, and must be jar|class|priority|key=value,...: "
            + problem);
  }

  private static Map<String, String> arguments(String text) {
    Map<String, String> arguments = new LinkedHashMap<>();
    for (String part : text.split(",")) {
      if (!part.isBlank()) {
        int equals = part.indexOf('=');
        if (equals < 1) {
          throw new IllegalArgumentException("the argument <" + part.strip() + "> has no value");
        }
        arguments.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
      }
    }
    return arguments;
  }

  /**
   * Returns the coprocessors of a site's key: names of classes, separated by commas, each of which
   * may be followed by its priority and its jar, as {@code class|priority|jar}.
   *
   * @throws IllegalArgumentException naming the malformed part
   */
  public static List<CoprocessorClass> ofSite(String text) {
    List<CoprocessorClass> classes = new ArrayList<>();
    int next = PRIORITY_OF_SITE;
    for (String part : text.split(",")) {
      String[] words = part.strip().split("\\|");
      if (words[0].isBlank()) {
        continue;
      }
      int priority = next;
      if (words.length > 1 && !words[1].isBlank()) {
        try {
          priority = Integer.parseInt(words[1].strip());
        } catch (NumberFormatException e) {
          throw new IllegalArgumentException(
              "the priority <" + words[1] + "> of " + words[0] + " is no number", e);
        }
      } else {
        next++;
      }
      Optional<String> jar =
          words.length > 2 && !words[2].isBlank()
              ? Optional.of(words[2].strip())
              : Optional.empty();
      classes.add(new CoprocessorClass(words[0].strip(), jar, priority, Map.of()));
    }
    return classes;
  }
}
