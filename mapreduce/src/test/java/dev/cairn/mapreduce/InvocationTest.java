package dev.cairn.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvocationTest {
  private static Invocation parse(String... words) {
    return Invocation.parse(List.of(words));
  }

  @Test
  void theArgumentsAfterTheNameAreTheJobsOwn() {
    Invocation invocation =
        parse("--config", "c", "mapreduce", "rowcounter", "-Da=b", "t", "--config", "-h");
    assertThat(invocation.config()).contains(Path.of("c"));
    assertThat(invocation.job()).contains("rowcounter");
    assertThat(invocation.arguments()).containsExactly("-Da=b", "t", "--config", "-h");
    assertThat(invocation.asksForUsage()).isTrue();
  }

  @Test
  void theWordMapreduceMayBeLeftOut() {
    Invocation invocation = parse("--config=c", "rowcounter", "mapreduce");
    assertThat(invocation.job()).contains("rowcounter");
    assertThat(invocation.arguments()).containsExactly("mapreduce");
    assertThat(invocation.asksForUsage()).isFalse();
  }

  @Test
  void theToolsForSnapshotsHaveACommandOfTheirOwn() {
    Invocation invocation = parse("--config", "c", "snapshot", "info", "-list-snapshots");
    assertThat(invocation.job().flatMap(BundledJob::find)).contains(BundledJob.SNAPSHOT_INFO);
    assertThat(invocation.arguments()).containsExactly("-list-snapshots");
    assertThat(parse("snapshot", "export", "info").job()).contains("exportsnapshot");
    assertThatThrownBy(() -> parse("snapshot", "take")).hasMessageContaining("take");
    assertThatThrownBy(() -> parse("snapshot")).hasMessageContaining("create, export or info");
  }

  @Test
  void settingsOfTheJobAreFoundInBothForms() {
    assertThat(parse("export", "-Da=1=2", "-D", "b=3", "-Dc", "t").settings())
        .containsEntry("a", "1=2")
        .containsEntry("b", "3")
        .hasSize(2);
  }

  @Test
  void optionsBeforeTheJobAreRefused() {
    assertThatThrownBy(() -> parse("--speed", "rowcounter")).hasMessageContaining("--speed");
    assertThatThrownBy(() -> parse("mapreduce", "--config")).hasMessageContaining("--config");
  }

  @Test
  void jobsAreFoundByNameInAnyCaseAndByClass() {
    assertThat(BundledJob.find("CellCounter")).contains(BundledJob.CELL_COUNTER);
    assertThat(BundledJob.find("WALPlayer")).contains(BundledJob.WAL_PLAYER);
    assertThat(BundledJob.find("org.apache.hadoop.hbase.mapreduce.Export"))
        .contains(BundledJob.EXPORT);
    assertThat(BundledJob.find("walldiff")).isEmpty();
  }
}
