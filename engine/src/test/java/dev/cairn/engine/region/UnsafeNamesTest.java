package dev.cairn.engine.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import dev.cairn.engine.storage.FaultRule;
import dev.cairn.engine.storage.FaultRule.Manner;
import dev.cairn.engine.storage.Faults;
import dev.cairn.engine.storage.StorageOperation;
import java.io.IOException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files whose names are seen, and are not on the device. */
class UnsafeNamesTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(TableName.parse("t"), FamilySchema.of("f"));

  @Test
  void aFileThatALaterProcessReliesOnIsNotLostWithThePower() throws IOException {
    Faults faults = new Faults(new Random(1));
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      harness.failBy(faults);
      harness.kill();
      harness.put("r", "q", "acknowledged");

      // The flushed file comes to its place, but the disk does not confirm it, nor let it be
      // removed; then the process ends.
      faults.add(
          FaultRule.of(StorageOperation.RENAME).onPath(p -> p.contains(".tmp")).how(Manner.DONE));
      faults.add(
          FaultRule.of(StorageOperation.RENAME)
              .onPath(p -> !p.contains(".tmp"))
              .how(Manner.NOT_DONE));
      assertThatThrownBy(() -> harness.region().flush()).isInstanceOf(IOException.class);
      faults.heal();
      harness.kill();
      assertThat(harness.get("r", "q")).isEqualTo("acknowledged");

      harness.powerCut();
      assertThat(harness.get("r", "q")).isEqualTo("acknowledged");
    }
  }
}
