package dev.cairn.server.process.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.config.ConfigException;
import dev.cairn.server.config.ConfigKey;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.regionserver.maintenance.MaintenanceSettings;
import dev.cairn.server.rpc.RpcKeys;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Impossible values are refused by the name under which the site has them. */
class SettingRulesTest {
  private static final Pattern WHOLE_NUMBERS = Pattern.compile("(-?\\d+) to (\\d+)(,.*)?");
  private static final Pattern NUMBERS =
      Pattern.compile("(?:a number from |more than )?([\\d.]+) to ([\\d.]+)");

  @Test
  void everyKeyOfWholeNumbersRefusesWhatIsOutsideOfItsRange() {
    int checked = 0;
    for (ConfigKey<?> key : ProcessSettings.keys()) {
      Matcher range = WHOLE_NUMBERS.matcher(key.range());
      if (range.matches()) {
        assertRefused(key, new BigInteger(range.group(1)).subtract(BigInteger.ONE).toString());
        assertRefused(key, new BigInteger(range.group(2)).add(BigInteger.ONE).toString());
        assertRefused(key, "1.5");
        assertRefused(key, "12 MB");
        assertRefused(key, "");
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(50);
  }

  @Test
  void everyKeyOfSharesRefusesWhatIsOutsideOfItsRange() {
    int checked = 0;
    for (ConfigKey<?> key : ProcessSettings.keys()) {
      Matcher range = NUMBERS.matcher(key.range());
      if (range.matches() && !WHOLE_NUMBERS.matcher(key.range()).matches()) {
        assertRefused(key, "-0.01");
        assertRefused(key, Double.toString(Double.parseDouble(range.group(2)) + 0.01));
        assertRefused(key, "NaN");
        assertRefused(key, "half");
        checked++;
      }
    }
    assertThat(checked).isGreaterThan(5);
  }

  @Test
  void everySwitchRefusesWhatIsNeitherTrueNorFalse() {
    for (ConfigKey<?> key : ProcessSettings.keys()) {
      if (key.range().equals("true or false")) {
        assertRefused(key, "yes");
        assertRefused(key, "");
        assertThat(key.value(" TRUE ")).isEqualTo(true);
      }
    }
  }

  @Test
  void memstoresAndTheCacheMustLeaveAFifthOfTheHeap() {
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.regionserver.global.memstore.size", "0.5");
    site.put("hfile.block.cache.size", "0.3");
    assertThat(ProcessSettings.review(new SiteConfig(site))).isEmpty();
    site.put("hfile.block.cache.size", "0.35");
    assertThatThrownBy(() -> ProcessSettings.review(new SiteConfig(site)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("hbase.regionserver.global.memstore.size (0.5)")
        .hasMessageContaining("hfile.block.cache.size (0.35)")
        .hasMessageContaining("at most 0.8");
  }

  @Test
  void listenersNeedPortsOfTheirOwn() {
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.master.port", "16020");
    assertThatThrownBy(() -> ProcessSettings.review(new SiteConfig(site)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "hbase.master.port and hbase.regionserver.port must be different ports, but both are"
                + " 16020");
    site.put("hbase.master.port", "0");
    site.put("hbase.regionserver.port", "0");
    assertThat(ProcessSettings.review(new SiteConfig(site))).isEmpty();
  }

  @Test
  void serversOnSeveralMachinesMayUseTheSamePort() {
    Map<String, String> site =
        Map.of("hbase.master.port", "16020", "hbase.cluster.distributed", "true");
    assertThat(ProcessSettings.review(new SiteConfig(site))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hbase", "/", "/hbase/", "", "/a//b", "/with space"})
  void theParentOfAllZnodesMustBeAPath(String path) {
    assertRefused(ProcessKeys.ZNODE_PARENT, path);
    assertThat(ProcessKeys.ZNODE_PARENT.value("/hbase-unsecure/test"))
        .isEqualTo("/hbase-unsecure/test");
  }

  @ParameterizedTest
  @CsvSource({
    "ipc.server.max.callqueue.length, hbase.ipc.server.max.callqueue.length, 77",
    "ipc.server.max.callqueue.size, hbase.ipc.server.max.callqueue.size, 7777777",
    "ipc.server.callqueue.handler.factor, hbase.ipc.server.callqueue.handler.factor, 0.7",
    "ipc.server.callqueue.read.share, hbase.ipc.server.callqueue.read.ratio, 0.7",
    "hbase.ipc.server.callqueue.read.share, hbase.ipc.server.callqueue.read.ratio, 0.7",
    "ipc.server.tcpnodelay, hbase.ipc.server.tcpnodelay, false",
    "ipc.server.tcpkeepalive, hbase.ipc.server.tcpkeepalive, false",
    "ipc.server.listen.queue.size, hbase.ipc.server.listen.queue.size, 7",
    "hbase.regionserver.global.memstore.upperLimit, hbase.regionserver.global.memstore.size, 0.3",
    "hbase.master.mob.ttl.cleaner.period, hbase.master.mob.cleaner.period, 7",
    "hbase.snapshot.master.timeoutMillis, hbase.snapshot.master.timeout.millis, 70000",
  })
  void anOldNameCountsWhereThePresentOneIsNotSet(String old, String present, String value) {
    ConfigKey<?> key = key(present);
    SiteConfig site = new SiteConfig(Map.of(old, value));
    assertThat(site.get(key))
        .isEqualTo(key.value(value))
        .isNotEqualTo(key.value(key.defaultText()));
    assertThat(site.nameInUse(key)).contains(old);
    assertThat(ProcessSettings.review(site)).isEmpty();

    SiteConfig both = new SiteConfig(Map.of(old, value, present, key.defaultText()));
    assertThat(both.get(key)).isEqualTo(key.value(key.defaultText()));

    assertThatThrownBy(() -> ProcessSettings.review(new SiteConfig(Map.of(old, "much"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(old + " must be ")
        .hasMessageEndingWith("not <much>");
  }

  @Test
  void theOldLowerLimitIsAShareOfTheHeap() {
    Map<String, String> site = new TreeMap<>();
    site.put("hbase.regionserver.global.memstore.lowerLimit", "0.3");
    assertThat(lowerShare(site)).isCloseTo(0.75, within());
    site.put("hbase.regionserver.global.memstore.size", "0.2");
    assertThat(lowerShare(site)).as("never more than all").isEqualTo(1);
    site.put("hbase.regionserver.global.memstore.size.lower.limit", "0.9");
    assertThat(lowerShare(site)).isEqualTo(0.9);
  }

  private static double lowerShare(Map<String, String> site) {
    return MaintenanceSettings.of(new SiteConfig(site), 1 << 20).globalMemStoreLowerShare();
  }

  private static Offset<Double> within() {
    return Offset.offset(1e-9);
  }

  @Test
  void everyOldNameIsTested() throws ReflectiveOperationException {
    List<String> tested = new ArrayList<>();
    for (String line :
        SettingRulesTest.class
            .getDeclaredMethod(
                "anOldNameCountsWhereThePresentOneIsNotSet",
                String.class,
                String.class,
                String.class)
            .getAnnotation(CsvSource.class)
            .value()) {
      tested.add(line.split(",")[0]);
    }
    assertThat(ProcessSettings.keys().stream().flatMap(key -> key.oldNames().stream()))
        .containsExactlyInAnyOrderElementsOf(tested);
    assertThat(RpcKeys.READ_RATIO.oldNames()).hasSize(2);
  }

  private static ConfigKey<?> key(String name) {
    return ProcessSettings.keys().stream()
        .filter(key -> key.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static void assertRefused(ConfigKey<?> key, String value) {
    assertThatThrownBy(
            () -> new SiteConfig(Map.of(key.name(), value)).check(ProcessSettings.keys()))
        .as("%s = %s", key.name(), value)
        .isInstanceOf(ConfigException.class)
        .hasMessage(key.name() + " must be " + key.range() + ", not <" + value + ">");
  }
}
