package dev.cairn.coprocessor.facade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.ServerName;
import dev.cairn.server.hook.RegionHost;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.junit.jupiter.api.Test;

class ServicesOfServerTest {
  private final RegionServerServices services =
      ServicesOfServer.ofRegion(
              null,
              new RegionHost(
                  new ServerName("host", 1, 2),
                  null,
                  List::of,
                  () -> null,
                  null,
                  "data",
                  null,
                  null,
                  Clock.SYSTEM),
              new OpenRegions(),
              "the region")
          .view();

  @Test
  void aRequestToEndTheServerFailsByName() {
    assertThatThrownBy(() -> services.abort("no more", new IllegalStateException()))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("no more");
    assertThatThrownBy(() -> services.abort("no more"))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(services.isAborted()).isFalse();
  }
}
