package dev.cairn.server.regionserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.hfile.format.CorruptFileException;
import dev.cairn.engine.region.state.RegionFailedException;
import dev.cairn.server.regionserver.hosted.EngineErrors;
import dev.cairn.server.rpc.wire.NamedException;
import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.junit.jupiter.api.Test;

/**
 * Tests the exceptions that clients get: classes that they have, because they show only the name of
 * others.
 */
class EngineErrorsTest {
  @Test
  void aDamagedFileIsToldWithItsPlaceAndIsNotTriedAgain() {
    IOException told =
        EngineErrors.forClient(new CorruptFileException("data/f", 33, "a checksum", "another"));

    assertThat(told)
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessage("Store file data/f is damaged at byte 33: expected a checksum, found another");
  }

  @Test
  void errorsThatOnlyTheEngineKnowsTravelAsIoException() {
    IOException error = new RegionFailedException("the region failed", new IOException("disk"));

    assertThat(EngineErrors.forClient(error))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("the region failed")
        .hasCause(error);
    assertThat(EngineErrors.inMessage(error).getName()).isEqualTo("java.io.IOException");
  }

  @Test
  void anErrorUnderANameOfHbaseKeepsIt() {
    IOException error = new NamedException(NamedException.CONSTRAINT, "no");

    assertThat(EngineErrors.forClient(error)).isSameAs(error);
    assertThat(EngineErrors.inMessage(error).getName()).isEqualTo(NamedException.CONSTRAINT);
  }
}
