package dev.cairn.engine.constraint;

import dev.cairn.engine.constraint.PatternSyntax.Choice;
import dev.cairn.engine.constraint.PatternSyntax.One;
import dev.cairn.engine.constraint.PatternSyntax.Repeat;
import dev.cairn.engine.constraint.PatternSyntax.Sequence;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A pattern for UTF-8 text, as a deterministic automaton: the check of a value looks up one table
 * entry per character and allocates nothing, so it may run on a network thread. A pattern whose
 * automaton would be too large is refused when it is parsed. Immutable.
 */
final class TextPattern {
  /** The maximum number of states of the automaton with choices. */
  private static final int CHOICES_MAX = 2000;

  /** The maximum number of entries of the table, two bytes each. */
  private static final int ENTRIES_MAX = 1 << 16;

  private static final int DEAD = 0;
  private static final int START = 1;
  private static final int ASCII = 128;

  /** The first character of each class, ascending. The characters of a class are equivalent. */
  private final int[] classStarts;

  private final short[] asciiClasses = new short[ASCII];

  /** The next state after a state and a class. */
  private final char[] table;

  private final boolean[] accepting;

  private TextPattern(int[] classStarts, char[] table, boolean[] accepting) {
    this.classStarts = classStarts;
    this.table = table;
    this.accepting = accepting;
    for (int i = 0; i < ASCII; i++) {
      asciiClasses[i] = (short) classOf(i);
    }
  }

  /**
   * Compiles a pattern.
   *
   * @throws IllegalArgumentException if it is malformed or too complex; the message says why
   */
  static TextPattern compile(String pattern) {
    return new Compiler(PatternSyntax.parse(pattern)).compile();
  }

  /** Tells whether the bytes are UTF-8 and the whole text matches. */
  boolean matches(byte[] bytes, int offset, int length) {
    int classes = classStarts.length;
    int state = START;
    int end = offset + length;
    for (int at = offset; at < end && state != DEAD; ) {
      int first = bytes[at];
      int characterClass;
      if (first >= 0) {
        characterClass = asciiClasses[first];
        at++;
      } else {
        int character = Utf8.decode(bytes, at, end);
        if (character == Utf8.INVALID) {
          return false;
        }
        characterClass = classOf(character);
        at += Utf8.size(character);
      }
      state = table[state * classes + characterClass];
    }
    return accepting[state];
  }

  private int classOf(int character) {
    int low = 0;
    int high = classStarts.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (classStarts[middle] <= character) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** Turns a tree into states with choices, and these into the table. */
  private static final class Compiler {
    /** A state with choices. */
    private static final class State {
      /** The characters that lead to {@link #next}; null if none is needed. */
      final CodePoints set;

      int next;
      int other;

      State(CodePoints set, int next, int other) {
        this.set = set;
        this.next = next;
        this.other = other;
      }
    }

    private static final int NO_STATE = -1;

    private final List<State> states = new ArrayList<>();
    private final PatternSyntax syntax;
    private int end;

    Compiler(PatternSyntax syntax) {
      this.syntax = syntax;
    }

    TextPattern compile() {
      end = add(null, NO_STATE, NO_STATE);
      int start = build(syntax, end);
      int[] classStarts = classStarts();
      return determine(start, classStarts);
    }

    private int add(CodePoints set, int next, int other) {
      if (states.size() >= CHOICES_MAX) {
        throw tooComplex();
      }
      states.add(new State(set, next, other));
      return states.size() - 1;
    }

    private static IllegalArgumentException tooComplex() {
      return new IllegalArgumentException("the pattern is too complex");
    }

    /** Adds the states that lead through {@code part} to {@code next}; returns the first one. */
    private int build(PatternSyntax part, int next) {
      if (part instanceof One one) {
        return add(one.set(), next, NO_STATE);
      }
      if (part instanceof Sequence sequence) {
        int first = next;
        for (int i = sequence.parts().size() - 1; i >= 0; i--) {
          first = build(sequence.parts().get(i), first);
        }
        return first;
      }
      if (part instanceof Choice choice) {
        int first = NO_STATE;
        for (PatternSyntax each : choice.parts()) {
          first = add(null, build(each, next), first);
        }
        return first;
      }
      return repeat((Repeat) part, next);
    }

    private int repeat(Repeat repeat, int next) {
      int first = next;
      if (repeat.most() == PatternSyntax.NO_LIMIT) {
        first = add(null, NO_STATE, next);
        states.get(first).next = build(repeat.part(), first);
      } else {
        for (int i = repeat.least(); i < repeat.most(); i++) {
          first = add(null, build(repeat.part(), first), next);
        }
      }
      for (int i = 0; i < repeat.least(); i++) {
        int before = first;
        first = build(repeat.part(), before);
        if (first == before) {
          break; // the part is empty
        }
      }
      return first;
    }

    private int[] classStarts() {
      TreeSet<Integer> starts = new TreeSet<>(List.of(0));
      for (State state : states) {
        for (int i = 0; state.set != null && i < state.set.ranges().size(); i += 2) {
          starts.add(state.set.ranges().get(i));
          starts.add(state.set.ranges().get(i + 1) + 1);
        }
      }
      return starts.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Makes one state of the table of each set of states that can be reached together. */
    private TextPattern determine(int start, int[] classStarts) {
      Map<BitSet, Integer> numbers = new HashMap<>();
      List<BitSet> sets = new ArrayList<>();
      numbers.put(new BitSet(), DEAD);
      sets.add(new BitSet());
      sets.add(closure(List.of(start)));
      numbers.put(sets.get(START), START);
      List<char[]> rows = new ArrayList<>(List.of(new char[classStarts.length]));
      for (int number = START; number < sets.size(); number++) {
        if ((number + 1) * classStarts.length > ENTRIES_MAX) {
          throw tooComplex();
        }
        char[] row = new char[classStarts.length];
        for (int i = 0; i < row.length; i++) {
          BitSet reached = closure(after(sets.get(number), classStarts[i]));
          Integer known = numbers.get(reached);
          if (known == null) {
            known = sets.size();
            numbers.put(reached, known);
            sets.add(reached);
          }
          row[i] = (char) known.intValue();
        }
        rows.add(row);
      }
      char[] table = new char[rows.size() * classStarts.length];
      boolean[] accepting = new boolean[rows.size()];
      for (int i = 0; i < rows.size(); i++) {
        System.arraycopy(rows.get(i), 0, table, i * classStarts.length, classStarts.length);
        accepting[i] = sets.get(i).get(end);
      }
      return new TextPattern(classStarts, table, accepting);
    }

    private List<Integer> after(BitSet set, int character) {
      List<Integer> next = new ArrayList<>();
      for (int i = set.nextSetBit(0); i >= 0; i = set.nextSetBit(i + 1)) {
        State state = states.get(i);
        if (state.set != null && state.set.contains(character)) {
          next.add(state.next);
        }
      }
      return next;
    }

    /** Returns the states that these lead to without a character, themselves included. */
    private BitSet closure(List<Integer> from) {
      BitSet reached = new BitSet();
      Deque<Integer> left = new ArrayDeque<>(from);
      while (!left.isEmpty()) {
        int number = left.pop();
        if (number == NO_STATE || reached.get(number)) {
          continue;
        }
        reached.set(number);
        State state = states.get(number);
        if (state.set == null) {
          left.push(state.next);
          left.push(state.other);
        }
      }
      return reached;
    }
  }
}
