package dev.cairn.shell.run;

import dev.cairn.shell.value.Value;
import java.io.IOException;
import java.util.List;

/**
 * A command of the shell.
 *
 * @param name the name that scripts call
 * @param group the group that it belongs to
 * @param least the minimum number of arguments
 * @param most the maximum number of arguments
 * @param options the constants that its hashes may have, for completion
 * @param purpose the help text, a few sentences
 * @param examples statements that call it
 * @param action the implementation
 */
public record Command(
    String name,
    Group group,
    int least,
    int most,
    List<String> options,
    String purpose,
    List<String> examples,
    Action action) {
  /** The value of {@link #most} for no limit. */
  public static final int ANY = Integer.MAX_VALUE;

  /** The implementation of a command. */
  @FunctionalInterface
  public interface Action {
    /**
     * Runs the command and returns its value, {@code nil} for none.
     *
     * @throws IOException if the server refuses or cannot be reached
     * @throws ShellException if the arguments are invalid
     */
    Value run(Session session, Arguments arguments) throws IOException;
  }

  /** Returns this command with constants that its hashes may have. */
  public Command with(String... constants) {
    return new Command(name, group, least, most, List.of(constants), purpose, examples, action);
  }

  /** Returns this command with statements that call it. */
  public Command example(String... statements) {
    return new Command(name, group, least, most, options, purpose, List.of(statements), action);
  }

  /** Returns this command under another name. */
  public Command named(String other) {
    return new Command(other, group, least, most, options, purpose, examples, action);
  }

  /** Tells whether the command takes this many arguments. */
  boolean takes(int count) {
    return count >= least && count <= most;
  }

  /** Returns the number of arguments as Ruby's messages write it. */
  String expected() {
    if (most == ANY) {
      return least + "+";
    }
    return least == most ? Integer.toString(least) : least + ".." + most;
  }
}
