package dev.cairn.server.master.meta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cairn.engine.cell.Bytes;
import dev.cairn.engine.schema.TableName;
import dev.cairn.engine.time.Clock;
import dev.cairn.server.catalog.Catalog;
import dev.cairn.server.catalog.CatalogChange;
import dev.cairn.server.coordination.Coordination;
import dev.cairn.server.master.SimulatedLanes;
import dev.cairn.server.master.loop.MasterLoop;
import dev.cairn.server.master.loop.MasterLoop.Completion;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameBytesPair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.TableState;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of {@code hbase:meta}, some of which its server refuses. */
class RegionStateStoreTest {
  private final SimulatedLanes lanes = new SimulatedLanes();
  private final List<Throwable> fatal = new ArrayList<>();
  private final MasterLoop loop = new MasterLoop(Clock.SYSTEM, lanes, fatal::add);
  private final Meta meta = new Meta();
  private final RegionStateStore store =
      new RegionStateStore(
          loop, new Catalog(meta, Clock.SYSTEM), new TableStateMirror(noCoordination()));
  private final List<String> done = new ArrayList<>();
  private final List<String> refusals = new ArrayList<>();

  @BeforeEach
  void open() {
    store.setOpen(true);
  }

  private static Coordination noCoordination() {
    return (Coordination)
        Proxy.newProxyInstance(
            Coordination.class.getClassLoader(),
            new Class<?>[] {Coordination.class},
            (proxy, method, arguments) -> null);
  }

  private void write(String table, TableState.State state) {
    store.write(
        List.of(new CatalogChange.SetTableState(TableName.parse(table), state)),
        completion(table + " " + state));
  }

  private Completion completion(String what) {
    return Completion.of(() -> done.add(what), cause -> refusals.add(cause.toString()));
  }

  private void run(Duration time) {
    long end = lanes.nanoTime() + time.toNanos();
    while (step() || lanes.passTime(Duration.ofNanos(end - lanes.nanoTime()))) {
      continue;
    }
  }

  private boolean step() {
    boolean any = loop.poll();
    return lanes.runAction() | any;
  }

  @Test
  void aChangeThatMetaRefusesIsRefusedToItsCallerAndHoldsUpNoOther() {
    meta.refused.add("bad");
    write("first", TableState.State.ENABLED);
    write("bad", TableState.State.ENABLED);
    write("good", TableState.State.ENABLED);
    run(Duration.ofSeconds(1));
    write("bad", TableState.State.DISABLING);
    write("later", TableState.State.ENABLED);
    run(Duration.ofSeconds(1));
    assertThat(done).containsExactly("first ENABLED", "good ENABLED", "later ENABLED");
    assertThat(refusals).hasSize(2).allMatch(refusal -> refusal.contains("bad row"));

    meta.refused.clear();
    write("bad", TableState.State.DISABLED);
    run(Duration.ofSeconds(1));
    assertThat(done).contains("bad DISABLED");
    assertThat(fatal).isEmpty();
  }

  @Test
  void aProgrammingErrorIsRefusedToItsCaller() {
    write("bad", null);
    write("good", TableState.State.ENABLED);
    run(Duration.ofSeconds(1));
    assertThat(done).containsExactly("good ENABLED");
    assertThat(refusals).hasSize(1).allMatch(refusal -> refusal.contains("NullPointerException"));
  }

  @Test
  void whatMetaRefusesForAMomentHoldsUpAll() {
    meta.closed = true;
    write("one", TableState.State.ENABLED);
    write("two", TableState.State.ENABLED);
    run(Duration.ofSeconds(1));
    write("three", TableState.State.ENABLED);
    run(Duration.ofSeconds(1));
    assertThat(done).isEmpty();

    meta.closed = false;
    run(Duration.ofSeconds(5));
    assertThat(done).containsExactly("one ENABLED", "two ENABLED", "three ENABLED");
  }

  /** The server of {@code hbase:meta}. */
  private static final class Meta implements Catalog.MetaClient {
    private final Set<String> refused = new HashSet<>();
    private boolean closed;

    @Override
    public <R extends Message> R call(String method, Message request, R prototype)
        throws IOException {
      if (closed) {
        throw new NotServingRegionException("hbase:meta is not open");
      }
      ClientProtos.RegionActionResult.Builder results =
          ClientProtos.RegionActionResult.newBuilder();
      for (ClientProtos.Action action :
          ((ClientProtos.MultiRequest) request).getRegionAction(0).getActionList()) {
        ClientProtos.ResultOrException.Builder result =
            ClientProtos.ResultOrException.newBuilder().setIndex(action.getIndex());
        if (refused.contains(Bytes.utf8(action.getMutation().getRow().toByteArray()))) {
          result.setException(
              NameBytesPair.newBuilder()
                  .setName(DoNotRetryIOException.class.getName())
                  .setValue(ByteString.copyFromUtf8("bad row")));
        } else {
          result.setResult(ClientProtos.Result.getDefaultInstance());
        }
        results.addResultOrException(result);
      }
      @SuppressWarnings("unchecked")
      R answer = (R) ClientProtos.MultiResponse.newBuilder().addRegionActionResult(results).build();
      return answer;
    }
  }
}
