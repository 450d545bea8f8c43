package dev.cairn.shell.run;

import dev.cairn.shell.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The arguments of a command, with typed access. Immutable. */
public final class Arguments {
  private final List<Value> values;

  /** Creates arguments from values in the order of the script. */
  public Arguments(List<Value> values) {
    this.values = List.copyOf(values);
  }

  /** Returns the number of arguments. */
  public int size() {
    return values.size();
  }

  /** Returns all. */
  public List<Value> all() {
    return values;
  }

  /** Returns the argument at {@code index}; {@code nil} if there are fewer. */
  public Value get(int index) {
    return index < values.size() ? values.get(index) : Value.NIL;
  }

  /** Returns the argument at {@code index}; empty if there are fewer or it is {@code nil}. */
  public Optional<Value> find(int index) {
    return Optional.of(get(index)).filter(value -> !value.equals(Value.NIL));
  }

  /**
   * Returns a text.
   *
   * @param what what the argument means, for messages
   */
  public String letters(int index, String what) {
    return Conversions.letters(get(index), what);
  }

  /** Returns the bytes of a text. */
  public byte[] bytes(int index, String what) {
    return Conversions.bytes(get(index), what);
  }

  /** Returns a whole number. */
  public long number(int index, String what) {
    return Conversions.number(get(index), what);
  }

  /** Returns a truth value. */
  public boolean bool(int index, String what) {
    return Conversions.bool(get(index), what);
  }

  /**
   * Returns the arguments at {@code first} and after; arrays among them are replaced by their
   * items.
   */
  public List<Value> flat(int first) {
    List<Value> flat = new ArrayList<>();
    for (Value value : values.subList(Math.min(first, values.size()), values.size())) {
      if (value instanceof Value.Array array) {
        flat.addAll(array.items());
      } else {
        flat.add(value);
      }
    }
    return flat;
  }

  /** Returns the entries of the hash at the end; none if the last argument is not a hash. */
  public Options options() {
    return values.isEmpty()
        ? Options.NONE
        : values.get(values.size() - 1) instanceof Value.Hash hash
            ? new Options(hash)
            : Options.NONE;
  }

  /** Returns the arguments with one inserted at the front. */
  Arguments after(Value first) {
    List<Value> all = new ArrayList<>();
    all.add(first);
    all.addAll(values);
    return new Arguments(all);
  }

  /**
   * Returns the strings among the arguments at {@code first} and after, with the items of arrays.
   */
  public List<String> names(int first, String what) {
    return flat(first).stream()
        .filter(value -> !(value instanceof Value.Hash))
        .map(value -> Conversions.letters(value, what))
        .toList();
  }
}
