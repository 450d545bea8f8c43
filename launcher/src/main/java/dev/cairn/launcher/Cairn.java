package dev.cairn.launcher;

import dev.cairn.launcher.client.ClientTraces;
import dev.cairn.launcher.shell.ShellStart;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Runs the command line of Cairn. The signatures of its methods name no classes of picocli, because
 * Java loads such classes when it looks for {@code main}.
 */
public final class Cairn {
  private Cairn() {}

  /** Runs the command line. */
  public static void main(String[] args) {
    CairnCommand cairn = CairnCommand.ofProcess();
    List<String> words = List.of(args);
    Optional<Optional<Path>> standalone = plainStandalone(words);
    if (standalone.isPresent()) {
      System.exit(cairn.standalone(standalone.get()));
    }
    int end = words.indexOf(ShellStart.NAME) + 1;
    Optional<Optional<Path>> shell = plain(words.subList(0, end), ShellStart.NAME);
    if (shell.isPresent()) {
      System.exit(cairn.at(shell.get()).shell(words.subList(end, words.size())));
    }
    System.setErr(ClientTraces.without(System.err));
    System.exit(cairn.commandLine(words).execute(args));
  }

  /**
   * Recognizes the arguments {@code standalone}, or {@code standalone} after a configuration
   * folder, without picocli. Servers are started in this way, and setting up picocli would take a
   * tenth of the start.
   *
   * @return the configuration folder, if any; empty for other arguments
   */
  static Optional<Optional<Path>> plainStandalone(List<String> args) {
    return plain(args, "standalone");
  }

  /** Does the same for the command {@code name}. */
  private static Optional<Optional<Path>> plain(List<String> args, String name) {
    int config = CairnCommand.configWords(args);
    if (args.size() != config + 1 || !args.get(config).equals(name)) {
      return Optional.empty();
    }
    return Optional.of(
        config == 0 ? Optional.empty() : Optional.of(Path.of(CairnCommand.configFolder(args))));
  }
}
