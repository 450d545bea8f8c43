package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.region.RegionFiles;
import dev.cairn.engine.storage.Storage.BlockLocation;
import dev.cairn.server.regionserver.report.Localities;
import dev.cairn.server.rpc.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the share of a region's files on the server's own machine. */
class LocalitiesTest {
  private static final BlockLocation HERE = new BlockLocation(100, Set.of("127.0.0.1", "other"));
  private static final BlockLocation ELSEWHERE = new BlockLocation(300, Set.of("other", "third"));

  private final ManualClock clock = new ManualClock();
  private final Localities localities = new Localities("127.0.0.1", clock);
  private final Map<String, List<BlockLocation>> files = new LinkedHashMap<>();
  private final List<String> asked = new ArrayList<>();
  private final RegionFiles region = new Files();

  @Test
  void onlyBlocksWithACopyOnThisMachineAreLocal() {
    files.put("one", List.of(HERE, ELSEWHERE));
    files.put("two", List.of(ELSEWHERE));
    assertThat(localities.of(region)).isEqualTo(Localities.Share.NONE);
    localities.check(List.of(region));
    assertThat(localities.of(region)).isEqualTo(new Localities.Share(100, 700));
    assertThat(localities.of(region).ratio()).isEqualTo(1 / 7f);
  }

  @Test
  void aFileIsAskedForOnceInAWhile() {
    files.put("one", List.of(ELSEWHERE));
    localities.check(List.of(region));
    files.put("one", List.of(HERE));
    files.put("two", List.of(HERE));
    localities.check(List.of(region));
    assertThat(asked).containsExactly("one", "two");
    clock.advanceMillis(Duration.ofMinutes(10).toMillis());
    localities.check(List.of(region));
    assertThat(localities.of(region).ratio()).isEqualTo(1);
  }

  @Test
  void filesThatTheStorageCannotPlaceCountForNothing() {
    files.put("one", List.of());
    files.put("gone", null);
    localities.check(List.of(region));
    assertThat(localities.of(region).ratio()).isZero();
    assertThat(asked).containsExactly("one", "gone");
  }

  private final class Files extends RegionFiles {
    Files() {
      super(List.of());
    }

    @Override
    public List<String> paths() {
      return List.copyOf(files.keySet());
    }

    @Override
    public List<BlockLocation> locations(String path) throws IOException {
      asked.add(path);
      if (files.get(path) == null) {
        throw new IOException(path + " is gone");
      }
      return files.get(path);
    }
  }
}
