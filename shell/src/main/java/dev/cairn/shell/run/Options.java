package dev.cairn.shell.run;

import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The entries of a hash. A command removes the entries that it knows, and refuses the rest. Used by
 * one thread.
 */
public final class Options {
  /** No entries. */
  public static final Options NONE = new Options(new Value.Hash(Map.of()));

  private final Map<String, Value> entries = new LinkedHashMap<>();

  /** Creates options from a hash; symbols in any case are the same as constants. */
  public Options(Value.Hash hash) {
    hash.entries().forEach((key, value) -> entries.put(name(key), value));
  }

  private static String name(Value key) {
    return key instanceof Value.Symbol symbol
        ? symbol.name().toUpperCase(Locale.ROOT)
        : Conversions.letters(key, "the key of a hash");
  }

  /** Tells whether no entry is left. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Returns the names of the entries that are left. */
  public List<String> names() {
    return new ArrayList<>(entries.keySet());
  }

  /** Tells whether an entry of this name is left. */
  public boolean has(String name) {
    return entries.containsKey(name);
  }

  /** Removes and returns an entry; empty if there is none, or its value is {@code nil}. */
  public Optional<Value> take(String name) {
    return Optional.ofNullable(entries.remove(name)).filter(value -> !value.equals(Value.NIL));
  }

  /** Removes and returns a string. */
  public Optional<String> letters(String name) {
    return take(name).map(value -> Conversions.letters(value, name));
  }

  /** Removes and returns the bytes of a string. */
  public Optional<byte[]> bytes(String name) {
    return take(name).map(value -> Conversions.bytes(value, name));
  }

  /** Removes and returns an integer. */
  public Optional<Long> number(String name) {
    return take(name).map(value -> Conversions.number(value, name));
  }

  /** Removes and returns a 32-bit integer. */
  public Optional<Integer> integer(String name) {
    return take(name).map(value -> Conversions.integer(value, name));
  }

  /** Removes and returns a boolean. */
  public Optional<Boolean> bool(String name) {
    return take(name).map(value -> Conversions.bool(value, name));
  }

  /** Removes and returns a boolean that is false by default. */
  public boolean flag(String name) {
    return bool(name).orElse(false);
  }

  /** Removes and returns a list of strings; a single string is a list of one. */
  public List<String> list(String name) {
    return take(name).map(Conversions::list).orElse(List.of()).stream()
        .map(item -> Conversions.letters(item, name))
        .toList();
  }

  /** Removes and returns a hash of strings. */
  public Map<String, String> texts(String name) {
    return take(name).map(value -> Conversions.hash(value, name).texts()).orElse(Map.of());
  }

  /** Returns all remaining entries as strings. */
  public Map<String, String> texts() {
    Map<String, String> texts = new LinkedHashMap<>();
    entries.forEach((key, value) -> texts.put(key, Conversions.letters(value, key)));
    return texts;
  }

  /**
   * Refuses the entries that are left.
   *
   * @param where the owner of the entries, for the message
   */
  public void requireNoMore(String where) {
    if (!entries.isEmpty()) {
      throw new ShellException(where + " has no option " + String.join(", ", entries.keySet()));
    }
  }
}
