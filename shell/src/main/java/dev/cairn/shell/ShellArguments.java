package dev.cairn.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The arguments of {@code cairn shell}.
 *
 * @param settings the client settings of {@code -Dkey=value}
 * @param stopsAtErrors whether the first error ends the shell with status 1 ({@code -n})
 * @param debugs whether errors print their causes ({@code -d})
 * @param json whether answers are JSON ({@code --json})
 * @param pages whether long output stops after each screen of a terminal
 * @param helps whether only the usage is printed ({@code -h})
 * @param script the script to run first; the shell then reads standard input unless {@code -n}
 */
public record ShellArguments(
    Map<String, String> settings,
    boolean stopsAtErrors,
    boolean debugs,
    boolean json,
    boolean pages,
    boolean helps,
    Optional<Path> script) {
  /** The text for {@code -h}. */
  static final String USAGE =
      """
      Usage: cairn shell [OPTIONS] [SCRIPT]
      Runs commands of the HBase shell: of SCRIPT, then of standard input.

        -n, --noninteractive  end at the first error, with status 1, and after SCRIPT
        -d, --debug           print what caused an error
        -D KEY=VALUE          set a key of hbase-site.xml for this shell
            --json            print answers as JSON, an object a line
            --no-pager        do not stop after each screen of long output
        -h, --help            print this
      """;

  /**
   * Reads the arguments after {@code shell}.
   *
   * @throws IllegalArgumentException if they are invalid; the message is one line
   */
  public static ShellArguments parse(List<String> arguments) {
    Map<String, String> settings = new LinkedHashMap<>();
    List<String> scripts = new ArrayList<>();
    boolean stops = false;
    boolean debugs = false;
    boolean json = false;
    boolean pages = true;
    boolean helps = false;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      switch (argument) {
        case "-n", "--noninteractive" -> stops = true;
        case "-d", "--debug" -> debugs = true;
        case "--json" -> json = true;
        case "--no-pager" -> pages = false;
        case "-h", "--help" -> helps = true;
        case "--top-level-defs", "--top-level-cmds" -> {} // no effect without Ruby
        case "-D" -> {
          if (++i == arguments.size()) {
            throw new IllegalArgumentException("-D needs KEY=VALUE");
          }
          set(settings, arguments.get(i));
        }
        default -> {
          if (argument.startsWith("-D")) {
            set(settings, argument.substring(2));
          } else if (argument.startsWith("-") && !argument.equals("-")) {
            throw new IllegalArgumentException("The shell has no option " + argument);
          } else {
            scripts.add(argument);
          }
        }
      }
    }
    if (scripts.size() > 1) {
      throw new IllegalArgumentException("The shell takes one script, not " + scripts);
    }
    return new ShellArguments(
        settings,
        stops,
        debugs,
        json,
        pages,
        helps,
        scripts.stream().filter(script -> !script.equals("-")).map(Path::of).findFirst());
  }

  private static void set(Map<String, String> settings, String text) {
    int equals = text.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException("-D needs KEY=VALUE, not " + text);
    }
    settings.put(text.substring(0, equals), text.substring(equals + 1));
  }
}
