package dev.cairn.engine.region;

import static dev.cairn.engine.region.RegionHarness.F;
import static dev.cairn.engine.region.RegionHarness.G;
import static dev.cairn.engine.region.RegionHarness.deleteOf;
import static dev.cairn.engine.region.RegionHarness.putOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import dev.cairn.engine.cell.CellType;
import dev.cairn.engine.region.flush.FlushScope;
import dev.cairn.engine.region.write.Mutation;
import dev.cairn.engine.scan.ScanRequest;
import dev.cairn.engine.schema.FamilySchema;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;

/**
 * Random operations on a region and on a sorted map, compared after each housekeeping step, kill
 * and power cut. Set the system property {@code cairn.seed} to run one seed again.
 */
class RegionModelTest {
  private static final TableSchema SCHEMA =
      TableSchema.of(
          TableName.parse("t"),
          FamilySchema.of("f", Map.of("BLOCKSIZE", "512")),
          FamilySchema.of(
              "g", Map.of("BLOOMFILTER", "ROWCOL", "IS_MOB", "true", "MOB_THRESHOLD", "100")));

  private final long seed = Long.getLong("cairn.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final TreeMap<String, String> model = new TreeMap<>();

  @RepeatedTest(3)
  void aRegionAnswersLikeASortedMap() throws IOException {
    try (RegionHarness harness = new RegionHarness(SCHEMA)) {
      for (int step = 0; step < 2000; step++) {
        int dice = random.nextInt(1000);
        if (dice < 700) {
          write(harness);
        } else if (dice < 900) {
          delete(harness);
        } else if (dice < 940) {
          String row = row();
          assertThat(harness.dump(ScanRequest.row(Bytes.utf8(row)).build()))
              .as("row %s, seed %d, step %d", row, seed, step)
              .isEqualTo(expected(row + "/", row + "0"));
        } else {
          housekeeping(harness, dice);
          assertThat(harness.dump())
              .as("seed %d, step %d, dice %d", seed, step, dice)
              .isEqualTo(expected("", "\uffff"));
        }
      }
    }
  }

  private void housekeeping(RegionHarness harness, int dice) throws IOException {
    if (dice < 970) {
      harness.region().flush(scope(harness));
    } else if (dice < 980) {
      harness.region().compact(false);
    } else if (dice < 985) {
      harness.region().compact(true);
    } else if (dice < 990) {
      harness.closeCleanly();
      harness.open();
    } else if (dice < 995) {
      harness.kill();
    } else {
      harness.powerCut(random);
    }
  }

  private FlushScope scope(RegionHarness harness) {
    return switch (random.nextInt(4)) {
      case 0 -> FlushScope.ALL;
      case 1 -> new FlushScope.UpTo(random.nextLong(harness.region().readPoint() + 1));
      default -> new FlushScope.Families(List.of(random.nextBoolean() ? F : G));
    };
  }

  private void write(RegionHarness harness) throws IOException {
    List<Mutation> batch = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String row = row();
      byte[] family = random.nextBoolean() ? F : G;
      String qualifier = "q" + random.nextInt(3);
      String value = "v".repeat(random.nextInt(200)) + random.nextInt();
      batch.add(putOf(row, family, qualifier, Cell.LATEST_TIMESTAMP, value));
      model.put(key(row, family, qualifier), value);
    }
    RegionHarness.done(harness.mutate(batch));
  }

  private void delete(RegionHarness harness) throws IOException {
    String row = row();
    byte[] family = random.nextBoolean() ? F : G;
    String qualifier = "q" + random.nextInt(3);
    switch (random.nextInt(3)) {
      case 0 -> {
        harness.mutate(List.of(Mutation.delete(Bytes.utf8(row), new CellBuffer())));
        model.subMap(row + "/", row + "0").clear();
      }
      case 1 -> {
        harness.mutate(
            List.of(deleteOf(row, family, "", Cell.LATEST_TIMESTAMP, CellType.DELETE_FAMILY)));
        String prefix = row + "/" + Bytes.utf8(family);
        model.subMap(prefix + ":", prefix + ";").clear();
      }
      default -> {
        harness.mutate(
            List.of(
                deleteOf(row, family, qualifier, Cell.LATEST_TIMESTAMP, CellType.DELETE_COLUMN)));
        model.remove(key(row, family, qualifier));
      }
    }
  }

  private String row() {
    return "r%02d".formatted(random.nextInt(40));
  }

  private static String key(String row, byte[] family, String qualifier) {
    return row + "/" + Bytes.utf8(family) + ":" + qualifier;
  }

  private List<String> expected(String from, String to) {
    return model.subMap(from, to).entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .toList();
  }
}
