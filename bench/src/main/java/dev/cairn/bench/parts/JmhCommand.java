package dev.cairn.bench.parts;

import dev.cairn.bench.hfile.Parts;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code cairn bench jmh}: the parts of the hot paths, each alone, under JMH. */
@Command(
    name = "jmh",
    description = {
      "Measures the parts of the hot paths, each alone. Takes the options of JMH, for example",
      "  cairn bench jmh -l                              lists what there is",
      "  cairn bench jmh parts.Memory -f 1 -prof gc      one part, with what it allocates"
    })
public final class JmhCommand implements Callable<Integer> {
  @Unmatched private List<String> arguments = new ArrayList<>();

  @Override
  public Integer call() throws IOException {
    List<String> all = new ArrayList<>(arguments);
    if (all.isEmpty()) {
      all.add("^" + JmhCommand.class.getPackageName() + "\\.");
      all.add("^" + Parts.class.getName() + "\\.");
    }
    Main.main(all.toArray(String[]::new));
    return 0;
  }
}
