package dev.cairn.testing.damage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.process.CairnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damages the files of a small data folder in turn. Each time, either the server serves everything
 * correctly, or its message names the file and the remedy, and it serves everything that does not
 * need the file.
 *
 * <p>After a kill, some damage is undetectable, and this test skips it. No list of store files and
 * recovered edits exists then, so a deleted one is not missed. A log without its end looks like a
 * log that the kill tore. {@link DamagedPiecesTest} damages a log in its middle.
 *
 * <p>Takes a sample of the files, or all of them with {@code -Dgroups=long}. Prints its seed, and
 * reads it from {@code -Dcairn.seed}.
 */
@Tag("forms")
class DamageSweepTest {
  private static final int SAMPLE = 4;

  @TempDir private Path directory;

  @ParameterizedTest(name = "killed={0}")
  @ValueSource(booleans = {false, true})
  void oneDamagedFileHarmsWhatNeedsItAlone(boolean killed) throws Exception {
    long seed = Long.getLong("cairn.seed", System.nanoTime());
    System.out.println("Seed of the damage: -Dcairn.seed=" + seed);
    Random random = new Random(seed);
    Path sample = directory.resolve("sample");
    SampleFolder.make(sample, killed);
    Map<TableName, SortedMap<String, String>> expected = expected(sample);

    Map<Trial.Outcome, Integer> counts = new TreeMap<>();
    List<String> bad = new ArrayList<>();
    for (Case one : cases(SampleFolder.files(sample), random)) {
      if (killed && one.isUntold()) {
        continue;
      }
      Path folder = directory.resolve("damaged");
      SampleFolder.copy(sample, folder);
      one.damage().apply(folder.resolve(one.file()), random);
      Trial.Result result = new Trial(folder, one.file(), expected).run();
      counts.merge(result.outcome(), 1, Integer::sum);
      System.out.println(result.outcome() + " " + one + " " + result.told());
      if (result.outcome().compareTo(Trial.Outcome.UNNAMED) >= 0) {
        bad.add(one + ": " + result);
      }
      delete(folder);
    }
    System.out.println("Outcomes: " + counts);
    assertThat(bad).as("seed %d", seed).isEmpty();
  }

  private record Case(String file, Damage damage) {
    private static final Pattern UNLISTED =
        Pattern.compile("data/[^/]+/[^/]+/[0-9a-f]+/[^/.]+/[^/.].*|.*/recovered\\.edits/\\d+");

    /** Tells whether the damage is undetectable after a kill. */
    boolean isUntold() {
      return file.contains("WALs/") || damage == Damage.DELETED && UNLISTED.matcher(file).matches();
    }
  }

  private static List<Case> cases(List<String> files, Random random) {
    List<Case> cases = new ArrayList<>();
    for (String file : files) {
      for (Damage damage : Damage.values()) {
        cases.add(new Case(file, damage));
      }
    }
    if (Boolean.getBoolean("cairn.long")) {
      return cases;
    }
    Collections.shuffle(cases, random);
    return cases.subList(0, SAMPLE);
  }

  private Map<TableName, SortedMap<String, String>> expected(Path sample) throws IOException {
    Path copy = directory.resolve("whole");
    SampleFolder.copy(sample, copy);
    Map<TableName, SortedMap<String, String>> expected = new HashMap<>();
    CairnProcess server = SampleFolder.start(copy);
    try (Connection connection = ConnectionFactory.createConnection(SampleFolder.client(server))) {
      for (TableName table : SampleFolder.TABLES) {
        expected.put(table, SampleFolder.read(connection, table));
      }
    } finally {
      server.close();
    }
    delete(copy);
    return expected;
  }

  private static void delete(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      paths.sorted(Collections.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
    }
  }
}
