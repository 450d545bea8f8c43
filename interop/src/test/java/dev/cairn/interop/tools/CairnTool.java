package dev.cairn.interop.tools;

import dev.cairn.launcher.CairnCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * One run of Cairn's command line in this process.
 *
 * @param status the exit status
 * @param out what it printed on standard output
 * @param err what it printed on standard error
 */
public record CairnTool(int status, String out, String err) {
  /** Runs it. */
  public static CairnTool run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CairnCommand cairn =
        new CairnCommand(
            (config, source, storage, folder, notice) -> {
              throw new IOException("no server here");
            },
            new Properties(),
            Map.of());
    int status =
        cairn
            .commandLine(List.of(arguments))
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(arguments);
    return new CairnTool(status, out.toString(), err.toString());
  }
}
