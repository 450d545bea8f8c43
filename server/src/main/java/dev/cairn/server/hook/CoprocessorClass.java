package dev.cairn.server.hook;

import dev.cairn.engine.schema.TableSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.BytesBytesPair;

/**
 * A coprocessor as a site or a table names it.
 *
 * @param jar where its class is: a file, a folder or a pattern of any file system of Hadoop; empty
 *     for the class path
 * @param priority the order of calls, the lowest first
 * @param arguments settings for this class alone
 * @param ofSite whether the site names it, and not a table
 * @param source the site's key, or the table's attribute, that names it
 */
public record CoprocessorClass(
    String className,
    Optional<String> jar,
    int priority,
    Map<String, String> arguments,
    boolean ofSite,
    String source) {
  /** The priority of a site's first class without one; each later one has the next number. */
  public static final int PRIORITY_OF_SITE = Integer.MAX_VALUE / 4;

  /** The default priority of a table's class. */
  public static final int PRIORITY_OF_TABLE = Integer.MAX_VALUE / 2;

  private static final Pattern ATTRIBUTE =
      Pattern.compile("coprocessor\\$[0-9]+", Pattern.CASE_INSENSITIVE);

  /** HBase's form of {@code jar|class|priority|arguments}, whose last part begins with its bar. */
  private static final Pattern VALUE =
      Pattern.compile("([^|]*)\\|([^|]+)\\|\\s*(\\d*)\\s*(\\|.*)?");

  private static final Pattern ARGUMENT = Pattern.compile("([^=,]+)=([^,]+),?");

  /** All arguments of an attribute. HBase leaves out what is between others and has no value. */
  private static final Pattern ARGUMENTS = Pattern.compile("(" + ARGUMENT.pattern() + ")*");

  /** Copies the arguments. */
  public CoprocessorClass {
    arguments = Map.copyOf(arguments);
  }

  /** Returns the class and the key or attribute that names it, for messages. */
  public String named() {
    return "the coprocessor " + className + " (" + (ofSite ? "key " : "attribute ") + source + ")";
  }

  /**
   * Tells whether a table's attribute of this name names a coprocessor. HBase ignores case, and
   * spaces around the name.
   */
  public static boolean isAttribute(String name) {
    return ATTRIBUTE.matcher(name.trim()).matches();
  }

  /**
   * Returns the coprocessors of a table's attributes {@code coprocessor$NUMBER}, in the order of
   * the attributes' names. They are those that HBase finds; where HBase leaves one out because its
   * attribute is malformed, the table is refused.
   *
   * @throws IllegalArgumentException naming the malformed attribute
   */
  public static List<CoprocessorClass> ofTable(TableSchema schema) {
    Optional<String> included = schema.attribute(HookKeys.INCLUDED_CLASSES.name());
    return schema.message().getAttributesList().stream()
        .filter(pair -> isAttribute(pair.getFirst().toStringUtf8()))
        .sorted(
            Comparator.comparing(pair -> pair.getFirst().toByteArray(), Arrays::compareUnsigned))
        .map(pair -> ofAttribute(pair, included))
        .toList();
  }

  private static CoprocessorClass ofAttribute(BytesBytesPair pair, Optional<String> included) {
    String name = pair.getFirst().toStringUtf8();
    String value = pair.getSecond().toStringUtf8();
    Matcher parts = VALUE.matcher(value.trim());
    if (!parts.matches()) {
      throw malformed(name, value, "it has another form");
    }
    String jar = parts.group(1).trim();
    String type = parts.group(2).trim();
    String priority = parts.group(3).trim();
    if (type.isEmpty()) {
      throw malformed(name, value, "it names no class");
    }
    try {
      Map<String, String> arguments = arguments(parts.group(4));
      included.ifPresent(text -> arguments.putIfAbsent(HookKeys.INCLUDED_CLASSES.name(), text));
      return new CoprocessorClass(
          type,
          jar.isEmpty() ? Optional.empty() : Optional.of(jar),
          priority.isEmpty() ? PRIORITY_OF_TABLE : Integer.parseInt(priority),
          arguments,
          false,
          name.trim());
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

  /**
   * Reads arguments.
   *
   * @param text with the bar before them; null if there are none
   */
  private static Map<String, String> arguments(String text) {
    Map<String, String> arguments = new LinkedHashMap<>();
    String list = text == null ? "" : text.substring(1);
    if (list.isBlank()) {
      return arguments;
    }
    if (!ARGUMENTS.matcher(list).matches()) {
      throw new IllegalArgumentException("an argument of <" + list.strip() + "> has no value");
    }
    Matcher argument = ARGUMENT.matcher(list);
    while (argument.find()) {
      arguments.put(argument.group(1).trim(), argument.group(2));
    }
    return arguments;
  }

  /**
   * Returns the coprocessors of a site's key: names of classes, separated by commas, each of which
   * may be followed by its priority and its jar, as {@code class|priority|jar}.
   *
   * @param text the value of the key
   * @throws IllegalArgumentException naming the malformed part
   */
  public static List<CoprocessorClass> ofSite(String key, String text) {
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
      classes.add(new CoprocessorClass(words[0].strip(), jar, priority, Map.of(), true, key));
    }
    return classes;
  }
}
