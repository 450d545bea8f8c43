package dev.cairn.interop.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.interop.process.ApacheHBase;
import dev.cairn.testing.CairnServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What makes no sense, asked of Cairn and of HBase, byte by byte the same: both answer with an
 * error of the same class, or both with none. {@code -Dcairn.print=true} prints what both say.
 */
class RefusalsTest {
  private static final boolean PRINT = Boolean.getBoolean("cairn.print");
  private static final String CELL_BYTES_MAX = "10000";

  @Test
  void areThoseOfHBase(@TempDir Path folder) throws Exception {
    List<String> differences = new ArrayList<>();
    try (ApacheHBase hbase =
            ApacheHBase.in(folder).set("hbase.server.keyvalue.maxsize", CELL_BYTES_MAX).start();
        CairnServer cairn =
            CairnServer.builder().setting("hbase.server.keyvalue.maxsize", CELL_BYTES_MAX).start();
        RefusingServer theirs = new RefusingServer(hbase.configuration());
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
        boolean same = found.kind().equals(expected.kind());
        boolean asSaid =
            refusal.cairn().map(kind -> !same && found.kind().endsWith(kind)).orElse(same);
        if (!asSaid) {
          differences.add(both);
        }
      }
    }
    assertThat(String.join("\n", differences)).isEmpty();
  }

  private static String shortened(String message) {
    return message.length() > 250 ? message.substring(0, 250) + " ..." : message;
  }
}
