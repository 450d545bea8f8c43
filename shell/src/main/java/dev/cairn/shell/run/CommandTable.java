package dev.cairn.shell.run;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All commands by name. Loads groups of commands in order, until one has the requested command,
 * because a script needs few groups. Used by one thread at a time.
 */
public final class CommandTable {
  private final Map<String, Command> commands = new TreeMap<>();
  private final Deque<Supplier<List<Command>>> undeclared;

  /**
   * Creates a table.
   *
   * @param groups each returns the commands of one group; frequently used groups come first
   */
  public CommandTable(List<Supplier<List<Command>>> groups) {
    undeclared = new ArrayDeque<>(groups);
  }

  /**
   * Returns the command of this name.
   *
   * @throws IllegalStateException if two commands have the same name
   */
  public Optional<Command> find(String name) {
    while (!commands.containsKey(name) && !undeclared.isEmpty()) {
      declareNext();
    }
    return Optional.ofNullable(commands.get(name));
  }

  private void declareNext() {
    for (Command command : undeclared.removeFirst().get()) {
      if (commands.put(command.name(), command) != null) {
        throw new IllegalStateException("There are two commands " + command.name());
      }
    }
  }

  private Map<String, Command> all() {
    while (!undeclared.isEmpty()) {
      declareNext();
    }
    return commands;
  }

  /** Returns the commands of a group by name. */
  public List<Command> commandsOf(Group group) {
    return all().values().stream().filter(command -> command.group() == group).toList();
  }

  /** Returns all names in alphabetical order. */
  public List<String> names() {
    return List.copyOf(all().keySet());
  }

  /** Returns the name closest to {@code name}; empty if none is close. */
  Optional<String> similar(String name) {
    return closest(name, all().keySet().stream());
  }

  /** Returns the option of a command closest to {@code name}; empty if none is close. */
  Optional<String> similarOption(String name) {
    return closest(
        name, all().values().stream().flatMap(command -> command.options().stream()).distinct());
  }

  private static Optional<String> closest(String name, Stream<String> others) {
    return others
        .filter(other -> distance(name, other) <= (name.length() < 4 ? 1 : 2))
        .min(Comparator.comparingInt(other -> distance(name, other)));
  }

  /** Returns the edit distance of two names. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
