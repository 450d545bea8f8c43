package dev.cairn.coprocessor.server;

import com.google.protobuf.RpcCallback;
import com.google.protobuf.RpcController;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CacheEvictionStats;
import org.apache.hadoop.hbase.CoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionServerCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionServerObserver;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.ColumnAggregationService;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumRequest;
import org.apache.hadoop.hbase.coprocessor.protobuf.generated.ColumnAggregationProtos.SumResponse;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcUtils;
import org.apache.hadoop.hbase.ipc.RpcServer;

/** Records the hooks of a region server, fails in the one that is named, and serves sums. */
public class ServerProbe implements RegionServerCoprocessor, RegionServerObserver {
  static final List<String> CALLS = new CopyOnWriteArrayList<>();

  /** The hook that fails; a name that ends with ! lets it throw an unexpected exception. */
  static volatile String failing = "";

  /** The hook before a stop waits for it. */
  static volatile CountDownLatch gate = new CountDownLatch(0);

  static volatile RegionServerCoprocessorEnvironment environment;

  @Override
  public Optional<RegionServerObserver> getRegionServerObserver() {
    return Optional.of(this);
  }

  /** Answers 7, or fails as the family of the request says. */
  private static final class Sums extends ColumnAggregationService {
    @Override
    public void sum(RpcController controller, SumRequest request, RpcCallback<SumResponse> done) {
      if (request.getFamily().toStringUtf8().equals("bad")) {
        CoprocessorRpcUtils.setControllerException(controller, new IOException("a bad family"));
        return;
      }
      CALLS.add("sum for " + RpcServer.getRequestUserName().orElse("nobody"));
      done.run(SumResponse.newBuilder().setSum(7).build());
    }
  }

  @Override
  public Iterable<Service> getServices() {
    return List.of(new Sums());
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void start(CoprocessorEnvironment started) throws IOException {
    environment = (RegionServerCoprocessorEnvironment) started;
    called("start");
  }

  @Override
  @SuppressWarnings("rawtypes")
  public void stop(CoprocessorEnvironment stopped) {
    CALLS.add("stop");
  }

  private static void called(String hook) throws IOException {
    CALLS.add(hook);
    if (failing.equals(hook)) {
      throw new IOException(hook + " is refused");
    }
    if (failing.equals(hook + "!")) {
      throw new IllegalStateException(hook + " fails");
    }
  }

  @Override
  public void preStopRegionServer(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    try {
      called("preStopRegionServer");
    } finally {
      awaitGate();
    }
  }

  private static void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void preRollWALWriterRequest(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("preRollWALWriterRequest");
    CALLS.add("user " + context.getCaller().map(user -> user.getShortName()).orElse("nobody"));
  }

  @Override
  public void postRollWALWriterRequest(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("postRollWALWriterRequest");
  }

  @Override
  public void preClearCompactionQueues(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("preClearCompactionQueues");
  }

  @Override
  public void postClearCompactionQueues(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("postClearCompactionQueues");
  }

  @Override
  public void preExecuteProcedures(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("preExecuteProcedures");
  }

  @Override
  public void postExecuteProcedures(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("postExecuteProcedures");
  }

  @Override
  public void preClearRegionBlockCache(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("preClearRegionBlockCache");
  }

  @Override
  public void postClearRegionBlockCache(
      ObserverContext<RegionServerCoprocessorEnvironment> context, CacheEvictionStats stats)
      throws IOException {
    called("postClearRegionBlockCache");
    CALLS.add("cache " + (stats.getMaxCacheSize() > 0));
  }

  @Override
  public void preUpdateRegionServerConfiguration(
      ObserverContext<RegionServerCoprocessorEnvironment> context, Configuration settings)
      throws IOException {
    called("preUpdateRegionServerConfiguration");
    CALLS.add("key " + settings.get("probe.key"));
  }

  @Override
  public void postUpdateRegionServerConfiguration(
      ObserverContext<RegionServerCoprocessorEnvironment> context, Configuration settings)
      throws IOException {
    called("postUpdateRegionServerConfiguration");
    CALLS.add("key " + settings.get("probe.key"));
  }

  @Override
  @SuppressWarnings("deprecation")
  public void preReplicateLogEntries(ObserverContext<RegionServerCoprocessorEnvironment> context)
      throws IOException {
    called("preReplicateLogEntries");
  }
}
