package dev.cairn.server.rpc;

import static dev.cairn.server.rpc.RawConnection.block;
import static dev.cairn.server.rpc.RawConnection.call;
import static dev.cairn.server.rpc.RpcFixture.echo;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.cell.Cell;
import dev.cairn.engine.cell.CellType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Cells that travel beside messages, in the form that the client reads. */
@Timeout(60)
class CellBlocksTest {
  private static List<Cell> cells() {
    return List.of(
        Cell.put(Bytes.utf8("r"), Bytes.utf8("f"), Bytes.utf8("q"), 1, Bytes.utf8("value")),
        Cell.of(
            Bytes.utf8("r2"),
            Bytes.utf8("f"),
            Bytes.EMPTY,
            2,
            CellType.PUT.code(),
            Bytes.EMPTY,
            new byte[] {0, 2, 1, 9},
            0));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void carriesCellsBesideMessages(boolean withTags) throws IOException {
    String codec = withTags ? RawConnection.WITH_TAGS : RawConnection.KEY_VALUE;
    byte[] block = block(cells(), withTags);
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", codec)) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance(), block);
      RawConnection.Response response = client.read();
      assertThat(ScanResponse.parseFrom(response.message()).getCellsPerResult(0)).isEqualTo(2);
      assertThat(response.header().getCellBlockMeta().getLength()).isEqualTo(block.length);
      assertThat(response.cells()).isEqualTo(block);
    }
  }

  @Test
  void dropsTagsForAClientThatReadsNone() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance(), block(cells(), true));
      assertThat(client.read().cells()).isEqualTo(block(cells(), false));
    }
  }

  @Test
  void refusesMalformedCellsAndGoesOn() throws IOException {
    byte[] block = block(cells(), true);
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.WITH_TAGS)) {
      for (int at : new int[] {0, 4, 8, 12}) {
        byte[] spoiled = block.clone();
        spoiled[at] = 0x7F;
        client.send(call(at, "Scan"), ScanRequest.getDefaultInstance(), spoiled);
        ExceptionResponse error = client.read().header().getException();
        assertThat(error.getExceptionClassName())
            .isEqualTo("org.apache.hadoop.hbase.DoNotRetryIOException");
        assertThat(error.getDoNotRetry()).isTrue();
      }
      client.send(call(99, "Scan"), ScanRequest.getDefaultInstance(), block);
      assertThat(client.read().cells()).isEqualTo(block);
    }
  }

  @Test
  void refusesCellsOnAConnectionWithoutCodec() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client = RawConnection.open(fixture.address(), "ClientService", "")) {
      client.send(call(1, "Scan"), ScanRequest.getDefaultInstance(), block(cells(), false));
      assertThat(client.read().header().getException().getStackTrace()).contains("codec");
    }
  }

  @Test
  void refusesACellBlockLongerThanTheFrame() throws IOException {
    try (RpcFixture fixture = echo();
        RawConnection client =
            RawConnection.open(fixture.address(), "ClientService", RawConnection.KEY_VALUE)) {
      for (int length : new int[] {1 << 30, -1}) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        RPCProtos.RequestHeader.Builder header = call(1, "Scan");
        header.getCellBlockMetaBuilder().setLength(length);
        header.build().writeDelimitedTo(frame);
        ScanRequest.getDefaultInstance().writeDelimitedTo(frame);
        client.sendFrame(frame.toByteArray());
        assertThat(client.read().header().getException().getStackTrace())
            .contains("cell block")
            .contains("does not fit");
      }
    }
  }
}
