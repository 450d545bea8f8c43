package dev.cairn.shell.run;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All commands by name. Immutable. */
public final class CommandTable {
  private final Map<String, Command> commands = new TreeMap<>();

  /**
   * Creates a table.
   *
   * @throws IllegalArgumentException if two commands have the same name
   */
  public CommandTable(Collection<Command> commands) {
    for (Command command : commands) {
      if (this.commands.put(command.name(), command) != null) {
        throw new IllegalArgumentException("There are two commands " + command.name());
      }
    }
  }

  /** Returns the command of this name. */
  public Optional<Command> find(String name) {
    return Optional.ofNullable(commands.get(name));
  }

  /** Returns the commands of a group by name. */
  public List<Command> of(Group group) {
    return commands.values().stream().filter(command -> command.group() == group).toList();
  }

  /** Returns all names in alphabetical order. */
  public List<String> names() {
    return List.copyOf(commands.keySet());
  }

  /** Returns the name that is most like {@code name}; empty if none is. */
  Optional<String> similar(String name) {
    return commands.keySet().stream()
        .filter(other -> distance(name, other) <= (name.length() < 4 ? 1 : 2))
        .min(Comparator.comparingInt(other -> distance(name, other)));
  }

  /** Returns how many letters must be added, left out or changed to make one name of the other. */
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
