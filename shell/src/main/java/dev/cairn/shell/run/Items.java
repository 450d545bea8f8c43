package dev.cairn.shell.run;

import dev.cairn.shell.value.Text;
import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The values that a loop visits, in order. */
final class Items {
  private Items() {}

  /** Returns the items of a range, an array or a hash; empty if the value has none. */
  static Optional<Stream<Value>> of(Value whole) {
    if (whole instanceof Value.Range range) {
      return Optional.of(LongStream.rangeClosed(range.first(), range.end()).mapToObj(Value::of));
    } else if (whole instanceof Value.TextRange range) {
      return Optional.of(texts(range));
    } else if (whole instanceof Value.Array array) {
      return Optional.of(array.items().stream());
    } else if (whole instanceof Value.Hash hash) {
      return Optional.of(
          hash.entries().entrySet().stream()
              .map(entry -> new Value.Array(List.of(entry.getKey(), entry.getValue()))));
    }
    return Optional.empty();
  }

  /** Returns a value's items as an array; empty if it has none. */
  static Optional<Value> array(Value whole) {
    return of(whole).map(items -> new Value.Array(items.toList()));
  }

  /** Returns a range of texts. */
  static Value range(Text first, Text last, boolean through) {
    for (Text end : List.of(first, last)) {
      if (!end.letters().matches("[A-Za-z0-9]+")) {
        throw new ShellException(
            "A range of texts goes from letters and digits to others, as 'a'..'z', not "
                + end.inspected());
      }
    }
    return new Value.TextRange(first.letters(), last.letters(), through);
  }

  /** As in Ruby, ends at the last string, or at a longer one. */
  private static Stream<Value> texts(Value.TextRange range) {
    String last = range.last();
    if (range.first().length() > last.length()
        || range.first().length() == last.length() && range.first().compareTo(last) > 0) {
      return Stream.empty();
    }
    Stream<String> before =
        Stream.iterate(
            range.first(),
            text -> text.length() <= last.length() && !text.equals(last),
            Items::next);
    return Stream.concat(before, range.through() ? Stream.of(last) : Stream.of())
        .map(text -> (Value) Text.of(text));
  }

  /**
   * Returns the text after this one: {@code az} is followed by {@code ba}, {@code z9} by {@code
   * aa0}.
   */
  private static String next(String text) {
    StringBuilder next = new StringBuilder(text);
    for (int i = text.length() - 1; i >= 0; i--) {
      char c = text.charAt(i);
      if (c != '9' && c != 'z' && c != 'Z') {
        next.setCharAt(i, (char) (c + 1));
        return next.toString();
      }
      next.setCharAt(i, c == '9' ? '0' : c == 'z' ? 'a' : 'A');
    }
    char first = text.charAt(0);
    return (first == '9' ? "1" : first == 'z' ? "a" : "A") + next;
  }

  /** Returns the result of {@code join} for items. */
  static Value joined(Value.Array array, String separator) {
    List<String> letters = new ArrayList<>();
    array.items().forEach(item -> letters.add(item.text().letters()));
    return Text.of(String.join(separator, letters));
  }
}
