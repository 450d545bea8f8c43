package dev.cairn.server.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cairn.server.catalog.ClusterLevel.IncompatibleLevelException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerStartupResponse;
import org.junit.jupiter.api.Test;

/** Which versions work together, and how they tell each other. */
class ClusterLevelTest {
  private static final RegionServerStartupRequest REQUEST =
      RegionServerStartupRequest.newBuilder()
          .setPort(16020)
          .setServerStartCode(1)
          .setServerCurrentTime(1)
          .build();

  private static void check(ClusterLevel one, ClusterLevel other)
      throws IncompatibleLevelException {
    one.check("this master", "the region server rs", other);
  }

  @Test
  void eachSideFindsThatTheOtherIsTooOld() {
    ClusterLevel old = new ClusterLevel(1, 0);
    ClusterLevel young = new ClusterLevel(2, 1);
    ClusterLevel strict = new ClusterLevel(3, 2);
    assertThatCode(() -> check(old, young)).doesNotThrowAnyException();
    assertThatCode(() -> check(young, old)).doesNotThrowAnyException();
    assertThatCode(() -> check(strict, young)).doesNotThrowAnyException();
    assertThatThrownBy(() -> check(strict, old))
        .isInstanceOf(IncompatibleLevelException.class)
        .hasMessageStartingWith(
            "The region server rs has cluster level 1, and this master works with level 2 or"
                + " higher only (cairn.cluster.level.min)");
    assertThatThrownBy(() -> check(old, strict))
        .isInstanceOf(IncompatibleLevelException.class)
        .hasMessageStartingWith(
            "This master has cluster level 1, and the region server rs works with level 2 or"
                + " higher only");
  }

  @Test
  void messagesCarryIt() throws Exception {
    ClusterLevel level = new ClusterLevel(7, 5);
    byte[] request = level.addTo(REQUEST).toByteArray();
    assertThat(ClusterLevel.of(RegionServerStartupRequest.parseFrom(request))).isEqualTo(level);
    RegionServerStartupResponse.Builder response = RegionServerStartupResponse.newBuilder();
    level.addTo(response);
    assertThat(ClusterLevel.of(response.build())).isEqualTo(level);
    assertThat(ClusterLevel.parse(level.text())).isEqualTo(level);
  }

  @Test
  void aVersionThatSendsNoneHasLevelZero() {
    ClusterLevel none = new ClusterLevel(0, 0);
    assertThat(ClusterLevel.of(REQUEST)).isEqualTo(none);
    assertThat(ClusterLevel.of(RegionServerStartupResponse.getDefaultInstance())).isEqualTo(none);
    assertThatCode(() -> check(ClusterLevel.defaults(), none)).doesNotThrowAnyException();
  }
}
