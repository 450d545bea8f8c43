package dev.cairn.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseBuffersTest {
  private static final int LONG = 100 << 10;

  private final ResponseBuffers buffers = new ResponseBuffers(1 << 20);

  private static CellBuffer fill(CellBuffer buffer, int bytes) {
    buffer.add(Cell.put(Bytes.utf8("row"), Bytes.utf8("f"), Bytes.EMPTY, 1, new byte[bytes]));
    return buffer;
  }

  @Test
  void lendsABufferAgainEmpty() {
    CellBuffer first = fill(buffers.take(0), 100);
    buffers.giveBack(first);
    assertThat(buffers.take(0)).isSameAs(first);
    assertThat(first.size()).isZero();
    assertThat(first.blockSize()).isZero();
  }

  @Test
  void lendsABufferToOneCallAtATime() {
    buffers.giveBack(buffers.take(LONG));
    assertThat(buffers.take(LONG)).isNotSameAs(buffers.take(LONG));
    assertThat(buffers.take(0)).isNotSameAs(buffers.take(0));
  }

  @Test
  void keepsWhatHasGrownForLongResponses() {
    CellBuffer grown = fill(buffers.take(0), LONG);
    buffers.giveBack(grown);
    assertThat(buffers.take(0)).isNotSameAs(grown);
    assertThat(buffers.take(LONG)).isSameAs(grown);
    assertThat(buffers.keptBytes()).isZero();
  }

  @Test
  void keepsNoMoreThanItsLimit() {
    List<CellBuffer> lent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      lent.add(buffers.take(LONG));
    }
    lent.forEach(buffers::giveBack);
    assertThat(buffers.keptBytes()).isBetween(1L << 19, 1L << 20);
    for (int i = 0; i < 30; i++) {
      buffers.take(LONG);
    }
    assertThat(buffers.keptBytes()).isZero();
  }

  @Test
  void forgetsABufferOfAHugeResponse() {
    ResponseBuffers roomy = new ResponseBuffers(1L << 30);
    CellBuffer huge = fill(roomy.take(LONG), 9 << 20);
    roomy.giveBack(huge);
    assertThat(roomy.keptBytes()).isZero();
    assertThat(roomy.take(LONG)).isNotSameAs(huge);
  }
}
