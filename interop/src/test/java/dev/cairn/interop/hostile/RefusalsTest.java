package dev.cairn.interop.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.SharedHBase;
import dev.cairn.testing.CairnServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What makes no sense, asked of Cairn and of HBase, byte by byte the same: both answer with an
 * error of the same class, or both with none. {@code -Dcairn.print=true} prints what both say.
 */
class RefusalsTest {
  private static final boolean PRINT = Boolean.getBoolean("cairn.print");

  @RegisterExtension static final SharedHBase HBASE = new SharedHBase();

  @Test
  void areThoseOfHBase() throws Exception {
    List<String> differences = new ArrayList<>();
    try (CairnServer cairn = CairnServer.start();
        RefusingServer theirs = new RefusingServer(HBASE.configuration());
        RefusingServer ours = new RefusingServer(cairn.configuration())) {
      for (Refusal refusal : Refusal.all()) {
        RefusingServer.Outcome expected = theirs.outcomeOrEnd(refusal.request());
        RefusingServer.Outcome found = ours.outcomeOrEnd(refusal.request());
        String both =
            "%s%n  HBase: %s | %s%n  Cairn: %s | %s"
                .formatted(
                    refusal.what(),
                    expected.kind(),
                    shortened(expected.message()),
                    found.kind(),
                    shortened(found.message()));
        if (PRINT) {
          System.out.println(both);
        }
        boolean same = isSame(expected, found);
        boolean asSaid =
            refusal.cairn().map(kind -> !same && found.kind().endsWith(kind)).orElse(same);
        if (!asSaid) {
          differences.add(both);
        }
      }
    }
    assertThat(String.join("\n", differences)).isEmpty();
  }

  /**
   * HBase tells of some faults in a message by an exception of its own inside, which travels as an
   * {@link IOException}, and clients repeat the request until they run out of patience. Cairn tells
   * them at once that it is no use.
   */
  private static boolean isSame(RefusingServer.Outcome expected, RefusingServer.Outcome found) {
    return found.kind().equals(expected.kind())
        || expected.kind().equals(IOException.class.getName())
            && found.kind().equals(DoNotRetryIOException.class.getName());
  }

  private static String shortened(String message) {
    return message.length() > 250 ? message.substring(0, 250) + " ..." : message;
  }
}
