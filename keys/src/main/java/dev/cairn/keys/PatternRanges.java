package dev.cairn.keys;

import dev.cairn.keys.type.KeyOutput;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the ranges of a pattern: for each choice of values, goes from part to part while the bytes
 * are known, and tries all buckets of a salt. Used once.
 */
final class PatternRanges {
  /** All values of a hash are tried up to this width; a wider one needs the hashed values. */
  private static final int WIDEST_TRIED_HASH = 1;

  private final KeyPattern pattern;
  private final KeyFormat format;
  private final PartialKeys partial;
  private final Set<KeyRange> found = new TreeSet<>();
  private boolean exact = true;

  PatternRanges(KeyPattern pattern) {
    this.pattern = pattern;
    format = pattern.format();
    partial = new PartialKeys(format);
  }

  /** Returns whether all keys in the ranges match. Known after {@link #ranges}. */
  boolean areExact() {
    return exact;
  }

  List<KeyRange> ranges() {
    for (Map<String, Object> known : Assignments.of(pattern, usefulParts())) {
      byte[] key = partial.complete(known).orElse(null);
      if (key == null) {
        walk(known);
      } else {
        add(key, Arrays.copyOf(key, key.length + 1));
      }
    }
    return List.copyOf(found);
  }

  /** Returns the first parts that have values, and those that a salt or hash is of. */
  private Set<String> usefulParts() {
    Set<String> useful = new HashSet<>();
    for (ValuePart part : format.valueParts()) {
      if (!(pattern.constraints().get(part.name()) instanceof Constraint.OneOf)) {
        break;
      }
      useful.add(part.name());
    }
    format.parts().stream()
        .filter(Computed::isComputed)
        .forEach(part -> useful.addAll(Computed.of(part)));
    return useful;
  }

  private void walk(Map<String, Object> known) {
    List<KeyOutput> prefixes = List.of(new KeyOutput());
    for (int i = 0; i < format.parts().size(); i++) {
      KeyPart part = format.parts().get(i);
      if (part instanceof LiteralPart literal) {
        prefixes.forEach(prefix -> PartialKeys.append(literal.bytes(), prefix));
      } else if (part instanceof ValuePart value) {
        if (!known.containsKey(value.name())) {
          end(value, prefixes, i, known);
          return;
        }
        prefixes.forEach(prefix -> partial.append(value, known.get(value.name()), prefix));
      } else {
        List<byte[]> choices = choices(part, i, known);
        if (choices.isEmpty()) {
          prefixes.forEach(this::addAll);
          exact &= !isGivenFrom(i);
          return;
        }
        prefixes = extended(prefixes, choices);
      }
    }
    throw new AssertionError("A key with all values is complete");
  }

  /** Returns the bytes that a salt or hash may have, or none if they are too many or useless. */
  private List<byte[]> choices(KeyPart part, int index, Map<String, Object> known) {
    byte[] computed = partial.computed(part, known).orElse(null);
    if (computed != null) {
      return List.of(computed);
    }
    List<byte[]> choices = new ArrayList<>();
    if (part instanceof SaltPart salt) {
      for (int bucket = 0; bucket < salt.buckets(); bucket++) {
        choices.add(Computed.bytes(salt, bucket));
      }
    } else if (Computed.width(part) <= WIDEST_TRIED_HASH && isGivenFrom(index)) {
      for (int hash = 0; hash <= 0xFF; hash++) {
        choices.add(new byte[] {(byte) hash});
      }
    }
    return choices;
  }

  private static List<KeyOutput> extended(List<KeyOutput> prefixes, List<byte[]> choices) {
    Assignments.checkSize((long) prefixes.size() * choices.size());
    List<KeyOutput> longer = new ArrayList<>();
    for (KeyOutput prefix : prefixes) {
      for (byte[] choice : choices) {
        KeyOutput next = new KeyOutput(prefix);
        PartialKeys.append(choice, next);
        longer.add(next);
      }
    }
    return longer;
  }

  /** Ends the prefixes at a part without a value: an interval of it, or all its values. */
  private void end(ValuePart part, List<KeyOutput> prefixes, int index, Map<String, Object> known) {
    if (pattern.constraints().get(part.name()) instanceof Constraint.Between between) {
      prefixes.forEach(prefix -> addInterval(part, between, prefix));
      exact &= !isGivenFrom(index + 1);
    } else {
      prefixes.forEach(this::addAll);
      exact &= !isGivenFrom(index);
    }
  }

  private void addInterval(ValuePart part, Constraint.Between between, KeyOutput prefix) {
    boolean greatestFirst = part.sortsGreatestFirst();
    Object from = between.from();
    if (greatestFirst && hasNulls(part)) {
      // Nulls are the least values and come first: they are a range of their own.
      if (between.to() != null && part.type().isNull(between.to())) {
        return;
      }
      if (from == null || part.type().isNull(from)) {
        from = null;
        add(limit(part, null, prefix, false), limit(part, null, prefix, true));
      }
    }
    Object first = greatestFirst ? between.to() : from;
    Object last = greatestFirst ? from : between.to();
    byte[] start = start(part, first, prefix, greatestFirst);
    byte[] stop = last == null ? prefix.next() : limit(part, last, prefix, greatestFirst);
    // An empty limit means none to a range. Here, no key is after the values that are excluded, or
    // none is before them.
    boolean nothingAfter = greatestFirst && first != null && start.length == 0;
    boolean nothingBefore = !greatestFirst && last != null && stop.length == 0;
    if (!nothingAfter && !nothingBefore) {
      add(start, stop);
    }
  }

  /** Returns whether nulls of a part come before its other values. The last part has none. */
  private boolean hasNulls(ValuePart part) {
    return part.type().hasNullFirst() && !format.isLast(part);
  }

  private byte[] start(ValuePart part, Object first, KeyOutput prefix, boolean greatestFirst) {
    if (first == null && greatestFirst && hasNulls(part)) {
      return limit(part, null, prefix, true);
    }
    return first == null ? prefix.toBytes() : limit(part, first, prefix, greatestFirst);
  }

  private byte[] limit(ValuePart part, Object value, KeyOutput prefix, boolean after) {
    KeyOutput limit = new KeyOutput(prefix);
    partial.append(part, value, limit);
    return after ? limit.next() : limit.toBytes();
  }

  private void addAll(KeyOutput prefix) {
    add(prefix.toBytes(), prefix.next());
  }

  private void add(byte[] start, byte[] stop) {
    KeyRange range = new KeyRange(start, stop);
    if (!range.isEmpty()) {
      found.add(range);
      Assignments.checkSize(found.size());
    }
  }

  /** Returns whether something is given about this part or a later one. */
  private boolean isGivenFrom(int index) {
    return format.parts().subList(index, format.parts().size()).stream()
        .anyMatch(
            part ->
                part instanceof ValuePart value && pattern.constraints().containsKey(value.name()));
  }
}
