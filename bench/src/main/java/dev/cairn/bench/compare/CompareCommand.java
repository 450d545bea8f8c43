package dev.cairn.bench.compare;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code cairn bench compare}: the same work on Cairn and on Apache HBase. */
@Command(
    name = "compare",
    description = "Runs the same work on Cairn and on Apache HBase 2.6.4, in turn and repeated.")
public final class CompareCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    return 0;
  }
}
