package dev.cairn.engine.constraint;

import dev.cairn.engine.constraint.ColumnRule.Part;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Parses the rules of a column: rules separated by semicolons.
 *
 * <pre>
 *   type long; range 0..150; not null
 *   type utf8; length 1..64; pattern '[a-z]+'
 *   one of 'red', 'green'
 *   reference 'customers'
 * </pre>
 */
final class RuleParser {
  /** The kinds of rules, in the order in which they are checked. */
  private enum Kind {
    TYPE("type"),
    NOT_NULL("not null"),
    LENGTH("length"),
    RANGE("range"),
    PATTERN("pattern"),
    ONE_OF("one of"),
    REFERENCE("reference");

    private final String keyword;

    Kind(String keyword) {
      this.keyword = keyword;
    }
  }

  private static final String BETWEEN = "..";

  private final byte[] family;
  private final byte[] qualifier;

  /** The text after the keyword of each rule. */
  private final Map<Kind, String> rules = new EnumMap<>(Kind.class);

  private final Map<Kind, String> texts = new EnumMap<>(Kind.class);
  private ValueType type = ValueType.ANY;

  private RuleParser(byte[] family, byte[] qualifier) {
    this.family = family;
    this.qualifier = qualifier;
  }

  /**
   * Parses the rules of a column.
   *
   * @throws IllegalArgumentException naming the malformed rule, and what is wrong with it
   */
  static ColumnRule parse(byte[] family, byte[] qualifier, String text) {
    return new RuleParser(family, qualifier).parse(text);
  }

  private ColumnRule parse(String text) {
    for (String rule : RuleText.split(text, ';')) {
      add(rule.trim());
    }
    if (rules.isEmpty()) {
      throw new IllegalArgumentException("there is no rule");
    }
    type = type();
    List<Part> parts = new ArrayList<>();
    if (type != ValueType.ANY) {
      parts.add(
          new Part(texts.getOrDefault(Kind.TYPE, "type " + type), new ValueRule.OfType(type)));
    }
    for (Map.Entry<Kind, String> entry : rules.entrySet()) {
      Kind kind = entry.getKey();
      try {
        rule(kind, entry.getValue()).ifPresent(rule -> parts.add(new Part(texts.get(kind), rule)));
      } catch (IllegalArgumentException e) {
        throw malformed(texts.get(kind), e.getMessage());
      }
    }
    return new ColumnRule(
        family, qualifier, type, parts, rules.containsKey(Kind.NOT_NULL), reference());
  }

  private static IllegalArgumentException malformed(String rule, String problem) {
    return new IllegalArgumentException("the rule \"" + rule + "\" is malformed: " + problem);
  }

  private void add(String rule) {
    if (rule.isEmpty()) {
      return; // after the last semicolon
    }
    String spaced = rule.replaceAll("\\s+", " ").toLowerCase(Locale.ROOT);
    for (Kind kind : Kind.values()) {
      if (!spaced.startsWith(kind.keyword)) {
        continue;
      }
      // The words of a keyword may have any white space between them.
      String rest = rule.replaceFirst("(?i)^" + kind.keyword.replace(" ", "\\s+"), "");
      if (!rest.isEmpty() && Character.isLetterOrDigit(rest.charAt(0))) {
        continue; // the keyword is a prefix of a longer word
      }
      if (rules.put(kind, rest.trim()) != null) {
        throw malformed(rule, "there are two rules of this kind");
      }
      texts.put(kind, rule);
      return;
    }
    throw malformed(
        rule, "rules begin with type, not null, length, range, pattern, one of or reference");
  }

  private ValueType type() {
    if (rules.containsKey(Kind.TYPE)) {
      try {
        return ValueType.named(rules.get(Kind.TYPE));
      } catch (IllegalArgumentException e) {
        throw malformed(texts.get(Kind.TYPE), e.getMessage());
      }
    }
    return rules.containsKey(Kind.PATTERN) ? ValueType.UTF8 : ValueType.ANY;
  }

  private Optional<ValueRule> rule(Kind kind, String rest) {
    return switch (kind) {
      case TYPE -> Optional.empty(); // was added first
      case NOT_NULL -> {
        if (!rest.isEmpty()) {
          throw new IllegalArgumentException("nothing follows not null");
        }
        yield Optional.of(new ValueRule.NotEmpty());
      }
      case LENGTH -> Optional.of(length(rest));
      case RANGE -> Optional.of(range(rest));
      case PATTERN -> {
        if (!type.isText()) {
          throw new IllegalArgumentException("it does not apply to type " + type);
        }
        yield Optional.of(new ValueRule.Matches(TextPattern.compile(RuleText.quoted(rest))));
      }
      case ONE_OF -> {
        List<Literal> values = new ArrayList<>();
        for (String each : RuleText.split(rest, ',')) {
          values.add(literal(each.trim()));
        }
        yield Optional.of(new ValueRule.OneOf(type, List.copyOf(values)));
      }
      case REFERENCE -> {
        if (reference().filter(table -> !table.isBlank()).isEmpty()) {
          throw new IllegalArgumentException("the name of a table is expected");
        }
        yield Optional.empty(); // the server asks the other table
      }
    };
  }

  private Optional<String> reference() {
    return Optional.ofNullable(rules.get(Kind.REFERENCE))
        .map(text -> RuleText.isQuoted(text) ? RuleText.quoted(text) : text);
  }

  private ValueRule length(String rest) {
    if (!type.hasLength()) {
      throw new IllegalArgumentException("it does not apply to type " + type);
    }
    String[] ends = ends(rest);
    int least = ends[0].isEmpty() ? 0 : length(ends[0], rest);
    int most = ends[1].isEmpty() ? Integer.MAX_VALUE : length(ends[1], rest);
    if (least > most) {
      throw new IllegalArgumentException("the range is empty");
    }
    return new ValueRule.OfLength(type, least, most);
  }

  private static int length(String end, String rest) {
    if (!end.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("'" + rest + "' is no range of lengths");
    }
    return Integer.parseInt(end);
  }

  private ValueRule range(String rest) {
    if (!type.hasOrder()) {
      throw new IllegalArgumentException(
          type == ValueType.ANY ? "it needs a type" : "it does not apply to type " + type);
    }
    String[] ends = ends(rest);
    Literal least = ends[0].isEmpty() ? null : literal(ends[0]);
    Literal most = ends[1].isEmpty() ? null : literal(ends[1]);
    if (least != null && most != null && type.isAfter(least, most)) {
      throw new IllegalArgumentException("the range is empty");
    }
    return new ValueRule.InRange(type, least, most);
  }

  /** Returns the two ends of a range, of which one may be empty. */
  private static String[] ends(String rest) {
    int at = RuleText.indexOf(rest, BETWEEN, 0);
    if (at < 0) {
      throw new IllegalArgumentException("a range has the form FIRST..LAST");
    }
    String first = rest.substring(0, at).trim();
    String last = rest.substring(at + BETWEEN.length()).trim();
    if (first.isEmpty() && last.isEmpty()) {
      throw new IllegalArgumentException("both ends of the range are missing");
    }
    return new String[] {first, last};
  }

  private Literal literal(String text) {
    boolean quoted = RuleText.isQuoted(text);
    return type.literal(quoted ? RuleText.quoted(text) : text, quoted);
  }
}
