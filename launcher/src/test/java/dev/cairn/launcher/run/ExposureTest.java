package dev.cairn.launcher.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.launcher.process.Addresses;
import dev.cairn.server.config.SiteConfig;
import dev.cairn.server.config.SiteConfigLoader;
import dev.cairn.server.process.keys.ProcessSettings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExposureTest {
  private static final Addresses ADDRESSES =
      new Addresses(
          "localhost:16000",
          "localhost:16020",
          "127.0.0.1:2181",
          Optional.of("http://localhost:16010/"),
          Optional.of("http://localhost:16030/"),
          Optional.empty());

  @Test
  void theSettingsThatComeWithCairnAreForThisMachineOnly() {
    SiteConfig shipped = SiteConfigLoader.ofProcess().load(Path.of("..", "conf"));
    assertThat(openTo(shipped)).isEqualTo("this machine only (cairn.bind.address opens it)");
  }

  @Test
  void namesAllThatIsOpen() {
    assertThat(openTo(new SiteConfig(Map.of("cairn.bind.address", "0.0.0.0"))))
        .isEqualTo(
            "every host that can reach 0.0.0.0:2181, 0.0.0.0:16000, 0.0.0.0:16010, 0.0.0.0:16020,"
                + " 0.0.0.0:16030; there is no access control");
    assertThat(
            openTo(
                new SiteConfig(
                    Map.of(
                        "hbase.cluster.distributed",
                        "true",
                        "hbase.master.info.bindAddress",
                        "127.0.0.1",
                        "hbase.regionserver.info.bindAddress",
                        "localhost",
                        "hbase.regionserver.ipc.address",
                        "::"))))
        .isEqualTo(
            "every host that can reach 0.0.0.0:16000, [::]:16020; there is no access control");
  }

  @Test
  void warnsOfEachProtectionThatIsMissing() {
    StringWriter out = new StringWriter();
    Exposure.of(new SiteConfig(Map.of("hbase.ssl.enabled", "true")), ADDRESSES)
        .print(new PrintWriter(out, true));
    assertThat(out.toString().lines())
        .containsExactly(
            "  open to        this machine only (cairn.bind.address opens it)",
            "  WARNING        hbase.ssl.enabled is <true>, but Cairn serves its web page to"
                + " everybody, without encryption");
  }

  @Test
  void namesNoMissingProtectionTwice() {
    SiteConfig config =
        new SiteConfig(
            Map.of(
                "hbase.ssl.enabled", "true",
                "cairn.security.ignore.unsupported", "true",
                "cairn.hostnme", "here"));
    assertThat(Exposure.of(config, ADDRESSES).others(ProcessSettings.review(config)))
        .singleElement()
        .asString()
        .startsWith("cairn.hostnme is unknown");
  }

  private static String openTo(SiteConfig config) {
    return Exposure.of(config, ADDRESSES).openTo();
  }
}
