package dev.cairn.bench.memory;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** A way to occupy much of a server's memory. Each step makes one call or a few. */
enum Trial {
  /** Writes cells of 10 KB, ten at a time. */
  STREAM_WRITES("stream", 8) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      List<Action> actions = new ArrayList<>();
      ByteArrayOutputStream cells = new ByteArrayOutputStream();
      for (int i = 0; i < 10; i++) {
        Put put = put(randomRow(STREAM_ROWS), 10 << 10);
        actions.add(
            Action.newBuilder()
                .setIndex(i)
                .setMutation(ProtobufUtil.toMutationNoData(MutationType.PUT, put))
                .build());
        cells.writeBytes(block(put));
      }
      tally.answered(
          client.call(
              "Multi",
              MultiRequest.newBuilder()
                  .addRegionAction(
                      RegionAction.newBuilder().setRegion(place.region()).addAllAction(actions))
                  .build(),
              cells.toByteArray()));
    }
  },

  /** Opens a scan every half second, takes one row, and leaves it open. */
  OPEN_SCANNERS("stream", 1) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      tally.answered(client.call("Scan", scan(place, 1, 1 << 20, false)));
      pause(500);
    }
  },

  /** Gets a row of many cells. */
  WIDE_GETS("wide", 10) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      tally.answered(
          client.call(
              "Get",
              GetRequest.newBuilder()
                  .setRegion(place.region())
                  .setGet(Get.newBuilder().setRow(ByteString.copyFrom(TrialTables.WIDE_ROW)))
                  .build()));
      pause(100);
    }
  },

  /** Asks for all rows of a table in one response. */
  UNLIMITED_SCANS("stream", 4) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      tally.answered(client.call("Scan", scan(place, Integer.MAX_VALUE, Long.MAX_VALUE, true)));
    }
  },

  /** Scans a row of many cells as one result. */
  WHOLE_ROW_SCANS("wide", 2) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      tally.answered(client.call("Scan", scan(place, Integer.MAX_VALUE, Long.MAX_VALUE, true)));
      pause(100);
    }
  },

  /** Gets a thousand rows of 10 KB at a time. */
  MULTI_GETS("stream", 4) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      RegionAction.Builder actions = RegionAction.newBuilder().setRegion(place.region());
      for (int i = 0; i < 1000; i++) {
        actions.addAction(
            Action.newBuilder()
                .setIndex(i)
                .setGet(Get.newBuilder().setRow(ByteString.copyFrom(randomRow(STREAM_ROWS)))));
      }
      tally.answered(
          client.call("Multi", MultiRequest.newBuilder().addRegionAction(actions).build()));
    }
  },

  /** Writes cells of 8, 4, 2 and 1 MB, so that some fit, whatever the heap's limit of cells. */
  LARGE_CELLS("blobs", 20) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      int bytes = 8 << 20 >> ThreadLocalRandom.current().nextInt(4);
      tally.answered(write(client, place, put(randomRow(40), bytes)));
      pause(200);
    }
  },

  /** Scans those cells. */
  LARGE_CELL_SCANS("blobs", 4) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      tally.answered(client.call("Scan", scan(place, Integer.MAX_VALUE, Long.MAX_VALUE, true)));
      pause(100);
    }
  },

  /** Writes a cell of 100 MB. Uses a separate connection, because the server closes it. */
  GIANT_CELL("blobs", 1) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      try (WireClient own = new WireClient(place.address())) {
        tally.answered(write(own, place, put(randomRow(40), 100 << 20)));
      } catch (IOException e) {
        tally.failed("connection closed");
      }
      pause(5_000);
    }
  },

  /** Sends large scans and never reads a response. */
  NEVER_READING("stream", 10) {
    @Override
    void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException {
      try (WireClient own = new WireClient(place.address())) {
        for (int i = 0; i < 50; i++) {
          own.send("Scan", scan(place, Integer.MAX_VALUE, 2 << 20, true), new byte[0]);
        }
        pause(30_000);
        tally.failed("left after 30 s");
      } catch (IOException e) {
        tally.failed("closed by the server");
      }
    }
  };

  private static final int STREAM_ROWS = 50_000;

  private final String table;
  private final int threads;

  Trial(String table, int threads) {
    this.table = table;
    this.threads = threads;
  }

  /** Returns the trial's table. */
  String table() {
    return table;
  }

  /** Returns the number of concurrent clients. */
  int threads() {
    return threads;
  }

  /** Runs one step. */
  abstract void step(WireClient client, TrialTables.Place place, Tally tally) throws IOException;

  private static WireClient.Answer write(WireClient client, TrialTables.Place place, Put put)
      throws IOException {
    return client.call(
        "Mutate",
        MutateRequest.newBuilder()
            .setRegion(place.region())
            .setMutation(ProtobufUtil.toMutationNoData(MutationType.PUT, put))
            .build(),
        block(put));
  }

  private static ScanRequest scan(TrialTables.Place place, int rows, long maxBytes, boolean close)
      throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(place.region())
        .setScan(ProtobufUtil.toScan(new Scan().setMaxResultSize(maxBytes)))
        .setNumberOfRows(rows)
        .setCloseScanner(close)
        .build();
  }

  private static byte[] randomRow(int rows) {
    return Bytes.toBytes(String.format("row%08d", ThreadLocalRandom.current().nextInt(rows)));
  }

  private static Put put(byte[] row, int bytes) {
    byte[] value = new byte[bytes];
    ThreadLocalRandom.current().nextBytes(value);
    return new Put(row).addColumn(TrialTables.FAMILY, TrialTables.FAMILY, 1L, value);
  }

  private static byte[] block(Put put) throws IOException {
    KeyValue cell =
        new KeyValue(
            put.getRow(),
            TrialTables.FAMILY,
            TrialTables.FAMILY,
            System.currentTimeMillis(),
            CellUtil.cloneValue(put.getFamilyCellMap().firstEntry().getValue().get(0)));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(cell.getLength() + Integer.BYTES);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(cell.getLength());
    out.write(cell.getBuffer(), cell.getOffset(), cell.getLength());
    return bytes.toByteArray();
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
