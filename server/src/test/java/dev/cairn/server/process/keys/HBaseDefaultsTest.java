package dev.cairn.server.process.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.server.config.ConfigKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** A key in force has the default that Apache HBase documents for it. */
class HBaseDefaultsTest {
  /** Keys with other defaults, and why. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "hbase.rootdir", "the data folder lies beside bin",
          "hbase.tmp.dir", "read only where another key refers to it",
          "hbase.local.dir", "the jars of filters lie in the data folder",
          "hbase.dynamic.jars.dir", "the jars of filters lie in the data folder",
          "hbase.master.info.bindAddress", "the loopback address, in protected mode",
          "hbase.regionserver.info.bindAddress", "the loopback address, in protected mode",
          "hbase.zookeeper.property.dataDir", "beside bin/, since the system empties /tmp");

  /** Keys whose documented default is empty; the code of HBase has another one. */
  private static final Set<String> IN_CODE =
      Set.of(
          "hbase.hstore.compaction.min",
          "hbase.regionserver.global.memstore.size",
          "hbase.regionserver.global.memstore.size.lower.limit");

  private final Configuration hbase = new Configuration(false);

  HBaseDefaultsTest() {
    hbase.addResource("hbase-default.xml");
  }

  @Test
  void everyDocumentedKeyHasHBasesDefault() {
    Map<String, String> differences = new TreeMap<>();
    int compared = 0;
    for (ConfigKey<?> key : ProcessSettings.keys()) {
      String theirs = hbase.getRaw(key.name());
      if (theirs == null || IN_CODE.contains(key.name()) || OTHERS.containsKey(key.name())) {
        continue;
      }
      compared++;
      if (!key.value(theirs.strip()).equals(key.value(key.defaultText()))) {
        differences.put(key.name(), key.defaultText() + ", in HBase " + theirs);
      }
    }
    assertThat(differences).isEmpty();
    assertThat(compared).isGreaterThan(40);
  }

  @Test
  void keysWithoutADocumentedDefaultReallyHaveNone() {
    for (String name : IN_CODE) {
      assertThat(hbase.getRaw(name)).as(name).isBlank();
    }
  }

  @Test
  void everyExceptionIsAKeyInForce() {
    List<String> names = ProcessSettings.keys().stream().map(key -> key.name()).toList();
    assertThat(names).containsAll(OTHERS.keySet()).containsAll(IN_CODE);
  }
}
